#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/core/types.h"

namespace carom::detail {

/// One pending moment for each body with each shape, for each pair of bodies that is near, and for
/// each body's zone, which says who is near (detail/body_zones.h). All have numbers; those of pairs
/// of bodies are given when they come near and taken back when they part.
class PairEvents {
 public:
  /// Somebody near a body.
  struct Partner {
    Index body = 0;
    Index pair = 0;
  };

  PairEvents(Index bodies, Index shapes);

  [[nodiscard]] static Index zone_of(Index body) { return body; }
  [[nodiscard]] Index pair_with_shape(Index body, Index shape) const {
    return bodies_ + body * shapes_ + shape;
  }
  /// The bodies near a body, rising.
  [[nodiscard]] std::span<const Partner> near(Index body) const { return near_[body]; }
  /// Two bodies come near; they have no moment yet.
  Index join(Index a, Index b);
  /// They are no longer.
  void part(Index a, Index b);

  [[nodiscard]] bool is_zone(Index number) const { return number < bodies_; }
  /// Of a pair: two bodies, the smaller number first, or a body and kNone; of a zone its body.
  [[nodiscard]] std::pair<Index, Index> bodies_of(Index number) const;
  /// kNone for two bodies.
  [[nodiscard]] Index shape_of(Index number) const;
  /// How many there are at most: numbers are below.
  [[nodiscard]] Index number_count() const { return static_cast<Index>(time_.size()); }

  void set(Index number, double time);
  /// The earliest; infinity if there is none. Of equal ones zones first, then pairs of bodies, by
  /// the larger and then the smaller body, then shapes: no matter how they are numbered.
  [[nodiscard]] double next_time();
  /// Takes it out.
  Index pop();

  void save(std::string& bytes) const;
  /// False if the bytes are not that; takes them off.
  [[nodiscard]] bool load(std::string_view& bytes);

 private:
  struct Entry {
    double time;
    std::uint64_t order;
    Index number;
  };
  static bool is_later(const Entry& left, const Entry& right) {
    return left.time != right.time ? left.time > right.time : left.order > right.order;
  }
  [[nodiscard]] std::uint64_t order_of(Index number) const;
  [[nodiscard]] bool is_stale(const Entry& entry) const {
    return time_[entry.number] != entry.time || order_of(entry.number) != entry.order;
  }
  void drop_stale();
  void rebuild();

  Index bodies_;
  Index shapes_;
  Index fixed_;               ///< zones and pairs with shapes; pairs of bodies from here
  std::vector<double> time_;  ///< pending, by number; infinity: never
  std::vector<std::pair<Index, Index>> pairs_;  ///< of bodies, by number less fixed_
  std::vector<Index> free_;                     ///< numbers of pairs that have parted
  std::vector<std::vector<Partner>> near_;
  std::vector<Entry> heap_;  ///< also entries whose number has another time by now
};

}  // namespace carom::detail
