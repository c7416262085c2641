#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace carom {

/// Merges the two sorted stretches of `items`, the first `known` and those behind them, in place.
/// Equal ones stay in their order. `room` is used and left to be used again, so that nothing is
/// allocated once it has grown.
template <typename Item, typename Less = std::less<>>
void merge_tail(std::vector<Item>& items, std::size_t known, std::vector<Item>& room,
                const Less& less = {}) {
  room.assign(items.begin() + static_cast<std::ptrdiff_t>(known), items.end());
  std::size_t next = items.size();
  std::size_t left = known;
  std::size_t tail = room.size();
  while (tail > 0) {
    const bool takes_left = left > 0 && less(room[tail - 1], items[left - 1]);
    items[--next] = takes_left ? items[--left] : room[--tail];
  }
}

}  // namespace carom
