#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "carom/collision/solid_contact.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/signed_distance.h"

#include "collision/solid_pairs.h"

namespace carom::test {
namespace {

using Owner = SolidContact::Owner;

constexpr double kPi = std::numbers::pi;
constexpr double kTight = 1e-12;

Body cylinder(double radius, double half_length, const Vec3& at, const Mat3& rotation = {}) {
  return make_body(CylinderSolid{radius, half_length}, 3, at, rotation);
}
Body ball(double radius, const Vec3& at) { return make_body(SphereSolid{radius}, 3, at); }

void expect_consistent(const std::vector<SolidContact>& contacts) {
  std::set<std::uint64_t> names;
  for (const SolidContact& contact : contacts) {
    EXPECT_LT(norm(contact.point_a - contact.point_b - contact.gap * contact.normal), 1e-8);
    names.insert(contact.feature);
  }
  EXPECT_EQ(names.size(), contacts.size());
}

// ----- Cylinders ------------------------------------------------------------------------------

TEST(CylinderContacts, BallMeetsSideEndAndRimWithoutError) {
  const Body can = cylinder(1.0, 2.0, {});
  auto contacts = contacts_of(ball(0.5, {0.6 * 1.6, 0.8 * 1.6, 0.3}), can, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.1, kTight);
  EXPECT_NEAR(contacts[0].normal.x, 0.6, kTight);
  EXPECT_NEAR(contacts[0].radius_b, 1.0, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::b);
  expect_same_contacts(exchanged(contacts),
                       contacts_of(can, ball(0.5, {0.6 * 1.6, 0.8 * 1.6, 0.3}), 0.2), kTight);
  contacts = contacts_of(can, ball(0.5, {0.1, 0.2, -2.4}), 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, -0.1, kTight);
  EXPECT_NEAR(contacts[0].normal.z, 1.0, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::a);
  contacts = contacts_of(ball(0.5, {1.3, 0.0, 2.4}), can, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.0, kTight);
  EXPECT_NEAR(contacts[0].normal.x, 0.6, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::neither);
}

TEST(CylinderContacts, LyingOnABoxHasItsGapWithoutErrorHoweverItRolled) {
  const Body box = make_box({5, 5, 1}, {});
  Random random(41);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3 rotation = turned({1, 0, 0}, kPi / 2) * turned({0, 0, 1}, random.uniform(0, 6));
    for (const double gap : {-0.01, 0.0, 0.01}) {
      const Body can = cylinder(0.5, 1.0, {0.3, 0.2, 1.5 + gap}, rotation);
      const auto contacts = contacts_of(can, box, 0.02);
      expect_consistent(contacts);
      EXPECT_NEAR(smallest_gap(contacts), gap, 1e-9);
      int deepest = 0;
      for (const SolidContact& contact : contacts) {
        EXPECT_NEAR(contact.normal.z, 1.0, 1e-9);
        if (contact.gap > gap + 1e-6) continue;
        ++deepest;
        EXPECT_NEAR(contact.point_a.x, 0.3, 1e-6);
        EXPECT_NEAR(contact.radius_a, 0.5, 1e-9);
      }
      EXPECT_EQ(deepest, 2);
    }
  }
}

TEST(CylinderContacts, StandingOnABoxTouchesAllAround) {
  const auto contacts = contacts_of(cylinder(0.5, 1.0, {0, 0, 2}), make_box({5, 5, 1}, {}), 1e-6);
  EXPECT_EQ(contacts.size(), 32U);
  expect_consistent(contacts);
  Vec3 sum;
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.0, kTight);
    EXPECT_NEAR(contact.normal.z, 1.0, kTight);
    sum += contact.point_a;
  }
  EXPECT_NEAR(sum.x, 0.0, 1e-10);
  EXPECT_NEAR(sum.y, 0.0, 1e-10);
}

TEST(CylinderContacts, CornerAndEdgeOfABoxMeetTheSideWithoutError) {
  Random random(42);
  for (int trial = 0; trial < 50; ++trial) {
    const double angle = random.uniform(-kPi, kPi);
    const Mat3 around = turned({0, 0, 1}, angle);
    // A box with its corner toward the axis of a standing cylinder.
    const Mat3 on_corner = turned({0, 1, -1}, std::acos(1.0 / std::sqrt(3.0)));
    const Vec3 corner = on_corner * Vec3{-1, -1, -1};
    ASSERT_NEAR(corner.x, -std::sqrt(3.0), 1e-12);
    const Body box =
        make_box({1, 1, 1}, around * Vec3{0.5 + std::sqrt(3.0) + 0.01, 0, 0}, around * on_corner);
    const Body can = cylinder(0.5, 3.0, {});
    EXPECT_NEAR(smallest_gap(contacts_of(box, can, 0.1)), 0.01, 1e-9) << trial;
    EXPECT_NEAR(smallest_gap(contacts_of(can, box, 0.1)), 0.01, 1e-9) << trial;
    // And with a horizontal edge.
    const Body edge = make_box({1, 2, 1}, around * Vec3{0.5 + std::sqrt(2.0) + 0.01, 0, 0},
                               around * turned({0, 1, 0}, kPi / 4));
    EXPECT_NEAR(smallest_gap(contacts_of(edge, can, 0.1)), 0.01, 1e-9) << trial;
  }
}

