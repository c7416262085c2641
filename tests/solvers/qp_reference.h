#pragma once

#include <span>
#include <vector>

#include "carom/solvers/quadratic_program.h"

#include "solvers/qp_families.h"

/// Slow and obvious: what the solvers are judged by.
namespace carom::solvers {

/// The best of all 3^n combinations of free, lower and upper, n at most 8, each solved in the least
/// squares sense by a complete orthogonal decomposition.
[[nodiscard]] std::vector<double> enumerate_active_sets(const QuadraticProgram& problem);

/// |N (x - y)|_W over |c|_inf + |N x|_W + |N y|_W: the velocities are what is unique.
[[nodiscard]] double velocity_difference(const families::Instance& instance,
                                         std::span<const double> x, std::span<const double> y);

[[nodiscard]] double euclidean_norm(std::span<const double> x);

/// 1/2 x'Ax + c'x
[[nodiscard]] double objective(const QuadraticProgram& problem, std::span<const double> x);

}  // namespace carom::solvers
