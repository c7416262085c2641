#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

/// Marks a function that is compiled once more for wider registers, which changes no bit: without
/// fused multiplication and addition both do the same operations. Sanitizers are not there yet when
/// a program chooses between the two.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAROM_WIDER_TOO __attribute__((target_clones("avx2", "default")))
#else
#define CAROM_WIDER_TOO
#endif
#define CAROM_INLINE [[gnu::always_inline]] inline

namespace carom::detail {

/// Numbers of four elements, on which each operation is done at once. What is written for a Number
/// that is either this or a double gives each element the same bits in both.
using Lanes = double __attribute__((vector_size(4 * sizeof(double))));

template <class Number>
inline constexpr std::size_t kLaneCount = sizeof(Number) / sizeof(double);

CAROM_INLINE double lane_of(const double& number, std::size_t /*k*/) { return number; }
CAROM_INLINE double lane_of(const Lanes& numbers, std::size_t k) { return numbers[k]; }

/// number = value(k) in lane k. (Lanes are handed over by reference: registers that a machine may
/// not have would be part of the call.)
template <class Value>
CAROM_INLINE void fill(double& number, const Value& value) {
  number = value(0);
}
template <class Value>
CAROM_INLINE void fill(Lanes& numbers, const Value& value) {
  numbers = Lanes{value(0), value(1), value(2), value(3)};
}

/// A vector of space in each lane.
template <class Number>
struct LaneVector {
  Number x{}, y{}, z{};
};

template <class Number>
CAROM_INLINE Vec3 lane_of(const LaneVector<Number>& v, std::size_t k) {
  return {lane_of(v.x, k), lane_of(v.y, k), lane_of(v.z, k)};
}
/// v = place(k) in lane k.
template <class Number, class Place>
CAROM_INLINE void fill(LaneVector<Number>& v, const Place& place) {
  fill(v.x, [&](std::size_t k) { return place(k).x; });
  fill(v.y, [&](std::size_t k) { return place(k).y; });
  fill(v.z, [&](std::size_t k) { return place(k).z; });
}
template <class Number>
CAROM_INLINE void subtract(const LaneVector<Number>& a, const LaneVector<Number>& b,
                           LaneVector<Number>& difference) {
  difference.x = a.x - b.x;
  difference.y = a.y - b.y;
  difference.z = a.z - b.z;
}
template <class Number>
CAROM_INLINE void cross(const LaneVector<Number>& a, const LaneVector<Number>& b,
                        LaneVector<Number>& product) {
  product.x = a.y * b.z - a.z * b.y;
  product.y = a.z * b.x - a.x * b.z;
  product.z = a.x * b.y - a.y * b.x;
}
template <class Number>
CAROM_INLINE void dot(const LaneVector<Number>& a, const LaneVector<Number>& b, Number& product) {
  product = a.x * b.x + a.y * b.y + a.z * b.z;
}
/// product = factor * v.
template <class Number>
CAROM_INLINE void scale(const Number& factor, const LaneVector<Number>& v,
                        LaneVector<Number>& product) {
  product.x = v.x * factor;
  product.y = v.y * factor;
  product.z = v.z * factor;
}

/// sum = a u + b v.
template <class Number>
CAROM_INLINE void set_sum(const Number& a, const LaneVector<Number>& u, const Number& b,
                          const LaneVector<Number>& v, LaneVector<Number>& sum) {
  sum.x = u.x * a + v.x * b;
  sum.y = u.y * a + v.y * b;
  sum.z = u.z * a + v.z * b;
}

CAROM_INLINE void square_root(const double& square, double& root) { root = std::sqrt(square); }
CAROM_INLINE void square_root(const Lanes& square, Lanes& root) {
  root =
      Lanes{std::sqrt(square[0]), std::sqrt(square[1]), std::sqrt(square[2]), std::sqrt(square[3])};
}

/// The angle of (x, y), from -pi to pi, to 1e-15 (relative): the quotient of the smaller by the
/// larger coordinate is brought below tan(pi / 8) by tan(a - pi/4) = (tan a - 1) / (tan a + 1), and
/// there
///   atan r = r + r^3 p(r^2),
/// p of degree 10 through the values at the Chebyshev points of 0 .. tan^2(pi / 8), off by 7e-18.
/// 0 where x = y = 0. No sign of zero counts.
template <class Number>
CAROM_INLINE void angle_of(const Number& y, const Number& x, Number& angle) {
  constexpr std::array<double, 11> kPolynomial = {
      -0.3333333333333333,  0.1999999999999552,  -0.14285714284666542, 0.11111111015256361,
      -0.09090904578123903, 0.07692183190826087, -0.06664511447381948, 0.0585814891280221,
      -0.0508544973794026,  0.03923165829558719, -0.01917688711906226};
  constexpr double kTanEighth = 0.41421356237309503;  // tan(pi / 8)
  // pi / 4, and what rounding leaves of it.
  constexpr double kQuarter = 0x1.921fb54442d18p-1;
  constexpr double kQuarterRest = 3.061616997868383e-17;
  const Number zero = x - x;
  const Number one = zero + 1.0;
  const Number wide = x < 0.0 ? -x : x;
  const Number high = y < 0.0 ? -y : y;
  const Number small = high < wide ? high : wide;
  const Number large = high < wide ? wide : high;
  const auto is_steep = small > kTanEighth * large;
  const Number below = is_steep ? small + large : large;
  const Number above = is_steep ? small - large : small;
  const Number r = above / (below > 0.0 ? below : one);
  const Number z = r * r;
  Number p = zero + kPolynomial.back();
  for (std::size_t k = kPolynomial.size() - 1; k-- > 0;) p = p * z + kPolynomial[k];
  Number a = r + r * (z * p);
  a = is_steep ? kQuarter + (a + kQuarterRest) : a;
  a = high > wide ? 2.0 * kQuarter - (a - 2.0 * kQuarterRest) : a;
  a = x < 0.0 ? 4.0 * kQuarter - (a - 4.0 * kQuarterRest) : a;
  angle = y < 0.0 ? -a : a;
}

}  // namespace carom::detail
