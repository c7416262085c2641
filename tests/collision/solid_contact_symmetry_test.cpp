#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "carom/collision/solid_contact.h"
#include "carom/geometry/mesh_generators.h"

#include "collision/allocation_count.h"
#include "collision/solid_pairs.h"

namespace carom::test {
namespace {

constexpr double kPi = std::numbers::pi;
/// Places are compared to round-off, counted generously: crossings of nearly parallel edges lose a
/// few digits.
constexpr double kRoundOffs = 1e-10;

struct Pair {
  Body a;
  Body b;
};

// Two bodies near each other, apart or overlapping a little.
Pair random_pair(Random& random, int dimension) {
  const auto body = [&] {
    const SolidDefinition definition =
        dimension == 3
            ? random_convex(random)
            : SolidDefinition(BoxSolid{{random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), 0}});
    return make_body(definition, dimension, {}, random_rotation(random, dimension));
  };
  Pair pair{body(), body()};
  pair.a.pose.position = random.uniform(1.0, 3.0) * random_direction(random, dimension);
  return pair;
}

// Boxes in positions of high symmetry, where features coincide and axes tie.
std::vector<Pair> regular_pairs() {
  std::vector<Pair> pairs;
  const std::vector<Mat3> turns = {Mat3{}, turned({0, 0, 1}, kPi / 4), turned({1, 0, 0}, kPi / 4),
                                   turned({1, 1, 1}, kPi / 3)};
  for (const Mat3& turn_a : turns) {
    for (const Mat3& turn_b : turns) {
      for (const Vec3& at : {Vec3{0, 0, 2}, Vec3{2, 0, 2}, Vec3{2, 2, 2}, Vec3{0, 0, 1.9},
                             Vec3{1.9, 0, 1.9}, Vec3{1.9, 1.9, 1.9}, Vec3{0.5, 0, 2},
                             Vec3{0, 0, 1 + std::sqrt(2.0)}, Vec3{0, 0, 2 * std::sqrt(2.0)}}) {
        pairs.push_back({make_box({1, 1, 1}, at, turn_a), make_box({1, 1, 1}, {}, turn_b)});
      }
    }
  }
  return pairs;
}

// Sizes and places in quarters, turns by eighths: coincidences of all kinds.
Pair random_regular_pair(Random& random) {
  const auto quarters = [&](Index most) { return 0.25 * random.below(most + 1); };
  const auto box = [&](const Vec3& at) {
    Mat3 rotation;
    for (int k = 0; k < 2; ++k) {
      const Vec3 axis = std::array{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}[random.below(3)];
      rotation = turned(axis, kPi / 4 * random.below(8)) * rotation;
    }
    const Vec3 half = {0.25 + quarters(3), 0.25 + quarters(3), 0.25 + quarters(3)};
    return make_box(half, at, rotation);
  };
  const Body a = box({quarters(8), quarters(8), quarters(8)});
  return {a, box({})};
}

void expect_exchangeable(const Pair& pair) {
  expect_same_contacts(exchanged(contacts_of(pair.a, pair.b, 0.3)),
                       contacts_of(pair.b, pair.a, 0.3), kRoundOffs);
}

TEST(SolidContactSymmetry, ExchangingTheBodiesExchangesThePoints) {
  Random random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    expect_exchangeable(random_pair(random, 2 + trial % 2));
    if (HasFailure()) return;
  }
}

TEST(SolidContactSymmetry, ExchangingRegularlyPlacedBoxesExchangesThePoints) {
  int number = 0;
  for (const Pair& pair : regular_pairs()) {
    SCOPED_TRACE(number++);
    expect_exchangeable(pair);
  }
}

