#pragma once

#include <cstddef>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "carom/geometry/rotation.h"
#include "carom/geometry/vec3.h"
#include "carom/live/live_simulation.h"
#include "carom/scene/scene.h"

namespace carom::python {

namespace py = pybind11;

// Each file of this directory binds one module of the library.
void bind_core(py::module_& module);
void bind_impact(py::module_& module);
void bind_operators(py::module_& module);
void bind_scene(py::module_& module);
void bind_live(py::module_& module);
void bind_recording(py::module_& module);
void bind_study(py::module_& module);

/// Any sequence of numbers, as doubles without gaps. Throws InputError, naming `what`, on what is
/// no array of numbers, and where the number of axes is another one.
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
[[nodiscard]] Doubles doubles(const py::handle& value, const std::string& what, int axes);
[[nodiscard]] double number_of(const py::handle& value, const std::string& what);
[[nodiscard]] std::vector<double> list_of_doubles(const py::handle& value, const std::string& what);
/// Two or three numbers; a missing third one is 0.
[[nodiscard]] Vec3 vector_of(const py::handle& value, const std::string& what);

/// Rows of three numbers of which the first `width` are shown, owned by numpy.
[[nodiscard]] py::array_t<double> array_of(const std::vector<Vec3>& vectors, int width);
[[nodiscard]] py::array_t<double> array_of(const std::vector<double>& values);
[[nodiscard]] py::array_t<double> array_of(const std::vector<Quaternion>& quaternions);

/// Throws what Python raised where a signal came, e.g. Ctrl-C. Needs the GIL.
void check_signals();

}  // namespace carom::python
