// Residuals of a program in scaled variables.
#include "carom/solvers/detail/qp_core.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr std::uint64_t kCrowded = 64;  // neighbours of a row beyond which not all rows are summed
constexpr Index kSampledRows = 16;

}  // namespace

void ScaledProgram::gradient_at(std::span<const double> y, std::span<double> g) {
  v.resize(rows.dof_count());
  rows.gradient_at(y, c, g, v);
}

double ScaledProgram::norm() {
  if (matrix_norm < 0.0) {
    const bool crowded = rows.pair_count() > kCrowded * size();
    matrix_norm = rows.matrix_norm(crowded ? std::max<Index>(1, size() / kSampledRows) : 1);
  }
  return matrix_norm;
}

double ScaledProgram::kkt_residual(std::span<const double> y, std::span<const double> g) {
  double worst = 0.0;
  double largest_x = 0.0;
  for (Index i = 0; i < size(); ++i) {
    const double scale = rows.scale(i);
    const double x = y[i] * scale;
    const double moved = std::clamp(x - g[i] / scale, lower[i] * scale, upper[i] * scale);
    const double error = std::abs(x - moved);
    if (std::isnan(error)) return kInfinity;
    worst = std::max(worst, error);
    largest_x = std::max(largest_x, std::abs(x));
  }
  const double size_of_terms = largest_c + norm() * largest_x;
  return worst == 0.0 ? 0.0 : worst / size_of_terms;
}

double ScaledProgram::strict_residual(std::span<const double> y, std::span<const double> g) const {
  double worst = 0.0;
  for (Index i = 0; i < size(); ++i) {
    worst = std::max(worst, std::abs(y[i] - std::clamp(y[i] - g[i], lower[i], upper[i])));
  }
  const double size_c = largest_absolute(c);
  if (worst == 0.0) return 0.0;
  return size_c > 0.0 ? worst / size_c : kInfinity;
}

}  // namespace carom::solvers
