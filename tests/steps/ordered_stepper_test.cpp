#include "carom/steps/detail/ordered_stepper.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/schemes/registry.h"
#include "carom/steps/detail/space_order.h"
#include "carom/steps/synchronous.h"

namespace carom {
namespace {

// A loose gas on a lattice of 72 x 72, with friction so that contacts have tangential impulses;
// every third body is heavier.
Simulation lattice() {
  constexpr int kSide = 72;
  Simulation s;
  s.time.step = 0.01;
  Material material;
  material.name = "default";
  material.friction = 0.3;
  s.world.materials.replace(0, material);
  s.impact.friction_model = "slip";
  Random random(1);
  for (int j = 0; j < kSide; ++j) {
    for (int i = 0; i < kSide; ++i) {
      s.world.bodies.mass.push_back(s.world.bodies.mass.size() % 3 == 0 ? 2.0 : 1.0);
      s.world.bodies.radius.push_back(1.0);
      s.world.bodies.material.push_back(0);
      s.world.bodies.name.push_back("b" + std::to_string(s.world.bodies.name.size()));
      s.start.position.push_back({2.01 * i, 2.01 * j, 0.0});
      s.start.velocity.push_back({random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0});
    }
  }
  SpringForce spring;
  spring.body_a = 5;
  spring.body_b = 80;
  spring.stiffness = 3.0;
  s.forces.springs.push_back(spring);
  return s;
}

std::vector<Index> shuffled_numbers(Index count) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  Random random(2);
  for (Index i = count; i-- > 1;) {
    std::swap(order[i], order[static_cast<Index>(random.uniform(0.0, 1.0) * (i + 1.0))]);
  }
  return order;
}

Simulation shuffled_lattice() {
  const Simulation s = lattice();
  return detail::reordered(s, shuffled_numbers(s.world.bodies.size()));
}

TEST(SpaceOrder, LeavesALatticeAndAFewBodiesAlone) {
  EXPECT_TRUE(detail::space_order(lattice()).empty());
  Simulation few = shuffled_lattice();
  few.start.position.resize(4000);
  EXPECT_TRUE(detail::space_order(few).empty());
}

TEST(SpaceOrder, BringsTogetherWhatIsTogetherInSpace) {
  const Simulation s = shuffled_lattice();
  const std::vector<Index> order = detail::space_order(s);
  ASSERT_EQ(order.size(), s.world.bodies.size());
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Index k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], k);
  const Simulation ordered = detail::reordered(s, order);
  EXPECT_TRUE(detail::space_order(ordered).empty());
  double mean = 0.0;
  for (Index k = 1; k < order.size(); ++k) {
    mean += norm(ordered.start.position[k] - ordered.start.position[k - 1]);
  }
  EXPECT_LT(mean / static_cast<double>(order.size()), 5.0);
  const SpringForce& spring = ordered.forces.springs.front();
  EXPECT_EQ(ordered.world.bodies.name[spring.body_a], "b5");
  EXPECT_EQ(ordered.world.bodies.name[spring.body_b], "b80");
}

TEST(OrderedStepper, ShowsTheGivenOrder) {
  const Simulation s = shuffled_lattice();
  const std::vector<Index> order = detail::space_order(s);
  const Simulation ordered = detail::reordered(s, order);
  SynchronousStepper plain(ordered);
  const std::unique_ptr<Stepper> stepper = make_stepper(s);
  ASSERT_NE(dynamic_cast<const detail::OrderedStepper*>(stepper.get()), nullptr);
  std::size_t tangential = 0;
  for (int step = 0; step < 20; ++step) {
    const std::vector<Vec3> before = stepper->state().velocity;
    const StepReport expected = plain.step();
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on());
    EXPECT_EQ(report.rows, expected.rows);
    EXPECT_EQ(report.totals.kinetic, expected.totals.kinetic);
    EXPECT_EQ(stepper->state().time, plain.state().time);
    for (Index k = 0; k < order.size(); ++k) {
      ASSERT_EQ(stepper->state().position[order[k]], plain.state().position[k]);
      ASSERT_EQ(stepper->state().velocity[order[k]], plain.state().velocity[k]);
    }
    // What the contacts did is what the velocities say, but for the spring.
    std::vector<Vec3> change(s.world.bodies.size());
    const std::vector<ContactImpulse> impulses = stepper->impulses();
    for (std::size_t k = 0; k < impulses.size(); ++k) {
      const Contact& contact = impulses[k].contact;
      ASSERT_LT(contact.body_a, contact.body_b);
      ASSERT_TRUE(k == 0 || impulses[k - 1].contact.before(contact));
      const Vec3 push = impulses[k].normal * contact.normal + impulses[k].tangential;
      change[contact.body_a] += push;
      change[contact.body_b] -= push;
      if (norm(impulses[k].tangential) > 1e-6) ++tangential;
    }
    const SpringForce& spring = s.forces.springs.front();
    for (Index i = 0; i < s.world.bodies.size(); ++i) {
      if (i == spring.body_a || i == spring.body_b) continue;
      const Vec3 gained = s.world.bodies.mass[i] * (stepper->state().velocity[i] - before[i]);
      ASSERT_LT(norm(gained - change[i]), 1e-12) << s.world.bodies.name[i];
    }
  }
  EXPECT_GT(tangential, 100U);
}

TEST(OrderedStepper, GoesOnFromACheckpointToTheSameBits) {
  const Simulation s = shuffled_lattice();
  const std::unique_ptr<Stepper> stepper = make_stepper(s);
  for (int step = 0; step < 5; ++step) stepper->step();
  const std::string bytes = stepper->save();
  const std::unique_ptr<Stepper> other = make_stepper(s);
  other->load(bytes);
  EXPECT_EQ(state_hash(other->state()), state_hash(stepper->state()));
  for (int step = 0; step < 5; ++step) {
    stepper->step();
    other->step();
  }
  EXPECT_EQ(state_hash(other->state()), state_hash(stepper->state()));
  EXPECT_THROW(other->load("carom-steps-1\n"), InputError);
  // The checkpoint is in the given order: steps that do not reorder read it, too.
  SynchronousStepper plain(s);
  plain.load(bytes);
  EXPECT_EQ(plain.save(), bytes);
}

}  // namespace
}  // namespace carom
