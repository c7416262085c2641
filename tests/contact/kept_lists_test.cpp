#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carom/collision/narrow_phase.h"
#include "carom/contact/detection.h"
#include "carom/core/random.h"
#include "carom/core/worker_pool.h"

namespace carom {
namespace {

// A detector keeps lists from step to step. Here it goes through scenes in motion, and every answer
// is compared, bit for bit, with that of a search that keeps nothing and leaves nothing out.

struct MovingScene {
  std::string name;
  World world;
  std::vector<Vec3> position;
  std::vector<Vec3> way;  // of one step
  double shake = 0.0;     // standard deviation of what a step adds to a way

  void add(const Vec3& place, const Vec3& per_step, double radius) {
    world.bodies.mass.push_back(1.0);
    world.bodies.radius.push_back(radius);
    world.bodies.material.push_back(0);
    world.bodies.name.push_back("ball-" + std::to_string(position.size()));
    position.push_back(place);
    way.push_back(per_step);
  }
};

struct GasOptions {
  int dimension = 2;
  Index count = 150;
  double world = 24.0;
  double radius_ratio = 1.0;
  double speed = 0.02;
};

MovingScene gas(const std::string& name, const GasOptions& options, std::uint64_t seed) {
  MovingScene scene;
  scene.name = name;
  scene.world.dimension = options.dimension;
  Random random(seed);
  const bool deep = options.dimension == 3;
  for (Index i = 0; i < options.count; ++i) {
    const auto coordinate = [&] { return random.uniform(0.0, options.world); };
    const auto speed = [&] { return options.speed * random.normal(); };
    const double x = coordinate();
    const double y = coordinate();
    const double u = speed();
    const double v = speed();
    scene.add({x, y, deep ? coordinate() : 0.0}, {u, v, deep ? speed() : 0.0},
              0.5 * std::pow(options.radius_ratio, random.uniform()) + 0.5);
  }
  return scene;
}

MovingScene lattice(Index side) {
  MovingScene scene;
  scene.name = "lattice that falls, some of it disturbed";
  Random random(7);
  for (Index k = 0; k < side * side; ++k) {
    const bool disturbed = random.below(10) == 0;
    const double u = disturbed ? 0.4 * random.normal() : 0.0;
    const Index row = k / side;
    scene.add({2.0 * (k % side), 2.0 * row, 0.0}, {u, u - 0.9, 0.0}, 1.0);
  }
  scene.world.shapes.push_back({HalfPlane{{0.0, -6.0, 0.0}, {0.0, 1.0, 0.0}}, {}, 0, "floor"});
  return scene;
}

std::vector<MovingScene> moving_scenes() {
  std::vector<MovingScene> scenes;
  scenes.push_back(lattice(13));
  scenes.push_back(gas("slow gas", {2, 150, 24.0, 1.0, 0.02}, 1));
  scenes.push_back(gas("slow gas in space", {3, 150, 11.0, 1.0, 0.02}, 2));
  scenes.push_back(gas("gas of a radius per step", {2, 150, 24.0, 1.0, 0.7}, 3));
  scenes.push_back(gas("very fast gas", {2, 100, 40.0, 1.0, 15.0}, 4));
  scenes.push_back(gas("radii 1 to 1.9", {2, 150, 30.0, 2.8, 0.1}, 5));
  scenes.push_back(gas("radii 1 to 100", {2, 100, 400.0, 199.0, 0.5}, 6));
  scenes.push_back(gas("a few fast balls", {2, 150, 24.0, 1.0, 0.01}, 8));
  for (std::size_t i = 0; i < 150; i += 9) scenes.back().way[i] = {1.5, 0.3, 0.0};
  scenes.push_back(gas("shared motion", {3, 150, 11.0, 1.0, 0.01}, 9));
  for (Vec3& way : scenes.back().way) way += {3.0, -2.0, 1.0};
  scenes.push_back(gas("far from the origin", {2, 150, 24.0, 1.0, 0.1}, 10));
  for (Vec3& place : scenes.back().position) place += {3e8, -1e8, 0.0};
  scenes.push_back(gas("one ball far away", {2, 150, 24.0, 1.0, 0.1}, 11));
  scenes.back().add({1e14, 0.0, 0.0}, {1.0, 0.0, 0.0}, 1.0);
  scenes.push_back(gas("periodic", {2, 150, 24.0, 1.0, 0.1}, 12));
  scenes.back().world.periodicity.length = {24.0, 0.0, 0.0};
  scenes.push_back(gas("periodic and fast", {2, 150, 24.0, 1.0, 1.0}, 13));
  scenes.back().world.periodicity.length = {24.0, 24.0, 0.0};
  scenes.push_back(gas("periodic in space, a few fast balls", {3, 200, 11.0, 1.0, 0.02}, 15));
  scenes.back().world.periodicity = {{-3.0, 1.0, 0.0}, {11.0, 13.0, 0.0}};
  for (std::size_t i = 0; i < 200; i += 11) scenes.back().way[i] = {1.5, -2.0, 0.3};
  scenes.push_back(gas("periods of little more than two diameters", {3, 40, 9.0, 1.0, 0.1}, 16));
  scenes.back().world.periodicity.length = {4.1, 9.0, 4.5};
  scenes.push_back(gas("periods that one step passes", {2, 60, 14.0, 1.0, 0.02}, 17));
  scenes.back().world.periodicity.length = {14.0, 14.0, 0.0};
  scenes.back().way[5] = {40.0, 3.0, 0.0};
  scenes.push_back(gas("shared motion of a periodic world", {3, 150, 11.0, 1.0, 0.01}, 18));
  scenes.back().world.periodicity.length = {11.0, 11.0, 11.0};
  for (Vec3& way : scenes.back().way) way += {3.0, -2.0, 1.0};
  scenes.push_back(gas("moving shapes", {2, 150, 24.0, 1.0, 0.1}, 14));
  scenes.back().world.shapes.push_back({BoxInside{{-2.0, -2.0, 0.0}, {26.0, 26.0, 0.0}},
                                        SinusoidMotion{{3.0, 0.0, 0.0}, 0.7, 0.1}, 0, "box"});
  scenes.back().world.shapes.push_back(
      {SphereOutside{{-9.0, 12.0, 0.0}, 2.0}, ConstantMotion{{2.0, 0.1, 0.0}}, 0, "visitor"});
  scenes.back().world.shapes.push_back(
      {Segment{{5.0, 5.0, 0.0}, {9.0, 6.0, 0.0}}, {}, 0, "segment"});
  for (MovingScene& scene : scenes) scene.shake = 0.02;
  return scenes;
}

struct Answer {
  std::vector<Contact> contacts;
  double depth = 0.0;
};

class Oracle {
 public:
  Oracle(const MovingScene& scene, const DetectionSettings& settings)
      : scene_(scene), settings_(settings) {}

