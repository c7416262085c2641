#pragma once

#include <array>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

/// What restitution remembers of a pair: its distance at each octave's last tick, and when that was.
/// It counts only if that was the octave's tick just before this one. Else the octave was proven
/// inactive there, so the pair was farther apart than where the octave's layers begin.
struct GapMemory {
  std::array<double, kOctaves> distance{};
  std::array<Tick, kOctaves> seen{};
};

/// Impulses of the layers, all octaves of a pair that fire with one distance (engine.h, (2)).
class ContactKicks {
 public:
  ContactKicks(const Problem& problem, const Settings& settings);

  /// The pairs of all levels that fire, for `share` of their steps (a half at the start). Vertices
  /// that were kicked are added to `moved`, some more than once.
  void fire(Flights& flights, PairStore& pairs, Tick now, double share);
  std::vector<Index> moved;

  /// As ForceClocks::synchronise(); returns the energy stored in layers.
  double synchronise(const Flights& flights, const PairStore& pairs, double time,
                     const std::vector<Vec3>& position, std::vector<Vec3>& velocity) const;

  /// Gives back the memories of pairs that have left the lists.
  void forget(const std::vector<Index>& memories);

  LedgerSums* sums = nullptr;  ///< where impulses and losses are booked
  std::uint64_t ticks = 0;
  Index deepest_layer = 0;
  double smallest_gap = kInfinity;
  PairName nearest;

  std::vector<GapMemory> gaps;       ///< state, as is `free_memories`
  std::vector<Index> free_memories;

 private:
  struct Impulse {
    double acts = 0.0;
    double missing = 0.0;  ///< held back by restitution
  };

  void tick(ContactPair& pair, Flights& flights, Tick now, double share);
  [[nodiscard]] Impulse remembered_impulse(ContactPair& pair, Index n, Tick now);
  void push(const ContactPair& pair, const Stencil& stencil, double impulse, Flights& flights);
  void book_missing(const ContactPair& pair, const Stencil& stencil,
                    const Impulse& impulse, const Flights& flights);
  [[nodiscard]] double restitution_factor(const ContactPair& pair, int octave, Tick now) const;

  const Problem& problem_;
  const LayerTable& layers_;
  double unit_ = 0.0;
  int firing_ = 0;
};

}  // namespace carom::asynchronous::detail
