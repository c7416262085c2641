#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "carom/asynchronous/detail/recorded_path.h"

namespace carom::asynchronous::detail {

/// The times of a window between which all of some vertices go straight, its ends included.
inline void common_times(const RecordedPath& path, std::initializer_list<Index> vertices,
                         std::vector<double>& times) {
  times.assign({path.begin(), path.end()});
  for (const Index vertex : vertices) {
    for (const PathKnot& knot : path.knots_between(vertex, path.begin(), path.end())) {
      times.push_back(knot.t);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace carom::asynchronous::detail