  [[nodiscard]] Answer look(const StepMotion& motion) const {
    Answer answer;
    const auto count = static_cast<Index>(motion.begin.size());
    for (Index a = 0; a < count; ++a) {
      for (Index b = a + 1; b < count; ++b) look_at_pair(motion, a, b, answer);
    }
    for (Index a = 0; a < count; ++a) {
      for (Index k = 0; k < scene_.world.shapes.size(); ++k) look_at_shape(motion, a, k, answer);
    }
    return answer;
  }

 private:
  void look_at_pair(const StepMotion& motion, Index a, Index b, Answer& answer) const {
    const double radius_a = scene_.world.bodies.radius[a];
    const double radius_b = scene_.world.bodies.radius[b];
    const double activation = settings_.activation * std::min(radius_a, radius_b);
    const Vec3 begin = nearest_image(scene_.world.periodicity, motion.begin[a] - motion.begin[b]);
    const Vec3 end =
        begin + ((motion.end[a] - motion.begin[a]) - (motion.end[b] - motion.begin[b]));
    const double gap_end = ball_pair_contact(end, radius_a, radius_b).gap;
    if (-gap_end > answer.depth) answer.depth = -gap_end;
    const PathGap path = smallest_pair_gap(begin, end, radius_a + radius_b);
    const bool on_way = settings_.sweep && path.where > 0.0 && path.gap < activation;
    const BallPairGap first = ball_pair_contact(begin, radius_a, radius_b);
    if (!(gap_end < activation) && !on_way) return;
    if (first.normal == Vec3{}) return;
    answer.contacts.push_back({a, b, kNone, 0, first.normal, first.gap, gap_end});
  }

