#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

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

/// So many items that to share them out is worth a thread's start.
inline constexpr std::size_t kLongStretch = std::size_t{1} << 16;

/// A copy that a pool's threads share.
template <typename Item>
void copy_stretches(WorkerPool* pool, const std::vector<Item>& from, std::vector<Item>& to) {
  to.resize(from.size());
  for_each_stretch(pool, from.size(), kLongStretch, [&](const Stretch& stretch) {
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(stretch.first),
              from.begin() + static_cast<std::ptrdiff_t>(stretch.last),
              to.begin() + static_cast<std::ptrdiff_t>(stretch.first));
  });
}

/// The sum of job(stretch) over long stretches, added up in their order: the same bits for any
/// number of threads.
template <typename Sum, typename Job>
[[nodiscard]] Sum sum_over_stretches(WorkerPool* pool, std::size_t items, const Job& job) {
  std::array<Sum, 64> parts{};
  Sum sum{};
  for (std::size_t begin = 0; begin < items; begin += kLongStretch * parts.size()) {
    const std::size_t count = std::min(items - begin, kLongStretch * parts.size());
    for_each_stretch(pool, count, kLongStretch, [&](const Stretch& s) {
      parts[s.number] = job(Stretch{s.number, begin + s.first, begin + s.last, s.worker});
    });
    for (std::size_t k = 0; k < stretch_count(count, kLongStretch); ++k) sum += parts[k];
  }
  return sum;
}

}  // namespace carom
