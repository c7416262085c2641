#include "carom/geometry/motion.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/types.h"

namespace carom {
namespace {

const Motion kStanding = std::monostate{};
const Motion kConstant = ConstantMotion{{0.1, -0.3, 0.7}};
const Motion kSinusoid = SinusoidMotion{{1.0, 2.0, 0.0}, 3.0, 0.25};
const Motion kTable =
    TableMotion{{1.0, 2.0, 4.0}, {{0.0, 1.0, 0.0}, {2.0, 1.0, 0.0}, {2.0, 5.0, 0.0}}};

TEST(Motion, SaysWhetherTheOffsetChanges) {
  EXPECT_FALSE(is_moving(kStanding));
  EXPECT_TRUE(is_moving(kConstant));
  EXPECT_TRUE(is_moving(kSinusoid));
  EXPECT_TRUE(is_moving(kTable));
  EXPECT_FALSE(is_moving(ConstantMotion{}));
  EXPECT_FALSE(is_moving(SinusoidMotion{{}, 1.0, 0.5}));
  EXPECT_FALSE(is_moving(SinusoidMotion{{1.0, 0.0, 0.0}, 0.0, 0.5}));
  EXPECT_FALSE(is_moving(TableMotion{}));
  EXPECT_FALSE(is_moving(TableMotion{{0.0, 1.0}, {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}}));
}

TEST(Motion, OffsetsFollowTheFormulas) {
  EXPECT_EQ(offset_at(kStanding, 5.0), Vec3{});
  EXPECT_EQ(offset_at(kConstant, 2.0), (Vec3{0.2, -0.6, 1.4}));
  for (int k = -48; k < 48; ++k) {
    const double time = k / 16.0;
    const double expected = std::sin(2.0 * std::numbers::pi * 3.0 * time + 0.25);
    const Vec3 offset = offset_at(kSinusoid, time);
    EXPECT_NEAR(offset.x, expected, 200 * kRoundOff);
    EXPECT_EQ(offset.y, 2.0 * offset.x);
    EXPECT_EQ(offset.z, 0.0);
  }
}

TEST(Motion, SinusoidsRepeatToTheBit) {
  for (const double time : {0.0, 0.125, 0.25, 0.375}) {
    EXPECT_EQ(offset_at(kSinusoid, time), offset_at(kSinusoid, time + 1048576.0));
  }
}

TEST(Motion, TablesAreStraightBetweenTheirEntriesAndAtRestOutside) {
  EXPECT_EQ(offset_at(kTable, -7.0), (Vec3{0.0, 1.0, 0.0}));
  EXPECT_EQ(offset_at(kTable, 1.0), (Vec3{0.0, 1.0, 0.0}));
  EXPECT_EQ(offset_at(kTable, 1.25), (Vec3{0.5, 1.0, 0.0}));
  EXPECT_EQ(offset_at(kTable, 2.0), (Vec3{2.0, 1.0, 0.0}));
  EXPECT_EQ(offset_at(kTable, 3.5), (Vec3{2.0, 4.0, 0.0}));
  EXPECT_EQ(offset_at(kTable, 4.0), (Vec3{2.0, 5.0, 0.0}));
  EXPECT_EQ(offset_at(kTable, 99.0), (Vec3{2.0, 5.0, 0.0}));
  EXPECT_EQ(offset_at(TableMotion{}, 1.0), Vec3{});
  EXPECT_EQ(offset_at(TableMotion{{1.0}, {{3.0, 0.0, 0.0}}}, 1.0), (Vec3{3.0, 0.0, 0.0}));
}

TEST(Motion, MeanVelocityIsTheDifferenceOfOffsetsOverTheStep) {
  const double step = 0.013;
  for (const Motion& motion : {kStanding, kSinusoid, kTable}) {
    for (int k = 0; k < 45; ++k) {
      const double time = 0.11 * k;
      const Vec3 way = offset_at(motion, time + step) - offset_at(motion, time);
      EXPECT_EQ(mean_velocity(motion, time, step),
                (Vec3{way.x / step, way.y / step, way.z / step}));
    }
  }
}

TEST(Motion, MeanVelocityOfConstantMotionIsItsVelocityToTheBit) {
  for (const double time : {0.0, 0.1, 1e3, 1e12}) {
    EXPECT_EQ(mean_velocity(kConstant, time, 1e-3), (Vec3{0.1, -0.3, 0.7}));
  }
}

}  // namespace
}  // namespace carom
