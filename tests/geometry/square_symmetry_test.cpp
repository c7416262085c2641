#include "carom/geometry/square_symmetry.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(SquareSymmetry, OperationsDoWhatTheirNamesSay) {
  const Vec3 v = {0.1, 0.7, 0.0};
  EXPECT_EQ(image(SquareOperation::identity, v), v);
  EXPECT_EQ(image(SquareOperation::quarter_turn, v), (Vec3{-0.7, 0.1, 0.0}));
  EXPECT_EQ(image(SquareOperation::half_turn, v), (Vec3{-0.1, -0.7, 0.0}));
  EXPECT_EQ(image(SquareOperation::three_quarter_turn, v), (Vec3{0.7, -0.1, 0.0}));
  EXPECT_EQ(image(SquareOperation::mirror_x, v), (Vec3{-0.1, 0.7, 0.0}));
  EXPECT_EQ(image(SquareOperation::mirror_y, v), (Vec3{0.1, -0.7, 0.0}));
  EXPECT_EQ(image(SquareOperation::mirror_diagonal, v), (Vec3{0.7, 0.1, 0.0}));
  EXPECT_EQ(image(SquareOperation::mirror_antidiagonal, v), (Vec3{-0.7, -0.1, 0.0}));
}

TEST(SquareSymmetry, TheyAreAGroup) {
  const Vec3 v = {0.1, 0.7, 0.0};
  for (const SquareOperation first : kSquareOperations) {
    EXPECT_EQ(image(inverse(first), image(first, v)), v) << to_string(first);
    for (const SquareOperation second : kSquareOperations) {
      EXPECT_EQ(image(product(second, first), v), image(second, image(first, v)))
          << to_string(second) << " after " << to_string(first);
    }
  }
}

}  // namespace
}  // namespace carom