  void look_at_shape(const StepMotion& motion, Index a, Index k, Answer& answer) const {
    const PlacedShape& placed = scene_.world.shapes[k];
    const double radius = scene_.world.bodies.radius[a];
    const Vec3 begin = motion.begin[a] - offset_at(placed.motion, motion.time);
    const Vec3 end = motion.end[a] - offset_at(placed.motion, motion.time + motion.step);
    for (Index feature = 0; feature < feature_count(placed.shape, scene_.world.dimension);
         ++feature) {
      const double gap_end = ball_contact(placed.shape, feature, end, radius).gap;
      if (-gap_end > answer.depth) answer.depth = -gap_end;
      const PathGap path = smallest_gap_on_path(placed.shape, feature, begin, end, radius);
      const double activation = settings_.activation * radius;
      const bool on_way = settings_.sweep && path.where > 0.0 && path.gap < activation;
      const SurfaceContact first = ball_contact(placed.shape, feature, begin, radius);
      if ((!(gap_end < activation) && !on_way) || first.normal == Vec3{}) continue;
      answer.contacts.push_back({a, kNone, k, feature, first.normal, first.gap, gap_end});
    }
  }

  const MovingScene& scene_;
  DetectionSettings settings_;
};

bool same(const Contact& a, const Contact& b) {
  return a.same_pair(b) && a.normal == b.normal && a.gap == b.gap && a.gap_end == b.gap_end;
}

void expect_same(const std::vector<Contact>& found, const std::vector<Contact>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_TRUE(same(found[k], expected[k])) << k;
}

// Contacts of `all` that are not in `known`.
std::vector<Contact> without(const std::vector<Contact>& all, const std::vector<Contact>& known) {
  std::vector<Contact> rest;
  for (const Contact& contact : all) {
    bool is_known = false;
    for (const Contact& other : known) is_known = is_known || contact.same_pair(other);
    if (!is_known) rest.push_back(contact);
  }
  return rest;
}

// One step's motion, and another that some balls, or most, would have after an impact.
struct StepWays {
  std::vector<Vec3> end;
  std::vector<Vec3> other_end;

  // Who ends elsewhere, and some who do not.
  [[nodiscard]] std::vector<Index> moved() const {
    std::vector<Index> balls;
    for (Index i = 0; i < end.size(); ++i) {
      if (i % 7 == 0 || !(end[i] == other_end[i])) balls.push_back(i);
    }
    return balls;
  }
};

StepWays next_ways(MovingScene& scene, Random& random, bool most) {
  StepWays ways;
  for (std::size_t i = 0; i < scene.position.size(); ++i) {
    const auto shake = [&] { return scene.shake * random.normal(); };
    scene.way[i].x += shake();
    scene.way[i].y += shake();
    if (scene.world.dimension == 3) scene.way[i].z += shake();
    ways.end.push_back(scene.position[i] + scene.way[i]);
    if ((random.below(8) == 0) != most) scene.way[i] = -scene.way[i];
    ways.other_end.push_back(scene.position[i] + scene.way[i]);
  }
  return ways;
}

// `empty` counts later looks that find nothing: their penetration is that of all rows.
void expect_same_as_oracle(MovingScene scene, bool sweep, int& empty) {
  constexpr int kSteps = 25;
  constexpr double kStep = 0.05;
  DetectionSettings settings;
  settings.sweep = sweep;
  ContactDetector detector(scene.world, settings);
  const Oracle oracle(scene, settings);
  Random random(5);
  std::vector<Contact> contacts;
  std::vector<Contact> further;
  for (int step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const StepWays ways = next_ways(scene, random, step % 3 == 2);
    const StepMotion motion = {step * kStep, kStep, scene.position, ways.end};
    detector.detect(motion, contacts);
    const Answer expected = oracle.look(motion);
    ASSERT_NO_FATAL_FAILURE(expect_same(contacts, expected.contacts));
    ASSERT_EQ(detector.penetration().depth, expected.depth);

    const StepMotion other = {step * kStep, kStep, scene.position, ways.other_end};
    const std::vector<std::span<const Contact>> known = {contacts};
    const std::vector<Index> moved = ways.moved();
    detector.detect_further(other, known, further, step % 2 == 0 ? &moved : nullptr);
    const Answer after = oracle.look(other);
    ASSERT_NO_FATAL_FAILURE(expect_same(further, without(after.contacts, contacts)));
    if (further.empty()) {
      if (!contacts.empty()) ++empty;
      ASSERT_EQ(detector.penetration().depth, after.depth);
    }
    detector.measure(other);
    ASSERT_EQ(detector.penetration().depth, after.depth);
    for (std::size_t i = 0; i < scene.position.size(); ++i) {
      scene.position[i] = wrapped(scene.world.periodicity, ways.other_end[i]);
    }
  }
}

TEST(KeptLists, FindWhatASearchOfAllPairsFindsOnTheWholeWay) {
  int empty = 0;
  for (const MovingScene& scene : moving_scenes()) {
    SCOPED_TRACE(scene.name);
    expect_same_as_oracle(scene, true, empty);
  }
  EXPECT_GT(empty, 10);
}

TEST(KeptLists, FindWhatASearchOfAllPairsFindsAtTheEnd) {
  int empty = 0;
  for (const MovingScene& scene : moving_scenes()) {
    SCOPED_TRACE(scene.name);
    expect_same_as_oracle(scene, false, empty);
  }
  EXPECT_GT(empty, 10);
}

// Rows of `all` around some balls: theirs, those of their partners, and so on.
std::vector<Contact> around(const std::vector<Contact>& all, std::span<const Index> balls,
                            std::size_t count, int times) {
  std::vector<std::uint8_t> reached(count);
  for (const Index ball : balls) reached[ball] = 1;
  const auto is_reached = [&](const Contact& row) {
    return reached[row.body_a] != 0 || (row.body_b != kNone && reached[row.body_b] != 0);
  };
  std::vector<Contact> rows;
  for (int k = 0; k < times; ++k) {
    rows.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows), is_reached);
    for (const Contact& row : rows) {
      reached[row.body_a] = 1;
      if (row.body_b != kNone) reached[row.body_b] = 1;
    }
  }
  return rows;
}

