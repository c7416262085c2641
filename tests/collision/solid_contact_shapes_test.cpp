#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "carom/collision/solid_contact.h"

#include "collision/solid_pairs.h"

namespace carom::test {
namespace {

using Owner = SolidContact::Owner;

constexpr double kPi = std::numbers::pi;
constexpr double kTight = 1e-12;

void expect_consistent(const std::vector<SolidContact>& contacts) {
  std::set<std::uint64_t> names;
  for (const SolidContact& contact : contacts) {
    EXPECT_LT(norm(contact.point_a - contact.point_b - contact.gap * contact.normal), kTight);
    EXPECT_NEAR(norm(contact.normal), 1.0, kTight);
    names.insert(contact.feature);
  }
  EXPECT_EQ(names.size(), contacts.size());
}

// ----- Half-planes and boxes ------------------------------------------------------------------

TEST(SolidShapeContacts, BoxOnAPlaneTouchesWithFourCorners) {
  const Shape plane = HalfPlane{{0, 0, -1}, {0, 0, 1}};
  const auto contacts = contacts_of(make_box({1, 2, 1}, {5, 0, 0}), plane, 1e-6);
  ASSERT_EQ(contacts.size(), 4U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) {
    EXPECT_EQ(contact.gap, 0.0);
    EXPECT_EQ(contact.owner, Owner::b);
    EXPECT_EQ(contact.normal, (Vec3{0, 0, 1}));
  }
}

TEST(SolidShapeContacts, OffsetMovesTheShape) {
  const Shape plane = HalfPlane{{}, {0, 0, 1}};
  const Body box = make_box({1, 1, 1}, {0, 0, 3});
  std::vector<SolidContact> contacts;
  find_solid_contacts(box.placed(), {&plane, {0, 0, 1.5}}, 1.0, contacts);
  ASSERT_EQ(contacts.size(), 4U);
  EXPECT_NEAR(contacts[0].gap, 0.5, kTight);
  EXPECT_NEAR(contacts[0].point_b.z, 1.5, kTight);
}

TEST(SolidShapeContacts, CapsuleOnAPlaneTouchesWithBothEndsAndKnowsItsRadius) {
  const Shape plane = HalfPlane{{}, {0, 0, 1}};
  const Body capsule =
      make_body(CapsuleSolid{0.5, 1.0}, 3, {0, 0, 0.6}, turned({0, 1, 0}, kPi / 2));
  const auto contacts = contacts_of(capsule, plane, 0.2);
  ASSERT_EQ(contacts.size(), 2U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.1, kTight);
    EXPECT_NEAR(contact.point_a.z, 0.1, kTight);
    EXPECT_EQ(contact.radius_a, 0.5);
  }
}

TEST(SolidShapeContacts, BoxInTheCornerOfABoxTouchesThreeWalls) {
  const Shape room = BoxInside{{0, 0, 0}, {10, 10, 10}};
  const auto contacts = contacts_of(make_box({1, 1, 1}, {1, 1, 9}), room, 1e-6);
  ASSERT_EQ(contacts.size(), 12U);
  expect_consistent(contacts);
}

TEST(SolidShapeContacts, InThePlaneABoxHasFourWalls) {
  const Shape room = BoxInside{{0, 0, 0}, {10, 10, 0}};
  const auto contacts = contacts_of(make_body(BoxSolid{{1, 1, 0}}, 2, {1, 5, 0}), room, 1e-6);
  ASSERT_EQ(contacts.size(), 2U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) EXPECT_EQ(contact.normal, (Vec3{1, 0, 0}));
}

// ----- Round shapes ---------------------------------------------------------------------------

TEST(SolidShapeContacts, BoxInADrumTouchesWithItsCorners) {
  const Shape drum = SphereInside{{0, 0, 0}, 2.0};
  const auto contacts = contacts_of(make_body(BoxSolid{{0.5, 1.0, 0}}, 2, {0.5, 0, 0}), drum, 1.0);
  ASSERT_EQ(contacts.size(), 2U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 2.0 - std::sqrt(2.0), kTight);
    EXPECT_NEAR(norm(contact.point_b), 2.0, kTight);
  }
}

TEST(SolidShapeContacts, SphereFromOutsideIsABall) {
  const Shape sphere = SphereOutside{{0, 0, -1}, 1.0};
  const Body ball = make_body(SphereSolid{1.0}, 3, {0, 0, -1});
  const Body box = make_box({1, 1, 0.5}, {0.2, 0.1, 0.55});
  expect_same_contacts(contacts_of(box, ball, 0.1), contacts_of(box, sphere, 0.1), kTight);
  const auto contacts = contacts_of(box, sphere, 0.1);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.05, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::a);
  EXPECT_EQ(contacts[0].radius_b, 1.0);
}

