#include "carom/geometry/shape.h"

#include <array>
#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

#include "carom/core/random.h"

#include "geometry/random_shapes.h"

namespace carom {
namespace {

using test::random_place;
using test::random_shapes;
using test::transformed;

void expect_contact(const SurfaceContact& contact, double gap, const Vec3& normal) {
  EXPECT_EQ(contact.gap, gap);
  EXPECT_EQ(contact.normal, normal);
}

TEST(Shape, HasANameAndFeatures) {
  Random random(1);
  const std::array<std::string_view, 5> names = {"half_plane", "segment", "sphere_inside",
                                                 "sphere_outside", "box_inside"};
  const std::vector<Shape> shapes = random_shapes(random, 3);
  ASSERT_EQ(shapes.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(shape_type_name(shapes[i]), names[i]);
    const bool is_box = names[i] == "box_inside";
    EXPECT_EQ(feature_count(shapes[i], 2), is_box ? 4U : 1U);
    EXPECT_EQ(feature_count(shapes[i], 3), is_box ? 6U : 1U);
  }
}

TEST(HalfPlane, GapIsTheHeightLessTheRadius) {
  const HalfPlane floor = {{7.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
  expect_contact(ball_contact(floor, 0, {-3.0, 2.0, 0.0}, 0.25), 0.75, {0.0, 1.0, 0.0});
  expect_contact(ball_contact(floor, 0, {-3.0, 0.5, 0.0}, 0.25), -0.75, {0.0, 1.0, 0.0});
}

TEST(Segment, PushesSidewaysFromItsLengthAndRadiallyFromItsEnds) {
  const Segment wall = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
  expect_contact(ball_contact(wall, 0, {1.0, 2.0, 0.0}, 0.5), 1.5, {0.0, 1.0, 0.0});
  expect_contact(ball_contact(wall, 0, {1.0, -2.0, 0.0}, 0.5), 1.5, {0.0, -1.0, 0.0});
  expect_contact(ball_contact(wall, 0, {7.0, 4.0, 0.0}, 0.5), 4.5, {0.6, 0.8, 0.0});
  expect_contact(ball_contact(wall, 0, {-3.0, -4.0, 0.0}, 0.5), 4.5, {-0.6, -0.8, 0.0});
  expect_contact(ball_contact(wall, 0, {1.0, 3.0, -4.0}, 0.5), 4.5, {0.0, 0.6, -0.8});
}

TEST(Segment, HasNoNormalOnItself) {
  const Segment wall = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}};
  for (const double x : {0.0, 1.0, 2.0, 4.0}) {
    expect_contact(ball_contact(wall, 0, {x, 0.0, 0.0}, 0.5), -0.5, {});
  }
  const Segment point = {{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
  expect_contact(ball_contact(point, 0, {1.0, 1.0, 0.0}, 0.5), -0.5, {});
  expect_contact(ball_contact(point, 0, {4.0, 5.0, 0.0}, 0.5), 4.5, {0.6, 0.8, 0.0});
}

TEST(Segment, NormalIsPerpendicularHoweverNearTheBallIs) {
  const Segment wall = {{0.1, 0.2, 0.0}, {3.1, 4.2, 0.0}};  // along (3, 4)
  for (int digits = 0; digits < 12; ++digits) {
    const double distance = std::pow(0.1, digits);
    const Vec3 center = {0.7 - 0.8 * distance, 1.0 + 0.6 * distance, 0.0};
    const SurfaceContact contact = ball_contact(wall, 0, center, 1e-13);
    EXPECT_NEAR(contact.normal.x, -0.8, 8 * kRoundOff);
    EXPECT_NEAR(contact.normal.y, 0.6, 8 * kRoundOff);
    EXPECT_NEAR(contact.gap, distance - 1e-13, 8 * kRoundOff);
  }
}

TEST(Segment, ExchangingItsEndsChangesNoBit) {
  Random random(11);
  for (int trial = 0; trial < 1000; ++trial) {
    const int dimension = 2 + trial % 2;
    const Segment wall = {random_place(random, dimension, 1.0),
                          random_place(random, dimension, 1.0)};
    const Vec3 center = random_place(random, dimension, 2.0);
    const SurfaceContact contact = ball_contact(wall, 0, center, 0.1);
    expect_contact(ball_contact(Segment{wall.b, wall.a}, 0, center, 0.1), contact.gap,
                   contact.normal);
  }
}

TEST(SphereInside, PushesTowardsItsCentre) {
  const SphereInside drum = {{1.0, 0.0, 0.0}, 10.0};
  expect_contact(ball_contact(drum, 0, {4.0, 4.0, 0.0}, 0.5), 4.5, {-0.6, -0.8, 0.0});
  expect_contact(ball_contact(drum, 0, {3.0, 3.0, 6.0}, 0.5), 2.5,
                 {-2.0 / 7.0, -3.0 / 7.0, -6.0 / 7.0});
  expect_contact(ball_contact(drum, 0, {1.0, 0.0, 0.0}, 0.5), 9.5, {});
}

TEST(SphereOutside, PushesAwayFromItsCentre) {
  const SphereOutside obstacle = {{1.0, 0.0, 0.0}, 2.0};
  expect_contact(ball_contact(obstacle, 0, {4.0, 4.0, 0.0}, 0.5), 2.5, {0.6, 0.8, 0.0});
  expect_contact(ball_contact(obstacle, 0, {1.0, 0.0, 0.0}, 0.5), -2.5, {});
}

TEST(BoxInside, HasOneContactPerWall) {
  const BoxInside box = {{0.0, 0.0, 0.0}, {10.0, 20.0, 30.0}};
  const Vec3 center = {1.0, 3.0, 5.0};
  expect_contact(ball_contact(box, 0, center, 0.5), 0.5, {1.0, 0.0, 0.0});
  expect_contact(ball_contact(box, 1, center, 0.5), 8.5, {-1.0, 0.0, 0.0});
  expect_contact(ball_contact(box, 2, center, 0.5), 2.5, {0.0, 1.0, 0.0});
  expect_contact(ball_contact(box, 3, center, 0.5), 16.5, {0.0, -1.0, 0.0});
  expect_contact(ball_contact(box, 4, center, 0.5), 4.5, {0.0, 0.0, 1.0});
  expect_contact(ball_contact(box, 5, center, 0.5), 24.5, {0.0, 0.0, -1.0});
}

// An oracle that needs no formula: the normal is the gradient of the gap.
TEST(Shape, NormalIsTheGradientOfTheGap) {
  Random random(21);
  for (int trial = 0; trial < 500; ++trial) {
    const int dimension = 2 + trial % 2;
    for (const Shape& shape : random_shapes(random, dimension)) {
      for (Index feature = 0; feature < feature_count(shape, dimension); ++feature) {
        const Vec3 center = random_place(random, dimension, 2.0);
        const Vec3 step = random_place(random, dimension, 1e-6);
        const SurfaceContact contact = ball_contact(shape, feature, center, 0.1);
        const double ahead = ball_contact(shape, feature, center + step, 0.1).gap;
        const double behind = ball_contact(shape, feature, center - step, 0.1).gap;
        // Second differences are about step^2 / distance.
        EXPECT_NEAR(ahead - behind, 2.0 * dot(contact.normal, step), 1e-10)
            << shape_type_name(shape) << ", trial " << trial;
        EXPECT_NEAR(norm(contact.normal), 1.0, 4 * kRoundOff);
        if (dimension == 2) {
          EXPECT_EQ(contact.normal.z, 0.0);
        }
      }
    }
  }
}

Vec3 mirrored_x(const Vec3& place) { return {-place.x, place.y, place.z}; }
Vec3 mirrored_y(const Vec3& place) { return {place.x, -place.y, place.z}; }
Vec3 mirrored_z(const Vec3& place) { return {place.x, place.y, -place.z}; }
Vec3 exchanged(const Vec3& place) { return {place.y, place.x, place.z}; }
Vec3 quarter_turned(const Vec3& place) { return {-place.y, place.x, place.z}; }

// The wall of a transformed box whose normal is the transformed normal.
Index matching_feature(const Shape& shape, const Vec3& center, const Vec3& normal, int dimension) {
  Index feature = 0;
  while (feature + 1 < feature_count(shape, dimension) &&
         ball_contact(shape, feature, center, 0.1).normal != normal) {
    ++feature;
  }
  return feature;
}

TEST(Shape, SymmetriesOfTheAxesCommuteWithRounding) {
  Random random(31);
  for (int trial = 0; trial < 1000; ++trial) {
    const int dimension = 2 + trial % 2;
    const Vec3 begin = random_place(random, dimension, 2.0);
    const Vec3 end = random_place(random, dimension, 2.0);
    for (const Shape& shape : random_shapes(random, dimension)) {
      for (Index feature = 0; feature < feature_count(shape, dimension); ++feature) {
        const SurfaceContact contact = ball_contact(shape, feature, begin, 0.1);
        const PathGap path = smallest_gap_on_path(shape, feature, begin, end, 0.1);
        for (const auto& transform :
             {mirrored_x, mirrored_y, mirrored_z, exchanged, quarter_turned}) {
          const Shape image = transformed(shape, transform);
          const Vec3 normal = transform(contact.normal);
          const Index image_feature = matching_feature(image, transform(begin), normal, dimension);
          expect_contact(ball_contact(image, image_feature, transform(begin), 0.1), contact.gap,
                         normal);
          const PathGap image_path =
              smallest_gap_on_path(image, image_feature, transform(begin), transform(end), 0.1);
          EXPECT_EQ(image_path.gap, path.gap);
          EXPECT_EQ(image_path.where, path.where);
        }
      }
    }
  }
}

}  // namespace
}  // namespace carom
