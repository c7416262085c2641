// Pairs of solids that are apart at the end of a step, but have come far in it: what they met.
#include <algorithm>
#include <optional>

#include "carom/contact/detail/solid_detection.h"

namespace carom::detail {

PairWay SolidDetection::way_of(const Pair& pair, const PairPoses& poses) const {
  return {&solid(pair.a),
          pair.b != kNone ? &solid(pair.b) : nullptr,
          pair.b != kNone ? nullptr : &world_->shapes[pair.shape].shape,
          poses.a_begin,
          poses.a_end,
          poses.b_begin,
          poses.b_end};
}

// What is apart at the end may have come through what it is apart from. Places where it only
// touches in passing, or from which it parts, do not end below the tolerance.
void SolidDetection::look_on_way(const Pair& pair, const PairPoses& poses, Found& found) {
  if (!settings_.sweep || found.contacts == nullptr) return;
  const PairWay way = way_of(pair, poses);
  if (!thickness_.may_be_crossed(way, pair.a, pair.b, pair.shape)) return;
  constexpr double kReach = 1e-3;  // in sizes of the smaller of the two
  constexpr int kMostMeetings = 64;
  const double reach = kReach * extent(pair);
  const double least = std::max(1.0 / kMostMeetings, 4.0 * reach / travel_of(way));
  double share = 0.0;
  while (const std::optional<double> met = next_meeting(way, share, reach)) {
    const PairOnWay here = pair_on_way(way, *met);
    find(pair, here.a, here.b, 2.0 * reach);
    if (!scratch_.empty()) {
      at_end_.swap(scratch_);
      PairPlaces& known = known_[pair.key()];
      if (add_active(pair, poses, learn_later(poses, here, at_end_, known), found, known)) return;
    }
    share = *met + least;
  }
}

}  // namespace carom::detail
