// Forces that are functions in Python, or in machine code that Python knows the address of.
#include "forces.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"

namespace carom::python {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse(const std::string& message) {
  throw InputError({"", 0, 0, "force"}, message);
}

/// Positions as rows that Python may keep and not change.
py::array_t<double> rows_of(std::span<const Vec3> position, int width) {
  py::array_t<double> rows({static_cast<py::ssize_t>(position.size()), py::ssize_t{width}});
  double* out = rows.mutable_data();
  for (const Vec3& q : position) {
    *out++ = q.x;
    *out++ = q.y;
    if (width == 3) *out++ = q.z;
  }
  rows.attr("flags").attr("writeable") = false;
  return rows;
}

class PythonForce final : public PositionForce {
 public:
  PythonForce(py::object function, py::object potential, int dimension,
              std::shared_ptr<ForceFault> fault)
      : function_(std::move(function)),
        potential_(std::move(potential)),
        has_potential_(!potential_.is_none()),
        dimension_(dimension),
        fault_(std::move(fault)) {}
  PythonForce(const PythonForce&) = delete;
  PythonForce& operator=(const PythonForce&) = delete;
  // Simulations end without the lock of Python, too.
  // NOLINTNEXTLINE(bugprone-exception-escape): without the interpreter's lock there is no way on
  ~PythonForce() override {
    const py::gil_scoped_acquire gil;
    function_ = py::object();
    potential_ = py::object();
  }

  void add(std::span<const Vec3> position, std::span<Vec3> force) const override {
    if (!fault_->raised) {
      const py::gil_scoped_acquire gil;
      try {
        add_answer(position, force);
        return;
      } catch (...) {
        fault_->raised = std::current_exception();
      }
    }
    if (!force.empty()) force[0].x = kNotANumber;
  }
  [[nodiscard]] bool has_potential() const override { return has_potential_; }
  [[nodiscard]] double potential(std::span<const Vec3> position) const override {
    if (fault_->raised) return kNotANumber;
    const py::gil_scoped_acquire gil;
    try {
      const py::object answer = potential_(rows_of(position, dimension_));
      return answer.attr("__float__")().cast<double>();
    } catch (...) {
      fault_->raised = std::current_exception();
      return kNotANumber;
    }
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(function_.ptr());
    Py_VISIT(potential_.ptr());
    return 0;
  }
  void clear() const {
    function_ = py::none();
    potential_ = py::none();
  }

 private:
  void add_answer(std::span<const Vec3> position, std::span<Vec3> force) const {
    const Doubles answer = doubles(function_(rows_of(position, dimension_)), "force", 2);
    const auto count = static_cast<py::ssize_t>(position.size());
    if (answer.shape(0) != count || answer.shape(1) != dimension_) {
      refuse("must answer with " + std::to_string(count) + " x " + std::to_string(dimension_) +
             " numbers, found " + std::to_string(answer.shape(0)) + " x " +
             std::to_string(answer.shape(1)));
    }
    const double* at = answer.data();
    for (Vec3& f : force) {
      const Vec3 more{at[0], at[1], dimension_ == 3 ? at[2] : 0.0};
      if (!std::isfinite(more.x) || !std::isfinite(more.y) || !std::isfinite(more.z)) {
        refuse("answered with a number that is not finite");
      }
      f += more;
      at += dimension_;
    }
  }

  mutable py::object function_;
  mutable py::object potential_;
  bool has_potential_;
  int dimension_;
  std::shared_ptr<ForceFault> fault_;
};

class NativeForce final : public PositionForce {
 public:
  using Function = void (*)(const double*, double*, std::intptr_t);
  NativeForce(py::object keeper, Function function)
      : keeper_(std::move(keeper)), function_(function) {}
  NativeForce(const NativeForce&) = delete;
  NativeForce& operator=(const NativeForce&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): as above
  ~NativeForce() override {
    const py::gil_scoped_acquire gil;
    keeper_ = py::object();
  }
  void add(std::span<const Vec3> position, std::span<Vec3> force) const override {
    // Vec3 is three doubles without gaps.
    if (!position.empty()) {
      function_(&position[0].x, &force[0].x, static_cast<std::intptr_t>(position.size()));
    }
  }

 private:
  py::object keeper_;  ///< of the code behind the address
  Function function_;
};
static_assert(sizeof(Vec3) == 3 * sizeof(double));

}  // namespace

std::shared_ptr<const PositionForce> force_of(const py::object& given, int dimension,
                                              std::span<const Vec3> position,
                                              const std::shared_ptr<ForceFault>& fault) {
  py::object function = given;
  py::object potential = py::none();
  if (py::isinstance<py::tuple>(given)) {
    const auto pair = py::reinterpret_borrow<py::tuple>(given);
    if (pair.size() != 2)
      refuse("a pair has a force and its potential, found a tuple of " +
             std::to_string(pair.size()));
    function = pair[0];
    potential = pair[1];
  }
  if (py::hasattr(function, "address")) {
    if (!potential.is_none()) refuse("one with an address has no potential");
    const auto address = function.attr("address").cast<std::uintptr_t>();
    if (address == 0) refuse("its address is 0");
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number is how Python names an address
    const auto code = reinterpret_cast<NativeForce::Function>(address);
    return std::make_shared<NativeForce>(function, code);
  }
  for (const py::object& part : {function, potential}) {
    if (!part.is_none() && PyCallable_Check(part.ptr()) == 0) {
      refuse("must be a function of positions, found " +
             py::repr(py::type::of(part)).cast<std::string>());
    }
  }
  if (function.is_none()) refuse("must be a function of positions, found None");
  auto force = std::make_shared<PythonForce>(function, potential, dimension, fault);
  std::vector<Vec3> answer(position.size());
  force->add(position, answer);
  if (force->has_potential()) static_cast<void>(force->potential(position));
  fault->tell();
  return force;
}

int visit_force(const PositionForce& force, visitproc visit, void* arg) {
  const auto* python = dynamic_cast<const PythonForce*>(&force);
  return python != nullptr ? python->traverse(visit, arg) : 0;
}

void clear_force(const PositionForce& force) {
  if (const auto* python = dynamic_cast<const PythonForce*>(&force)) python->clear();
}

}  // namespace carom::python
