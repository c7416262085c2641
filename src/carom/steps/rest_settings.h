#pragma once

namespace carom {

/// How steps with friction_model = "coulomb" solve for resting contact: the table [steps].
struct RestSettings {
  /// Residual at which contacts count as solved, in units of the velocity that a step of gravity
  /// gives: what rests creeps by at most this times g h per second.
  double rest_tolerance = 1e-10;
  /// Iterations of a part whose bodies move faster than gravity makes them in a tenth of a step.
  double rest_iterations = 100.0;
  /// No such limit.
  bool exact = false;
};

}  // namespace carom
