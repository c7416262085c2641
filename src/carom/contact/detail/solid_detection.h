#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/collision/solid_contact.h"
#include "carom/contact/detail/solid_sweep.h"
#include "carom/contact/detection.h"

namespace carom::detail {

/// Detection in a world with bodies that turn, or with solids as obstacles.
///
/// A pair of solids is active when their surfaces overlap (by the activation tolerance) at the end
/// of the step. Its rows are the places where they face each other at its beginning, with the
/// normals of that time, as far as those places end below the tolerance when each body carries its
/// own along. Where none does (the bodies meet with other features than those that faced each
/// other) the places of the end are carried back. A pair that is apart at the end, but comes
/// farther in the step than it is thick, is followed on its way, and the places where it meets are
/// carried back. Pairs of balls are looked at as such.
class SolidDetection {
 public:
  SolidDetection(const World& world, const DetectionSettings& settings, double resting_reach = 0.0);

  [[nodiscard]] static bool is_needed(const World& world);

  /// Forgets the places of the last step.
  void begin_step();
  /// Adds the active rows that are not known, in their order; without `contacts` only measures. The
  /// first look of a step also sees what rests within the reach.
  Penetration look(const StepMotion& motion, std::span<const std::span<const Contact>> known,
                   std::vector<Contact>* contacts, bool is_first = false);
  void update_end(const StepMotion& motion, std::vector<Contact>& contacts) const;
  [[nodiscard]] Vec3 place(const StepMotion& motion, const Contact& contact) const;

 private:
  using KnownRows = std::span<const std::span<const Contact>>;
  /// Two bodies, or a body and a shape.
  struct Pair {
    Index a = 0;
    Index b = kNone;
    Index shape = kNone;

    [[nodiscard]] std::uint64_t key() const;
  };
  /// The places of a pair that this step knows.
  struct PairPlaces {
    double margin = -1.0;       ///< all places that are nearer than this at the beginning are known
    std::vector<Index> places;  ///< in the order in which they were learned
    std::vector<Index> by_feature;  ///< the same, by the names of their features
    // What the last look saw, for the next one if neither of the two moves otherwise by then.
    double smallest_gap = kInfinity;  ///< at the end
    std::vector<Contact> ending_below;
  };
  /// Both ends of a pair's way.
  struct PairPoses {
    Pose a_begin;
    Pose a_end;
    Pose b_begin;
    Pose b_end;
  };
  struct Found {
    std::vector<Contact>* contacts = nullptr;
    KnownRows known;
    double resting_reach = 0.0;
    Penetration penetration;
  };

  [[nodiscard]] bool is_round_pair(const Pair& pair) const;
  [[nodiscard]] PairWay way_of(const Pair& pair, const PairPoses& poses) const;
  void look_on_way(const Pair& pair, const PairPoses& poses, Found& found);
  [[nodiscard]] double extent(const Pair& pair) const;
  [[nodiscard]] const Solid& solid(Index body) const;
  [[nodiscard]] PairPoses poses(const StepMotion& motion, const Pair& pair) const;
  void look_at_pair(const StepMotion& motion, const Pair& pair, Found& found);
  void look_at_balls(const StepMotion& motion, const Pair& pair, Found& found) const;
  void look_at_ball_and_shape(const StepMotion& motion, const Pair& pair, Found& found) const;
  void look_at_solids(const StepMotion& motion, const Pair& pair, Found& found);
  void note_moved(const StepMotion& motion);
  [[nodiscard]] bool is_as_seen(const Pair& pair) const;
  void look_again(const Pair& pair, Found& found) const;
  void find(const Pair& pair, const Pose& pose_a, const Pose& pose_b, double margin);
  void learn_begin(const Pair& pair, const PairPoses& poses, PairPlaces& known);
  [[nodiscard]] std::vector<Index> learn_later(const PairPoses& poses, const PairOnWay& later,
                                               std::span<const SolidContact> places,
                                               PairPlaces& known);
  Index learn(PairPlaces& known, const SolidContact& place);
  bool add_active(const Pair& pair, const PairPoses& poses, std::span<const Index> places,
                  Found& found, PairPlaces& known) const;

  const World* world_;
  DetectionSettings settings_;
  double resting_reach_;
  double list_margin_;  ///< of the broad phase, in radii
  std::unique_ptr<BroadPhase> broad_phase_;
  std::vector<BallPair> pairs_;
  std::vector<std::shared_ptr<const Solid>> balls_;  ///< of bodies that do not turn
  std::vector<Index> ball_solid_;                    ///< by body
  Thickness thickness_;
  std::vector<SolidContact> places_;  ///< of this step
  std::unordered_map<std::uint64_t, PairPlaces> known_;
  // Where the last look of this step saw the bodies end; empty before the first.
  std::vector<Vec3> seen_end_;
  std::vector<Quaternion> seen_orientation_;
  std::vector<char> has_moved_;  ///< by body: ends elsewhere than in the last look
  std::vector<SolidContact> scratch_;
  std::vector<SolidContact> at_end_;
};

}  // namespace carom::detail
