// Exact signs of determinants: a filter of rounded arithmetic, then expansions, then whole numbers.

#include "carom/geometry/exact_predicates.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "carom/core/assert.h"
#include "carom/core/types.h"
#include "carom/geometry/detail/expansion.h"
#include "carom/geometry/detail/wide_integer.h"

namespace carom {
namespace {

using detail::Expansion;
using detail::TwoPart;
using detail::WideInteger;

// Underflows of the filter: a product is off by less than 2^-1074 then. Two products alone need no
// care: rounding does not exchange them.
constexpr double kTiny = std::numeric_limits<double>::min();
constexpr double kSmallest = 0x1p-306;
constexpr double kLargest = 0x1p+339;

bool fits_expansions(std::span<const Vec3> points) {
  const auto fits = [](double x) {
    const double size = std::abs(x);
    return x == 0.0 || (size >= kSmallest && size <= kLargest);
  };
  bool all_fit = true;
  for (const Vec3& p : points) {
    CAROM_DEMAND(is_finite(p));
    all_fit = all_fit && fits(p.x) && fits(p.y) && fits(p.z);
  }
  return all_fit;
}

// The differences from the first of the points, exactly.
template <typename Number>
std::array<Number, 3> difference(const Vec3& a, const Vec3& b) {
  if constexpr (std::is_same_v<Number, TwoPart>) {
    return {detail::exact_sum(a.x, -b.x), detail::exact_sum(a.y, -b.y),
            detail::exact_sum(a.z, -b.z)};
  } else {
    return {Number(a.x) - Number(b.x), Number(a.y) - Number(b.y), Number(a.z) - Number(b.z)};
  }
}

TwoPart negated(const TwoPart& x) { return {-x.high, -x.low}; }

int sign_of_volume(std::span<const Vec3, 4> points) {
  if (!fits_expansions(points)) {
    const auto u = difference<WideInteger>(points[1], points[0]);
    const auto v = difference<WideInteger>(points[2], points[0]);
    const auto w = difference<WideInteger>(points[3], points[0]);
    WideInteger negative;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      const std::size_t last = (k + 2) % 3;
      negative = negative - (u[next] * v[last] - u[last] * v[next]) * w[k];
    }
    return -negative.sign();
  }
  const auto u = difference<TwoPart>(points[1], points[0]);
  const auto v = difference<TwoPart>(points[2], points[0]);
  const auto w = difference<TwoPart>(points[3], points[0]);
  Expansion<192> determinant;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const std::size_t last = (k + 2) % 3;
    determinant.add_product(u[next], v[last], w[k]);
    determinant.add_product(negated(u[last]), v[next], w[k]);
  }
  return determinant.sign();
}

int sign_of_area(std::span<const Vec3, 3> points) {
  if (!fits_expansions(points)) {
    const auto u = difference<WideInteger>(points[1], points[0]);
    const auto v = difference<WideInteger>(points[2], points[0]);
    return (u[0] * v[1] - u[1] * v[0]).sign();
  }
  const auto u = difference<TwoPart>(points[1], points[0]);
  const auto v = difference<TwoPart>(points[2], points[0]);
  Expansion<16> determinant;
  determinant.add_product(u[0], v[1]);
  determinant.add_product(negated(u[1]), v[0]);
  return determinant.sign();
}

Vec3 shadow(const Vec3& p, AxisPlane plane) {
  if (plane == AxisPlane::yz) return {p.y, p.z, 0.0};
  if (plane == AxisPlane::zx) return {p.z, p.x, 0.0};
  return {p.x, p.y, 0.0};
}

}  // namespace

int side_of_plane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  const Vec3 w = d - a;
  const double determinant = dot(cross(u, v), w);  // (1)
  const double size = (std::abs(u.y * v.z) + std::abs(u.z * v.y)) * std::abs(w.x) +
                      (std::abs(u.z * v.x) + std::abs(u.x * v.z)) * std::abs(w.y) +
                      (std::abs(u.x * v.y) + std::abs(u.y * v.x)) * std::abs(w.z);
  const double tiny = kTiny * (1.0 + std::abs(w.x) + std::abs(w.y) + std::abs(w.z));
  if (std::abs(determinant) > 8.0 * kRoundOff * size + tiny) return determinant > 0.0 ? 1 : -1;
  return sign_of_volume(std::array{a, b, c, d});
}

int side_of_line(const Vec3& a, const Vec3& b, const Vec3& c, AxisPlane plane) {
  const std::array points = {shadow(a, plane), shadow(b, plane), shadow(c, plane)};
  const Vec3 u = points[1] - points[0];
  const Vec3 v = points[2] - points[0];
  const double left = u.x * v.y;
  const double right = u.y * v.x;
  const double determinant = left - right;  // (2)
  if (std::abs(determinant) > 8.0 * kRoundOff * (std::abs(left) + std::abs(right))) {
    return determinant > 0.0 ? 1 : -1;
  }
  return sign_of_area(points);
}

std::optional<AxisPlane> plane_of_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(b - a, c - a);
  struct Candidate {
    double area;  // rounded; says only which to try first
    AxisPlane plane;
  };
  std::array<Candidate, 3> candidates = {{{std::abs(normal.z), AxisPlane::xy},
                                          {std::abs(normal.x), AxisPlane::yz},
                                          {std::abs(normal.y), AxisPlane::zx}}};
  if (candidates[0].area < candidates[1].area) std::swap(candidates[0], candidates[1]);
  if (candidates[0].area < candidates[2].area) std::swap(candidates[0], candidates[2]);
  for (const Candidate& candidate : candidates) {
    if (side_of_line(a, b, c, candidate.plane) != 0) return candidate.plane;
  }
  return std::nullopt;
}

bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return !plane_of_area(a, b, c).has_value();
}

}  // namespace carom
