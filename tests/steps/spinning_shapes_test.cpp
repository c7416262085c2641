// Shapes that spin, under steps: a ball on a platter goes round as the theory of rolling says, a
// disc in a drum ends up rolling with it, and the account of the energy closes.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/schemes/registry.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

class SpinningShapes : public ::testing::TestWithParam<std::string> {};

// What no entry of the account explains, in J.
struct Account {
  double start = 0.0;
  double external = 0.0;
  double dissipated = 0.0;

  void add(const StepReport& report) {
    external += report.external_work;
    dissipated += report.dissipated;
  }
  [[nodiscard]] double unexplained(const Totals& now) const {
    return now.energy() - start - external + dissipated;
  }
};

// A ball that rolls on a platter with W rad/s goes round with 2/7 W, whatever its size.
TEST_P(SpinningShapes, ABallOnAPlatterGoesRoundWithTwoSevenths) {
  constexpr double kSpin = 12.0;
  constexpr double kSpeed = 0.1;
  constexpr double kRadius = 0.02;
  TestScene world(3);
  world.simulation.impact.friction_model = GetParam();
  world.simulation.forces.gravity = {0, 0, -9.81};
  world.step(1e-3);
  const Index platter = world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "platter");
  world.simulation.world.shapes[platter].spin = {0, 0, kSpin};
  world.solid(SphereSolid{kRadius},
              {{0, 0, kRadius}, {kSpeed, 0, 0}, {}, {0, kSpeed / kRadius, 0}});
  world.restitution(0.0, 0.5);
  const auto stepper = make_stepper(world.simulation);
  for (const int steps : {250, 250, 250, 250}) {
    test::run(*stepper, static_cast<std::uint64_t>(steps));
    const State& state = stepper->state();
    // Along the platter: with "slip" the node's velocity of what rests has a part along gravity.
    const Vec3 v{state.velocity[0].x, state.velocity[0].y, 0.0};
    const double turned = 2.0 / 7.0 * kSpin * state.time;
    const Vec3 expected{kSpeed * std::cos(turned), kSpeed * std::sin(turned), 0.0};
    EXPECT_LT(norm(v - expected), 0.01 * kSpeed) << "after " << state.time << " s";
  }
}

TEST_P(SpinningShapes, ADiscInADrumEndsUpRollingWithIt) {
  constexpr double kSpin = 2.0;
  constexpr double kRadius = 0.1;
  TestScene world(2);
  world.simulation.impact.friction_model = GetParam();
  world.simulation.forces.gravity = {0, -9.81};
  world.step(2e-3);
  const Index drum = world.wall(SphereInside{{0, 0}, 1.0}, {}, "drum");
  world.simulation.world.shapes[drum].spin = {0, 0, kSpin};
  world.solid(SphereSolid{kRadius}, {{0, kRadius - 1.0}, {}, {}, {}});
  world.restitution(0.0, 0.5);
  const auto stepper = make_stepper(world.simulation);
  Account account{
      .start = stepper->own_totals().value_or(totals(world.simulation, stepper->state())).energy()};
  for (int step = 0; step < 1500; ++step) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    account.add(report);
    ASSERT_NEAR(account.unexplained(report.totals), 0.0, 1e-12) << "step " << step;
  }
  EXPECT_GT(account.external, 0.0);
  const State& state = stepper->state();
  // At the contact the disc and the drum move alike.
  const Vec3 out = (1.0 / norm(state.position[0])) * state.position[0];
  const Vec3 of_disc = state.velocity[0] + cross(state.angular_velocity[0], kRadius * out);
  const Vec3 of_drum = cross({0, 0, kSpin}, out);
  const Vec3 along{-out.y, out.x, 0.0};
  // Friction along the slip reverses it where it is smaller than what friction takes in a step.
  const double least = GetParam() == "slip" ? 2.0 * 9.81 * 2e-3 : 2e-3 * kSpin;
  EXPECT_NEAR(dot(along, of_disc - of_drum), 0.0, least);
}

INSTANTIATE_TEST_SUITE_P(Models, SpinningShapes, ::testing::Values("coulomb", "slip"),
                         [](const auto& model) { return model.param; });

TEST(SpinningShapesAreRefused, WhereNoBodyTurns) {
  TestScene world(2);
  const Index drum = world.wall(SphereInside{{0, 0}, 1.0}, {}, "drum");
  world.simulation.world.shapes[drum].spin = {0, 0, 1.0};
  world.ball({0, 0}, {}, 0.1);
  try {
    static_cast<void>(make_stepper(world.simulation));
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("turns = true"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom
