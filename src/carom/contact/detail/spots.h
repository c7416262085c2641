#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"

namespace carom::detail {

/// A ball in a few digits, next to each other in memory: enough to tell most pairs apart.
struct alignas(16) Spot {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
  float reach = 0.0F;  ///< how far it is felt, and what rounding may do
};

/// Many spots, each coordinate by itself, to be looked at four at a time.
class SpotTable {
 public:
  static constexpr Index kBlock = 4;

  void resize(std::size_t size) {
    for (std::vector<float>* column : {&x_, &y_, &z_, &reach_}) column->resize(size + kBlock);
  }
  void put(std::size_t k, const Spot& spot) {
    x_[k] = spot.x;
    y_[k] = spot.y;
    z_[k] = spot.z;
    reach_[k] = spot.reach;
  }
  [[nodiscard]] Spot at(std::size_t k) const { return {x_[k], y_[k], z_[k], reach_[k]}; }
  [[nodiscard]] const float* x() const { return x_.data(); }
  [[nodiscard]] const float* y() const { return y_.data(); }
  [[nodiscard]] const float* z() const { return z_.data(); }
  [[nodiscard]] const float* reach() const { return reach_.data(); }

 private:
  std::vector<float> x_;  ///< longer by a block, as all are: blocks may begin anywhere
  std::vector<float> y_;
  std::vector<float> z_;
  std::vector<float> reach_;
};

/// Some of a table.
struct SpotRange {
  Index first = 0;
  Index last = 0;  ///< the one beyond
};

/// Tells pairs apart that cannot touch: nearest copies of a and b with
///   |a - b| > reach_a + reach_b,
/// where each reach is enlarged by what few digits may do to its place. Never says so of others,
/// nor of what is not a number.
class SpotScreen {
 public:
  SpotScreen() = default;
  /// Places near `origin` are known best. `lost` is what was rounded away before, for each ball.
  SpotScreen(const Periodicity& periodicity, const Vec3& origin, double lost);

  /// In a periodic world the place is inside the first period.
  [[nodiscard]] Spot spot(const Vec3& place, double reach) const {
    const Vec3 from = place - origin_;
    const double size = std::abs(from.x) + std::abs(from.y) + std::abs(from.z);
    return {static_cast<float>(from.x), static_cast<float>(from.y), static_cast<float>(from.z),
            static_cast<float>((reach + lost_ + kLost * size) * kRounding)};
  }

  /// Whether the two cannot touch.
  template <bool kPeriodic>
  [[nodiscard]] bool apart(const Spot& a, const Spot& b) const {
#if defined(__SSE2__)
    const __m128 at_a = _mm_load_ps(&a.x);
    const __m128 at_b = _mm_load_ps(&b.x);
    __m128 length = _mm_sub_ps(at_a, at_b);
    if constexpr (kPeriodic) {
      length = shorter(length, _mm_set_ps(0.0F, period_z_, period_y_, period_x_));
    }
    const __m128 square = _mm_mul_ps(length, length);
    const __m128 y = _mm_shuffle_ps(square, square, 1);
    const __m128 z = _mm_shuffle_ps(square, square, 2);
    const __m128 both = _mm_add_ps(at_a, at_b);
    const __m128 reach = _mm_shuffle_ps(both, both, 3);
    const __m128 sum = _mm_add_ss(_mm_add_ss(square, y), z);
    return _mm_comigt_ss(sum, _mm_mul_ss(reach, reach)) != 0;
#else
    float x = a.x - b.x;
    float y = a.y - b.y;
    float z = a.z - b.z;
    if constexpr (kPeriodic) {
      x = shorter(x, period_x_);
      y = shorter(y, period_y_);
      z = shorter(z, period_z_);
    }
    const float reach = a.reach + b.reach;
    return x * x + y * y + z * z > reach * reach;
#endif
  }

  /// Bits of those of a block that are among the `left` ones to come.
  [[nodiscard]] static unsigned first_bits(Index left) {
    return left < SpotTable::kBlock ? (1U << left) - 1 : (1U << SpotTable::kBlock) - 1;
  }
  /// Bits of a block of the table that begins at `first`: which ones are not apart from the spot.
  template <bool kPeriodic>
  [[nodiscard]] unsigned near(const Spot& own, const SpotTable& table, std::size_t first) const;
  /// Calls visit(k) for each of the range that is not apart from it.
  template <bool kPeriodic, typename Visit>
  void visit_near(const Spot& own, const SpotTable& table, const SpotRange& range,
                  const Visit& visit) const {
    for (Index block = range.first; block < range.last; block += SpotTable::kBlock) {
      unsigned bits = near<kPeriodic>(own, table, block) & first_bits(range.last - block);
      for (; bits != 0; bits &= bits - 1) {
        visit(block + static_cast<Index>(std::countr_zero(bits)));
      }
    }
  }

 private:
  // Three coordinates, each rounded to 24 bits, with room to spare; and what is computed with them.
  static constexpr double kLost = 0x1.0p-22;
  static constexpr double kRounding = 1.0 + 1e-6;

#if defined(__SSE2__)
  [[nodiscard]] static __m128 shorter(__m128 difference, __m128 period) {
    const __m128 sign = _mm_set1_ps(-0.0F);
    const __m128 length = _mm_andnot_ps(sign, difference);
    const __m128 other_way = _mm_andnot_ps(sign, _mm_sub_ps(period, length));
    return _mm_min_ps(other_way, length);
  }
  template <bool kPeriodic>
  [[nodiscard]] static __m128 square(float own, const float* others, float period) {
    __m128 length = _mm_sub_ps(_mm_set1_ps(own), _mm_loadu_ps(others));
    if constexpr (kPeriodic) length = shorter(length, _mm_set1_ps(period));
    return _mm_mul_ps(length, length);
  }
#else
  [[nodiscard]] static float shorter(float difference, float period) {
    const float length = std::abs(difference);
    return std::min(length, std::abs(period - length));
  }
#endif

  Vec3 origin_;
  double lost_ = 0.0;
  float period_x_ = static_cast<float>(kInfinity);
  float period_y_ = static_cast<float>(kInfinity);
  float period_z_ = static_cast<float>(kInfinity);
};

template <bool kPeriodic>
unsigned SpotScreen::near(const Spot& own, const SpotTable& table, std::size_t first) const {
#if defined(__SSE2__)
  const __m128 x = square<kPeriodic>(own.x, table.x() + first, period_x_);
  const __m128 y = square<kPeriodic>(own.y, table.y() + first, period_y_);
  const __m128 z = square<kPeriodic>(own.z, table.z() + first, period_z_);
  const __m128 reach = _mm_add_ps(_mm_set1_ps(own.reach), _mm_loadu_ps(table.reach() + first));
  const __m128 apart = _mm_cmpgt_ps(_mm_add_ps(_mm_add_ps(x, y), z), _mm_mul_ps(reach, reach));
  return ~static_cast<unsigned>(_mm_movemask_ps(apart)) & 0xFU;
#else
  unsigned bits = 0;
  for (Index k = 0; k < SpotTable::kBlock; ++k) {
    const Spot other = {table.x()[first + k], table.y()[first + k], table.z()[first + k],
                        table.reach()[first + k]};
    bits |= static_cast<unsigned>(!apart<kPeriodic>(own, other)) << k;
  }
  return bits;
#endif
}

}  // namespace carom::detail
