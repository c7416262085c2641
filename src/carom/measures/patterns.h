#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// Heights over a rectangle of the plane, in cells.
struct HeightField {
  Index columns = 0;  ///< along x
  Index rows = 0;     ///< along y
  double width = 0.0;
  double depth = 0.0;          ///< along y
  std::vector<double> height;  ///< row by row
};

/// What counts as the height of a cell.
enum class HeightKind : std::uint8_t {
  top,   ///< the highest point of any sphere: what a camera above the layer sees
  mean,  ///< twice the mean height of the centres: a grain that flies far above hardly counts
};

/// The rectangle that a field covers, and how fine it is.
struct FieldWindow {
  Vec3 lower;         ///< z: where nothing stands the height is 0 above it
  Vec3 length;        ///< x and y
  double cell = 0.0;  ///< edge of a cell, at most
  HeightKind kind = HeightKind::top;
};

/// The heights of the spheres whose centres are over each cell. A cell without one has the mean of
/// its neighbours that have, and 0 where none has.
[[nodiscard]] HeightField height_field(std::span<const Vec3> position,
                                       std::span<const double> radius, const FieldWindow& window);

/// The plane waves of a height field, its mean taken off: F(k) = sum h e^(-ikx) over the number of
/// cells, k = 2 pi (p / width, q / depth), p and q from -half to half.
struct Spectrum {
  Index columns = 0;
  Index rows = 0;
  double width = 0.0;
  double depth = 0.0;
  std::vector<double> power;  ///< |F|^2; p fastest, both from 0 up and then the negative ones
  /// F itself, in the same order; empty where powers of several fields were added up.
  std::vector<std::complex<double>> waves;

  /// The wave number of entry (i, j), rad/m.
  [[nodiscard]] Vec3 wave(Index i, Index j) const;
};

[[nodiscard]] Spectrum spectrum_of(const HeightField& field);

enum class Pattern : std::uint8_t { flat, disordered, stripes, squares, hexagons };
[[nodiscard]] std::string_view to_string(Pattern pattern);

/// What the angles of the strongest waves say.
struct PatternReport {
  Pattern pattern = Pattern::flat;
  double wavelength = 0.0;  ///< of the strongest ring of waves
  double amplitude = 0.0;   ///< root mean square of the height, of the waves that count
  double in_ring = 0.0;     ///< share of the power that is in the ring
  /// |sum P e^(i m angle)| / sum P over the ring for m = 2, 4, 6: near 1 for one direction of waves
  /// (all three), two at right angles (m = 4 alone), three at 60 degrees (m = 6 alone).
  double twofold = 0.0;
  double fourfold = 0.0;
  double sixfold = 0.0;
  /// |sum F(k) F(l) F(-k-l)| over the ring, to the power 3/2 of the sum of |F|^2 and such that it
  /// is 1 for three waves at 60 degrees that make cells or peaks. Waves at right angles have no
  /// such triads, and cells have them whichever way their rows point: that it is large, with no
  /// angle preferred, tells hexagons of several directions from disorder.
  double triads = 0.0;
  double triads_by_chance = 0.0;  ///< root mean square of the same if phases were left to chance
};

struct PatternLimits {
  double flat_below = 0.0;    ///< amplitude, a length
  double ring_least = 0.3;    ///< share of the power, below which there is no pattern
  double order_least = 0.5;   ///< of the angular sums, and of triads
  double chance_least = 2.0;  ///< of triads, in what chance gives
  double shortest = 0.0;      ///< a length: shorter waves are those of grains and do not count
};

[[nodiscard]] PatternReport classify_pattern(const Spectrum& spectrum, const PatternLimits& limits);
/// What the numbers of a report say, whatever it calls itself.
[[nodiscard]] Pattern pattern_of(const PatternReport& report, const PatternLimits& limits);

}  // namespace carom
