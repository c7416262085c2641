#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/impact/operator.h"
#include "carom/impact/parts.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {

/// The reflection of one connected part, which `gr` applies to the violated rows and `lcp` to all:
/// 0 <= lambda perp A lambda + (1 + r) b >= 0, minimum norm, scaled to keep the energy.
class Reflection {
 public:
  Reflection();
  /// Appends the part's impulses.
  ApplicationStatus apply(const Application& application, std::span<const Index> part,
                          Impulses& impulses);

 private:
  std::unique_ptr<solvers::QpSolver> solver_;
  solvers::QpResult result_;
  std::vector<double> right_side_;
  EnergyScaler scaler_;
};

}  // namespace carom
