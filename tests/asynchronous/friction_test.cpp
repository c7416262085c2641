#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"

#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

using test::TestGravity;

constexpr double kFriction = 0.5;

// A unit mass on a plane with gravity turned by an angle:
//
//        o -> x        normal force  g cos(angle)
//   -----------------  along x       g sin(angle)
//
// let fall from where its layers begin, or placed where the layers carry it.
struct Slope {
  double degrees = 0.0;
  double restitution = 0.5;
  double speed = 0.0;
  bool starts_at_rest = false;
  FrictionModel model = FrictionModel::anchored;

  [[nodiscard]] double along() const { return 9.81 * std::sin(radians()); }
  [[nodiscard]] double normal() const { return 9.81 * std::cos(radians()); }
  [[nodiscard]] double radians() const { return degrees * std::numbers::pi / 180.0; }

  [[nodiscard]] Engine engine() const {
    const LayerTable& table = LayerTable::of(LayerLaw::harmon);
    double low = 0.3;
    double high = 1.0;
    for (int k = 0; k < 100; ++k) {
      const double middle = 0.5 * (low + high);
      (1000.0 * 0.1 * table.total_force(middle) > normal() ? low : high) = middle;
    }
    Problem problem;
    problem.mass = {1.0};
    problem.position = {{0.0, 0.0, starts_at_rest ? 0.1 * high : 0.1}};
    problem.velocity = {{speed, 0.0, 0.0}};
    problem.walls = {{{0, 0, 1}, 0.0, 0}};
    problem.contact[0] = {1000.0, 0.1, restitution, kFriction};
    problem.forces = {std::make_shared<TestGravity>(Vec3{along(), 0.0, -normal()}, problem.mass)};
    Settings settings;
    settings.friction = model;
    return Engine(problem, settings);
  }
};

// A time near the given one at which all clocks of the slope fire: looks at other moments see how
// far the kicks of gravity and contact are apart.
double in_phase(const Engine& engine, double time) {
  const double period = std::ldexp(engine.time_unit(), 26);
  return std::floor(time / period) * period;
}

// Critical angle atan(0.5) = 26.565 degrees.
TEST(AnchoredFriction, HoldsBelowTheFrictionAngleWithoutDrift) {
  for (const double degrees : {5.0, 20.0, 25.0, 26.4}) {
    for (const double restitution : {0.0, 0.5, 0.9, 1.0}) {
      const Slope slope = {degrees, restitution, 0.0, restitution == 1.0};
      Engine engine = slope.engine();
      const double settled = in_phase(engine, 10.0);
      static_cast<void>(engine.advance(settled));
      const double x = engine.configuration().position[0].x;
      const double end = in_phase(engine, 110.0);
      ASSERT_EQ(engine.advance(end).status, AdvanceStatus::reached);
      const double drift = (engine.configuration().position[0].x - x) / (end - settled);
      EXPECT_LT(std::abs(drift), 1e-12) << degrees << " degrees, restitution " << restitution;
      EXPECT_LT(x, 0.1);
    }
  }
}

TEST(AnchoredFriction, SlidesAboveTheFrictionAngleAsTheTextbookSays) {
  for (const double degrees : {27.0, 30.0, 45.0}) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
      const Slope slope = {degrees, restitution, 0.0, restitution == 1.0};
      Engine engine = slope.engine();
      const double begin = in_phase(engine, 2.0);
      static_cast<void>(engine.advance(begin));
      const double speed = engine.configuration().velocity[0].x;
      const double end = in_phase(engine, 12.0);
      static_cast<void>(engine.advance(end));
      const double gained = engine.configuration().velocity[0].x - speed;
      const double textbook = slope.along() - kFriction * slope.normal();
      EXPECT_NEAR(gained / (end - begin) / textbook, 1.0, 0.005)
          << degrees << " degrees, restitution " << restitution;
    }
  }
}

// v^2 / (2 (mu g cos - g sin)); then it stays.
TEST(AnchoredFriction, SlidingBlockStopsWhereTheTextbookSays) {
  for (const double restitution : {0.0, 0.5, 0.9}) {
    const Slope slope = {20.0, restitution, 3.0};
    Engine engine = slope.engine();
    static_cast<void>(engine.advance(in_phase(engine, 10.0)));
    const double x = engine.configuration().position[0].x;
    const double textbook = 4.5 / (kFriction * slope.normal() - slope.along());
    EXPECT_NEAR(x / textbook, 1.0, 0.005) << restitution;
    const Ledger ledger = engine.ledger();
    EXPECT_NEAR(ledger.lost_to_friction / (4.5 + slope.along() * x), 1.0, 0.005);
  }
}

// A particle that grazes a free triangle and turns it: linear and angular momentum.
TEST(AnchoredFriction, KeepsLinearAndAngularMomentum) {
  Problem problem;
  problem.mass = {0.3, 1.0, 2.0, 1.5};
  problem.position = {{0.1, 0.1, 0.08}, {-0.5, -0.4, 0.0}, {0.6, -0.3, 0.02}, {0.0, 0.7, -0.01}};
  problem.velocity = {{1.0, 0.3, -2.0}, {}, {}, {}};
  problem.faces = {{1, 2, 3}};
  problem.contact[0] = {1000.0, 0.1, 0.7, 0.8};
  Engine engine(problem);
  static_cast<void>(engine.advance(0.2));
  const Configuration end = engine.configuration();
  Vec3 momentum;
  Vec3 moment;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 before = problem.mass[i] * problem.velocity[i];
    const Vec3 after = problem.mass[i] * end.velocity[i];
    momentum += after - before;
    moment += cross(end.position[i], after) - cross(problem.position[i], before);
  }
  EXPECT_GT(engine.ledger().lost_to_friction, 0.001);
  EXPECT_LT(norm(momentum), 1e-14);
  EXPECT_LT(norm(moment), 1e-14);
}

TEST(PrintedFriction, SlowsASlidingBlockAndCreepsAtRest) {
  const Slope slope = {20.0, 0.5, 3.0, true, FrictionModel::printed};
  Engine engine = slope.engine();
  static_cast<void>(engine.advance(in_phase(engine, 1.0)));
  const double textbook = 3.0 - (kFriction * slope.normal() - slope.along());
  EXPECT_NEAR(engine.configuration().velocity[0].x / textbook, 1.0, 0.03);
  static_cast<void>(engine.advance(in_phase(engine, 20.0)));
  const double x = engine.configuration().position[0].x;
  static_cast<void>(engine.advance(in_phase(engine, 120.0)));
  const double creep = engine.configuration().position[0].x - x;
  EXPECT_GT(std::abs(creep), 1e-3);
  EXPECT_LT(std::abs(creep), 2.0);
}

}  // namespace
}  // namespace carom::asynchronous
