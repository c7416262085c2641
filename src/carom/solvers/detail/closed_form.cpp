// Programs of one or two rows.
#include "carom/solvers/detail/closed_form.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kParallel = 1e-5;  // sine squared of the angle between two rows

double bound(std::span<const double> bounds, std::size_t i, double otherwise) {
  return bounds.empty() ? otherwise : bounds[i];
}

bool solve_one(const QuadraticProgram& problem, QpResult& result) {
  const double a = problem.rows->diagonal(problem.selection[0]);
  const double c = problem.c[0];
  const double lower = bound(problem.lower, 0, 0.0);
  const double upper = bound(problem.upper, 0, kInfinity);
  double x = lower;
  if (a > 0.0 && std::isfinite(c / a))
    x = std::clamp(-c / a, lower, upper);
  else if (c < 0.0)
    x = upper;
  if (!std::isfinite(x)) {
    x = lower;
    result.status = QpStatus::unbounded;
  }
  result.x.assign(1, x);
  const double g = a * x + c;
  const double error = std::abs(x - std::clamp(x - g, lower, upper));
  result.kkt_residual = error == 0.0 ? 0.0 : error / (std::abs(c) + a * std::abs(x));
  return true;
}

/// How far (x, g) is from complementary on one row.
double error_of(double x, double g, double lower, double upper) {
  return std::abs(x - std::clamp(x - g, lower, upper));
}

struct TwoRows {
  double a00, a01, a11, c0, c1;
  std::array<double, 2> lower, upper;
};

/// x_i fixed; the other row takes its best value. Returns the sum of both errors.
double with_fixed(const TwoRows& p, bool fix_first, double value, std::array<double, 2>& x) {
  const std::size_t other = fix_first ? 1 : 0;
  const double diagonal = fix_first ? p.a11 : p.a00;
  const double c = fix_first ? p.c1 : p.c0;
  x[1 - other] = value;
  x[other] = std::clamp(-(c + p.a01 * value) / diagonal, p.lower[other], p.upper[other]);
  return error_of(x[0], p.a00 * x[0] + p.a01 * x[1] + p.c0, p.lower[0], p.upper[0]) +
         error_of(x[1], p.a01 * x[0] + p.a11 * x[1] + p.c1, p.lower[1], p.upper[1]);
}

bool solve_two(const QuadraticProgram& problem, QpResult& result) {
  const Index i = problem.selection[0];
  const Index j = problem.selection[1];
  TwoRows p{problem.rows->diagonal(i),
            problem.rows->product(i, j),
            problem.rows->diagonal(j),
            problem.c[0],
            problem.c[1],
            {bound(problem.lower, 0, 0.0), bound(problem.lower, 1, 0.0)},
            {bound(problem.upper, 0, kInfinity), bound(problem.upper, 1, kInfinity)}};
  const double determinant = p.a00 * p.a11 - p.a01 * p.a01;
  if (!(determinant > kParallel * p.a00 * p.a11)) return false;
  std::array<double, 2> best{(p.a01 * p.c1 - p.a11 * p.c0) / determinant,
                             (p.a01 * p.c0 - p.a00 * p.c1) / determinant};
  double least = 0.0;
  if (!(best[0] >= p.lower[0] && best[0] <= p.upper[0] && best[1] >= p.lower[1] &&
        best[1] <= p.upper[1])) {
    least = kInfinity;
    std::array<double, 2> x{};
    for (const bool fix_first : {true, false}) {
      for (const double value :
           {fix_first ? p.lower[0] : p.lower[1], fix_first ? p.upper[0] : p.upper[1]}) {
        if (!std::isfinite(value)) continue;
        const double error = with_fixed(p, fix_first, value, x);
        if (error < least) {
          least = error;
          best = x;
        }
      }
    }
  }
  const double size_c = std::max(std::abs(p.c0), std::abs(p.c1));
  const double size_x = std::max(std::abs(best[0]), std::abs(best[1]));
  const double norm = std::max(p.a00, p.a11) + std::abs(p.a01);
  const double error0 =
      error_of(best[0], p.a00 * best[0] + p.a01 * best[1] + p.c0, p.lower[0], p.upper[0]);
  const double error1 =
      error_of(best[1], p.a01 * best[0] + p.a11 * best[1] + p.c1, p.lower[1], p.upper[1]);
  const double worst = std::max(error0, error1);
  result.kkt_residual = worst == 0.0 ? 0.0 : worst / (size_c + norm * size_x);
  result.x.assign(best.begin(), best.end());
  return std::isfinite(result.kkt_residual);
}

}  // namespace

bool solve_closed_form(const QuadraticProgram& problem, QpResult& result) {
  result.status = QpStatus::solved;
  result.iterations = 1;
  if (problem.selection.size() == 1) return solve_one(problem, result);
  if (problem.selection.size() == 2) return solve_two(problem, result);
  return false;
}

}  // namespace carom::solvers
