#pragma once

#include <array>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/friction.h"
#include "carom/asynchronous/detail/gap_memory.h"
#include "carom/asynchronous/detail/impulses.h"
#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/detail/team.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

/// Impulses of the layers, all octaves of a pair that fire with one distance (engine.h, (2)).
///
/// Restitution r. An octave j whose pair has separated by p = d - d_before > 0 since its own last
/// tick gives its force times
///   1 - (1 - r^2) min(1, p / p_j),   p_j = F_j h_j^2 / m:                                  (1)
/// the biphasic potential of [Harmon2009, 6.2], r^2 their coefficient. p_j is how far the octave's
/// own kick carries the pair within its step, m the effective mass of the pair.
/// Departs from the paper, where the factor jumps to r^2 at p = 0 and contact at rest never
/// settles: here it falls linearly for slow separation, which damps contact to rest at F(d) = load.
class ContactKicks {
 public:
  ContactKicks(const Problem& problem, const Settings& settings);
  ContactKicks(const ContactKicks&) = delete;
  ContactKicks& operator=(const ContactKicks&) = delete;
  ~ContactKicks() = default;

  void book_in(LedgerSums& sums);  ///< where impulses and losses go

  /// The pairs of all levels that fire, for `share` of their steps (a half at the start), before
  /// any other force of the moment. Vertices that were kicked are added to `moved`, some more than
  /// once.
  void fire(Flights& flights, PairStore& pairs, Tick now, double share, Team& team);
  std::vector<Index> moved;
  /// After all other forces of the moment: the rest of what is booked.
  void book_after(const Flights& flights) { impulses_.book_after(flights); }

  /// As ForceClocks::synchronise(); returns the energy stored in layers and anchors.
  StoredEnergy synchronise(const Flights& flights, const PairStore& pairs, double time,
                           const std::vector<Vec3>& position, std::vector<Vec3>& velocity) const;

  /// Gives back the memories of pairs that have left the lists.
  void forget(const std::vector<Index>& memories);

  std::uint64_t ticks = 0;
  Index deepest_layer = 0;
  double smallest_gap = kInfinity;
  PairName nearest;
  double limit_used = 0.0;  ///< largest share of a length limit that was seen used up

  GapMemories gaps;  ///< state
  Friction friction;

 private:
  /// What a stretch of the pairs that tick has found. Most pairs are near, but not so near that a
  /// layer acts.
  struct alignas(kApart) Found {
    struct Acting {
      Index pair = 0;
      Index layers = 0;
      Stencil stencil;
    };
    std::vector<Acting> acting;
    double smallest_gap = kInfinity;
    Index nearest = kNone;
    double limit_used = 0.0;
  };
  void look(PairStore& pairs, Index p, const Flights& flights, Found& found) const;
  void merge(const Found& found, const PairStore& pairs);
  void act(Friction::Contact contact, Index n, Flights& flights);
  void act_with_memory(Friction::Contact contact, Index n, Flights& flights);
  void remember(ContactPair& pair);
  void push(const ContactPair& pair, const Stencil& stencil, double impulse,
            const Flights& flights);
  [[nodiscard]] double restitution_factor(const ContactPair& pair, int octave, Tick now,
                                          double carried) const;
  [[nodiscard]] static double inverse_mass_of(const ContactPair& pair, const Stencil& stencil,
                                              const Flights& flights);

  const Problem& problem_;
  const std::vector<ContactLaw> laws_;  ///< of contact and of length limits
  const LayerTable& layers_;
  bool is_printed_;
  LedgerSums* sums_ = nullptr;
  Impulses impulses_;
  int firing_ = 0;
  std::vector<Index> ticking_;
  std::vector<Found> found_;  ///< by stretch
};

}  // namespace carom::asynchronous::detail