TEST(SolidContactSymmetry, HoldsWhereverFeaturesCoincide) {
  Random random(16);
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair = random_regular_pair(random);
    expect_exchangeable(pair);
    const Pose motion{random.uniform(0.0, 5.0) * random_direction(random, 3),
                      random_rotation(random, 3)};
    const Body a{pair.a.solid, motion * pair.a.pose};
    const Body b{pair.b.solid, motion * pair.b.pose};
    expect_same_contacts(moved(motion, contacts_of(pair.a, pair.b, 0.3)), contacts_of(a, b, 0.3),
                         kRoundOffs);
    if (HasFailure()) return;
  }
}

TEST(SolidContactSymmetry, HoldsForCylindersAndCompounds) {
  Random random(17);
  CompoundSolid cross_solid;
  cross_solid.parts.push_back({BoxSolid{{1, 0.25, 0.25}}, {}, 1.0});
  cross_solid.parts.push_back({BoxSolid{{0.25, 1, 0.25}}, {}, 1.0});
  cross_solid.parts.push_back({CapsuleSolid{0.25, 1.0}, {}, 1.0});
  const SolidDefinition crossed = std::make_shared<const CompoundSolid>(cross_solid);
  const std::array<SolidDefinition, 3> definitions = {crossed, CylinderSolid{0.5, 1.0},
                                                      BoxSolid{{1, 0.75, 0.5}}};
  for (int trial = 0; trial < 600; ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair{make_body(definitions[random.below(3)], 3,
                              random.uniform(0.8, 1.8) * random_direction(random, 3),
                              random_rotation(random, 3)),
                    make_body(definitions[random.below(2)], 3, {}, random_rotation(random, 3))};
    expect_exchangeable(pair);
    if (HasFailure()) return;
  }
}

TEST(SolidContactSymmetry, MovingBothBodiesMovesThePoints) {
  Random random(12);
  const std::vector<Pair> regular = regular_pairs();
  for (std::size_t trial = 0; trial < 1000 + regular.size(); ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair = trial < regular.size() ? regular[trial] : random_pair(random, 3);
    const Pose motion{random.uniform(0.0, 5.0) * random_direction(random, 3),
                      random_rotation(random, 3)};
    const Body a{pair.a.solid, motion * pair.a.pose};
    const Body b{pair.b.solid, motion * pair.b.pose};
    expect_same_contacts(moved(motion, contacts_of(pair.a, pair.b, 0.3)), contacts_of(a, b, 0.3),
                         kRoundOffs);
    if (HasFailure()) return;
  }
}

// A box is its own mirror image, so the mirrored pair is made by turning it: R -> S R S.
TEST(SolidContactSymmetry, MirroringBoxesMirrorsThePoints) {
  const Mat3 mirror = Mat3::diagonal({-1, 1, 1});
  const auto image = [&](const Body& body) {
    return Body{body.solid, {mirror * body.pose.position, mirror * body.pose.rotation * mirror}};
  };
  Random random(13);
  const std::vector<Pair> regular = regular_pairs();
  for (std::size_t trial = 0; trial < 1000 + regular.size(); ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair = trial < regular.size()
                          ? regular[trial]
                          : Pair{make_box({1, 0.5, 0.75}, 1.8 * random_direction(random, 3),
                                          random_rotation(random, 3)),
                                 make_box({0.5, 1, 0.75}, {}, random_rotation(random, 3))};
    expect_same_contacts(mirrored(contacts_of(pair.a, pair.b, 0.3)),
                         contacts_of(image(pair.a), image(pair.b), 0.3), kRoundOffs);
    if (HasFailure()) return;
  }
}

