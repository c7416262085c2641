#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/core/types.h"

namespace carom::detail {

/// One pending moment for each pair of bodies, and of a body and a shape. Pairs are numbered:
/// bodies (0, 1), (0, 2), (1, 2), (0, 3), ... and then each body with each shape.
class PairEvents {
 public:
  PairEvents(Index bodies, Index shapes);

  [[nodiscard]] Index pair_of(Index a, Index b) const;
  [[nodiscard]] Index pair_with_shape(Index body, Index shape) const;
  [[nodiscard]] Index pair_count() const { return static_cast<Index>(time_.size()); }
  /// Two bodies, the smaller number first; or a body and kNone.
  [[nodiscard]] std::pair<Index, Index> bodies_of(Index pair) const;
  /// kNone for two bodies.
  [[nodiscard]] Index shape_of(Index pair) const;

  void set(Index pair, double time);
  /// The earliest; infinity if there is none. Of equal ones the pair with the smallest number.
  [[nodiscard]] double next_time();
  /// Takes it out.
  Index pop();

  void save(std::string& bytes) const;
  /// False if the bytes are not that; takes them off.
  [[nodiscard]] bool load(std::string_view& bytes);

 private:
  struct Entry {
    double time;
    Index pair;
  };
  static bool is_later(const Entry& left, const Entry& right) {
    return left.time != right.time ? left.time > right.time : left.pair > right.pair;
  }
  void drop_stale();
  void rebuild();

  Index bodies_;
  Index shapes_;
  std::vector<double> time_;  ///< pending, by pair; infinity: never
  std::vector<Entry> heap_;   ///< also entries whose pair has another time by now
};

}  // namespace carom::detail
