#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "carom/impact/problem.h"

#include "bindings.h"

namespace carom::python {

/// An instant as matrices, as resolve() is given it.
struct InstantMatrices {
  const py::object& masses;
  const py::object& rows;
  const py::object& velocity;
  const py::object& restitution;
  const py::object& friction;
  const py::object& offset;    ///< w
  const py::object& tangents;  ///< T
  const std::optional<std::vector<std::size_t>>& bodies;
};
struct MatrixProblem {
  ImpactProblem problem;
  bool rubs = false;  ///< somewhere
};
/// Throws InputError that names the argument.
[[nodiscard]] MatrixProblem problem_of(const InstantMatrices& given);

}  // namespace carom::python
