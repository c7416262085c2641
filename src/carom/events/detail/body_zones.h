#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// Who is near whom, among bodies of any sizes [Mirtich1995, section 3.2]. Each body has a zone, a
/// ball of fixed size that it does not leave before the zone is moved. Bodies are near each other
/// if their zones overlap; what is not near cannot meet.
///
/// Zones are hashed by the cell of their centre, in a grid of cells for each power of two of their
/// size: a zone fits into a cell of its level. To find who is near, a few cells of each level that
/// is as large or larger are looked at, and of smaller ones all cells that the zone reaches, or all
/// their bodies where these are fewer. So sofas and ice cubes mix.
///
/// In a periodic world zones are near their neighbours' copies: cells are looked at around those
/// copies of a zone that reach into the first period.
///
/// `hashed` false: every pair is looked at, the reference. Who is near is the same.
class BodyZones {
 public:
  /// One reach (radius, m) per body.
  BodyZones(std::vector<double> reach, const Periodicity& periodicity, bool hashed);

  /// Puts a body's zone to a place, for the first time or anew; in a periodic world to one in the
  /// first period, to round-off.
  void move(Index body, const Vec3& center);
  [[nodiscard]] const Vec3& center(Index body) const { return center_[body]; }
  /// The bodies near a body, rising. All of them must have a zone.
  void find_near(Index body, std::vector<Index>& found) const;

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  struct Level {
    double size = 1.0;           ///< of a cell, m
    std::vector<Index> members;  ///< all of this level, rising
    std::unordered_map<Cell, std::vector<Index>, CellHash> cells;
  };

  [[nodiscard]] bool overlap(Index a, Index b) const;
  [[nodiscard]] static Cell cell_of(const Level& level, const Vec3& place);
  void look_in(const Level& level, Index body, std::vector<Index>& found) const;
  void find_copies(const Vec3& center, double far) const;

  bool hashed_;
  Periodicity periodicity_;
  std::vector<double> reach_;
  std::vector<Vec3> center_;
  std::vector<char> is_placed_;
  std::vector<Level> levels_;         ///< by size
  std::vector<Index> level_of_;       ///< by body
  mutable std::vector<Vec3> copies_;  ///< of the zone that is being looked around
};

}  // namespace carom::detail