// ----- Segments -------------------------------------------------------------------------------

TEST(SolidShapeContacts, BoxLiesOnASegmentFromBothSides) {
  const Shape wall = Segment{{-3, 0, 0}, {3, 0, 0}};
  for (const double side : {1.0, -1.0}) {
    for (const double gap : {-0.1, 0.0, 0.1}) {
      const Body box = make_body(BoxSolid{{1, 1, 0}}, 2, {0, side * (1 + gap), 0});
      const auto contacts = contacts_of(box, wall, 0.2);
      ASSERT_EQ(contacts.size(), 2U) << side << " " << gap;
      expect_consistent(contacts);
      for (const SolidContact& contact : contacts) {
        EXPECT_NEAR(contact.gap, gap, kTight);
        EXPECT_NEAR(contact.normal.y, side, kTight);
      }
    }
  }
}

TEST(SolidShapeContacts, EndOfASegmentMeetsTheSideOfABox) {
  const Shape wall = Segment{{0.5, -3, 0}, {0.5, -1.05, 0}};
  const auto contacts = contacts_of(make_body(BoxSolid{{1, 1, 0}}, 2, {}), wall, 0.1);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.05, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::a);
}

// The centre of the triangle is above the wall, two thirds of its height above the tip. Downward
// would be the shorter way out.
TEST(SolidShapeContacts, PartThatCrossesASegmentIsPushedToItsCentresSide) {
  const HullSolid triangle{{{-2, 3, 0}, {2, 3, 0}, {0, 0, 0}}};
  const Shape wall = Segment{{-5, 0, 0}, {5, 0, 0}};
  const auto contacts = contacts_of(make_body(triangle, 2, {0, 0.05, 0}), wall, 0.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].normal.y, 1.0, kTight);
  EXPECT_NEAR(contacts[0].gap, -1.95, kTight);
}

TEST(SolidShapeContacts, SegmentInSpaceIsAThinRod) {
  const Shape rod = Segment{{-3, 0.2, 0}, {3, 0.2, 0}};
  const auto contacts = contacts_of(make_box({1, 1, 1}, {0, 0, 1.1}), rod, 0.2);
  ASSERT_EQ(contacts.size(), 2U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.1, kTight);
    EXPECT_NEAR(std::abs(contact.point_a.x), 1.0, kTight);
  }
}

// ----- Cylinders ------------------------------------------------------------------------------

TEST(SolidShapeContacts, StandingCylinderTouchesAPlaneAtFourPlacesOfItsRim) {
  const Shape plane = HalfPlane{{}, {0, 0, 1}};
  const Body coin = make_body(CylinderSolid{1.0, 0.1}, 3, {0, 0, 0.1});
  const auto contacts = contacts_of(coin, plane, 1e-6);
  ASSERT_EQ(contacts.size(), 4U);
  expect_consistent(contacts);
  Vec3 sum;
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, kTight);
    EXPECT_NEAR(contact.radius_a, 0.0, kTight);
    sum += contact.point_a;
  }
  EXPECT_LT(norm(sum), kTight);
}

TEST(SolidShapeContacts, LyingCylinderTouchesAPlaneAtTheEndsOfALine) {
  const Shape plane = HalfPlane{{}, {0, 0, 1}};
  Random random(31);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 rotation = turned({1, 0, 0}, kPi / 2) * turned({0, 0, 1}, random.uniform(0, 6));
    const auto contacts =
        contacts_of(make_body(CylinderSolid{0.5, 1}, 3, {0, 0, 0.5}, rotation), plane, 0.1);
    ASSERT_EQ(contacts.size(), 2U);
    expect_consistent(contacts);
    for (const SolidContact& contact : contacts) {
      EXPECT_NEAR(contact.gap, 0.0, kTight);
      EXPECT_NEAR(contact.radius_a, 0.5, kTight);
      EXPECT_NEAR(contact.point_a.x, 0.0, kTight);
    }
  }
}

// Lowest place of a rim whose axis leans by an angle: center - half cos - radius sin.
TEST(SolidShapeContacts, LeaningCylinderTouchesAPlaneWithTheLowestPlaceOfItsRim) {
  const Shape plane = HalfPlane{{}, {0, 0, 1}};
  for (const double angle : {0.1, 0.7, 1.5, 2.5}) {
    const auto contacts = contacts_of(
        make_body(CylinderSolid{0.5, 1}, 3, {0, 0, 2}, turned({1, 2, 0}, angle)), plane, 5.0);
    EXPECT_NEAR(smallest_gap(contacts), 2 - std::abs(std::cos(angle)) - 0.5 * std::sin(angle),
                kTight);
    expect_consistent(contacts);
  }
}

}  // namespace
}  // namespace carom::test
