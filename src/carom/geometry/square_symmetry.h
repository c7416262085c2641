#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "carom/geometry/vec3.h"

namespace carom {

/// The eight operations of the plane that map a square onto itself: signed permutations of x and y,
/// hence exact in floating point.
enum class SquareOperation : std::uint8_t {
  identity,
  quarter_turn,  ///< to the left
  half_turn,
  three_quarter_turn,
  mirror_x,             ///< x changes its sign
  mirror_y,             ///< y changes its sign
  mirror_diagonal,      ///< x and y change places
  mirror_antidiagonal,  ///< likewise, and both change their signs
};

inline constexpr std::array<SquareOperation, 8> kSquareOperations = {
    SquareOperation::identity,        SquareOperation::quarter_turn,
    SquareOperation::half_turn,       SquareOperation::three_quarter_turn,
    SquareOperation::mirror_x,        SquareOperation::mirror_y,
    SquareOperation::mirror_diagonal, SquareOperation::mirror_antidiagonal,
};

namespace detail {

struct SquareMatrix {
  double xx, xy, yx, yy;
};

inline constexpr std::array<SquareMatrix, 8> kSquareMatrices = {{
    {1, 0, 0, 1},
    {0, -1, 1, 0},
    {-1, 0, 0, -1},
    {0, 1, -1, 0},
    {-1, 0, 0, 1},
    {1, 0, 0, -1},
    {0, 1, 1, 0},
    {0, -1, -1, 0},
}};

}  // namespace detail

/// The image of a vector; z is kept. Exact for finite numbers.
[[nodiscard]] inline Vec3 image(SquareOperation operation, const Vec3& v) {
  const detail::SquareMatrix& m = detail::kSquareMatrices[static_cast<std::size_t>(operation)];
  return {m.xx * v.x + m.xy * v.y, m.yx * v.x + m.yy * v.y, v.z};
}

/// The operation that undoes another.
[[nodiscard]] SquareOperation inverse(SquareOperation operation);
/// The operation `first`, then `second`.
[[nodiscard]] SquareOperation product(SquareOperation second, SquareOperation first);
/// "mirror in x", "half turn", ...
[[nodiscard]] std::string_view to_string(SquareOperation operation);

}  // namespace carom
