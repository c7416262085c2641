#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/layers.h"
#include "carom/asynchronous/problem.h"
#include "carom/asynchronous/reference/detail/agenda.h"
#include "carom/asynchronous/reference/detail/pair_maker.h"
#include "carom/asynchronous/reference/detail/planted_faults.h"
#include "carom/asynchronous/reference/detail/trajectories.h"

namespace carom::asynchronous::reference {

/// The pairs of primitives that the broad phase has found, the layers of each that are awake, and
/// the slab that proves those behind them asleep.
///
/// A layer l at its tick gives the impulse h_l r_l (eta_l - d) where d < eta_l; times
/// restitution^2 where the pair has separated since the layer's own last tick [Harmon2009, 6.2];
/// and with friction mu times that against the slip since then [Harmon2009, 6.3].
class Contacts {
 public:
  Contacts(const Problem& problem, const Settings& settings, const Mechanisms& mechanisms,
           const PlantedFaults& faults, Trajectories& trajectories);

  /// A pair and its slab, as it is now; to be kept until remove(). False: stuck.
  bool add(const MadePair& made, double time, Agenda& agenda);
  [[nodiscard]] Index last_added() const { return last_added_; }
  void remove(Index p, Agenda& agenda);

  /// The slab of a pair has failed: another one, after waking layers if need be. False: stuck.
  bool renew_slab(Index p, double time, Agenda& agenda);
  /// Vertices of the pair go on otherwise: the slab fails at another time.
  void reschedule_slab(Index p, double time, Agenda& agenda);
  /// A tick of a layer, for `share` of its step. Vertices that it kicked are added to `moved`.
  /// False: stuck.
  bool tick(Index p, Index number, double share, Agenda& agenda, detail::LedgerSums& sums);
  std::vector<Index> moved;

  /// Half kicks of all layers awake at time 0.
  void start(Agenda& agenda, detail::LedgerSums& sums);

  [[nodiscard]] const std::vector<Index>& pairs_of(Index vertex) const { return of_[vertex]; }
  [[nodiscard]] Index size() const { return static_cast<Index>(pairs_.size()); }
  [[nodiscard]] bool is_used(Index pair) const { return pairs_[pair].slab_event != kNone; }
  [[nodiscard]] PairName name(Index pair) const;
  /// The first of the pairs with most layers awake; nothing where none is.
  [[nodiscard]] PairName deepest() const;
  [[nodiscard]] const Trajectories& trajectories() const { return trajectories_; }

  /// Adds what layers change between the middles of their steps and `time`; the energy stored.
  detail::StoredEnergy synchronise(double time, const std::vector<Vec3>& position,
                                   std::vector<Vec3>& velocity) const;
  /// Adds the layers that act, and their steps where they are shorter.
  void note_activity(const std::vector<Vec3>& position, VertexActivity& activity) const;

  // State, as are the pairs.
  std::uint64_t ticks = 0;
  std::uint64_t slabs = 0;
  std::uint64_t reschedules = 0;
  Index deepest_layer = 0;
  double smallest_gap = kInfinity;
  PairName nearest;
  double limit_used = 0.0;  ///< largest share of a length limit that was seen used up

  template <class Archive>
  void transfer_state(Archive& archive);

 private:
  struct Layer {
    Index event = kNone;
    std::int64_t tick = 1;   ///< the next
    std::int64_t seen = -1;  ///< the last one at which the layer was awake
    double distance = 0.0;   ///< at that tick
    double origin = 0.0;     ///< time from which ticks are counted: 0 unless clocks are restarted
  };
  struct Pair {
    MadePair made;
    Vec3 normal;  ///< of the slab
    Index slab_event = kNone;
    std::array<Index, 4> place{};            ///< in the lists of its vertices
    std::vector<Layer> layers;               ///< those awake, from the first
    std::vector<std::array<Vec3, 4>> trail;  ///< places at each layer's last tick, with friction
  };
  template <class Archive>
  friend void transfer(Archive& archive, Layer& layer) {
    detail::transfer_all(archive, layer.event, layer.tick, layer.seen, layer.distance,
                         layer.origin);
  }
  template <class Archive>
  friend void transfer(Archive& archive, Pair& pair) {
    detail::transfer_all(archive, pair.made, pair.normal, pair.slab_event, pair.place, pair.layers,
                         pair.trail);
  }

  [[nodiscard]] double step_of(const MadePair& made, Index layer) const;
  /// Of those awake, at a distance in units of the pair's thickness.
  [[nodiscard]] Index active_layers(const Pair& pair, double distance) const;
  [[nodiscard]] double tick_time(const MadePair& made, const Layer& layer, Index number) const;
  [[nodiscard]] std::array<Vec3, 4> places(const MadePair& made, double time) const;
  [[nodiscard]] double length_until(const Pair& pair, double time, double reach) const;
  [[nodiscard]] double slab_until(const Pair& pair, double time) const;
  void note_gap(const Pair& pair, double distance);
  void wake(Index p, double time, Agenda& agenda);
  void sleep(Index p, Agenda& agenda);
  void forget_last(Index p, Agenda& agenda);
  void act(const MadePair& made, const Stencil& stencil, const Vec3& impulse, double time,
           detail::LedgerSums& sums);
  void rub(const Pair& pair, const Vec3& slip, const Stencil& stencil, double pressed, double time,
           detail::LedgerSums& sums);

  const Problem& problem_;
  const std::vector<ContactLaw> laws_;  ///< of contact and of length limits
  const LayerTable& layers_;
  Clocks clocks_;
  double margin_;
  PlantedFaults faults_;
  Trajectories& trajectories_;
  std::vector<Pair> pairs_;
  std::vector<Index> free_;
  std::vector<std::vector<Index>> of_;
  Index last_added_ = kNone;
};

template <class Archive>
void transfer(Archive& archive, PairName& name) {
  detail::transfer_all(archive, name.kind, name.vertex, name.wall);
}

template <class Archive>
void Contacts::transfer_state(Archive& archive) {
  detail::transfer_all(archive, pairs_, free_, of_, ticks, slabs, reschedules, deepest_layer,
                       smallest_gap, limit_used);
  transfer(archive, nearest);
}

}  // namespace carom::asynchronous::reference
