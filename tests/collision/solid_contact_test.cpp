#include "carom/collision/solid_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "collision/solid_pairs.h"

namespace carom::test {
namespace {

using Owner = SolidContact::Owner;

constexpr double kPi = std::numbers::pi;
constexpr double kTight = 1e-12;

void expect_near(const Vec3& expected, const Vec3& found, double tolerance) {
  EXPECT_LT(norm(expected - found), tolerance)
      << found.x << " " << found.y << " " << found.z << " instead of " << expected.x << " "
      << expected.y << " " << expected.z;
}

void expect_all(const std::vector<SolidContact>& contacts, const Vec3& normal, double gap) {
  for (const SolidContact& contact : contacts) {
    expect_near(normal, contact.normal, kTight);
    EXPECT_NEAR(contact.gap, gap, kTight);
    EXPECT_NEAR(dot(contact.normal, contact.point_a - contact.point_b), contact.gap, kTight);
  }
}

// ----- Boxes ----------------------------------------------------------------------------------

TEST(SolidContacts, BoxFlatOnALargerBoxTouchesWithItsFourCorners) {
  const Body a = make_box({0.5, 0.5, 0.5}, {0.2, 0.1, 1.5});
  const Body b = make_box({2, 2, 1}, {});
  const auto contacts = contacts_of(a, b, 1e-6);
  ASSERT_EQ(contacts.size(), 4U);
  expect_all(contacts, {0, 0, 1}, 0.0);
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(std::abs(contact.point_a.x - 0.2), 0.5, kTight);
    EXPECT_NEAR(std::abs(contact.point_a.y - 0.1), 0.5, kTight);
    EXPECT_EQ(contact.owner, Owner::neither);
  }
}

TEST(SolidContacts, BoxOnASmallerBoxTouchesAtTheSmallerOnesCorners) {
  const Body a = make_box({2, 2, 1}, {0, 0, 1.3});
  const Body b = make_box({0.5, 0.25, 0.25}, {});
  const auto contacts = contacts_of(a, b, 0.1);
  ASSERT_EQ(contacts.size(), 4U);
  expect_all(contacts, {0, 0, 1}, 0.05);
  for (const SolidContact& contact : contacts) {
    expect_near(
        {std::copysign(0.5, contact.point_a.x), std::copysign(0.25, contact.point_a.y), 0.3},
        contact.point_a, kTight);
  }
}

TEST(SolidContacts, EqualBoxesOneUponTheOtherTouchAtFourCornersNotEight) {
  for (const double lift : {-1e-3, 0.0, 1e-13, 1e-3}) {
    const auto contacts =
        contacts_of(make_box({1, 1, 1}, {0, 0, 2 + lift}), make_box({1, 1, 1}, {}), 0.1);
    ASSERT_EQ(contacts.size(), 4U) << lift;
    expect_all(contacts, {0, 0, 1}, lift);
  }
}

// Two squares turned by 45 degrees against each other meet in an octagon.
TEST(SolidContacts, BoxTurnedByHalfARightAngleOnABoxTouchesAtEightPoints) {
  const Body a = make_box({1, 1, 1}, {0, 0, 2}, turned({0, 0, 1}, kPi / 4));
  const auto contacts = contacts_of(a, make_box({1, 1, 1}, {}), 1e-6);
  ASSERT_EQ(contacts.size(), 8U);
  expect_all(contacts, {0, 0, 1}, 0.0);
  const double near = std::sqrt(2.0) - 1.0;
  for (const SolidContact& contact : contacts) {
    const double x = std::abs(contact.point_a.x);
    const double y = std::abs(contact.point_a.y);
    EXPECT_NEAR(std::max(x, y), 1.0, kTight);
    EXPECT_NEAR(std::min(x, y), near, kTight);
  }
}

TEST(SolidContacts, CornerOnAFaceIsOnePointAndTheFaceOwnsTheNormal) {
  const Mat3 on_corner = turned({1, -1, 0}, std::acos(1.0 / std::sqrt(3.0)));
  const Body a = make_box({1, 1, 1}, {0.1, 0.2, 1.0 + std::sqrt(3.0) - 0.01}, on_corner);
  const Body b = make_box({3, 3, 1}, {});
  const auto contacts = contacts_of(a, b, 0.1);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {0, 0, 1}, -0.01);
  expect_near({0.1, 0.2, 0.99}, contacts[0].point_a, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::b);
  const auto from_below = contacts_of(b, a, 0.1);
  ASSERT_EQ(from_below.size(), 1U);
  EXPECT_EQ(from_below[0].owner, Owner::a);
}

