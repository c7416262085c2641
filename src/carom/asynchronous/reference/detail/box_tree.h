#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/detail/archive.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/problem.h"
#include "carom/asynchronous/reference/detail/trajectories.h"

namespace carom::asynchronous::reference {

/// Axes of the k-DOPs: in space 3 along the coordinates and 6 along diagonals of faces of a cube
/// (k = 18), in the plane 2 and 2 (k = 8).
inline constexpr std::size_t kMostAxes = 9;

/// A tree over the leaves of a topology whose nodes have extents along axes [Harmon2009, 5.5]. The
/// extent of a node along an axis is bounded, from some time on, by two lines,
///   low + low_slope (t - at) <= d . x_i(t) <= high + high_slope (t - at)                     (1)
/// for all its vertices i, as long as these keep to the velocities that certificates count with
/// (the linear envelope of [Harmon2009, 5.6]): low is the least place at that time, low_slope the
/// least speed, vagueness taken off.
class BoxTree {
 public:
  struct Extent {
    double at = 0.0;
    double low = 0.0;
    double low_slope = 0.0;
    double high = 0.0;
    double high_slope = 0.0;
  };
  struct Node {
    Index left = kNone;
    Index right = kNone;
    Index leaf = kNone;  ///< number of its leaf in the topology; kNone: it has children
    std::vector<Index> vertices;
  };

  BoxTree(const Problem& problem, const detail::Topology& topology,
          const Trajectories& trajectories);

  [[nodiscard]] std::size_t axis_count() const { return axes_.size(); }
  [[nodiscard]] const Vec3& axis(std::size_t k) const { return axes_[k]; }
  [[nodiscard]] const Node& operator[](Index node) const { return nodes_[node]; }
  [[nodiscard]] Index size() const { return static_cast<Index>(nodes_.size()); }
  /// All nodes that hold a vertex.
  [[nodiscard]] const std::vector<Index>& nodes_of(Index vertex) const { return of_[vertex]; }

  /// (1), made at `time` unless it is there.
  const Extent& extent(Index node, std::size_t axis, double time);
  /// Makes the extents along some axes (bits) anew.
  void renew(Index node, unsigned axes, double time);
  /// A user of the node's extents counts on `now` instead of `before`; those that nobody counts on
  /// are dropped.
  void count_on(Index node, unsigned before, unsigned now);
  /// A vertex goes on otherwise: of the nodes that hold it those whose lines it leaves get wider,
  /// and are added to `changed`.
  void widen(Index vertex, double time, std::vector<Index>& changed);

  /// Vertices looked at. State.
  std::uint64_t corner_looks = 0;

  template <class Archive>
  void transfer_state(Archive& archive) {
    detail::transfer_all(archive, extents_, known_, users_, corner_looks);
  }

 private:
  Index build(std::vector<Index>& order, std::size_t begin, std::size_t end,
              const detail::Topology& topology);
  [[nodiscard]] Extent make(Index node, std::size_t axis, double time);

  const Trajectories& trajectories_;
  std::vector<Vec3> axes_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Index>> of_;
  std::vector<std::array<Extent, kMostAxes>> extents_;
  std::vector<unsigned> known_;  ///< bits: which extents there are
  std::vector<std::array<Index, kMostAxes>> users_;
};

template <class Archive>
void transfer(Archive& archive, BoxTree::Extent& extent) {
  detail::transfer_all(archive, extent.at, extent.low, extent.low_slope, extent.high,
                       extent.high_slope);
}

}  // namespace carom::asynchronous::reference
