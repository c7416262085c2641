#pragma once

#include <chrono>
#include <ctime>

namespace carom {

/// Time spent, s.
struct PhaseTime {
  double wall = 0.0;
  double cpu = 0.0;  ///< of the calling thread; with one thread that is all of it

  PhaseTime& operator+=(const PhaseTime& more) {
    wall += more.wall;
    cpu += more.cpu;
    return *this;
  }
};

/// Adds the wall time of its life to a sum, s.
class WallStopwatch {
 public:
  explicit WallStopwatch(double& sum) : sum_(&sum), start_(std::chrono::steady_clock::now()) {}
  WallStopwatch(const WallStopwatch&) = delete;
  WallStopwatch& operator=(const WallStopwatch&) = delete;
  ~WallStopwatch() {
    *sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double* sum_;
  std::chrono::steady_clock::time_point start_;
};

/// Adds the time of its life to a phase.
class Stopwatch {
 public:
  explicit Stopwatch(PhaseTime& sum)
      : wall_(sum.wall), cpu_sum_(&sum.cpu), cpu_start_(thread_seconds()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { *cpu_sum_ += thread_seconds() - cpu_start_; }

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

  WallStopwatch wall_;
  double* cpu_sum_;
  double cpu_start_;
};

}  // namespace carom
