#include "carom/collision/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "collision/allocation_count.h"
#include "collision/ball_scenes.h"

namespace carom {
namespace {

using test::BallScene;
using test::hard_scenes;

std::vector<BallPair> pairs_of(BroadPhase& broad_phase, const BallScene& scene) {
  std::vector<BallPair> pairs;
  broad_phase.find_pairs(scene.sweep(), pairs);
  return pairs;
}

std::vector<BallPair> pairs_of(const std::string& name, const BallScene& scene) {
  return pairs_of(*make_broad_phase(name), scene);
}

// An oracle of its own, in extended precision: do the intervals that the balls sweep along one
// axis, or copies of them, overlap if both are larger by this much?
bool intervals_overlap(const BallScene& scene, Index a, Index b, double Vec3::*axis,
                       long double pad) {
  using Wide = long double;
  const auto low = [&](Index i) -> Wide {
    return std::min<Wide>(scene.begin[i].*axis, scene.end[i].*axis) -
           Wide{scene.radius[i]} * (1 + Wide{scene.margin}) - pad;
  };
  const auto high = [&](Index i) -> Wide {
    return std::max<Wide>(scene.begin[i].*axis, scene.end[i].*axis) +
           Wide{scene.radius[i]} * (1 + Wide{scene.margin}) + pad;
  };
  const Wide period = scene.period_length.*axis;
  if (period == 0) return low(a) <= high(b) && low(b) <= high(a);
  // Some copy k of b's interval: low(a) <= high(b) + k period, low(b) + k period <= high(a).
  return std::ceil((low(a) - high(b)) / period) <= std::floor((high(a) - low(b)) / period);
}

// What round-off may do to the places of two balls, in lengths.
long double round_off(const BallScene& scene, Index a, Index b, double Vec3::*axis) {
  long double size = std::abs(scene.period_lower.*axis) + scene.period_length.*axis;
  for (const Index i : {a, b}) {
    size += std::abs(scene.begin[i].*axis) + std::abs(scene.end[i].*axis) + scene.radius[i];
  }
  return size * kRoundOff;
}

bool boxes_overlap(const BallScene& scene, Index a, Index b, double round_offs) {
  bool overlap = true;
  for (const auto axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    if (axis == &Vec3::z && scene.dimension == 2) continue;
    overlap =
        overlap && intervals_overlap(scene, a, b, axis, round_offs * round_off(scene, a, b, axis));
  }
  return overlap;
}

// Beyond this, differences overflow, and all pairs of such balls may be reported.
bool is_extreme(const BallScene& scene, Index i) {
  const auto size = [](const Vec3& place) {
    return std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)});
  };
  return std::max({size(scene.begin[i]), size(scene.end[i]), scene.radius[i]}) > 1e306;
}

class BroadPhaseContract : public testing::TestWithParam<std::string> {};

TEST_P(BroadPhaseContract, ReportsEveryOverlapOfBoxesAndNothingElse) {
  for (const BallScene& scene : hard_scenes()) {
    SCOPED_TRACE(scene.name);
    const std::vector<BallPair> pairs = pairs_of(GetParam(), scene);
    const std::set<BallPair> reported(pairs.begin(), pairs.end());
    int missed = 0;
    int superfluous = 0;
    for (Index a = 0; a < scene.size(); ++a) {
      for (Index b = a + 1; b < scene.size(); ++b) {
        const bool is_reported = reported.contains({a, b});
        if (!is_reported && boxes_overlap(scene, a, b, 0.0)) ++missed;
        const bool excused = is_extreme(scene, a) || is_extreme(scene, b);
        if (is_reported && !excused && !boxes_overlap(scene, a, b, 10.0)) ++superfluous;
      }
    }
    EXPECT_EQ(missed, 0);
    EXPECT_EQ(superfluous, 0);
  }
}

TEST_P(BroadPhaseContract, PairsAreOrderedSortedAndUnique) {
  for (const BallScene& scene : hard_scenes()) {
    SCOPED_TRACE(scene.name);
    const std::vector<BallPair> pairs = pairs_of(GetParam(), scene);
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
    EXPECT_TRUE(std::all_of(pairs.begin(), pairs.end(), [&](const BallPair& pair) {
      return pair.a < pair.b && pair.b < scene.size();
    }));
  }
}

TEST_P(BroadPhaseContract, EarlierCallsLeaveNoTrace) {
  const std::unique_ptr<BroadPhase> used = make_broad_phase(GetParam());
  std::vector<BallScene> scenes = hard_scenes();
  for (const BallScene& scene : scenes) static_cast<void>(pairs_of(*used, scene));
  std::reverse(scenes.begin(), scenes.end());
  for (const BallScene& scene : scenes) {
    EXPECT_EQ(pairs_of(*used, scene), pairs_of(GetParam(), scene)) << scene.name;
  }
}

