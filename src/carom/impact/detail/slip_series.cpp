// Taylor series of a sliding collision, and how far they hold.
#include "carom/impact/detail/slip_series.h"

#include <algorithm>
#include <cmath>

namespace carom {

double SlipEquations::tangential_size() const {
  return std::hypot(xn, yn) + mu * (std::abs(xx) + std::abs(xy) + std::abs(yy));
}

SlipSeries::SlipSeries(const SlipEquations& equations, const SlipState& start) : start_(start) {
  x_[0] = start.x;
  y_[0] = start.y;
  speed_[0] = 1.0;
  normal_[0] = start.normal;
  extend(equations);
  find_reach();
}

// Coefficient `order` of a b.
double SlipSeries::product(const Series& a, const Series& b, std::size_t order) {
  double result = 0.0;
  for (std::size_t k = 0; k <= order; ++k) result += a[k] * b[order - k];
  return result;
}

double SlipSeries::sum(const Series& a, double q) {
  double result = 0.0;
  for (std::size_t k = kOrder + 1; k-- > 0;) result = result * q + a[k];
  return result;
}

// The equations order by order: coefficient m + 1 of a function is that of its derivative, m, over
// m + 1.
void SlipSeries::extend(const SlipEquations& e) {
  Series slope_x{};  // du_t/dp
  Series slope_y{};
  Series f{};
  Series g{};
  Series k{};
  for (std::size_t m = 0; m < kOrder; ++m) {
    slope_x[m] = -e.mu * (e.xx * x_[m] + e.xy * y_[m]);
    slope_y[m] = -e.mu * (e.xy * x_[m] + e.yy * y_[m]);
    k[m] = -e.mu * (e.xn * x_[m] + e.yn * y_[m]);
    if (m == 0) {
      slope_x[0] += e.xn;
      slope_y[0] += e.yn;
      k[0] += e.nn;
    }
    f[m] = product(x_, slope_x, m) + product(y_, slope_y, m);
    g[m] = product(x_, slope_y, m) - product(y_, slope_x, m);
    const double next = 1.0 / static_cast<double>(m + 1);
    x_[m + 1] = -product(y_, g, m) * next;
    y_[m + 1] = product(x_, g, m) * next;
    speed_[m + 1] = product(speed_, f, m) * next;
    // Impulse, velocity and work are integrals: each needs the ones before up to order m only.
    normal_[m + 1] = start_.speed * product(speed_, k, m) * next;
    impulse_[m + 1] = speed_[m] * next;
    impulse_x_[m + 1] = -e.mu * product(speed_, x_, m) * next;
    impulse_y_[m + 1] = -e.mu * product(speed_, y_, m) * next;
    work_[m + 1] = product(speed_, normal_, m) * next;
  }
}

// The last two coefficients say where terms fall below round-off.
void SlipSeries::find_reach() {
  constexpr double kRoundOffTerm = 1e-16;
  const auto reach_of = [](const Series& a, double size) {
    double reach = 1e300;
    for (const std::size_t m : {kOrder - 1, kOrder}) {
      if (a[m] == 0.0) continue;
      reach = std::min(
          reach, std::pow(kRoundOffTerm * size / std::abs(a[m]), 1.0 / static_cast<double>(m)));
    }
    return reach;
  };
  const double normal_size = std::abs(normal_[0]) + std::abs(normal_[1]);
  reach_ = std::min(
      {reach_of(x_, 1.0), reach_of(y_, 1.0), reach_of(speed_, 1.0), reach_of(impulse_, 1.0)});
  if (normal_size > 0.0) reach_ = std::min(reach_, reach_of(work_, normal_size));
}

SlipState SlipSeries::at(double q) const {
  SlipState state;
  const double x = sum(x_, q);
  const double y = sum(y_, q);
  const double length = std::hypot(x, y);
  state.x = x / length;
  state.y = y / length;
  state.speed = start_.speed * std::max(0.0, sum(speed_, q));
  state.normal = normal_at(q);
  state.impulse = impulse_at(q);
  state.impulse_x = start_.impulse_x + start_.speed * sum(impulse_x_, q);
  state.impulse_y = start_.impulse_y + start_.speed * sum(impulse_y_, q);
  state.work = work_at(q);
  return state;
}

}  // namespace carom
