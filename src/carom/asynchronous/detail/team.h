#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "carom/core/types.h"
#include "carom/core/worker_pool.h"

namespace carom::asynchronous::detail {

/// What threads write at the same time lies so far apart that none waits for another's cache.
inline constexpr std::size_t kApart = 128;

/// Threads for what is worth their meeting twice. Which thread does which job is left to chance, so
/// a job may write only where no other does; the jobs follow from the state and never from the
/// number of threads, so that the bits do not depend on it.
class Team {
 public:
  /// `threads` in all; 0: one for each core.
  explicit Team(unsigned threads)
      : pool_(threads == 1 ? nullptr : std::make_unique<WorkerPool>(threads)) {}

  /// job(number) for all numbers below `jobs`, which are about `work` steps of 50 ns in all.
  template <class Job>
  void run(std::size_t jobs, std::size_t work, const Job& job) {
    if (pool_ == nullptr || jobs < 2 || work < kWorthIt) {
      for (std::size_t number = 0; number < jobs; ++number) job(number);
      return;
    }
    pool_->run(jobs, [&job](std::size_t number, unsigned /*worker*/) { job(number); });
  }

  /// job(begin, behind) over stretches of the numbers below `count`.
  template <class Job>
  void for_stretches(std::size_t count, std::size_t work, const Job& job) {
    run((count + kStretch - 1) / kStretch, work, [&](std::size_t k) {
      job(static_cast<Index>(k * kStretch),
          static_cast<Index>(std::min(count, (k + 1) * kStretch)));
    });
  }

 private:
  static constexpr std::size_t kStretch = 512;
  static constexpr std::size_t kWorthIt = 1000;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace carom::asynchronous::detail
