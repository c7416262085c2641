// Forces that a program brings along, in both kinds of steps.
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/live/live_simulation.h"

#include "support/worlds.h"

namespace carom::test {
namespace {

// To the origin, k r per unit of mass, with its potential: what CentralForce has with exponent 1.
class Well final : public PositionForce {
 public:
  explicit Well(bool tells_potential = true) : tells_(tells_potential) {}
  void add(std::span<const Vec3> position, std::span<Vec3> force) const override {
    for (std::size_t i = 0; i < position.size(); ++i) force[i] += -kStiffness * position[i];
  }
  [[nodiscard]] bool has_potential() const override { return tells_; }
  [[nodiscard]] double potential(std::span<const Vec3> position) const override {
    double sum = 0.0;
    for (const Vec3& q : position) sum += 0.5 * kStiffness * norm_squared(q);
    return sum;
  }
  static constexpr double kStiffness = 2.0;

 private:
  bool tells_;
};

class Breaks final : public PositionForce {
 public:
  void add(std::span<const Vec3> position, std::span<Vec3> force) const override {
    if (position[0].x > 0.5) force[0].x = std::numeric_limits<double>::quiet_NaN();
  }
};

TestScene three_balls(const std::string& friction_model) {
  TestScene scene;
  scene.ball({-2, 0}, {0, 0});
  scene.ball({2, 0.1}, {0, 0.3});
  scene.ball({0, 3}, {0.5, 0});
  scene.step(1e-3, 2.0);
  scene.restitution(0.8);
  scene.simulation.impact.friction_model = friction_model;
  return scene;
}

class ProgramForces : public testing::TestWithParam<std::string> {};

TEST_P(ProgramForces, MoveBodiesAsTheLibrarysOwnDo) {
  TestScene own = three_balls(GetParam());
  own.simulation.forces.centers.push_back({{}, Well::kStiffness, 1.0});
  TestScene program = three_balls(GetParam());
  program.simulation.forces.functions.push_back(std::make_shared<Well>());
  LiveSimulation a(own.simulation);
  LiveSimulation b(program.simulation);
  EXPECT_EQ(a.run_until(2.0), RunStop::reached);
  EXPECT_EQ(b.run_until(2.0), RunStop::reached);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_LT(norm(a.state().position[i] - b.state().position[i]), 1e-10) << i;
  }
  EXPECT_GT(a.ledger().dissipated, 0.1);  // they collided
  EXPECT_NEAR(a.ledger().drift(), b.ledger().drift(), 1e-10);
}

// Nobody knows its energy, so all that it does is work from outside: nothing is left to explain but
// round-off, while with a potential the band of the method remains.
TEST_P(ProgramForces, DoWorkWhereTheyHaveNoPotential) {
  TestScene scene = three_balls(GetParam());
  scene.simulation.forces.functions.push_back(std::make_shared<Well>(false));
  LiveSimulation live(scene.simulation);
  EXPECT_EQ(live.run_until(2.0), RunStop::reached);
  EXPECT_EQ(live.report().totals.potential, 0.0);
  EXPECT_GT(std::abs(live.ledger().external_work), 0.1);
  EXPECT_NEAR(live.ledger().drift(), 0.0, 1e-11);
}

TEST_P(ProgramForces, ThatAreNotFiniteLeaveTheStepUndoneUntilAnEditTakesThemAway) {
  TestScene scene;
  scene.ball({0, 0}, {1, 0});
  scene.step(0.1, 2.0);
  scene.simulation.impact.friction_model = GetParam();
  scene.simulation.forces.functions.push_back(std::make_shared<Breaks>());
  LiveSimulation live(scene.simulation);
  EXPECT_EQ(live.run_until(2.0), RunStop::failed);
  EXPECT_NE(live.report().message.find("force is not finite"), std::string::npos);
  EXPECT_EQ(live.state().step, 5U);
  EXPECT_DOUBLE_EQ(live.state().position[0].x, 0.5);
  LiveEdit edit = live.edit();
  edit.forces().functions.clear();
  live.apply(std::move(edit));
  EXPECT_EQ(live.run_until(2.0), RunStop::reached);
  EXPECT_NEAR(live.state().position[0].x, 2.0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Steps, ProgramForces, testing::Values("none", "coulomb"));

TEST(ProgramForcesElsewhere, AreRefused) {
  for (const std::string scheme : {"events", "asynchronous"}) {
    TestScene scene = three_balls("none");
    scene.simulation.time.scheme = scheme;
    scene.simulation.forces.functions.push_back(std::make_shared<Well>());
    EXPECT_THROW(LiveSimulation live(scene.simulation), InputError) << scheme;
  }
}

}  // namespace
}  // namespace carom::test
