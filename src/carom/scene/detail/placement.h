#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/random.h"
#include "carom/geometry/vec3.h"

// Where generators put balls. Mirrored places come out with exactly mirrored bits where the centre
// is 0 along the mirrored axis.
namespace carom::detail {

/// How far the i-th of `count` places, `spacing` apart, is from their middle: the first and the
/// last have the same bits but for the sign.
[[nodiscard]] inline double offset_from_middle(std::uint64_t i, std::uint64_t count,
                                               double spacing) {
  return (static_cast<double>(i) - 0.5 * static_cast<double>(count - 1)) * spacing;
}

/// Cosine and sine of numerator/denominator turns (whole numbers below 2^53). Computed within one
/// octant and carried to the others, so that the symmetries of the square are exact.
[[nodiscard]] Vec3 turn_direction(std::uint64_t numerator, std::uint64_t denominator);

/// The direction of the k-th of `count` places on a circle, the first at `phase` (radians). Where
/// the phase is a whole number of quarter distances between neighbours, so that the ring has a
/// mirror along an axis, it is exact as above.
[[nodiscard]] Vec3 ring_direction(std::uint64_t k, std::uint64_t count, double phase);

/// Uniform in the disc (2) or ball (3 dimensions) of that radius around 0.
[[nodiscard]] Vec3 random_in_ball(Random& random, int dimension, double radius);

/// Any orientation is as likely as any other; in two dimensions about z.
[[nodiscard]] Quaternion random_rotation(Random& random, int dimension);

/// Balls that a new one must not overlap, for random placement: hashes of cells, one for each size
/// of balls by powers of two.
class OccupiedSpace {
 public:
  /// `gap` is how far apart balls must be.
  OccupiedSpace(int dimension, const Periodicity& periodicity, double gap);

  void add(const Vec3& center, double radius);
  /// Whether every ball is at least the gap away from this one.
  [[nodiscard]] bool is_free(const Vec3& center, double radius) const;

 private:
  struct Ball {
    Vec3 center;
    double radius = 0.0;
  };
  struct Cell {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t z = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  /// Balls whose diameters are at most a cell, and more than half of one.
  struct Level {
    double cell_size = 1.0;
    std::vector<Ball> balls;
    std::unordered_map<Cell, std::vector<Ball>, CellHash> cells;
  };
  [[nodiscard]] Cell cell_of(const Level& level, const Vec3& place) const;
  [[nodiscard]] bool clear_of(const Ball& ball, const Vec3& center, double radius) const;
  [[nodiscard]] bool is_free_among(const Level& level, const Vec3& center, double radius) const;
  [[nodiscard]] bool is_free_near(const Level& level, const Vec3& copy, const Ball& wanted,
                                  std::int64_t reach) const;

  int dimension_;
  Periodicity periodicity_;
  double gap_;
  std::map<int, Level> levels_;  ///< by the exponent of the cell size
};

}  // namespace carom::detail
