#pragma once

#include <algorithm>
#include <vector>

#include "carom/core/types.h"

namespace carom {

// Numbers that are joined to sets, each known by its smallest. `parent` leads from a number to a
// smaller one of its set, from the smallest to itself; at first each number is a set.

/// The smallest of i's set. The way there is halved.
[[nodiscard]] inline Index smallest_joined(std::vector<Index>& parent, Index i) {
  Index next = parent[i];
  while (next != i) {
    i = parent[i] = parent[next];
    next = parent[i];
  }
  return i;
}

/// The sets of both become one.
inline void join_sets(std::vector<Index>& parent, Index a, Index b) {
  const Index first = smallest_joined(parent, a);
  const Index second = smallest_joined(parent, b);
  parent[std::max(first, second)] = std::min(first, second);
}

}  // namespace carom
