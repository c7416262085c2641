#pragma once

#include <chrono>
#include <ctime>

#include "carom/stepping/stepper.h"

namespace carom {

/// Adds the time of its life to a phase.
class Stopwatch {
 public:
  explicit Stopwatch(PhaseTime& sum)
      : sum_(&sum), start_(std::chrono::steady_clock::now()), cpu_start_(thread_seconds()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    sum_->wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    sum_->cpu += thread_seconds() - cpu_start_;
  }

 private:
  [[nodiscard]] static double thread_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    constexpr double kNanosecond = 1e-9;
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
#else
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
  }

  PhaseTime* sum_;
  std::chrono::steady_clock::time_point start_;
  double cpu_start_;
};

}  // namespace carom
