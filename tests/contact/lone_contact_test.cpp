#include "carom/contact/detail/lone_contact.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/impact/points.h"

namespace carom::detail {
namespace {

// What the resolver says of the same row, bit by bit.

struct Case {
  int dimension = 2;
  bool wall = false;
  double offset = 0.0;
};

Vec3 random_vector(const Case& of, Random& random) {
  const double x = random.normal();
  const double y = random.normal();
  return {x, y, of.dimension == 3 ? random.normal() : 0.0};
}

LoneContact random_contact(const Case& of, Random& random) {
  LoneContact contact;
  const Vec3 direction = random_vector(of, random);
  contact.normal = (1.0 / norm(direction)) * direction;
  contact.mass_a = std::exp(3.0 * random.normal());
  contact.velocity_a = random_vector(of, random);
  if (of.wall) {
    contact.offset = of.offset;
  } else {
    contact.mass_b = std::exp(3.0 * random.normal());
    contact.velocity_b = random_vector(of, random);
  }
  return contact;
}

PointProblem problem_of(const LoneContact& contact, int dimension) {
  PointProblem problem;
  problem.dimension = dimension;
  const auto add = [&](double mass, const Vec3& velocity) {
    problem.mass.push_back(mass);
    problem.velocity.push_back(velocity.x);
    problem.velocity.push_back(velocity.y);
    if (dimension == 3) problem.velocity.push_back(velocity.z);
  };
  add(contact.mass_a, contact.velocity_a);
  PointProblem::Row row;
  row.a = 0;
  if (contact.mass_b > 0.0) {
    add(contact.mass_b, contact.velocity_b);
    row.b = 1;
  }
  row.normal = {contact.normal.x, contact.normal.y, contact.normal.z};
  row.offset = contact.offset;
  problem.rows.push_back(row);
  return problem;
}

Vec3 velocity_of(const PointResolver& resolver, int dimension, std::size_t point) {
  const auto width = static_cast<std::size_t>(dimension);
  const std::span<const double> v = resolver.velocity().subspan(point * width, width);
  return {v[0], v[1], dimension == 3 ? v[2] : 0.0};
}

TEST(LoneContact, AnswersAsTheResolverDoes) {
  Random random(5);
  PointResolver resolver;
  for (const Case& of : {Case{2, false, 0.0}, Case{3, false, 0.0}, Case{2, true, 0.0},
                         Case{3, true, 0.7}, Case{2, true, -0.4}}) {
    int answered = 0;
    for (int k = 0; k < 400; ++k) {
      const LoneContact contact = random_contact(of, random);
      ImpactSettings settings;
      settings.impact_operator = std::array<std::string, 3>{"gr", "qce", "gauss_seidel"}.at(
          static_cast<std::size_t>(k) % 3);
      const PointProblem problem = problem_of(contact, of.dimension);
      resolver.resolve(problem, settings);
      const LoneResponse response = respond_alone(contact, settings.tolerance);
      EXPECT_EQ(response.impulse, resolver.impulses()[0]);
      answered += response.impulse > 0.0 ? 1 : 0;
      EXPECT_EQ(response.velocity_a, velocity_of(resolver, of.dimension, 0));
      if (of.wall) continue;
      EXPECT_EQ(response.velocity_b, velocity_of(resolver, of.dimension, 1));
    }
    EXPECT_GT(answered, 100);
    EXPECT_LT(answered, 390);
  }
}

TEST(LoneContact, LeavesAloneWhatHardlyCloses) {
  LoneContact contact;
  contact.normal = {1.0, 0.0, 0.0};
  contact.mass_b = 1.0;
  contact.velocity_a = {-1e-15, 1.0, 0.0};
  contact.velocity_b = {0.0, -1.0, 0.0};
  const LoneResponse response = respond_alone(contact, 1e-12);
  EXPECT_EQ(response.impulse, 0.0);
  EXPECT_EQ(response.velocity_a, contact.velocity_a);
  EXPECT_EQ(response.velocity_b, contact.velocity_b);
  contact.velocity_a.x = -1e-3;
  EXPECT_NEAR(respond_alone(contact, 1e-12).velocity_b.x, -1e-3, 1e-15);
}

}  // namespace
}  // namespace carom::detail
