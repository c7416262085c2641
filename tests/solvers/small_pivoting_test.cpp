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

}  // namespace
}  // namespace carom::solvers
