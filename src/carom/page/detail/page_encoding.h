#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/page/page.h"

namespace carom::detail {

/// RFC 4648, with padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// The numbers' bytes, lowest first, as base64: what a typed array reads on every usual machine.
[[nodiscard]] std::string to_base64(std::span<const double> numbers);
[[nodiscard]] std::string to_base64(std::span<const float> numbers);
[[nodiscard]] std::string to_base64(std::span<const std::int32_t> numbers);
[[nodiscard]] std::string to_base64(std::span<const std::uint32_t> numbers);

/// Appends a difference modulo 2^32: zigzag (0, -1, 1, -2, ... become 0, 1, 2, 3, ...), then seven
/// bits per byte, lowest first, the eighth bit set on all but the last byte.
void append_difference(std::string& bytes, std::uint32_t difference);

/// Every stride-th of `count` frames, and the last.
[[nodiscard]] std::vector<std::size_t> kept_frames(std::size_t count, std::size_t stride);

/// Coordinates as origin + quantum * whole number.
struct PositionGrid {
  std::size_t axes = 2;
  std::array<double, 3> origin{};
  double quantum = 1.0;
  double error = 0.0;  ///< bound on |shown - given| of a coordinate
};
/// relative_error: of the largest extent of the run, balls included.
[[nodiscard]] PositionGrid make_position_grid(const PageRun& run, double relative_error);

/// Frame by frame, body by body, axis by axis: the differences k - (2 k' - k'') of whole numbers k
/// from those k' and k'' of the two frames before; a frame that is not there counts as the one
/// after it (k'' = k') or as 0.
[[nodiscard]] std::string encode_positions(const PageRun& run, const PositionGrid& grid,
                                           std::span<const std::size_t> frames);

struct SpeedGrid {
  double quantum = 0.0;  ///< 0: nothing moves
  double error = 0.0;
};
[[nodiscard]] SpeedGrid make_speed_grid(const PageRun& run);

/// As the positions, with the differences k - k'.
[[nodiscard]] std::string encode_speeds(const PageRun& run, const SpeedGrid& grid,
                                        std::span<const std::size_t> frames);

/// As the speeds.
[[nodiscard]] std::string encode_layers(const PageRun& run, std::span<const std::size_t> frames);

/// Quaternions as whole multiples of a quantum: w, x, y, z, in the plane w and z. A reader brings
/// them back to length 1.
struct OrientationGrid {
  std::size_t components = 4;
  double quantum = 0.0;
  double error = 0.0;  ///< bound on the angle between shown and given, rad
};
[[nodiscard]] OrientationGrid make_orientation_grid(const PageRun& run);

/// As the positions. Of a quaternion and its negative, which mean the same, the one nearer to the
/// frame before is stored, so that differences stay small and a reader may interpolate.
[[nodiscard]] std::string encode_orientations(const PageRun& run, const OrientationGrid& grid,
                                              std::span<const std::size_t> frames);

/// At most about max_points of a series' points: of each stretch of time the first, the smallest,
/// the largest and the last.
[[nodiscard]] std::vector<std::size_t> thinned_points(std::span<const double> values,
                                                      std::size_t max_points);

}  // namespace carom::detail
