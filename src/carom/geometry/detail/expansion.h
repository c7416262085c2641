#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "carom/core/assert.h"

namespace carom::detail {

// Sums of doubles without error (Shewchuk1997). Everything here is exact as long as nothing
// overflows and every product of two numbers is a multiple of the smallest double; whoever calls
// sees to that (exact_predicates.h).

/// A number as an unevaluated sum of two doubles.
struct TwoPart {
  double high = 0.0;
  double low = 0.0;
};

/// a + b = high + low (Knuth's two-sum; Shewchuk1997, theorem 7).
[[nodiscard]] inline TwoPart exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a b = high + low. The fused multiply-add rounds the error of the product, which is a double.
[[nodiscard]] inline TwoPart exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// A sum of doubles kept without error, as components that do not overlap, smallest first. At most
/// kCapacity numbers may be added.
template <std::size_t kCapacity>
// Clearing the room would cost more than most sums. NOLINTNEXTLINE(*-pro-type-member-init)
class Expansion {
 public:
  /// Grow-expansion with zeros left out (Shewchuk1997, theorem 10).
  void add(double value) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const TwoPart sum = exact_sum(value, components_[k]);
      value = sum.high;
      if (sum.low != 0.0) components_[kept++] = sum.low;
    }
    size_ = kept;
    if (value == 0.0) return;
    CAROM_ASSERT(size_ < kCapacity);
    components_[size_++] = value;
  }

  void add_product(double a, double b) {
    if (a == 0.0 || b == 0.0) return;
    const TwoPart product = exact_product(a, b);
    add(product.high);
    add(product.low);
  }
  void add_product(const TwoPart& a, const TwoPart& b) {
    add_product(a.high, b.high);
    add_product(a.high, b.low);
    add_product(a.low, b.high);
    add_product(a.low, b.low);
  }
  void add_product(const TwoPart& a, const TwoPart& b, const TwoPart& c) {
    for (const double x : {a.high, a.low}) {
      if (x == 0.0) continue;
      for (const double y : {b.high, b.low}) {
        if (y != 0.0) add_product(exact_product(x, y), c);
      }
    }
  }

  /// The largest component is larger than all others together.
  [[nodiscard]] int sign() const {
    if (size_ == 0) return 0;
    return components_[size_ - 1] > 0.0 ? 1 : -1;
  }

 private:
  std::array<double, kCapacity> components_;  // those below size_ are set
  std::size_t size_ = 0;
};

}  // namespace carom::detail
