#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"

namespace carom {

/// Touching balls on a line, from left to right: row i closes when ball i is faster than ball i+1.
/// `masses` empty: all 1.
[[nodiscard]] ImpactProblem make_chain(std::span<const double> velocities,
                                       std::span<const double> masses = {},
                                       double restitution = 1.0);

/// (1, 0, ..., 0)
[[nodiscard]] std::vector<double> cradle_velocities(std::size_t count);

/// Largest absolute difference.
[[nodiscard]] double max_difference(std::span<const double> a, std::span<const double> b);
/// Euclidean distance.
[[nodiscard]] double distance(std::span<const double> a, std::span<const double> b);

/// Velocities after the impact of a chain of springs that start unloaded, by integrating
/// m x'' = +-k d^exponent in time (Runge-Kutta of order 4, fixed step): the dynamics whose limit of
/// stiffness LZB is. Independent of the library's operators. Ends when every spring has opened.
[[nodiscard]] std::vector<double> spring_chain(std::span<const double> velocities,
                                               std::span<const double> masses, double exponent,
                                               double step);

/// Default settings with one operator.
[[nodiscard]] ImpactSettings with_operator(const std::string& name);

}  // namespace carom
