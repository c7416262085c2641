#pragma once

#include <array>
#include <cstddef>

namespace carom {

/// K and mu of a collision with friction, as the equations of slip use them.
struct SlipEquations {
  double xx = 0.0;  ///< K_tt
  double xy = 0.0;
  double yy = 0.0;
  double xn = 0.0;  ///< K_tn
  double yn = 0.0;
  double nn = 0.0;  ///< K_nn
  double mu = 0.0;

  /// d|u_t|/dp along the direction of slip (x, y).
  [[nodiscard]] double f(double x, double y) const {
    return x * (xn - mu * (xx * x + xy * y)) + y * (yn - mu * (xy * x + yy * y));
  }
  /// |u_t| dtheta/dp
  [[nodiscard]] double g(double x, double y) const {
    return x * (yn - mu * (xy * x + yy * y)) - y * (xn - mu * (xx * x + xy * y));
  }
  /// du_n/dp
  [[nodiscard]] double k(double x, double y) const { return nn - mu * (xn * x + yn * y); }
  /// Size of the terms of f and g: what their round-off refers to.
  [[nodiscard]] double tangential_size() const;
};

/// Where a collision stands.
struct SlipState {
  double x = 1.0;  ///< unit direction of slip
  double y = 0.0;
  double speed = 0.0;      ///< |u_t|
  double normal = 0.0;     ///< u_n
  double impulse = 0.0;    ///< p
  double impulse_x = 0.0;  ///< tangential impulse
  double impulse_y = 0.0;
  double work = 0.0;  ///< of the normal impulse, the integral of u_n dp
};

/// Taylor series of turning slip about a state, in the parameter q of collide().
class SlipSeries {
 public:
  SlipSeries(const SlipEquations& equations, const SlipState& start);

  /// How far the series holds to round-off.
  [[nodiscard]] double reach() const { return reach_; }
  [[nodiscard]] SlipState at(double q) const;
  [[nodiscard]] double normal_at(double q) const { return sum(normal_, q); }
  [[nodiscard]] double impulse_at(double q) const {
    return start_.impulse + start_.speed * sum(impulse_, q);
  }
  [[nodiscard]] double work_at(double q) const {
    return start_.work + start_.speed * sum(work_, q);
  }

 private:
  static constexpr std::size_t kOrder = 20;
  using Series = std::array<double, kOrder + 1>;

  [[nodiscard]] static double product(const Series& a, const Series& b, std::size_t order);
  [[nodiscard]] static double sum(const Series& a, double q);
  void extend(const SlipEquations& equations);
  void find_reach();

  Series x_{};
  Series y_{};
  Series speed_{};  // relative to that of the start, as impulse and work below
  Series normal_{};
  Series impulse_{};
  Series impulse_x_{};
  Series impulse_y_{};
  Series work_{};
  SlipState start_;
  double reach_ = 0.0;
};

}  // namespace carom
