#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "carom/solvers/cone_program.h"

namespace carom::solvers {

/// A third of the trace of a contact's block of J J'; 1 where nothing moves.
[[nodiscard]] double cone_weight(const ConeContact& contact);

/// x += factor J_c' r of one contact.
void add_impulse(const ConeContact& contact, const ConeVector& impulse, std::span<double> velocity);

[[nodiscard]] inline double slip_speed(const ConeVector& u) { return std::hypot(u[1], u[2]); }

/// (3) of one contact without the division; `shift` is added to u_n.
[[nodiscard]] double cone_error(const ConeVector& impulse, const ConeVector& u, double weight,
                                double friction);

/// What is the same in every iteration.
struct ConeWork {
  explicit ConeWork(const ConeProgram& program);

  const ConeProgram* program;
  std::vector<double> weight;
  /// The residual below which rounding has the say.
  double rounding = 0.0;
};

/// The methods; `velocity` belongs to `impulses` before and after.
[[nodiscard]] ConeResult solve_by_newton(const ConeWork& work, const ConeSettings& settings,
                                         std::vector<ConeVector>& impulses,
                                         std::vector<double>& velocity);
[[nodiscard]] ConeResult solve_by_gradients(const ConeWork& work, const ConeSettings& settings,
                                            std::vector<ConeVector>& impulses,
                                            std::vector<double>& velocity);

}  // namespace carom::solvers