TEST(CylinderContacts, SideBySideOrCrossedHaveNoError) {
  Random random(43);
  for (int trial = 0; trial < 50; ++trial) {
    const double angle = random.uniform(-kPi, kPi);
    const Vec3 away = {std::cos(angle), std::sin(angle), 0};
    const Body b = cylinder(0.5, 1.0, {});
    const Body parallel = cylinder(0.25, 1.0, 0.76 * away + Vec3{0, 0, 0.3});
    const auto contacts = contacts_of(parallel, b, 0.1);
    expect_consistent(contacts);
    EXPECT_NEAR(smallest_gap(contacts), 0.01, 1e-9) << trial;
    const Body crossed = cylinder(0.25, 1.0, 0.76 * away, turned(away, random.uniform(0.5, 2.5)));
    EXPECT_NEAR(smallest_gap(contacts_of(crossed, b, 0.1)), 0.01, 1e-9) << trial;
  }
}

// The prism is never larger than the cylinder, nor smaller by more than the sagitta.
TEST(CylinderContacts, AnywhereTheGapIsWithinTheSagittaOfTheTrueOne) {
  Random random(44);
  const Shape plane = HalfPlane{{0, 0, 1}, {0, 0, 1}};
  const Body box = make_box({9, 9, 1}, {});
  for (int trial = 0; trial < 200; ++trial) {
    const Body can = cylinder(0.5, 1.0, {0.1, 0.2, 2.5}, random_rotation(random, 3));
    const double exact = smallest_gap(contacts_of(can, plane, 5.0));
    EXPECT_NEAR(smallest_gap(contacts_of(can, box, 5.0)), exact, 1e-9);
    const Body other =
        make_box({0.5, 0.75, 1}, 2.0 * random_direction(random, 3), random_rotation(random, 3));
    expect_same_contacts(exchanged(contacts_of(can, other, 1.0)), contacts_of(other, can, 1.0),
                         1e-9);
  }
}

// ----- Meshes ---------------------------------------------------------------------------------

MeshSolid cube_mesh() { return {box_mesh({1, 1, 1})}; }

TEST(MeshContacts, CubeMeshOnABoxTouchesAsABoxDoes) {
  const Body mesh = make_body(cube_mesh(), 3, {0.2, 0.1, 2.05});
  const Body box = make_box({3, 3, 1}, {});
  const auto contacts = contacts_of(mesh, box, 0.1);
  ASSERT_EQ(contacts.size(), 4U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, 0.05, kTight);
    EXPECT_NEAR(contact.normal.z, 1.0, kTight);
    EXPECT_EQ(contact.owner, Owner::b);
  }
  expect_same_contacts(exchanged(contacts), contacts_of(box, mesh, 0.1), kTight);
}

TEST(MeshContacts, SmallBoxOnACubeMeshTouchesWithItsCorners) {
  const Body mesh = make_body(cube_mesh(), 3, {});
  const auto contacts = contacts_of(make_box({0.5, 0.5, 0.5}, {0.1, 0, 1.49}), mesh, 0.1);
  ASSERT_EQ(contacts.size(), 4U);
  expect_consistent(contacts);
  for (const SolidContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, -0.01, kTight);
    EXPECT_EQ(contact.owner, Owner::b);
  }
}

TEST(MeshContacts, EqualCubeMeshesGiveSharedCornersOnce) {
  const Body a = make_body(cube_mesh(), 3, {0, 0, 2.01});
  const Body b = make_body(cube_mesh(), 3, {});
  const auto contacts = contacts_of(a, b, 0.1);
  ASSERT_EQ(contacts.size(), 4U);
  expect_consistent(contacts);
  EXPECT_NEAR(contacts[0].gap, 0.01, kTight);
  EXPECT_EQ(contacts[0].owner, Owner::neither);
}