TEST(SolidContacts, EdgeOnAFaceTouchesAtItsEndsCutOffByTheFace) {
  const Body a = make_box({3, 1, 1}, {0, 0, 1 + std::sqrt(2.0)}, turned({1, 0, 0}, kPi / 4));
  const auto contacts = contacts_of(a, make_box({2, 2, 1}, {}), 1e-3);
  ASSERT_EQ(contacts.size(), 2U);
  expect_all(contacts, {0, 0, 1}, 0.0);
  for (const SolidContact& contact : contacts) {
    expect_near({std::copysign(2.0, contact.point_a.x), 0, 1}, contact.point_a, 1e-9);
  }
}

TEST(SolidContacts, CrossedEdgesTouchAtOnePoint) {
  for (const double lift : {-0.01, 0.0, 0.01}) {
    const double height = 2.0 * std::sqrt(2.0) + lift;
    const Body a = make_box({3, 1, 1}, {0.3, -0.2, height}, turned({1, 0, 0}, kPi / 4));
    const Body b = make_box({1, 3, 1}, {}, turned({0, 1, 0}, kPi / 4));
    const auto contacts = contacts_of(a, b, 0.1);
    ASSERT_EQ(contacts.size(), 1U) << lift;
    expect_all(contacts, {0, 0, 1}, lift);
    EXPECT_NEAR(contacts[0].point_a.x, 0.0, kTight);
    EXPECT_NEAR(contacts[0].point_a.y, -0.2, kTight);
    EXPECT_EQ(contacts[0].owner, Owner::neither);
  }
}

// No axis of a face separates along the vertical here; two are equally good, their mean is right.
TEST(SolidContacts, CubeEdgeOnParallelCubeEdgeTouchesAlongTheOverlap) {
  for (const double lift : {-0.01, 0.0, 1e-12, 0.01}) {
    const double height = 2.0 * std::sqrt(2.0) + lift;
    const Body a = make_box({1, 1, 1}, {0.5, 0, height}, turned({1, 0, 0}, kPi / 4));
    const Body b = make_box({1, 1, 1}, {}, turned({1, 0, 0}, kPi / 4));
    const auto contacts = contacts_of(a, b, 0.1);
    ASSERT_EQ(contacts.size(), 2U) << lift;
    for (const SolidContact& contact : contacts) {
      expect_near({0, 0, 1}, contact.normal, 1e-9);
      EXPECT_NEAR(contact.gap, lift, 1e-9);
      EXPECT_NEAR(contact.point_a.y, 0.0, 1e-9);
    }
    EXPECT_NEAR(contacts[0].point_a.x + contacts[1].point_a.x, 0.5, 1e-9);
    EXPECT_NEAR(std::abs(contacts[0].point_a.x - contacts[1].point_a.x), 1.5, 1e-9);
  }
}

TEST(SolidContacts, CubesCornerToCornerTouchAlongTheDiagonal) {
  const double diagonal = 1.0 / std::sqrt(3.0);
  for (const double lift : {-0.01, 0.0, 0.01}) {
    const double at = 2.0 + lift;
    const auto contacts =
        contacts_of(make_box({1, 1, 1}, {at, at, at}), make_box({1, 1, 1}, {}), 0.1);
    ASSERT_EQ(contacts.size(), 1U) << lift;
    expect_near({diagonal, diagonal, diagonal}, contacts[0].normal, kTight);
    EXPECT_NEAR(contacts[0].gap, std::sqrt(3.0) * lift, kTight);
  }
}

TEST(SolidContacts, CubesThatShareAnEdgeTouchAtItsEnds) {
  const auto contacts = contacts_of(make_box({1, 1, 1}, {2, 2, 0}), make_box({1, 1, 1}, {}), 1e-3);
  ASSERT_EQ(contacts.size(), 2U);
  expect_all(contacts, {std::sqrt(0.5), std::sqrt(0.5), 0}, 0.0);
}

// Its four lower corners are 0.3 and 0.3 + 2 sin(angle) above the floor box.
TEST(SolidContacts, NearlyFlatBoxShowsAllItsCornersToASpeculativeLook) {
  const double angle = 0.05;
  const Mat3 rotation = turned({0, 1, 0}, angle);
  const Vec3 lowest = rotation * Vec3{1, 1, -1};
  const Body a = make_box({1, 1, 1}, {0, 0, 1.3 - lowest.z}, rotation);
  const Body b = make_box({3, 3, 1}, {});
  const auto contacts = contacts_of(a, b, 0.5);
  ASSERT_EQ(contacts.size(), 4U);
  for (const SolidContact& contact : contacts) {
    expect_near({0, 0, 1}, contact.normal, kTight);
    EXPECT_EQ(contact.owner, Owner::b);
    EXPECT_NEAR(contact.gap, contact.point_a.x > 0 ? 0.3 : 0.3 + 2 * std::sin(angle), kTight);
  }
  EXPECT_EQ(contacts_of(a, b, 0.35).size(), 2U);
  EXPECT_TRUE(contacts_of(a, b, 0.3 - 1e-9).empty());
}

