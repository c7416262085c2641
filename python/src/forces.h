#pragma once

#include <exception>
#include <memory>

#include "carom/forces/position_force.h"

#include "bindings.h"

namespace carom::python {

/// What a force in Python raised, until somebody tells the caller. Simulations and their forces
/// share one.
struct ForceFault {
  std::exception_ptr raised;

  /// Throws it, once.
  void tell() {
    if (raised) std::rethrow_exception(std::exchange(raised, nullptr));
  }
};

/// From `function`, or a pair of a function and its potential: a function of positions, one row for
/// each body, that answers with forces; or what has an `address` (numba's cfunc, ctypes) of
///
///     void function(const double* positions, double* forces, intptr_t bodies)
///
/// with rows of three numbers, which adds to the forces. Asks it once, for these positions, so that
/// faults show where it is given. Throws InputError, or what it raises.
[[nodiscard]] std::shared_ptr<const PositionForce> force_of(
    const py::object& given, int dimension, std::span<const Vec3> position,
    const std::shared_ptr<ForceFault>& fault);

/// For the garbage collector: the Python objects that a force holds.
int visit_force(const PositionForce& force, visitproc visit, void* arg);
/// The force lets go of them; it cannot be computed any more.
void clear_force(const PositionForce& force);

}  // namespace carom::python
