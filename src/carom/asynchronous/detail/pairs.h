#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/lattice.h"
#include "carom/asynchronous/detail/wheel.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem.h"
#include "carom/core/types.h"
#include "carom/geometry/stencil.h"

namespace carom::asynchronous::detail {

/// What a pair's certificate rests on.
enum class Watch : std::uint8_t {
  far,   ///< the ranges of its vertices
  near,  ///< their plans: renewed whenever one of them changes
};

/// Two primitives that may come near while the present lists hold.
struct ContactPair {
  std::uint64_t key = 0;   ///< of kind and primitives, the same in all lists
  double thickness = 0.0;  ///< eta_p
  double distance = 0.0;   ///< when it was last measured
  Tick due = 0;            ///< the certificate holds up to and including this moment
  std::array<Index, 4> vertex = {kNone, kNone, kNone, kNone};
  std::array<Index, 4> near_place{};  ///< in the lists of its vertices, while near
  Index tick_place = kNone;           ///< in the list of its level, while some octave ticks
  Index memory = kNone;               ///< of restitution and friction
  Index law = 0;                      ///< of all_laws()
  Index number = kNone;               ///< of the wall or the length limit
  PairKind kind = PairKind::vertex_vertex;
  Watch watch = Watch::far;
  std::uint8_t size = 0;      ///< number of vertices
  std::uint8_t size_a = 0;    ///< of A's, the first
  std::int8_t top_level = 0;  ///< of the clock of octave 0
  std::int8_t octave = -1;    ///< the deepest that ticks; -1: none

  [[nodiscard]] int tick_level() const { return top_level - octave; }
};

[[nodiscard]] PairName name_of(const ContactPair& pair);

/// The distance of a pair, of a length limit its gap, with its gradient and weights, from the
/// places of its vertices.
[[nodiscard]] Stencil measure(const ContactPair& pair, const std::vector<Vec3>& position,
                              const Problem& problem);

/// The gap between a vertex and a wall at rest, or one with its carrier at x_c, as a stencil.
[[nodiscard]] Stencil gap_of(const Wall& wall, const Vec3& x);
[[nodiscard]] Stencil gap_of(const Wall& wall, const Vec3& x, const Vec3& x_c);

/// The pairs of the present lists and who has to look at which of them when.
class PairStore {
 public:
  /// Replaces all pairs: none is near, none ticks, nothing is due.
  void reset(std::vector<ContactPair>& pairs, Index vertices);

  [[nodiscard]] Index size() const { return static_cast<Index>(pairs_.size()); }
  [[nodiscard]] ContactPair& operator[](Index p) { return pairs_[p]; }
  [[nodiscard]] const ContactPair& operator[](Index p) const { return pairs_[p]; }
  [[nodiscard]] const std::vector<ContactPair>& all() const { return pairs_; }

  /// Near pairs of a vertex.
  [[nodiscard]] const std::vector<Index>& near(Index vertex) const { return near_[vertex]; }
  void set_watch(Index p, Watch watch);

  /// Pairs whose deepest octave ticks at a level.
  [[nodiscard]] const std::vector<Index>& ticking(int level) const {
    return ticking_[static_cast<std::size_t>(level)];
  }
  void set_octave(Index p, int octave);
  /// The first of those that tick most often; without a name where none ticks.
  [[nodiscard]] PairName busiest() const;

  /// Bit k: a pair ticks or is looked at when clocks of level k fire.
  [[nodiscard]] std::uint64_t busy() const { return ticking_levels_ | wheel_.busy(); }
  void look_again(Index p, Tick now) { wheel_.put(p, now, pairs_[p].due); }
  void take_due(Tick now, std::vector<Index>& pairs) { wheel_.take(now, pairs); }

  template <class Archive>
  void transfer_state(Archive& archive) {
    transfer_all(archive, pairs_, near_, ticking_, ticking_levels_);
    wheel_.transfer_state(archive);
  }

 private:
  std::vector<ContactPair> pairs_;
  std::vector<std::vector<Index>> near_;
  std::array<std::vector<Index>, kTopLevel + 1> ticking_;
  std::uint64_t ticking_levels_ = 0;
  Wheel wheel_;
};

}  // namespace carom::asynchronous::detail
