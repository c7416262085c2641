// Errors and arrays: what every other file of the bindings needs.
#include <cmath>
#include <exception>
#include <string_view>

#include "carom/core/error.h"
#include "carom/core/version.h"
#include "carom/recording/error.h"

#include "bindings.h"

namespace carom::python {
namespace {

// Made once; the interpreter keeps them until it ends.
PyObject* input_error = nullptr;
PyObject* recording_error = nullptr;

void raise(const InputError& error) {
  try {
    const InputPlace& place = error.place();
    py::object made = py::reinterpret_borrow<py::object>(input_error)(py::str(error.what()));
    const auto or_none = [](bool known, py::object value) {
      return known ? std::move(value) : py::object(py::none());
    };
    made.attr("file") = or_none(!place.file.empty(), py::str(place.file));
    made.attr("line") = or_none(place.line > 0, py::int_(place.line));
    made.attr("column") = or_none(place.column > 0, py::int_(place.column));
    made.attr("key") = or_none(!place.key.empty(), py::str(place.key));
    made.attr("message") = py::str(error.message());
    PyErr_SetObject(input_error, made.ptr());
  } catch (py::error_already_set& inner) {
    inner.restore();
  }
}

void translate(std::exception_ptr failure) {
  try {
    if (failure) std::rethrow_exception(std::move(failure));
  } catch (const InputError& error) {
    raise(error);
  } catch (const py::cast_error& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const RecordingError& error) {
    PyErr_SetString(recording_error, error.what());
  }
}

constexpr const char* kInputErrorHelp =
    "Bad input: a file, an option or an argument that cannot be used.\n\n"
    "file, line, column, key: where the fault is; None where that is not known.\n"
    "message: what is wrong, without the place.";

}  // namespace

Doubles doubles(const py::handle& value, const std::string& what, int axes) {
  const auto refuse = [&](const std::string& why) {
    throw InputError({"", 0, 0, what},
                     why + ", found " + py::repr(py::type::of(value)).cast<std::string>());
  };
  if (py::isinstance<Doubles>(value)) {
    auto array = py::reinterpret_borrow<Doubles>(value);
    if (array.ndim() == axes) return array;
  }
  const py::array any = py::array::ensure(value);
  // Not complex numbers, dates and texts, which numpy would turn into some number.
  constexpr std::string_view kNumbers = "biufO";
  if (!any || kNumbers.find(any.dtype().kind()) == std::string_view::npos) {
    PyErr_Clear();
    refuse("must be numbers");
  }
  Doubles array = Doubles::ensure(any);
  if (!array) {
    PyErr_Clear();
    refuse("must be numbers");
  }
  if (array.ndim() != axes) {
    throw InputError({"", 0, 0, what}, "must have " + std::to_string(axes) +
                                           (axes == 1 ? " axis" : " axes") + ", found " +
                                           std::to_string(array.ndim()));
  }
  return array;
}

double number_of(const py::handle& value, const std::string& what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw InputError({"", 0, 0, what}, "must be a number, found " +
                                           py::repr(py::type::of(value)).cast<std::string>());
  }
  return number;
}

std::vector<double> list_of_doubles(const py::handle& value, const std::string& what) {
  const Doubles array = doubles(value, what, 1);
  return {array.data(), array.data() + array.size()};
}

Vec3 vector_of(const py::handle& value, const std::string& what) {
  const Doubles array = doubles(value, what, 1);
  if (array.size() != 2 && array.size() != 3) {
    throw InputError({"", 0, 0, what},
                     "must be two or three numbers, found " + std::to_string(array.size()));
  }
  return {array.at(0), array.at(1), array.size() == 3 ? array.at(2) : 0.0};
}

py::array_t<double> array_of(const std::vector<Vec3>& vectors, int width) {
  const auto count = static_cast<py::ssize_t>(vectors.size());
  py::array_t<double> array({count, static_cast<py::ssize_t>(width)});
  double* out = array.mutable_data();
  for (const Vec3& v : vectors) {
    *out++ = v.x;
    *out++ = v.y;
    if (width == 3) *out++ = v.z;
  }
  return array;
}

py::array_t<double> array_of(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array_t<double> array_of(const std::vector<Quaternion>& quaternions) {
  py::array_t<double> array({static_cast<py::ssize_t>(quaternions.size()), py::ssize_t{4}});
  double* out = array.mutable_data();
  for (const Quaternion& q : quaternions) {
    for (const double number : {q.w, q.x, q.y, q.z}) *out++ = number;
  }
  return array;
}

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void bind_core(py::module_& module) {
  input_error =
      PyErr_NewExceptionWithDoc("carom.InputError", kInputErrorHelp, PyExc_ValueError, nullptr);
  recording_error = PyErr_NewExceptionWithDoc("carom.RecordingError",
                                              "No room on the disk for what was to be written.",
                                              PyExc_OSError, nullptr);
  if (input_error == nullptr || recording_error == nullptr) throw py::error_already_set();
  const auto error_type = py::reinterpret_borrow<py::object>(input_error);
  for (const char* name : {"file", "line", "column", "key", "message"}) {
    error_type.attr(name) = py::none();
  }
  module.add_object("InputError", error_type);
  module.add_object("RecordingError", py::reinterpret_borrow<py::object>(recording_error));
  py::register_exception_translator(translate);
  module.attr("__version__") = kVersion;
  module.attr("build_type") = kBuildType;
}

}  // namespace carom::python
