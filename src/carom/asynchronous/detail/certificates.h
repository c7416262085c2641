#pragma once

#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/detail/team.h"
#include "carom/asynchronous/engine.h"

namespace carom::asynchronous::detail {

/// Proofs that layers are inactive, and the flight plans on which they rest.
///
/// Slab. Let n be the unit normal of a pair now and X_i(t), e_i the axis and radius of the tube
/// that vertex i is promised to stay in. Every point of A is a mean of A's vertices, so its n . x
/// is at least the smallest n . X_a - e_a, and B's at most the largest n . X_b + e_b. Hence
///   d(t) >= min over a, b of n . (X_a - X_b)(t) - e_a - e_b,                              (1)
/// linear in t for each a, b: the time at which it falls to a reach delta is a division (slab of
/// [Harmon2009, 5.1] between tubes, 5.3). Where octave j is the deepest that ticks, delta is the
/// reach of the layers behind it; the certificate is due when (1) no longer shows d >= delta.
/// n separates the pair at its best when the certificate is made, since n . (a - b) >= d for all
/// points of two convex primitives whose closest points have the normal n and distance d.
/// The gap of a smallest length is the same less the bound. Of a largest length b the gap is
///   b - |x_a - x_b|(t) >= b - |X_a - X_b|(t) - e_a - e_b,                                 (2)
/// concave in t: the time at which it falls to delta is a root of a quadratic equation.
///
/// Depth. The octave is the shallowest one for which (1) leaves a share of the distance (the
/// activation margin); it is chosen afresh with each certificate. Round-off of coordinates is taken
/// off (1).
class Certificates {
 public:
  Certificates(Flights& flights, PairStore& pairs, const Problem& problem,
               const Settings& settings);

  /// All ranges hold until this moment, when the lists are made anew; `skin` is their radius.
  Tick list_end = 0;
  double skin = 0.0;

  /// Breaks a vertex's plan: settle() gives it a new one.
  void break_plan(Index vertex) { broken_.push_back(vertex); }
  void look_at(Index pair);

  enum class Outcome : std::uint8_t {
    settled,
    range_left,  ///< a vertex can no longer be kept within its range: the lists must be made anew
    stuck,       ///< no certificate with the layers that the lattice resolves; see stuck_pair()
  };
  /// New plans for all broken ones, and new certificates for the pairs that rest on them and for
  /// those looked at. At the moment `now`, after all kicks.
  Outcome settle(Tick now);
  [[nodiscard]] Index stuck_pair() const { return stuck_pair_; }

  /// For new lists: plans and ranges for all free vertices, which a team shares out.
  void set_ranges(Tick now, Tick end, double radius, Team& team);
  /// A held vertex has got a new plan.
  void lead(Index i, Tick now);
  /// (1) for all pairs of vertices, or (2), at one moment.
  struct Slab {
    std::array<double, 4> place{};  ///< n . X -/+ e
    std::array<double, 4> speed{};  ///< n . X' per unit of time
    double least = 0.0;             ///< the smallest difference now
    Vec3 apart;                     ///< of (2): X_a - X_b
    Vec3 parting;                   ///< its change per unit of time
    double radii = 0.0;             ///< e_a + e_b
  };
  /// What the ranges prove of a pair whose vertices were touched.
  [[nodiscard]] Slab range_slab(const ContactPair& pair, Tick now) const;
  /// Until when a slab proves that a pair is no nearer than `reach`. `now`: not even now.
  [[nodiscard]] Tick holds_until(const ContactPair& pair, const Slab& slab, double reach,
                                 Tick now) const;

  void forget_work() {
    broken_.clear();
    queue_.clear();
    queued_.assign(pairs_.size(), 0);
  }

  std::uint64_t certificates = 0;
  std::uint64_t plans = 0;
  double smallest_gap = kInfinity;  ///< seen at certificates
  PairName nearest;
  double limit_used = 0.0;  ///< largest share of a length limit that was seen used up

 private:
  void make_plan(Index i, Tick now, double radius);
  [[nodiscard]] double next_radius(Index i) const;
  void adapt_share(Index i, Tick now);
  bool replan(Index i, Tick now, double radius);
  [[nodiscard]] Tick range_holds_until(Index i, Tick now) const;
  [[nodiscard]] Slab slab_of(const ContactPair& pair, const Vec3& normal,
                             const std::vector<Tube>& tubes, Tick now) const;
  [[nodiscard]] double guard(const ContactPair& pair) const;
  [[nodiscard]] Slab length_slab_of(const ContactPair& pair, const std::vector<Tube>& tubes,
                                    Tick now) const;
  void note_gap(const ContactPair& pair);
  [[nodiscard]] Outcome certify(Index p, Tick now);
  [[nodiscard]] bool thin_tubes(Index p, double distance, Tick now);
  [[nodiscard]] Outcome set_depth(Index p, const Slab& slab, Tick now);

  Flights& flights_;
  PairStore& pairs_;
  const Problem& problem_;
  const LayerTable& layers_;
  double margin_;
  std::vector<Index> broken_;
  std::vector<Index> queue_;
  std::vector<char> queued_;
  Index stuck_pair_ = kNone;
};

}  // namespace carom::asynchronous::detail
