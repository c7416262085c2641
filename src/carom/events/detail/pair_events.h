#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/core/types.h"
#include "carom/stepping/scheduler.h"

namespace carom::detail {

/// The events of bodies that turn, as owners of a scheduler: one for each body's zone, which says
/// who is near (detail/body_zones.h), for each shape's motion, for each body with each shape, and
/// for each pair of bodies that is near. All have numbers; those of pairs of bodies are given when
/// they come near and taken back when they part.
class PairEvents {
 public:
  /// Somebody near a body.
  struct Partner {
    Index body = 0;
    Index pair = 0;
  };

  /// `scheduler` must outlive it; all its owners are these.
  PairEvents(Index bodies, Index shapes, EventScheduler& scheduler);

  [[nodiscard]] static Index zone_of(Index body) { return body; }
  [[nodiscard]] Index motion_of(Index shape) const { return bodies_ + shape; }
  [[nodiscard]] Index pair_with_shape(Index body, Index shape) const {
    return bodies_ + shapes_ + body * shapes_ + shape;
  }
  /// The bodies near a body, rising.
  [[nodiscard]] std::span<const Partner> near(Index body) const { return near_[body]; }
  /// Two bodies come near; they have no event yet.
  Index join(Index a, Index b);
  /// They are no longer.
  void part(Index a, Index b);

  /// boundary, motion, shape or pair
  [[nodiscard]] EventKind kind_of(Index number) const;
  /// Of a pair: two bodies, the smaller number first, or a body and kNone; of a zone its body.
  [[nodiscard]] std::pair<Index, Index> bodies_of(Index number) const;
  /// kNone for a zone and for two bodies.
  [[nodiscard]] Index shape_of(Index number) const;
  /// How many there are at most: numbers are below.
  [[nodiscard]] Index number_count() const { return fixed_ + static_cast<Index>(pairs_.size()); }

  void set(Index number, double time) { scheduler_->queue().set(number, time); }

  void save(std::string& bytes) const;
  /// False if the bytes are not that; takes them off.
  [[nodiscard]] bool load(std::string_view& bytes);

 private:
  void reset();

  Index bodies_;
  Index shapes_;
  Index fixed_;  ///< zones, motions and pairs with shapes; pairs of bodies from here
  EventScheduler* scheduler_;
  std::vector<std::pair<Index, Index>> pairs_;  ///< of bodies, by number less fixed_
  std::vector<Index> free_;                     ///< numbers of pairs that have parted
  std::vector<std::vector<Partner>> near_;
};

}  // namespace carom::detail
