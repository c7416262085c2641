#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace carom {

/// One step of Dormand and Prince's Runge-Kutta pair of order 5(4). `derivative(y, dydt)` is the
/// right side; `step` leaves the new state and the error estimate, the caller decides.
class DormandPrince {
 public:
  std::vector<double> next;
  std::vector<double> error;

  template <typename Derivative>
  void step(const std::vector<double>& y, double h, const Derivative& derivative) {
    const std::size_t n = y.size();
    for (std::vector<double>& k : slopes_) k.resize(n);
    stage_.resize(n);
    next.resize(n);
    error.resize(n);
    derivative(y, slopes_[0]);
    for (std::size_t s = 1; s < kStages; ++s) {
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (std::size_t r = 0; r < s; ++r) sum += kA[s][r] * slopes_[r][i];
        stage_[i] = y[i] + h * sum;
      }
      derivative(stage_, slopes_[s]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      double difference = 0.0;
      for (std::size_t s = 0; s < kStages; ++s) difference += kE[s] * slopes_[s][i];
      next[i] = stage_[i];  // the last stage is the fifth-order result
      error[i] = h * difference;
    }
  }

 private:
  static constexpr std::size_t kStages = 7;
  static constexpr double kA[kStages][kStages] = {
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  // Fifth-order weights minus fourth-order weights.
  static constexpr double kE[kStages] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

  std::array<std::vector<double>, kStages> slopes_;
  std::vector<double> stage_;
};

}  // namespace carom
