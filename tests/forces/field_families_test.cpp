// Gravity, springs, centres and drag as families do what the ForceSet does.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/forces/central_field.h"
#include "carom/forces/drag_elements.h"
#include "carom/forces/force.h"
#include "carom/forces/spring_elements.h"
#include "carom/forces/uniform_field.h"

namespace carom {
namespace {

TEST(UniformFieldAndSpringElements, AreTheForceSetElementByElement) {
  BodySet bodies;
  bodies.mass = {1.0, 2.0, 0.5};
  const std::vector<double> inverse_mass = {1.0, 0.5, 2.0};
  ForceSet forces;
  forces.gravity = {0.3, -9.8, 1.0};
  forces.springs = {{0, 1, {}, 3.0, 0.7}, {2, kNone, {0.1, 0.2, 0.3}, 5.0, 0.0}};
  Random random(5);
  for (const double period : {0.0, 3.0}) {
    const Periodicity world = {{-1.5, 0, 0}, {period, 0, 0}};
    const UniformField field(forces.gravity, {0, 1, 2}, bodies.mass, world);
    const SpringElements springs(forces.springs, world);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Vec3> q(3);
      for (Vec3& p : q) p = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
      std::vector<Vec3> a(3);
      accelerations(forces, bodies, world, q, a);
      std::vector<Vec3> v(3);
      const std::vector<Index> elements = {0, 1, 2};
      double potential = 0.0;
      for (const ForceFamily* family :
           {static_cast<const ForceFamily*>(&field), static_cast<const ForceFamily*>(&springs)}) {
        family->kick(std::span(elements).first(family->size()),
                     {.step = 0.1, .position = q, .inverse_mass = inverse_mass, .velocity = v});
        for (Index e = 0; e < family->size(); ++e) potential += family->potential(e, q, {});
      }
      for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(v[i] - 0.1 * a[i]), 1e-13);
      EXPECT_NEAR(potential, potential_energy(forces, bodies, world, q), 1e-12);
    }
  }
}

TEST(CentralField, IsTheForceSetsWhateverItsExponent) {
  BodySet bodies;
  bodies.mass = {1.0, 2.0, 0.5};
  const std::vector<double> inverse_mass = {1.0, 0.5, 2.0};
  const std::vector<Vec3> q = {{0.5, 0.1, 0}, {1.7, -0.4, 2}, {-3, 1, 0}};
  for (const double exponent : {-2.0, -1.0, 1.0, 3.0, 0.5}) {
    ForceSet forces;
    forces.centers = {{{0.1, -0.2, 5.0}, 2.0, exponent}};
    const CentralField field(forces.centers[0], {0, 1, 2}, bodies.mass, 4.0);
    std::vector<Vec3> a(3);
    accelerations(forces, bodies, {}, q, a);
    std::vector<Vec3> v(3);
    const std::vector<Index> elements = {2, 0, 1};
    field.kick(elements, {.step = 0.1, .position = q, .inverse_mass = inverse_mass, .velocity = v});
    double potential = 0.0;
    for (const Index e : elements) potential += field.potential(e, q, {});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(v[i] - 0.1 * a[i]), 1e-13 * norm(a[i]));
    EXPECT_NEAR(potential, potential_energy(forces, bodies, {}, q), 1e-13 * std::abs(potential));
  }
}

// Kepler's field at distance r: 2 s / r^3 along the line, half of that across it.
TEST(CentralField, HasAStableStepAtADistance) {
  const std::vector<double> mass = {2.0};
  const std::vector<double> inverse_mass = {0.5};
  const CentralField kepler({{}, 3.0, -2.0}, {0}, mass, 0.5);
  EXPECT_NEAR(kepler.stable_step(0, inverse_mass), 2.0 / std::sqrt(3.0 * 2.0 / 0.125), 1e-15);
  EXPECT_THROW(CentralField({{}, 3.0, -2.0}, {0}, mass, 0.0), InputError);
  EXPECT_THROW(CentralField({{}, -3.0, -2.0}, {0}, mass, 1.0), InputError);
  EXPECT_THROW(CentralField({{}, 3.0, -2.0}, {1}, mass, 1.0), InputError);
}

// x' = -(c/m) x from cached positions falls as the exponential, and its energy is booked; the world
// repeats itself after half the way.
TEST(DragElements, SlowABodyExponentiallyAndKeepTheBooks) {
  const Periodicity world = {{0, 0, 0}, {1.0, 0, 0}};
  const DragElements drag({0.6}, {0}, world);
  std::vector<Vec3> position = {{0.2, 0, 0}};
  std::vector<Vec3> velocity = {{2.0, 0, 1.0}};
  const std::vector<double> inverse_mass = {0.5};
  std::vector<double> memory(3);
  drag.start(position, memory);
  const Index element = 0;
  const double step = 1e-4;
  double dissipated = 0.0;
  for (int k = 0; k < 20000; ++k) {
    position[0] = wrapped(world, position[0] + step * velocity[0]);
    drag.kick({&element, 1}, {.step = step,
                              .position = position,
                              .inverse_mass = inverse_mass,
                              .velocity = velocity,
                              .memory = memory,
                              .dissipated = &dissipated});
  }
  const double slower = std::exp(-0.3 * 2.0);
  EXPECT_LT(norm(velocity[0] - slower * Vec3{2.0, 0, 1.0}), 1e-4);
  EXPECT_NEAR(dissipated, 0.5 * 2.0 * 5.0 * (1.0 - slower * slower), 1e-3);
  EXPECT_NEAR(drag.stable_step(0, inverse_mass), 2.0 / 0.3, 1e-13);
  EXPECT_THROW(DragElements({-1.0}, {0}), InputError);
}

TEST(SpringElements, OfOneBodyHaveItsFrequency) {
  const SpringElements springs({{0, kNone, {}, 8.0, 1.0}, {0, 1, {}, 8.0, 1.0}});
  const std::vector<double> inverse_mass = {2.0, 2.0};
  EXPECT_NEAR(springs.stable_step(0, inverse_mass), 2.0 / 4.0, 1e-15);
  EXPECT_NEAR(springs.stable_step(1, inverse_mass), 2.0 / std::sqrt(32.0), 1e-15);
  EXPECT_EQ(springs.stencil(0).size(), 1U);
}

TEST(SpringElements, RefuseWhatCannotBeASpring) {
  const auto key_of = [](const SpringForce& spring) {
    try {
      const SpringElements springs({spring});
    } catch (const InputError& error) {
      return error.place().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of({kNone, 1, {}, 1.0, 1.0}), "springs[0].body_a");
  EXPECT_EQ(key_of({1, 1, {}, 1.0, 1.0}), "springs[0].body_b");
  EXPECT_EQ(key_of({1, kNone, {kInfinity, 0, 0}, 1.0, 1.0}), "springs[0].point");
  EXPECT_EQ(key_of({1, 2, {}, -1.0, 1.0}), "springs[0].stiffness");
  EXPECT_EQ(key_of({1, 2, {}, 1.0, -1.0}), "springs[0].length");
}

TEST(UniformField, RefusesBodiesThatAreNotThere) {
  const std::vector<double> mass = {1.0, 0.0};
  EXPECT_THROW(UniformField({0, 0, kInfinity}, {0}, mass), InputError);
  EXPECT_THROW(UniformField({0, 0, 1}, {2}, mass), InputError);
  EXPECT_THROW(UniformField({0, 0, 1}, {1}, mass), InputError) << "without mass";
  EXPECT_NO_THROW(UniformField({0, 0, 1}, {0}, mass));
}

}  // namespace
}  // namespace carom
