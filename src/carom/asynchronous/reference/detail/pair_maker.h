#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/detail/archive.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem.h"
#include "carom/asynchronous/reference/mechanisms.h"
#include "carom/geometry/stencil.h"

namespace carom::asynchronous::reference {

/// Two primitives that have layers, and what never changes of them.
struct MadePair {
  std::uint64_t key = 0;
  PairKind kind = PairKind::vertex_vertex;
  std::uint8_t size = 0;    ///< number of vertices
  std::uint8_t size_a = 0;  ///< of A's, the first
  std::array<Index, 4> vertex = {kNone, kNone, kNone, kNone};
  Index number = kNone;     ///< of the wall or the length limit
  Index law = 0;            ///< of all_laws()
  double thickness = 0.0;   ///< eta_p
  double first_step = 0.0;  ///< of its first layer, s
};

template <class Archive>
void transfer(Archive& archive, MadePair& pair) {
  detail::transfer_all(archive, pair.key, pair.kind, pair.size, pair.size_a, pair.vertex,
                       pair.number, pair.law, pair.thickness, pair.first_step);
}

/// The distance of a pair, of a length limit its gap, with its vertices at some places.
[[nodiscard]] Stencil measure(const MadePair& pair, const std::array<Vec3, 4>& x,
                              const Problem& problem);

/// Makes the pairs of primitives that two leaves of the topology stand for, in an order and with
/// keys that depend on the problem only.
class PairMaker {
 public:
  PairMaker(const Problem& problem, const Settings& settings, const Mechanisms& mechanisms,
            const detail::Topology& topology);

  /// Those that leaves a and b stand for, added to `made`; each pair of the problem belongs to one
  /// pair of leaves.
  void of_leaves(Index a, Index b, std::vector<MadePair>& made) const;
  /// A free vertex against a wall.
  [[nodiscard]] MadePair of_wall(Index vertex, Index wall) const;
  [[nodiscard]] MadePair of_limit(Index limit) const;

 private:
  void one_way(const detail::Leaf& a, const detail::Leaf& b, std::vector<MadePair>& made) const;
  void offer(PairKind kind, std::uint64_t key, const std::array<Index, 4>& vertices,
             std::vector<MadePair>& made) const;
  [[nodiscard]] Index material(Index vertex) const {
    return problem_.material.empty() ? 0 : problem_.material[vertex];
  }
  void finish(MadePair& pair) const;

  const Problem& problem_;
  const detail::Topology& topology_;
  double contact_step_;
  const std::vector<double> limit_steps_;
  double unit_;
  Clocks clocks_;
  Index materials_ = 1;
  std::vector<char> held_;
};

}  // namespace carom::asynchronous::reference
