#include "carom/geometry/helix.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

using std::numbers::pi;

double smallest_sampled(const Helix& helix, const Vec3& from) {
  constexpr int kSamples = 20000;
  double smallest = kInfinity;
  for (int k = 0; k <= kSamples; ++k) {
    smallest = std::min(smallest, norm(from - helix.place(helix.end * k / kSamples)));
  }
  return smallest;
}

// The distance is that of the nearest of many places, and the way there is at right angles to the
// helix but at its ends.
TEST(Helix, TheNearestPlaceIsNearest) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const Helix helix = {random.uniform(0.2, 2.0), random.uniform(-0.3, 0.3),
                         random.uniform(0.3, 25.0)};
    const double reach = 1.5 * helix.radius;
    const Vec3 from = {random.uniform(-reach, reach), random.uniform(-reach, reach),
                       random.uniform(-1.0, 1.0) + helix.slope * random.uniform(0.0, helix.end)};
    std::vector<NearOnHelix> found;
    find_nearest(helix, from, 1e3, found);
    ASSERT_FALSE(found.empty());
    double nearest = kInfinity;
    for (const NearOnHelix& near : found) {
      nearest = std::min(nearest, near.distance);
      const Vec3 place = helix.place(near.angle);
      EXPECT_NEAR(norm(from - place), near.distance, 1e-13);
      if (near.angle == 0.0 || near.angle == helix.end) continue;
      EXPECT_NEAR(dot(near.outward, helix.direction(near.angle)), 0.0, 1e-12) << trial;
    }
    // Between two samples lies half of helix.end / 20000 at most.
    const double sampled = smallest_sampled(helix, from);
    EXPECT_LE(nearest, sampled + 1e-13) << trial;
    EXPECT_GE(nearest, sampled - 2e-3 * helix.radius - 2e-3 * std::abs(helix.slope)) << trial;
  }
}

// A ball between two turns has a nearest place on each.
TEST(Helix, EveryTurnThatIsNearIsFound) {
  const Helix helix = {1.0, 0.1 / (2.0 * pi), 6.0 * pi};
  std::vector<NearOnHelix> found;
  find_nearest(helix, {1.0, 0.0, 0.15}, 0.08, found);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].turn, found[1].turn);
  EXPECT_NEAR(found[0].distance, 0.05, 1e-4);
  EXPECT_NEAR(found[1].distance, 0.05, 1e-4);
}

TEST(Helix, OnTheAxisOfARingAllPlacesAreAlike) {
  const Helix ring = {1.0, 0.0, 2.0 * pi};
  std::vector<NearOnHelix> found;
  find_nearest(ring, {0.0, 0.0, 0.5}, 10.0, found);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found[0].distance, std::sqrt(1.25), 1e-15);
}

// The theorem of Pappus: the volume of a bent rod is that of a straight one, and its ends are half
// balls. Polygons of 16 sides have sin(pi/8) / (pi/8) of a circle's area.
TEST(Helix, TheSurfaceIsClosedAndHasTheRodsVolume) {
  const HelixSolid rod = {0.05, 1.0, 0.3, 1.75};
  const TriangleMesh mesh = helix_mesh(rod);
  EXPECT_NO_THROW(check_mesh(mesh));
  const Helix helix = helix_of(rod);
  const double length = helix.end * std::hypot(helix.radius, helix.slope);
  const double volume = pi * rod.radius * rod.radius * (length + 4.0 / 3.0 * rod.radius);
  const double part = std::sin(pi / 8.0) / (pi / 8.0);
  EXPECT_NEAR(mass_properties(rod, 3).volume, part * volume, 4e-3 * volume);
}

TEST(Helix, BadSizesAreRefused) {
  EXPECT_THROW((void)mass_properties(HelixSolid{0.0, 1.0, 0.1, 1.0}, 3), InputError);
  EXPECT_THROW((void)mass_properties(HelixSolid{0.1, 0.1, 0.1, 1.0}, 3), InputError);
  EXPECT_THROW((void)mass_properties(HelixSolid{0.1, 1.0, kInfinity, 1.0}, 3), InputError);
  EXPECT_THROW((void)mass_properties(HelixSolid{0.1, 1.0, 0.1, -1.0}, 3), InputError);
  EXPECT_THROW((void)mass_properties(HelixSolid{0.1, 1.0, 0.1, 1e9}, 3), InputError);
  EXPECT_THROW((void)mass_properties(HelixSolid{0.1, 1.0, 0.1, 1.0}, 2), InputError);
}

}  // namespace
}  // namespace carom