TEST(MeshContacts, BallMeetsAMeshAtTheDistanceOfItsCentre) {
  const Body mesh = make_body(cube_mesh(), 3, {});
  const auto contacts = contacts_of(ball(0.5, {0.3, 1.3, 1.4}), mesh, 0.2);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.0, kTight);
  EXPECT_NEAR(contacts[0].normal.y, 0.6, kTight);
  EXPECT_NEAR(contacts[0].point_b.z, 1.0, kTight);
  EXPECT_EQ(contacts[0].radius_a, 0.5);
}

// All vertices of each within the margin of the other, none else, and the same from both sides.
TEST(MeshContacts, AreTheVerticesThatALookAtEachOneFinds) {
  Random random(45);
  const TriangleMesh ball_mesh = icosphere(1.0, 2);
  const auto within = [](const Body& of, const Body& other, double margin) {
    const auto& mesh = std::get<MeshPart>(of.solid->parts().front());
    const auto& field = std::get<MeshPart>(other.solid->parts().front());
    std::size_t count = 0;
    for (const Vec3& vertex : mesh.mesh->vertices) {
      const Vec3 place = other.pose.to_body(of.pose.to_world(vertex));
      if (field.distance->sample(place).distance < margin) ++count;
    }
    return count;
  };
  std::size_t total = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const double margin = random.uniform(0.0, 0.3);
    const Body a = make_body(MeshSolid{ball_mesh}, 3, 1.9 * random_direction(random, 3),
                             random_rotation(random, 3));
    const Body b = make_body(trial % 2 == 0 ? MeshSolid{ball_mesh} : cube_mesh(), 3, {},
                             random_rotation(random, 3));
    const auto contacts = contacts_of(a, b, margin);
    EXPECT_EQ(contacts.size(), within(a, b, margin) + within(b, a, margin)) << trial;
    expect_consistent(contacts);
    expect_same_contacts(exchanged(contacts), contacts_of(b, a, margin), kTight);
    total += contacts.size();
  }
  EXPECT_GT(total, 1000U);
}

// A mesh of many small triangles stands to a box as the hull of its vertices does.
TEST(MeshContacts, SmallestGapToABoxIsTheDistanceOfItsHull) {
  Random random(46);
  const TriangleMesh mesh = icosphere(1.0, 1);
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3 rotation = random_rotation(random, 3);
    const Body box =
        make_box({1, 0.75, 0.5}, 2.2 * random_direction(random, 3), random_rotation(random, 3));
    const Body hull = make_body(HullSolid{mesh.vertices}, 3, {}, rotation);
    const double distance = reference_distance(hull, box);
    if (distance < 1e-6) continue;
    const Body body = make_body(MeshSolid{mesh}, 3, {}, rotation);
    const double gap = smallest_gap(contacts_of(body, box, 3.0));
    EXPECT_GT(gap, distance - 1e-9) << trial;  // never nearer
    EXPECT_LT(gap, distance + 0.1) << trial;   // crossing edges are not seen
  }
}

TEST(MeshContacts, VerticesMeetPlanesWallsAndCylinders) {
  const Body mesh = make_body(cube_mesh(), 3, {0, 0, 1});
  EXPECT_EQ(contacts_of(mesh, HalfPlane{{}, {0, 0, 1}}, 1e-6).size(), 4U);
  EXPECT_EQ(contacts_of(mesh, BoxInside{{-1, -5, 0}, {5, 5, 5}}, 1e-6).size(), 8U);
  const auto on_sphere = contacts_of(mesh, SphereOutside{{0, 0, -1.01}, 1.0}, 0.1);
  ASSERT_EQ(on_sphere.size(), 1U);
  EXPECT_NEAR(on_sphere[0].gap, 0.01, kTight);
  EXPECT_EQ(on_sphere[0].owner, Owner::a);
  const auto on_rod = contacts_of(mesh, Segment{{-5, 1, -0.01}, {5, 1, -0.01}}, 0.1);
  ASSERT_EQ(on_rod.size(), 2U);
  EXPECT_NEAR(on_rod[0].gap, 0.01, kTight);
  const auto contacts = contacts_of(mesh, cylinder(3.0, 0.5, {0, 0, -0.51}), 0.1);
  ASSERT_EQ(contacts.size(), 4U);
  EXPECT_NEAR(contacts[0].gap, 0.01, kTight);
  const auto under = contacts_of(cylinder(0.5, 0.5, {0, 0, 2.51}), mesh, 0.1);
  ASSERT_EQ(under.size(), 32U);
  EXPECT_NEAR(under[0].gap, 0.01, kTight);
}

}  // namespace
}  // namespace carom::test
