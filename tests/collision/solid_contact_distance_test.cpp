#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/collision/solid_contact.h"

#include "collision/solid_pairs.h"

namespace carom::test {
namespace {

/// Larger than any distance here: everything is looked at.
constexpr double kFar = 100.0;

Body random_body(Random& random, int dimension, double distance) {
  SolidDefinition definition = random_convex(random);
  if (dimension == 2) {
    if (random.below(2) == 0) {
      definition = BoxSolid{{random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), 0}};
    } else {
      definition = CapsuleSolid{random.uniform(0.1, 0.5), random.uniform(0.5, 1.5)};
    }
  }
  return make_body(definition, dimension, distance * random_direction(random, dimension),
                   random_rotation(random, dimension));
}

TEST(SolidContactDistance, SmallestGapIsTheDistanceAndNoGapIsSmaller) {
  Random random(21);
  int apart = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int dimension = 2 + trial % 2;
    const Body a = random_body(random, dimension, random.uniform(1.5, 5.0));
    const Body b = random_body(random, dimension, 0.0);
    const double distance = reference_distance(a, b);
    if (distance < 1e-6) continue;
    ++apart;
    EXPECT_NEAR(smallest_gap(contacts_of(a, b, kFar)), distance, 1e-9) << trial;
    if (distance > 0.0) {
      EXPECT_TRUE(contacts_of(a, b, distance - 1e-8).empty()) << trial;
      EXPECT_FALSE(contacts_of(a, b, distance + 1e-8).empty()) << trial;
    }
  }
  EXPECT_GT(apart, 1000);
}

TEST(SolidContactDistance, SmallestGapOfOverlappingBoxesIsTheDepth) {
  Random random(22);
  int overlapping = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int dimension = 2 + trial % 2;
    const auto box = [&](double distance) {
      const Vec3 half = {random.uniform(0.5, 1.5), random.uniform(0.5, 1.5),
                         random.uniform(0.5, 1.5)};
      return make_body(BoxSolid{half}, dimension, distance * random_direction(random, dimension),
                       random_rotation(random, dimension));
    };
    const Body a = box(random.uniform(0.1, 2.5));
    const Body b = box(0.0);
    const double depth = reference_depth(a, b);
    if (depth < 1e-6) continue;
    ++overlapping;
    EXPECT_NEAR(smallest_gap(contacts_of(a, b, 0.0)), -depth, 1e-9) << trial;
  }
  EXPECT_GT(overlapping, 500);
}

// Every contact is a pair of places of the two bodies, one above the other along the normal.
TEST(SolidContactDistance, PointsLieOnTheBodiesAndAlongTheNormal) {
  Random random(23);
  for (int trial = 0; trial < 2000; ++trial) {
    const int dimension = 2 + trial % 2;
    const Body a = random_body(random, dimension, random.uniform(1.5, 3.5));
    const Body b = random_body(random, dimension, 0.0);
    const double distance = reference_distance(a, b);
    for (const SolidContact& contact : contacts_of(a, b, 1.0)) {
      EXPECT_NEAR(norm(contact.normal), 1.0, 1e-12);
      EXPECT_LT(norm(contact.point_a - contact.point_b - contact.gap * contact.normal), 1e-8)
          << trial;
      if (distance > 1e-6) {
        EXPECT_GT(contact.gap, distance - 1e-9) << trial;
      }
      const Body place_a = make_body(SphereSolid{1e-9}, dimension, contact.point_a);
      const Body place_b = make_body(SphereSolid{1e-9}, dimension, contact.point_b);
      EXPECT_LT(reference_distance(place_a, a), 1e-7) << trial;
      EXPECT_LT(reference_distance(place_b, b), 1e-7) << trial;
    }
  }
}

// The distance of two bodies changes no faster than their places do.
TEST(SolidContactDistance, SmallestGapIsContinuous) {
  Random random(24);
  for (int trial = 0; trial < 300; ++trial) {
    const int dimension = 2 + trial % 2;
    Body a = random_body(random, dimension, random.uniform(1.0, 3.5));
    const Body b = random_body(random, dimension, 0.0);
    const Vec3 step = 0.01 * random_direction(random, dimension);
    const Vec3 axis = dimension == 3 ? random_direction(random, 3) : Vec3{0, 0, 1};
    const Mat3 turn = turned(axis, 0.01);
    const double most = 0.01 * (1.0 + a.solid->bounding_radius()) + 1e-8;
    double before = smallest_gap(contacts_of(a, b, kFar));
    for (int k = 0; k < 200; ++k) {
      a.pose = {a.pose.position + step, turn * a.pose.rotation};
      const double after = smallest_gap(contacts_of(a, b, kFar));
      EXPECT_LT(std::abs(after - before), most) << trial << " " << k;
      before = after;
    }
  }
}

}  // namespace
}  // namespace carom::test
