// Corners of all vertices in order of time, sorted into the path of each vertex.
#include "carom/asynchronous/detail/window_path.h"

#include "carom/core/types.h"

namespace carom::asynchronous::detail {

AuditPath WindowPath::to(const Configuration& end, std::span<const PathCorner> corners) {
  const std::size_t count = begin_.position.size();
  // Counted first, into the place behind each vertex; then summed up.
  first_knot_.assign(count + 1, 0);
  last_.assign(count, begin_.time);
  const auto is_next = [&](const PathCorner& corner) {
    return corner.time > last_[corner.vertex] && corner.time < end.time;
  };
  for (const PathCorner& corner : corners) {
    if (!is_next(corner)) continue;
    last_[corner.vertex] = corner.time;
    ++first_knot_[corner.vertex + 1];
  }
  for (std::size_t v = 0; v < count; ++v) first_knot_[v + 1] += first_knot_[v] + 2;
  knots_.resize(first_knot_[count]);
  filled_.assign(first_knot_.begin(), first_knot_.end() - 1);
  for (std::size_t v = 0; v < count; ++v) {
    knots_[filled_[v]++] = {begin_.time, begin_.position[v]};
    knots_[first_knot_[v + 1] - 1] = {end.time, end.position[v]};
  }
  last_.assign(count, begin_.time);
  for (const PathCorner& corner : corners) {
    if (!is_next(corner)) continue;
    last_[corner.vertex] = corner.time;
    knots_[filled_[corner.vertex]++] = {corner.time, corner.place};
  }
  AuditPath path;
  path.begin = begin_.time;
  path.end = end.time;
  path.knots = knots_;
  path.first_knot = first_knot_;
  return path;
}

}  // namespace carom::asynchronous::detail
