#include "solvers/qp_reference.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace carom::solvers {
namespace {

Eigen::MatrixXd matrix_of(const QuadraticProgram& problem) {
  const auto n = static_cast<Eigen::Index>(problem.selection.size());
  Eigen::MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      a(i, j) = problem.rows->product(problem.selection[static_cast<std::size_t>(i)],
                                      problem.selection[static_cast<std::size_t>(j)]);
    }
  }
  return a;
}

double energy_norm(const BlockRows& rows, std::span<const Index> selection,
                   std::span<const double> x) {
  std::vector<double> p(rows.dof_count(), 0.0);
  std::vector<double> v(rows.dof_count(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) rows.apply_impulse(selection[i], x[i], p);
  rows.add_inverse_mass_times(p, v);
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] * v[k];
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace

std::vector<double> enumerate_active_sets(const QuadraticProgram& problem) {
  const std::size_t n = problem.selection.size();
  const Eigen::MatrixXd a = matrix_of(problem);
  const auto lower = [&](std::size_t i) { return problem.lower.empty() ? 0.0 : problem.lower[i]; };
  const auto upper = [&](std::size_t i) {
    return problem.upper.empty() ? kInfinity : problem.upper[i];
  };
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < n; ++i) combinations *= 3;
  double least = kInfinity;
  std::vector<double> best(n, 0.0);
  for (std::size_t combination = 0; combination < combinations; ++combination) {
    std::vector<double> x(n, 0.0);
    std::vector<Eigen::Index> free;
    bool possible = true;
    std::size_t rest = combination;
    for (std::size_t i = 0; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0)
        free.push_back(static_cast<Eigen::Index>(i));
      else
        x[i] = rest % 3 == 1 ? lower(i) : upper(i);
      possible = possible && std::isfinite(x[i]);
    }
    if (!possible) continue;
    if (!free.empty()) {
      const Eigen::Map<const Eigen::VectorXd> at(x.data(), static_cast<Eigen::Index>(n));
      const Eigen::Map<const Eigen::VectorXd> c(problem.c.data(), static_cast<Eigen::Index>(n));
      const Eigen::VectorXd g = a * at + c;
      const Eigen::MatrixXd reduced = a(free, free);
      const Eigen::VectorXd solution =
          reduced.completeOrthogonalDecomposition().solve(Eigen::VectorXd(-g(free)));
      for (std::size_t k = 0; k < free.size(); ++k) {
        const auto i = static_cast<std::size_t>(free[k]);
        x[i] = solution[static_cast<Eigen::Index>(k)];
        possible = possible && x[i] >= lower(i) - 1e-10 && x[i] <= upper(i) + 1e-10;
        x[i] = std::clamp(x[i], lower(i), upper(i));
      }
    }
    if (!possible) continue;
    const double value = objective(problem, x);
    if (value < least) {
      least = value;
      best = x;
    }
  }
  return best;
}

double velocity_difference(const families::Instance& instance, std::span<const double> x,
                           std::span<const double> y) {
  std::vector<double> difference(x.begin(), x.end());
  for (std::size_t i = 0; i < y.size(); ++i) difference[i] -= y[i];
  double scale = energy_norm(instance.rows, instance.selection, x) +
                 energy_norm(instance.rows, instance.selection, y);
  for (const double c : instance.c) scale = std::max(scale, std::abs(c));
  const double error = energy_norm(instance.rows, instance.selection, difference);
  return error == 0.0 ? 0.0 : error / scale;
}

double euclidean_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

double objective(const QuadraticProgram& problem, std::span<const double> x) {
  const double energy = energy_norm(*problem.rows, problem.selection, x);
  double sum = 0.5 * energy * energy;
  for (std::size_t i = 0; i < x.size(); ++i) sum += problem.c[i] * x[i];
  return sum;
}

}  // namespace carom::solvers
