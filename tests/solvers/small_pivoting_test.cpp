#include "carom/solvers/small_pivoting.h"

#include <gtest/gtest.h>

namespace carom::solvers {
namespace {

TEST(SmallPivoting, SolvesWhatHasOneSolution) {
  // Two rows that pull on each other so much that one of them must let go.
  SmallPivoting pivoting;
  pivoting.count = 2;
  pivoting.a[0][0] = pivoting.a[1][1] = 1.0;
  pivoting.a[0][1] = pivoting.a[1][0] = 0.9;
  pivoting.c = {-2.0, -0.1};
  ASSERT_TRUE(pivoting.solve());
  EXPECT_DOUBLE_EQ(pivoting.x[0], 2.0);
  EXPECT_EQ(pivoting.x[1], 0.0);
  pivoting.a[0][1] = pivoting.a[1][0] = 1.0;  // the same row twice
  pivoting.c = {-2.0, -2.0};
  EXPECT_FALSE(pivoting.solve());
}

// The answer for two rows alone has the bits that it has beside a third row that nothing links.
TEST(SmallPivoting, TwoRowsThatPushAreAnsweredAsAmongOthers) {
  SmallPivoting pivoting;
  pivoting.a[0][0] = 2.0;
  pivoting.a[1][1] = 3.0;
  pivoting.a[0][1] = pivoting.a[1][0] = -0.7;
  pivoting.a[2][2] = 1.0;
  pivoting.c = {-0.3, -1.1, -0.5};
  pivoting.count = 2;
  ASSERT_TRUE(pivoting.solve());
  EXPECT_TRUE(pivoting.is_unique());
  const auto alone = pivoting.x;
  EXPECT_NEAR(2.0 * alone[0] - 0.7 * alone[1], 0.3, 1e-15);
  EXPECT_NEAR(3.0 * alone[1] - 0.7 * alone[0], 1.1, 1e-15);
  pivoting.count = 3;
  ASSERT_TRUE(pivoting.solve());
  EXPECT_EQ(pivoting.x[0], alone[0]);
  EXPECT_EQ(pivoting.x[1], alone[1]);
}

}  // namespace
}  // namespace carom::solvers
