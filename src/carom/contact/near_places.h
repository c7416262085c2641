#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/collision/broad_phase.h"
#include "carom/collision/solid_contact.h"
#include "carom/contact/detection.h"
#include "carom/core/types.h"

namespace carom {

namespace detail {
class Thickness;
}  // namespace detail

/// One place where two that are near face each other, at the moment of the look.
struct NearPlace {
  Contact contact;            ///< its feature is the place's number among those of the look
  std::uint64_t feature = 0;  ///< names the features that meet, the same in every look
  Vec3 place;                 ///< where impulses act
  SolidContact solid;         ///< where one of the two is no ball
};

/// Two that are near, and their places.
struct NearPair {
  Index body_a = kNone;
  Index body_b = kNone;  ///< kNone: a shape
  Index shape = kNone;
  std::uint32_t first = 0;  ///< of its places
  std::uint32_t last = 0;   ///< the one beyond
  double smallest_gap = kInfinity;
};

/// Finds all places where bodies and shapes are near at one moment, whether or not they will touch,
/// and says how far apart a motion leaves them.
class NearPlaces {
 public:
  NearPlaces(const World& world, const DetectionSettings& settings);
  ~NearPlaces();
  NearPlaces(const NearPlaces&) = delete;
  NearPlaces& operator=(const NearPlaces&) = delete;

  /// All places with a gap below the sum of the reaches of the two (a shape has none), at the
  /// beginning of `motion`; `reach` a length for each body. Its end says nothing.
  void look(const StepMotion& motion, std::span<const double> reach);
  [[nodiscard]] std::span<const NearPlace> places() const { return places_; }
  [[nodiscard]] std::span<const NearPair> pairs() const { return pairs_; }

  /// The length that tolerances of a pair refer to.
  [[nodiscard]] double extent(const NearPair& pair) const;
  /// The gap of a place at the end of a motion from where the look was.
  [[nodiscard]] double gap_after(const StepMotion& motion, const NearPlace& place);
  /// Whether a motion makes a pair touch on its way, or, where it comes less far than it is thick,
  /// at its end.
  [[nodiscard]] bool touches(const StepMotion& motion, const NearPair& pair);

 private:
  struct PairPoses {
    Pose a_begin;
    Pose a_end;
    Pose b_begin;
    Pose b_end;
  };
  [[nodiscard]] bool is_round(const NearPair& pair) const;
  [[nodiscard]] bool is_round(const Contact& contact) const;
  [[nodiscard]] const Solid& solid(Index body) const;
  [[nodiscard]] PairPoses poses(const StepMotion& motion, Index a, Index b, Index shape) const;
  void find(Index a, Index b, Index shape, const PairPoses& poses, double margin, bool at_end);
  void look_at(const StepMotion& motion, NearPair pair, double reach);
  [[nodiscard]] bool crosses(const NearPair& pair, const PairPoses& poses) const;
  void add(NearPair& pair, NearPlace place);

  const World* world_;
  double activation_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::unique_ptr<detail::Thickness> thickness_;
  std::vector<double> radius_;  ///< of bodies with their reach
  std::vector<BallPair> candidates_;
  std::vector<NearPlace> places_;
  std::vector<NearPair> pairs_;
  std::vector<std::shared_ptr<const Solid>> balls_;  ///< by body that does not turn
  std::vector<SolidContact> found_;
};

}  // namespace carom
