#include "carom/geometry/detail/exact_side.h"

#include <array>
#include <cmath>
#include <vector>

#include "carom/core/types.h"

namespace carom::detail {
namespace {

// A number as an unevaluated sum of two doubles.
struct Pair {
  double high = 0.0;
  double low = 0.0;
};

// a + b = high + low exactly (Knuth's two-sum).
Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

Pair exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// A sum of doubles kept without error, as components that do not overlap, smallest first.
class ExactSum {
 public:
  void add(double value) {
    std::size_t kept = 0;
    for (const double component : components_) {
      const Pair sum = exact_sum(value, component);
      value = sum.high;
      if (sum.low != 0.0) components_[kept++] = sum.low;
    }
    components_.resize(kept);
    if (value != 0.0) components_.push_back(value);
  }

  void add_product(const Pair& x, const Pair& y) {
    for (const double a : {x.high, x.low}) {
      for (const double b : {y.high, y.low}) {
        const Pair product = exact_product(a, b);
        add(product.high);
        add(product.low);
      }
    }
  }

  void add_product(const Pair& x, const Pair& y, const Pair& z) {
    for (const double a : {x.high, x.low}) {
      for (const double b : {y.high, y.low}) {
        const Pair product = exact_product(a, b);
        add_product(product, z);
      }
    }
  }

  [[nodiscard]] int sign() const {
    if (components_.empty()) return 0;
    return components_.back() > 0.0 ? 1 : -1;
  }

 private:
  std::vector<double> components_;
};

using ExactVector = std::array<Pair, 3>;

ExactVector exact_difference(const Vec3& a, const Vec3& b) {
  return {exact_sum(a.x, -b.x), exact_sum(a.y, -b.y), exact_sum(a.z, -b.z)};
}

Pair negated(const Pair& x) { return {-x.high, -x.low}; }

int exact_side_of_plane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const ExactVector u = exact_difference(b, a);
  const ExactVector v = exact_difference(c, a);
  const ExactVector w = exact_difference(d, a);
  ExactSum determinant;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const std::size_t last = (k + 2) % 3;
    determinant.add_product(u[next], v[last], w[k]);
    determinant.add_product(negated(u[last]), v[next], w[k]);
  }
  return determinant.sign();
}

int exact_side_of_line(const Vec3& a, const Vec3& b, const Vec3& c) {
  const ExactVector u = exact_difference(b, a);
  const ExactVector v = exact_difference(c, a);
  ExactSum determinant;
  determinant.add_product(u[0], v[1]);
  determinant.add_product(negated(u[1]), v[0]);
  return determinant.sign();
}

}  // namespace

// The rounded determinant is off by less than 4 round-offs of the sum of its terms' sizes
// (Shewchuk1997, error bounds A); 8 leave room.

int side_of_plane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  const Vec3 w = d - a;
  const double determinant = dot(cross(u, v), w);
  const double size = (std::abs(u.y * v.z) + std::abs(u.z * v.y)) * std::abs(w.x) +
                      (std::abs(u.z * v.x) + std::abs(u.x * v.z)) * std::abs(w.y) +
                      (std::abs(u.x * v.y) + std::abs(u.y * v.x)) * std::abs(w.z);
  if (std::abs(determinant) > 8.0 * kRoundOff * size) return determinant > 0.0 ? 1 : -1;
  return exact_side_of_plane(a, b, c, d);
}

int side_of_line(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  const double left = u.x * v.y;
  const double right = u.y * v.x;
  const double determinant = left - right;
  if (std::abs(determinant) > 8.0 * kRoundOff * (std::abs(left) + std::abs(right))) {
    return determinant > 0.0 ? 1 : -1;
  }
  return exact_side_of_line(a, b, c);
}

}  // namespace carom::detail
