#include "carom/geometry/rotation.h"

#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/types.h"

namespace carom {
namespace {

Quaternion random_rotation(Random& random) {
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  return normalized({number(), number(), number(), number()});
}

double difference(const Mat3& a, const Mat3& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) sum += norm_squared(a.row[k] - b.row[k]);
  return std::sqrt(sum);
}

TEST(Rotation, MatricesMultiplyAsQuaternionsDo) {
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Quaternion a = random_rotation(random);
    const Quaternion b = random_rotation(random);
    EXPECT_LT(difference(matrix_of(a * b), matrix_of(a) * matrix_of(b)), 16 * kRoundOff);
    EXPECT_LT(difference(matrix_of(conjugate(a)), transposed(matrix_of(a))), 16 * kRoundOff);
    EXPECT_NEAR(determinant(matrix_of(a)), 1.0, 16 * kRoundOff);
  }
}

TEST(Rotation, ComesBackFromItsMatrix) {
  Random random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Mat3 matrix = matrix_of(random_rotation(random));
    EXPECT_LT(difference(matrix_of(quaternion_of(matrix)), matrix), 16 * kRoundOff);
  }
  // half turns, where the first component vanishes
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 0}}) {
    const Mat3 matrix = matrix_of(rotation_about(axis, std::numbers::pi));
    EXPECT_LT(difference(matrix_of(quaternion_of(matrix)), matrix), 16 * kRoundOff);
  }
}

TEST(Rotation, AQuarterTurnAboutZTakesXToY) {
  const Vec3 turned = matrix_of(rotation_about({0, 0, 2}, std::numbers::pi / 2)) * Vec3{1, 0, 0};
  EXPECT_LT(norm(turned - Vec3{0, 1, 0}), 4 * kRoundOff);
}

TEST(Rotation, APoseGoesThereAndBack) {
  Random random(5);
  const Pose pose = {{1, -2, 3}, matrix_of(random_rotation(random))};
  const Vec3 place = {0.3, 0.1, -4.0};
  EXPECT_LT(norm(pose.to_body(pose.to_world(place)) - place), 32 * kRoundOff);
  const Pose other = {{-1, 0.5, 0}, matrix_of(random_rotation(random))};
  EXPECT_LT(norm((pose * other).to_world(place) - pose.to_world(other.to_world(place))),
            32 * kRoundOff);
}

}  // namespace
}  // namespace carom