void expect_rows_around(MovingScene scene, std::span<const Index> asked, unsigned threads) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  DetectionSettings settings;
  settings.activation = 0.4;
  WorkerPool pool(threads);
  ContactDetector detector(scene.world, settings, &pool);
  const Oracle oracle(scene, settings);
  Random random(5);
  std::vector<Contact> found;
  for (int step = 0; step < 6; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const double time = 0.05 * step;
    const std::vector<Contact> all =
        oracle.look({time, 0.0, scene.position, scene.position}).contacts;
    // At the same places, from few rows to all that hang together.
    const std::vector<std::pair<std::size_t, int>> looks = {{1, 1}, {kAll, 200}, {0, 1}};
    for (const auto& [enough, times] : looks) {
      detector.detect_around({time, scene.position}, asked, enough, found);
      ASSERT_NO_FATAL_FAILURE(expect_same(found, around(all, asked, scene.position.size(), times)));
    }
    const StepWays ways = next_ways(scene, random, false);
    for (std::size_t i = 0; i < scene.position.size(); ++i) {
      scene.position[i] = wrapped(scene.world.periodicity, ways.end[i]);
    }
  }
}

TEST(KeptLists, FindRowsAroundSomeBalls) {
  for (const MovingScene& scene : moving_scenes()) {
    SCOPED_TRACE(scene.name);
    const std::vector<Index> asked = {3, 17, 3, 30};
    expect_rows_around(scene, asked, 1);
  }
}

TEST(KeptLists, ThreadsFindRowsAroundManyBalls) {
  const MovingScene scene = lattice(36);
  std::vector<Index> asked;
  for (Index ball = 1; ball < scene.position.size(); ball += 2) asked.push_back(ball);
  ASSERT_GT(asked.size(), 600U) << "more than one stretch of them";
  for (const unsigned threads : {1U, 2U}) expect_rows_around(scene, asked, threads);
}

// A ball at no place touches nothing and hides nothing, nor does it when it comes back.
TEST(KeptLists, OutliveBallsWithoutAPlace) {
  for (const double nowhere : {kInfinity, std::numeric_limits<double>::quiet_NaN(), 1e200}) {
    for (const bool sweep : {false, true}) {
      MovingScene scene = gas("", {2, 100, 18.0, 1.0, 0.05}, 21);
      DetectionSettings settings;
      settings.sweep = sweep;
      ContactDetector detector(scene.world, settings);
      const Oracle oracle(scene, settings);
      Random random(5);
      std::vector<Contact> contacts;
      for (int step = 0; step < 12; ++step) {
        StepWays ways = next_ways(scene, random, false);
        std::vector<Vec3> begin = scene.position;
        if (step % 4 == 1) ways.end[17].y = nowhere;
        if (step % 4 == 2) begin[42].x = nowhere;
        const StepMotion motion = {0.0, 0.1, begin, ways.end};
        detector.detect(motion, contacts);
        SCOPED_TRACE(std::to_string(nowhere) + " step " + std::to_string(step));
        ASSERT_NO_FATAL_FAILURE(expect_same(contacts, oracle.look(motion).contacts));
        scene.position = ways.other_end;
      }
    }
  }
}