TEST_P(BroadPhaseContract, RepeatedCallsNeedNoMemory) {
  for (const BallScene& scene : hard_scenes()) {
    const std::unique_ptr<BroadPhase> broad_phase = make_broad_phase(GetParam());
    std::vector<BallPair> pairs;
    broad_phase->find_pairs(scene.sweep(), pairs);
    const std::size_t before = test::allocation_count();
    broad_phase->find_pairs(scene.sweep(), pairs);
    EXPECT_EQ(test::allocation_count(), before) << scene.name;
  }
}

TEST_P(BroadPhaseContract, LatticeNeighboursTouch) {
  // Boxes touch along the axes and at corners: 4 pairs per ball in 2D and 13 in 3D, less the
  // border.
  EXPECT_EQ(pairs_of(GetParam(), test::touching_lattice(2, 10)).size(), 2U * 90U + 2U * 81U);
  EXPECT_EQ(pairs_of(GetParam(), test::touching_lattice(3, 5)).size(),
            3U * 100U + 6U * 80U + 4U * 64U);
}

TEST_P(BroadPhaseContract, MarginReachesFurtherByAFractionOfTheRadius) {
  BallScene scene;
  scene.add({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0);
  scene.add({3.3, 0.0, 0.0}, {3.3, 0.0, 0.0}, 2.0);  // a gap of a tenth of the radii
  scene.margin = 0.09;
  EXPECT_TRUE(pairs_of(GetParam(), scene).empty());
  scene.margin = 0.11;
  EXPECT_EQ(pairs_of(GetParam(), scene), (std::vector<BallPair>{{0, 1}}));
}

TEST_P(BroadPhaseContract, BallsThatPassEachOtherAreReported) {
  BallScene scene;
  scene.add({-1e3, 0.0, 0.0}, {1e3, 0.0, 0.0}, 0.1);
  scene.add({1e3, 0.1, 0.0}, {-1e3, 0.1, 0.0}, 0.1);
  scene.add({0.0, 5.0, 0.0}, {0.0, -5.0, 0.0}, 0.1);
  EXPECT_EQ(pairs_of(GetParam(), scene), (std::vector<BallPair>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST_P(BroadPhaseContract, InTwoDimensionsZIsIgnored) {
  BallScene scene;
  scene.add({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0);
  scene.add({1.0, 0.0, 9.0}, {1.0, 0.0, 9.0}, 1.0);
  scene.period_length = {0.0, 0.0, 3.0};
  EXPECT_EQ(pairs_of(GetParam(), scene), (std::vector<BallPair>{{0, 1}}));
}

TEST_P(BroadPhaseContract, BallsAtUnknownPlacesAreNearToAll) {
  for (const double unknown : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    BallScene scene;
    scene.add({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0);
    scene.add({9.0, 0.0, 0.0}, {9.0, 0.0, 0.0}, 1.0);
    scene.add({0.0, unknown, 0.0}, {0.0, 0.0, 0.0}, 1.0);
    scene.add({0.0, 0.0, 0.0}, {unknown, 0.0, 0.0}, 1.0);
    const std::vector<BallPair> expected = {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    EXPECT_EQ(pairs_of(GetParam(), scene), expected);
    scene.period_length = {6.5, 6.5, 0.0};
    EXPECT_EQ(pairs_of(GetParam(), scene), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, BroadPhaseContract, testing::ValuesIn(broad_phase_names()),
                         [](const auto& test) { return test.param; });

TEST(GridBroadPhase, FindsWhatBruteForceFinds) {
  const std::unique_ptr<BroadPhase> grid = make_broad_phase("grid");
  const std::unique_ptr<BroadPhase> brute_force = make_broad_phase("brute_force");
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const int dimension = 2 + static_cast<int>(random.below(2));
    const double world = std::pow(10.0, random.uniform(-0.3, 4.0));
    BallScene scene = test::random_gas(
        {dimension, 1 + random.below(200), world, std::pow(10.0, random.uniform(0.0, 3.0)),
         std::pow(10.0, random.uniform(-2.0, 3.0))},
        seed);
    const auto period = [&] {
      return random.below(2) == 0 ? 0.0 : world * random.uniform(0.1, 1.5);
    };
    scene.period_length = {period(), period(), period()};
    scene.period_lower = {random.normal(), random.normal(), random.normal()};
    EXPECT_EQ(pairs_of(*grid, scene), pairs_of(*brute_force, scene)) << "seed " << seed;
  }
}

TEST(BroadPhaseRegistry, NamesTheNearestOnUnknownNames) {
  try {
    static_cast<void>(make_broad_phase("gird"));
    FAIL() << "no such broad phase";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().key, "broad_phase");
    EXPECT_EQ(error.message(),
              "unknown broad phase 'gird'; did you mean 'grid'? Known: grid, brute_force");
  }
}

}  // namespace
}  // namespace carom
