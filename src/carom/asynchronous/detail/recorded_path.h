#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/detail/box_tree.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// Where a path is at a moment: within `slack` of x.
struct PathPlace {
  Vec3 x;
  double slack = 0.0;
};

/// A path during an interval of time: at its ends exactly within `slack` of these places, in
/// between within `slack` of the straight and even motion from one to the other.
struct PathPiece {
  Vec3 begin;
  Vec3 end;
  double slack = 0.0;
};

/// The vertices' paths over a window (AuditPath), with bounds for what rounding adds.
class RecordedPath {
 public:
  explicit RecordedPath(const AuditPath& path) : path_(path) {}

  /// Throws InputError unless every one of `vertex_count` vertices has a path over the window.
  void check(std::size_t vertex_count) const;
  /// Whether all its numbers are so small (1e90) that none of their products overflows, and every z
  /// is 0 unless it runs in space.
  [[nodiscard]] bool is_usable(bool in_space) const;

  [[nodiscard]] double begin() const { return path_.begin; }
  [[nodiscard]] double end() const { return path_.end; }

  /// Exact (slack 0) at knots, at the ends of a linear window, and where the vertex stands.
  [[nodiscard]] PathPlace at(Index vertex, double t) const;

  /// The piece from `begin` at time s to `end` at time e, with the bends between.
  [[nodiscard]] PathPiece piece(Index vertex, const PathPlace& begin, const PathPlace& end,
                                const std::array<double, 2>& interval) const;

  /// All that the vertex sweeps in the window.
  [[nodiscard]] AxisBox swept_box(Index vertex) const;

  /// The knots of the vertex strictly between two times.
  [[nodiscard]] std::span<const PathKnot> knots_between(Index vertex, double s, double e) const;

 private:
  [[nodiscard]] std::span<const PathKnot> knots_of(Index vertex) const {
    return path_.knots.subspan(path_.first_knot[vertex],
                               path_.first_knot[vertex + 1] - path_.first_knot[vertex]);
  }

  AuditPath path_;
};

}  // namespace carom::asynchronous::detail