// One look per step: at the end of a way, or in a world that stands still meanwhile.
void expect_same_with_one_look(MovingScene scene, double activation, bool stands_still) {
  DetectionSettings settings;
  settings.activation = activation;
  settings.sweep = false;
  settings.redetect = false;
  ContactDetector detector(scene.world, settings);
  const Oracle oracle(scene, settings);
  Random random(9);
  std::vector<Contact> contacts;
  for (int step = 0; step < 25; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const StepWays ways = next_ways(scene, random, false);
    std::span<const Vec3> end = ways.end;
    if (stands_still) end = scene.position;
    const StepMotion motion = {step * 0.05, stands_still ? 0.0 : 0.05, scene.position, end};
    detector.detect(motion, contacts);
    ASSERT_NO_FATAL_FAILURE(expect_same(contacts, oracle.look(motion).contacts));
    for (std::size_t i = 0; i < scene.position.size(); ++i) {
      scene.position[i] = wrapped(scene.world.periodicity, ways.end[i]);
    }
  }
}

// As printed in the papers: at the end of a step, for which lists are not kept where all balls are
// fast.
TEST(KeptLists, FindWhatASearchOfAllPairsFindsWithOneLookPerStep) {
  for (const MovingScene& scene : moving_scenes()) {
    SCOPED_TRACE(scene.name);
    expect_same_with_one_look(scene, DetectionSettings().activation, false);
  }
}

// Who is near at one moment, far beyond what counts as touching.
TEST(KeptLists, FindWhoIsNearInAWorldThatStandsStill) {
  for (const MovingScene& scene : moving_scenes()) {
    SCOPED_TRACE(scene.name);
    for (const double reach : {0.25, 2.0}) expect_same_with_one_look(scene, reach, true);
  }
}

// One row at a time, and elsewhere than the step leads.
TEST(KeptLists, ARowWouldBeActiveWhereALookFindsIt) {
  for (const bool sweep : {false, true}) {
    for (MovingScene scene : moving_scenes()) {
      SCOPED_TRACE(scene.name);
      DetectionSettings settings;
      settings.sweep = sweep;
      ContactDetector detector(scene.world, settings);
      const Oracle oracle(scene, settings);
      Random random(5);
      std::vector<Contact> contacts;
      for (int step = 0; step < 4; ++step) {
        const StepWays ways = next_ways(scene, random, false);
        const StepMotion motion = {step * 0.05, 0.05, scene.position, ways.end};
        const StepMotion other = {step * 0.05, 0.05, scene.position, ways.other_end};
        detector.detect(motion, contacts);
        const Answer expected = oracle.look(other);
        auto next = expected.contacts.begin();
        const auto ask = [&](const Contact& row) {
          const Vec3 end_b = row.body_b != kNone ? other.end[row.body_b] : Vec3{};
          const bool is_active =
              detector.would_be_active(motion, row, other.end[row.body_a], end_b);
          const bool is_found = next != expected.contacts.end() && next->same_pair(row);
          EXPECT_EQ(is_active, is_found) << row.body_a << " " << row.body_b;
          if (is_found) ++next;
        };
        const auto count = static_cast<Index>(scene.position.size());
        for (Index a = 0; a < count; ++a) {
          for (Index b = a + 1; b < count; ++b) ask({a, b, kNone, 0, {}, 0.0, 0.0});
        }
        for (Index a = 0; a < count; ++a) {
          for (Index k = 0; k < scene.world.shapes.size(); ++k) {
            const Index features =
                feature_count(scene.world.shapes[k].shape, scene.world.dimension);
            for (Index f = 0; f < features; ++f) ask({a, kNone, k, f, {}, 0.0, 0.0});
          }
        }
        EXPECT_EQ(next, expected.contacts.end());
        for (std::size_t i = 0; i < scene.position.size(); ++i) {
          scene.position[i] = wrapped(scene.world.periodicity, ways.other_end[i]);
        }
      }
    }
  }
}

