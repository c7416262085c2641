#pragma once

#include <chrono>

namespace carom::detail {

/// Adds the wall time of its life to a sum, s.
class SecondsInto {
 public:
  explicit SecondsInto(double& sum) : sum_(&sum), start_(std::chrono::steady_clock::now()) {}
  SecondsInto(const SecondsInto&) = delete;
  SecondsInto& operator=(const SecondsInto&) = delete;
  ~SecondsInto() {
    *sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double* sum_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace carom::detail