TEST(SolidContacts, BoxesThatPassDiagonallyMeetOnlyAtTheirNearestCorners) {
  const auto contacts = contacts_of(make_box({1, 1, 1}, {3, 4, 2.5}), make_box({1, 1, 1}, {}), 5.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, std::sqrt(1.0 + 4.0 + 0.25), kTight);
  expect_near({2, 3, 1.5}, contacts[0].point_a, kTight);
  expect_near({1, 1, 1}, contacts[0].point_b, kTight);
}

TEST(SolidContacts, OfFarBodiesAreNone) {
  EXPECT_TRUE(contacts_of(make_box({1, 1, 1}, {10, 0, 0}), make_box({1, 1, 1}, {}), 0.5).empty());
  EXPECT_TRUE(
      contacts_of(make_box({1, 1, 1}, {2.5, 2.5, 0}), make_box({1, 1, 1}, {}), 0.5).empty());
}

TEST(SolidContacts, KeepTheirDigitsFarFromTheOrigin) {
  const Vec3 far = {0x1.0p+30, 0x1.0p+29, 0};
  const auto contacts =
      contacts_of(make_box({1, 1, 1}, far + Vec3{0, 0, 2}), make_box({1, 1, 1}, far), 1e-3);
  ASSERT_EQ(contacts.size(), 4U);
  for (const SolidContact& contact : contacts) EXPECT_EQ(contact.gap, 0.0);
}

// ----- Balls and capsules ---------------------------------------------------------------------

TEST(SolidContacts, BallMeetsFaceEdgeAndCornerOfABoxAtTheNearestPlace) {
  const Body box = make_box({1, 1, 1}, {});
  const auto ball = [](const Vec3& at) { return make_body(SphereSolid{0.5}, 3, at); };
  auto contacts = contacts_of(ball({0.3, 0.2, 1.6}), box, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {0, 0, 1}, 0.1);
  EXPECT_EQ(contacts[0].owner, Owner::b);
  contacts = contacts_of(ball({0.3, 1.3, 1.4}), box, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {0, 0.6, 0.8}, 0.0);
  expect_near({0.3, 1, 1}, contacts[0].point_b, kTight);
  contacts = contacts_of(ball({1.2, 1.2, 1.2}), box, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, std::sqrt(0.12) - 0.5, kTight);
  contacts = contacts_of(ball({0.1, 0.2, 0.9}), box, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {0, 0, 1}, -0.6);
}

TEST(SolidContacts, BallsMeetAsBallsDo) {
  const Body a = make_body(SphereSolid{0.5}, 3, {3, 4, 0});
  const Body b = make_body(SphereSolid{1.5}, 3, {});
  const auto contacts = contacts_of(a, b, 3.5);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {0.6, 0.8, 0}, 3.0);
  EXPECT_TRUE(contacts_of(b, b, 1.0).empty());
}

TEST(SolidContacts, CapsuleLyingOnABoxTouchesAtBothEnds) {
  const Body capsule =
      make_body(CapsuleSolid{0.25, 0.5}, 3, {0.1, 0, 1.25}, turned({0, 1, 0}, kPi / 2));
  const auto contacts = contacts_of(capsule, make_box({2, 2, 1}, {}), 1e-3);
  ASSERT_EQ(contacts.size(), 2U);
  expect_all(contacts, {0, 0, 1}, 0.0);
  EXPECT_NEAR(std::abs(contacts[0].point_a.x - contacts[1].point_a.x), 1.0, kTight);
}

TEST(SolidContacts, ParallelCapsulesTouchAtTheEndsOfTheirOverlap) {
  const Body a = make_body(CapsuleSolid{0.25, 1.0}, 3, {0.5, 0, 0.5});
  const Body b = make_body(CapsuleSolid{0.25, 1.0}, 3, {});
  const auto contacts = contacts_of(a, b, 1e-3);
  ASSERT_EQ(contacts.size(), 2U);
  expect_all(contacts, {1, 0, 0}, 0.0);
  EXPECT_NEAR(std::abs(contacts[0].point_a.z - contacts[1].point_a.z), 1.5, kTight);
}

