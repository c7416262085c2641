#pragma once

#include <algorithm>
#include <cstddef>

#include "carom/core/worker_pool.h"

namespace carom {

/// Items first .. last-1 of a long array, and the thread that looks at them.
struct Stretch {
  std::size_t number = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  unsigned worker = 0;
};

[[nodiscard]] inline std::size_t stretch_count(std::size_t items, std::size_t length) {
  return (items + length - 1) / length;
}

/// Calls job(stretch) for every stretch of `length` items, with a pool on its threads. Where
/// stretches begin does not depend on the threads.
template <typename Job>
void for_each_stretch(WorkerPool* pool, std::size_t items, std::size_t length, const Job& job) {
  const std::size_t count = stretch_count(items, length);
  const auto run = [&](std::size_t number, unsigned worker) {
    const std::size_t first = number * length;
    job(Stretch{number, first, std::min(first + length, items), worker});
  };
  if (pool != nullptr && pool->size() > 1 && count > 1) {
    pool->run(count, run);
  } else {
    for (std::size_t number = 0; number < count; ++number) run(number, 0);
  }
}

}  // namespace carom
