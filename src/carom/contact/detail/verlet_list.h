#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/contact/detail/ball_hash.h"
#include "carom/contact/detail/near_world.h"
#include "carom/contact/detail/partner_search.h"
#include "carom/contact/detail/shape_clearance.h"
#include "carom/contact/detail/spots.h"
#include "carom/core/stretches.h"

namespace carom::detail {

/// A neighbour list: the pairs (1) of near_list.h around the places q0 at which it was made.
class VerletList {
 public:
  /// How the list is made and kept.
  enum class Kind : std::uint8_t {
    none,       ///< there is none
    local,      ///< balls may be loose
    cells,      ///< nobody's partners are listed: whoever is asked for looks around
    all_firm,   ///< it holds only while none is loose
    this_step,  ///< the pairs of one step's swept boxes
  };
  /// For how long it is made.
  enum class Life : std::uint8_t {
    many_looks,
    one_look,    ///< more would not pay
    pairs_only,  ///< the same, and it is not kept: its pairs stand in the room, in any order
  };

  /// What it is made in, `room`, is not owned.
  VerletList(const NearWorld& near, WorkerPool* pool, PairRoom& room);

  /// Makes a list for the looks at this motion, and for later ones as long as that pays.
  void make(const StepMotion& motion);
  /// Lists the pairs of the motion's swept boxes.
  void make_for_step(const StepMotion& motion);
  /// Only sorts balls that stand still into cells; false where these cannot hold them.
  [[nodiscard]] bool make_cells(const StepMotion& motion);
  void forget() { kind_ = Kind::none; }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] Life life() const { return life_; }
  /// Whether it was made for later looks at so many balls.
  [[nodiscard]] bool is_kept(std::size_t balls) const;
  [[nodiscard]] double skin() const { return skin_; }                    ///< s, in radii
  [[nodiscard]] std::span<const Vec3> places() const { return place_; }  ///< q0
  [[nodiscard]] const BallHash& cells() const { return cells_; }         ///< of q0
  [[nodiscard]] const SpotScreen& screen() const { return screen_; }
  /// q0 as cells() sorts it, with reaches (1 + s) r.
  [[nodiscard]] const SpotTable& spots_in_cells() const { return spots_in_cells_; }
  [[nodiscard]] ShapeClearance& clearance() { return clearance_; }
  [[nodiscard]] const ListedPairs& pairs() const { return pairs_; }

  /// The motion that most share since it was made.
  [[nodiscard]] SharedMotion shared_motion(const StepMotion& motion) const;
  /// What round-off may do to differences of places of this size, to those in (2) and to those of
  /// balls.
  [[nodiscard]] double rounding(double size, const SharedMotion& shared) const;

 private:
  [[nodiscard]] bool can_hold(std::span<const Vec3> places) const;
  void stand_at(std::span<const Vec3> places, double time);
  void list_broadly(const StepMotion& motion);
  [[nodiscard]] double farthest_in_step(const StepMotion& motion) const;
  [[nodiscard]] BallSweep sweep_of(const StepMotion& motion) const;
  void take_pairs();
  void list_in_cells(const StepMotion& motion, bool at_end);
  void fill_cells();

  const NearWorld* near_;
  WorkerPool* pool_;
  PartnerSearch search_;
  ShapeClearance clearance_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::vector<BallPair> broad_pairs_;  ///< of it
  Kind kind_ = Kind::none;
  Life life_ = Life::many_looks;
  ListedPairs pairs_;
  double skin_ = 0.0;
  double extent_ = 0.0;  ///< the largest coordinate of q0
  std::vector<Vec3> place_;
  std::vector<Vec3> home_;  ///< in a periodic world: its copies inside the first period
  BallHash cells_;
  SpotScreen screen_;
  SpotTable spots_in_cells_;
};

}  // namespace carom::detail