// Turned a little about the line between the middles: the middles are nearest, and the four ends
// are each as far from the other's line as one another.
TEST(SolidContacts, NearlyParallelCapsulesShowTheirEndsToo) {
  const Body a = make_body(CapsuleSolid{0.25, 1.0}, 3, {0.6, 0, 0}, turned({1, 0, 0}, 0.1));
  const Body b = make_body(CapsuleSolid{0.25, 1.0}, 3, {});
  const auto contacts = contacts_of(a, b, 0.2);
  ASSERT_EQ(contacts.size(), 5U);
  EXPECT_NEAR(smallest_gap(contacts), 0.1, kTight);
  for (const SolidContact& contact : contacts) {
    const bool is_end = contact.gap > 0.1 + 1e-6;
    EXPECT_NEAR(contact.gap, is_end ? std::hypot(0.6, std::sin(0.1)) - 0.5 : 0.1, kTight);
  }
  EXPECT_EQ(contacts_of(a, b, 0.105).size(), 1U);
  expect_same_contacts(exchanged(contacts), contacts_of(b, a, 0.2), kTight);
}

TEST(SolidContacts, CrossedCapsulesTouchAtOnePoint) {
  const Body a = make_body(CapsuleSolid{0.25, 1.0}, 3, {0.6, 0.1, 0.2}, turned({1, 0, 0}, 0.7));
  const auto contacts = contacts_of(a, make_body(CapsuleSolid{0.25, 1.0}, 3, {}), 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {1, 0, 0}, 0.1);
}

// ----- Compounds ------------------------------------------------------------------------------

TEST(SolidContacts, PartsThatShareCornersGiveThemOnce) {
  CompoundSolid bar;
  bar.parts.push_back({BoxSolid{{0.5, 0.5, 0.5}}, {{-0.5, 0, 0}, {}}, 1.0});
  bar.parts.push_back({BoxSolid{{0.5, 0.5, 0.5}}, {{0.5, 0, 0}, {}}, 1.0});
  const SolidDefinition definition = std::make_shared<const CompoundSolid>(bar);
  const Body a = make_body(definition, 3, {0, 0, 1.5});
  const Body b = make_box({2, 2, 1}, {});
  const auto contacts = contacts_of(a, b, 1e-6);
  EXPECT_EQ(contacts.size(), 6U);
  EXPECT_EQ(contacts_of(b, a, 1e-6).size(), 6U);
}

// ----- Two dimensions -------------------------------------------------------------------------

TEST(SolidContacts, RectanglesInThePlaneTouchAtTheEndsOfTheOverlap) {
  const Body a = make_body(BoxSolid{{1, 1, 0}}, 2, {0.5, 2, 0});
  const Body b = make_body(BoxSolid{{1, 1, 0}}, 2, {});
  const auto contacts = contacts_of(a, b, 1e-6);
  ASSERT_EQ(contacts.size(), 2U);
  expect_all(contacts, {0, 1, 0}, 0.0);
  EXPECT_NEAR(contacts[0].point_a.x + contacts[1].point_a.x, 0.5, kTight);
  EXPECT_NEAR(std::abs(contacts[0].point_a.x - contacts[1].point_a.x), 1.5, kTight);
}

TEST(SolidContacts, SquaresCornerToCornerInThePlaneTouchAlongTheDiagonal) {
  for (const double lift : {-0.01, 0.0, 0.01}) {
    const double at = 2.0 + lift;
    const auto contacts = contacts_of(make_body(BoxSolid{{1, 1, 0}}, 2, {at, at, 0}),
                                      make_body(BoxSolid{{1, 1, 0}}, 2, {}), 0.1);
    ASSERT_EQ(contacts.size(), 1U);
    expect_near({std::sqrt(0.5), std::sqrt(0.5), 0}, contacts[0].normal, kTight);
    EXPECT_NEAR(contacts[0].gap, std::sqrt(2.0) * lift, kTight);
  }
}

TEST(SolidContacts, StadiumInThePlaneLiesOnARectangleWithBothEnds) {
  const Body a = make_body(CapsuleSolid{0.25, 0.5}, 2, {0, 1.3, 0});
  const auto contacts = contacts_of(a, make_body(BoxSolid{{1, 1, 0}}, 2, {}), 0.1);
  ASSERT_EQ(contacts.size(), 2U);
  expect_all(contacts, {0, 1, 0}, 0.05);
}

TEST(SolidContacts, DiscOnASideInThePlaneIsOnePoint) {
  const Body a = make_body(SphereSolid{0.25}, 2, {0.3, 1.3, 0});
  const auto contacts = contacts_of(a, make_body(BoxSolid{{1, 1, 0}}, 2, {}), 0.1);
  ASSERT_EQ(contacts.size(), 1U);
  expect_all(contacts, {0, 1, 0}, 0.05);
}

}  // namespace
}  // namespace carom::test
