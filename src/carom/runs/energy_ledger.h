#pragma once

#include "carom/stepping/stepper.h"

namespace carom {

/// Where the energy of a run came from and where it went, row by row, J.
class EnergyLedger {
 public:
  /// Rows come in the order of their steps, that of the start first.
  void add(const StepReport& report);

  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double now() const { return now_; }
  /// Of scripted shapes, and of gravity along the axes of a periodic world.
  [[nodiscard]] double work() const { return work_; }
  /// By restitution and friction in impacts.
  [[nodiscard]] double lost() const { return lost_; }
  /// By operators that do not keep the energy.
  [[nodiscard]] double gained() const { return gained_; }
  /// What there was to move with: the kinetic energy at the start, and what the potential and
  /// scripted things gave since.
  [[nodiscard]] double available() const;
  /// now - start - work + lost - gained, over what was available: of drag, and of the integration.
  [[nodiscard]] double unaccounted() const;

 private:
  bool started_ = false;
  double start_ = 0.0;
  double start_kinetic_ = 0.0;
  double start_potential_ = 0.0;
  double least_potential_ = 0.0;
  double now_ = 0.0;
  double work_ = 0.0;
  double work_done_ = 0.0;  ///< of steps in which it was positive
  double lost_ = 0.0;
  double gained_ = 0.0;
};

}  // namespace carom
