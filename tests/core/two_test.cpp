#include "carom/core/two.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

TEST(Two, IsTwoNumbersToTheBit) {
  Random random(1);
  for (int n = 0; n < 1000; ++n) {
    std::array<double, 2> a{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    std::array<double, 2> b{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    if (n % 3 == 0) a[1] = b[1];
    if (n % 5 == 0) a[0] = 0.0;
    const auto expect = [&](Two found, const auto& each) {
      EXPECT_EQ(found.first(), each(a[0], b[0]));
      EXPECT_EQ(found.second(), each(a[1], b[1]));
      std::array<double, 2> stored{};
      found.store(stored.data());
      EXPECT_EQ(stored[0], found.first());
      EXPECT_EQ(stored[1], found.second());
    };
    const Two x = Two::at(a.data());
    const Two y = Two::at(b.data());
    expect(x + y, [](double p, double q) { return p + q; });
    expect(x - y, [](double p, double q) { return p - q; });
    expect(x * y, [](double p, double q) { return p * q; });
    expect(x / y, [](double p, double q) { return p / q; });
    expect(square_roots(x * x), [](double p, double) { return std::sqrt(p * p); });
    expect(Two::of(b[0], b[1]), [](double, double q) { return q; });
    expect(larger(x, y), [](double p, double q) { return std::max(p, q); });
    expect(smaller(x, y), [](double p, double q) { return std::min(p, q); });
    expect(where_positive(x, y), [](double p, double q) { return p > 0.0 ? q : 0.0; });
    expect(Two::of(b[0]) + (y - y), [&](double, double) { return b[0]; });
  }
}

}  // namespace
}  // namespace carom
