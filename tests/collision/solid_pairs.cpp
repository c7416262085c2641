#include "collision/solid_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "carom/geometry/direction.h"
#include "carom/solvers/minimum_norm_point.h"

namespace carom::test {
namespace {

using Owner = SolidContact::Owner;

const RoundedPolytope& polytope_of(const Body& body) {
  return std::get<RoundedPolytope>(body.solid->parts().front());
}

std::vector<Vec3> differences(const Body& a, const Body& b) {
  std::vector<Vec3> all;
  for (const Vec3& place_a : polytope_of(a).core.vertices) {
    for (const Vec3& place_b : polytope_of(b).core.vertices) {
      all.push_back(a.pose.to_world(place_a) - b.pose.to_world(place_b));
    }
  }
  return all;
}

double difference_of(const SolidContact& left, const SolidContact& right) {
  return norm(left.point_a - right.point_a) + norm(left.point_b - right.point_b) +
         norm(left.normal - right.normal) + std::abs(left.gap - right.gap) +
         std::abs(left.radius_a - right.radius_a) + std::abs(left.radius_b - right.radius_b);
}

Owner other(Owner owner) {
  if (owner == Owner::neither) return owner;
  return owner == Owner::a ? Owner::b : Owner::a;
}

Vec3 mirror(const Vec3& v) { return {-v.x, v.y, v.z}; }

}  // namespace

Body make_body(const SolidDefinition& definition, int dimension, const Vec3& position,
               const Mat3& rotation) {
  return {std::make_shared<const Solid>(definition, dimension), {position, rotation}};
}

Body make_box(const Vec3& half, const Vec3& position, const Mat3& rotation) {
  return make_body(BoxSolid{half}, 3, position, rotation);
}

Mat3 turned(const Vec3& axis, double angle) { return matrix_of(rotation_about(axis, angle)); }

Vec3 random_direction(Random& random, int dimension) {
  const double x = random.normal();
  const double y = random.normal();
  return direction_of({x, y, dimension == 3 ? random.normal() : 0.0}).unit;
}

Mat3 random_rotation(Random& random, int dimension) {
  const Vec3 axis = dimension == 3 ? random_direction(random, 3) : Vec3{0, 0, 1};
  return turned(axis, random.uniform(-3.0, 3.0));
}

SolidDefinition random_convex(Random& random) {
  switch (random.below(4)) {
    case 0:
      return BoxSolid{
          {random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)}};
    case 1:
      return SphereSolid{random.uniform(0.5, 1.0)};
    case 2:
      return CapsuleSolid{random.uniform(0.1, 0.5), random.uniform(0.5, 1.5)};
    default: {
      HullSolid hull;
      for (int k = 0; k < 12; ++k) hull.points.push_back(random_direction(random, 3));
      for (Vec3& point : hull.points) point *= random.uniform(0.5, 1.5);
      return hull;
    }
  }
}

std::vector<SolidContact> contacts_of(const Body& a, const Body& b, double margin) {
  std::vector<SolidContact> contacts;
  find_solid_contacts(a.placed(), b.placed(), margin, contacts);
  return contacts;
}

std::vector<SolidContact> contacts_of(const Body& a, const Shape& shape, double margin) {
  std::vector<SolidContact> contacts;
  find_solid_contacts(a.placed(), OffsetShape{&shape, {}}, margin, contacts);
  return contacts;
}

double smallest_gap(const std::vector<SolidContact>& contacts) {
  double smallest = kInfinity;
  for (const SolidContact& contact : contacts) smallest = std::min(smallest, contact.gap);
  return smallest;
}

std::vector<SolidContact> moved(const Pose& motion, std::vector<SolidContact> contacts) {
  for (SolidContact& contact : contacts) {
    contact.point_a = motion.to_world(contact.point_a);
    contact.point_b = motion.to_world(contact.point_b);
    contact.normal = motion.rotation * contact.normal;
  }
  return contacts;
}

std::vector<SolidContact> exchanged(std::vector<SolidContact> contacts) {
  for (SolidContact& contact : contacts) {
    std::swap(contact.point_a, contact.point_b);
    std::swap(contact.radius_a, contact.radius_b);
    contact.normal = -contact.normal;
    contact.owner = other(contact.owner);
  }
  return contacts;
}

std::vector<SolidContact> mirrored(std::vector<SolidContact> contacts) {
  for (SolidContact& contact : contacts) {
    contact.point_a = mirror(contact.point_a);
    contact.point_b = mirror(contact.point_b);
    contact.normal = mirror(contact.normal);
  }
  return contacts;
}

void expect_same_contacts(const std::vector<SolidContact>& expected,
                          const std::vector<SolidContact>& found, double tolerance) {
  ASSERT_EQ(expected.size(), found.size());
  std::vector<char> is_used(found.size(), 0);
  for (const SolidContact& contact : expected) {
    std::size_t best = 0;
    double smallest = kInfinity;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double difference = difference_of(contact, found[k]);
      if (is_used[k] != 0 || difference >= smallest) continue;
      smallest = difference;
      best = k;
    }
    EXPECT_LT(smallest, tolerance) << "at " << contact.point_a.x << " " << contact.point_a.y << " "
                                   << contact.point_a.z << ", gap " << contact.gap;
    EXPECT_EQ(contact.owner, found[best].owner);
    is_used[best] = 1;
  }
}

double reference_distance(const Body& a, const Body& b) {
  solvers::BlockRows rows;
  rows.add_scalar_block(3, 1.0);
  for (const Vec3& difference : differences(a, b)) {
    const std::array<double, 3> gradient = {difference.x, difference.y, difference.z};
    const solvers::RowPart part{0, gradient};
    rows.add_row({&part, 1});
  }
  rows.finish();
  std::vector<Index> selection(rows.row_count());
  std::iota(selection.begin(), selection.end(), Index{0});
  const double cores = solvers::minimum_norm_point({&rows, selection}).margin;
  return cores - polytope_of(a).radius - polytope_of(b).radius;
}

double reference_depth(const Body& a, const Body& b) {
  const ConvexPolytope hull = convex_hull(differences(a, b), a.solid->dimension());
  double depth = kInfinity;
  for (const ConvexPolytope::Face& face : hull.faces) {
    depth = std::min(depth, dot(face.normal, hull.vertices[face.loop.front()]));
  }
  return depth;
}

}  // namespace carom::test
