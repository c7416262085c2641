#include "carom/contact/detail/ball_hash.h"

#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom::detail {
namespace {

bool sees(const BallHash& cells, Index rank, Index other) {
  bool seen = false;
  cells.visit_beyond(rank, cells.cell_at(rank), [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) seen = seen || cells.sorted()[k] == other;
  });
  return seen;
}

// Of two that are no farther apart than a cell one sees the other, wherever they are: also where
// coordinates change their sign, and with it the number of digits behind the point.
TEST(BallHash, PointsWithinACellOfEachOtherSeeEachOther) {
  constexpr double kCell = 2.00000000001;
  Random random(4);
  for (const double middle : {0.0, 1.0, 1e3, -1e3, 1e9}) {
    for (int trial = 0; trial < 20'000; ++trial) {
      const auto nearly = [&](double length) { return length * (1.0 - 0.001 * random.uniform()); };
      const double x = middle + (trial % 2 == 0 ? -0.001 * random.uniform() : random.normal());
      const std::vector<Vec3> points{{x, 6.5, 0.0}, {x + nearly(2.0), 6.5 + random.uniform(), 0.0}};
      BallHash cells;
      cells.build(2, points, kCell);
      const Index first = cells.sorted()[0];
      const Index second = cells.sorted()[1];
      ASSERT_TRUE(sees(cells, 0, second) || sees(cells, 1, first))
          << points[0].x << " " << points[1].x;
    }
  }
}

}  // namespace
}  // namespace carom::detail