// The cube's own rotations renumber its corners, edges and faces; the places must not care.
TEST(SolidContactSymmetry, RenumberingTheCornersOfCubesChangesNothing) {
  int number = 0;
  for (const Pair& pair : regular_pairs()) {
    SCOPED_TRACE(number++);
    const auto expected = contacts_of(pair.a, pair.b, 0.3);
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 1}, Vec3{1, 1, 0}}) {
      const double angle = axis.x + axis.y + axis.z == 3.0 ? 2 * kPi / 3
                           : axis.x + axis.y == 2.0        ? kPi
                                                           : kPi / 2;
      const Mat3 own = turned(axis, angle);
      const Body a{pair.a.solid, {pair.a.pose.position, pair.a.pose.rotation * own}};
      const Body b{pair.b.solid, {pair.b.pose.position, pair.b.pose.rotation * own}};
      expect_same_contacts(expected, contacts_of(a, pair.b, 0.3), kRoundOffs);
      expect_same_contacts(expected, contacts_of(pair.a, b, 0.3), kRoundOffs);
    }
    if (HasFailure()) return;
  }
}

TEST(SolidContacts, AskForNoMemoryOnceWarmedUp) {
  const Shape room = BoxInside{{-3, -3, -1}, {3, 3, 3}};
  const Body box = make_box({1, 1, 1}, {});
  const std::vector<Pair> pairs = {
      {make_box({1, 1, 1}, {0.1, 0.2, 2}, turned({0, 0, 1}, 0.5)), box},
      {make_box({1, 1, 1}, {2.05, 2.04, 2.03}), box},
      {make_body(CylinderSolid{0.5, 1}, 3, {0, 0, 2}), box},
      {make_body(MeshSolid{box_mesh({1, 1, 1})}, 3, {0, 0, 2}), box}};
  std::vector<SolidContact> contacts;
  const auto look = [&] {
    for (const Pair& pair : pairs) {
      find_solid_contacts(pair.a.placed(), pair.b.placed(), 0.1, contacts);
      find_solid_contacts(pair.a.placed(), {&room, {}}, 0.1, contacts);
    }
  };
  look();
  const std::size_t before = allocation_count();
  look();
  EXPECT_EQ(allocation_count(), before);
}

TEST(SolidContactSymmetry, NamesAreUniqueInAList) {
  Random random(14);
  for (int trial = 0; trial < 1000; ++trial) {
    const Pair pair = random_pair(random, 2 + trial % 2);
    const auto contacts = contacts_of(pair.a, pair.b, 1.0);
    std::set<std::uint64_t> names;
    for (const SolidContact& contact : contacts) names.insert(contact.feature);
    EXPECT_EQ(names.size(), contacts.size()) << trial;
  }
}

TEST(SolidContactSymmetry, NamesStayWhenAFlatBoxMovesALittle) {
  Random random(15);
  const auto names_of = [](const std::vector<SolidContact>& contacts) {
    std::set<std::uint64_t> names;
    for (const SolidContact& contact : contacts) names.insert(contact.feature);
    return names;
  };
  const Body floor = make_box({3, 3, 1}, {});
  const auto expected = names_of(contacts_of(make_box({1, 1, 1}, {0.3, 0.2, 2}), floor, 0.1));
  const Body turned_floor = make_box({1, 1, 1}, {}, turned({0, 0, 1}, 0.5));
  const auto expected_eight =
      names_of(contacts_of(make_box({1, 1, 1}, {0, 0, 2}), turned_floor, 0.1));
  EXPECT_EQ(expected.size(), 4U);
  EXPECT_EQ(expected_eight.size(), 8U);
  for (int trial = 0; trial < 500; ++trial) {
    const double size = std::pow(10.0, random.uniform(-15.0, -2.5));
    const Mat3 tilt = turned(random_direction(random, 3), size);
    const Vec3 shift = size * random_direction(random, 3);
    EXPECT_EQ(
        names_of(contacts_of(make_box({1, 1, 1}, Vec3{0.3, 0.2, 2} + shift, tilt), floor, 0.1)),
        expected)
        << trial << " " << size;
    EXPECT_EQ(
        names_of(contacts_of(make_box({1, 1, 1}, Vec3{0, 0, 2} + shift, tilt), turned_floor, 0.1)),
        expected_eight)
        << trial << " " << size;
  }
}

}  // namespace
}  // namespace carom::test