// The contact of two balls with other numbers.
Contact renumbered(Contact contact, const std::vector<Index>& number) {
  contact.body_a = number[contact.body_a];
  if (contact.body_b == kNone) return contact;
  contact.body_b = number[contact.body_b];
  if (contact.body_a < contact.body_b) return contact;
  std::swap(contact.body_a, contact.body_b);
  contact.normal = -contact.normal;
  return contact;
}

// So many balls that lists are kept in another order where numbers say nothing about places.
TEST(KeptLists, FindTheSameWhateverTheNumbers) {
  constexpr Index kSide = 140;
  for (const bool sweep : {false, true}) {
    MovingScene scene = lattice(kSide);
    scene.shake = 0.01;
    std::vector<Index> number(scene.position.size());
    std::iota(number.begin(), number.end(), Index{0});
    Random random(11);
    for (std::size_t i = number.size() - 1; i > 0; --i) {
      std::swap(number[i], number[random.below(static_cast<Index>(i + 1))]);
    }
    const auto shuffled = [&](const std::vector<Vec3>& places) {
      std::vector<Vec3> others(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) others[number[i]] = places[i];
      return others;
    };
    DetectionSettings settings;
    settings.sweep = sweep;
    ContactDetector in_order(scene.world, settings);
    ContactDetector in_disorder(scene.world, settings);
    std::vector<Contact> expected;
    std::vector<Contact> contacts;
    for (int step = 0; step < 6; ++step) {
      SCOPED_TRACE("step " + std::to_string(step));
      const StepWays ways = next_ways(scene, random, step % 3 == 2);
      const std::vector<Vec3> begin = shuffled(scene.position);
      const auto expect_the_same = [&] {
        for (Contact& contact : expected) contact = renumbered(contact, number);
        std::sort(expected.begin(), expected.end(),
                  [](const Contact& a, const Contact& b) { return a.before(b); });
        expect_same(contacts, expected);
      };
      in_order.detect({step * 0.1, 0.1, scene.position, ways.end}, expected);
      const std::vector<Contact> first = expected;
      const std::vector<Vec3> end = shuffled(ways.end);
      in_disorder.detect({step * 0.1, 0.1, begin, end}, contacts);
      ASSERT_NO_FATAL_FAILURE(expect_the_same());
      ASSERT_GT(contacts.size(), 10'000U);

      const std::vector<Contact> known = contacts;
      const std::vector<Vec3> other_end = shuffled(ways.other_end);
      in_order.detect_further({step * 0.1, 0.1, scene.position, ways.other_end},
                              std::vector<std::span<const Contact>>{first}, expected);
      in_disorder.detect_further({step * 0.1, 0.1, begin, other_end},
                                 std::vector<std::span<const Contact>>{known}, contacts);
      ASSERT_NO_FATAL_FAILURE(expect_the_same());
      scene.position = ways.other_end;
    }
  }
}

// More balls than one stretch has, so that threads share them.
TEST(KeptLists, AreTheSameForEveryNumberOfThreads) {
  for (const bool sweep : {false, true}) {
    MovingScene scene = lattice(90);
    scene.shake = 0.01;
    DetectionSettings settings;
    settings.sweep = sweep;
    WorkerPool pool(3);
    ContactDetector alone(scene.world, settings);
    ContactDetector shared(scene.world, settings, &pool);
    Random random(3);
    std::vector<Contact> contacts;
    std::vector<Contact> of_threads;
    for (int step = 0; step < 10; ++step) {
      const StepWays ways = next_ways(scene, random, step % 3 == 2);
      const StepMotion motion = {step * 0.1, 0.1, scene.position, ways.end};
      alone.detect(motion, contacts);
      shared.detect(motion, of_threads);
      ASSERT_NO_FATAL_FAILURE(expect_same(of_threads, contacts)) << step;
      EXPECT_GT(contacts.size(), 4096U);
      const StepMotion other = {step * 0.1, 0.1, scene.position, ways.other_end};
      alone.measure(other);
      shared.measure(other);
      EXPECT_EQ(alone.penetration().depth, shared.penetration().depth);
      EXPECT_EQ(alone.penetration().relative, shared.penetration().relative);
      scene.position = ways.other_end;
    }
  }
}

}  // namespace
}  // namespace carom
