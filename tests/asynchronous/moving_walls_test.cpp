// Planes and boxes that move: rebounds in closed form, what they give, friction that carries along,
// both engines, and the audit of planes.

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/asynchronous/stepper.h"
#include "carom/asynchronous/wall_audit.h"
#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

namespace carom::asynchronous {
namespace {

using reference::ReferenceEngine;

// A wall that starts at x = 0 and is led to the right, and a particle that flies at it.
Problem struck(double wall_speed, double speed) {
  Problem problem;
  problem.mass = {2.0, 1.0};
  problem.position = {{0.5, 0.2, 0.1}, {}};
  problem.velocity = {{-speed, 0.3, 0.0}, {wall_speed, 0.0, 0.0}};
  problem.held = {{1, {}}};
  problem.walls = {{{1, 0, 0}, 0.0, 0, 1}};
  problem.contact[0].thickness = 0.05;
  return problem;
}

// In the frame of the wall it comes back with its speed: v -> v + 2 w. What the wall gave, 2 m
// (v + w), is booked to its carrier, with its work.
template <class AnyEngine>
void expect_rebound() {
  for (const auto& [wall, speed] :
       {std::pair(1.0, 2.0), std::pair(3.0, 0.0), std::pair(-1.0, 2.0)}) {
    const Problem problem = struck(wall, speed);
    AnyEngine engine(problem);
    const Ledger start = engine.ledger();
    ASSERT_EQ(engine.advance(1.2 / (speed + wall)).status, AdvanceStatus::reached);
    const Vec3 v = engine.configuration().velocity[0];
    EXPECT_NEAR(v.x, speed + 2.0 * wall, 0.01 * (speed + std::abs(wall)));
    EXPECT_EQ(v.y, 0.3);
    const Ledger end = engine.ledger();
    EXPECT_LT(norm(end.momentum + end.held_impulse - start.momentum), 1e-13 * norm(end.momentum));
    EXPECT_EQ(end.wall_impulse, Vec3{});
    EXPECT_NEAR(end.work_of_held, wall * 2.0 * (v.x + speed), 1e-9);
    // In the energy that is turned over, m (v + w)^2 / 2.
    EXPECT_LT(std::abs(end.balance() - start.balance()), 0.03 * (speed + wall) * (speed + wall));
  }
}

TEST(MovingWalls, ReboundAsInTheirOwnFrame) {
  expect_rebound<Engine>();
  expect_rebound<ReferenceEngine>();
}

// But for the turns of the wall, which the fast engine rounds to its lattice of times.
TEST(MovingWalls, BothEnginesDoTheSameWithNestedClocks) {
  Problem problem = struck(1.0, 2.0);
  problem.held[0].path = {{0.0, {}}, {0.1, {0.1, 0, 0}}, {0.3, {0.0, 0, 0}}};
  problem.velocity[1] = {};
  reference::Mechanisms nested;
  nested.clocks = reference::Clocks::nested;
  Engine fast(problem);
  ReferenceEngine slow(problem, {}, nested);
  ASSERT_EQ(fast.advance(0.4).status, AdvanceStatus::reached);
  ASSERT_EQ(slow.advance(0.4).status, AdvanceStatus::reached);
  const double rounded = 3.0 * fast.time_unit();  // at speeds of some m/s
  EXPECT_LT(norm(fast.configuration().position[0] - slow.configuration().position[0]), rounded);
  EXPECT_GT(fast.configuration().velocity[0].x, 0.0);
}

TEST(MovingWalls, ACarrierIsNothingElse) {
  const auto fault_of = [](const Problem& problem) -> std::string {
    try {
      check_problem(problem);
    } catch (const InputError& error) {
      return error.place().key + ": " + error.message();
    }
    return "";
  };
  Problem problem = struck(1.0, 1.0);
  EXPECT_EQ(fault_of(problem), "");
  problem.edges = {{0, 1}};
  EXPECT_EQ(fault_of(problem), "edges[0]: has a vertex that carries a wall");
  problem.edges.clear();
  problem.walls[0].carrier = 0;
  EXPECT_EQ(fault_of(problem), "walls[0].carrier: is not held");
  // A particle flies through the place of a carrier whose wall is elsewhere.
  problem = struck(0.0, 1.0);
  problem.position[0] = {0.5, 0.0, 0.0};
  problem.velocity[0] = {-1.0, 0.0, 0.0};
  problem.walls[0].offset = -10.0;
  Engine engine(problem);
  ASSERT_EQ(engine.advance(1.0).status, AdvanceStatus::reached);
  EXPECT_NEAR(engine.configuration().position[0].x, -0.5, 1e-12);
}

// ----- In scenes --------------------------------------------------------------------------------

Simulation read(const std::string& text) { return read_scene(text, "s.toml").simulation; }

// A lift: the floor rises at 2 m/s for 0.3 s, throws the ball up when it stops, and carries it when
// it has come back.
TEST(MovingWalls, AFloorLiftsWhatLiesOnIt) {
  const Simulation simulation = read(R"(kind = "scene"
[world]
gravity = [0, -9.81]
[time]
scheme = "asynchronous"
step = 0.05
[asynchronous]
audit = "motion"
[[material]]
name = "default"
restitution = 0.0
[[shape]]
name = "lift"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
motion = { type = "table", times = [0.2, 0.5], offsets = [[0, 0], [0, 0.6]] }
[[body]]
name = "ball"
position = [0, 0.1]
radius = 0.1
mass = 1
)");
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  double work = 0.0;
  for (int k = 0; k < 40; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    work += report.own[OwnNumber::kWorkOfLed];
  }
  // The floor's layers yield by some g m / r_1, 1 cm.
  EXPECT_NEAR(stepper->state().position[0].y, 0.69, 0.01);
  // Of the energy with which it was thrown less than 1e-4 is left.
  EXPECT_LT(norm_squared(stepper->state().velocity[0]), 1e-4 * 2.0 * 2.0);
  EXPECT_GT(work, 9.81 * 0.6);
}

// A conveyor belt: anchored friction brings the ball to its speed, and printed friction does.
TEST(MovingWalls, ABeltCarriesAlong) {
  for (const std::string model : {"anchored", "printed"}) {
    const Simulation simulation = read(R"(kind = "scene"
[world]
gravity = [0, -9.81]
[time]
scheme = "asynchronous"
step = 0.05
[asynchronous]
friction_model = ")" + model + R"("
[[material]]
name = "default"
restitution = 0.0
friction = 0.5
[[shape]]
name = "belt"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
motion = { type = "constant", velocity = [1, 0] }
[[body]]
name = "ball"
position = [0, 0.095]
radius = 0.1
mass = 1
)");
    const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
    // mu g t for t = 0.1 s, in which it reaches half the speed of the belt.
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(stepper->step().can_go_on());
    EXPECT_NEAR(stepper->state().velocity[0].x, 0.5 * 9.81 * 0.1, 0.05);
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(stepper->step().can_go_on());
    EXPECT_NEAR(stepper->state().velocity[0].x, 1.0, 0.02);
  }
}

// A box that shakes keeps what is in it, all its sides with it.
TEST(MovingWalls, ABoxCarriesItsSides) {
  const Simulation simulation = read(R"(kind = "scene"
[world]
dimension = 3
[time]
scheme = "asynchronous"
step = 0.05
[asynchronous]
audit = "motion"
[[shape]]
name = "box"
type = "box_inside"
lower = [-0.3, -0.3, -0.3]
upper = [0.3, 0.3, 0.3]
motion = { type = "table", times = [0, 0.2, 0.4], offsets = [[0, 0, 0], [0.8, 0.4, 0], [0, 0, 0.9]] }
[[body]]
name = "ball"
position = [0.05, 0.02, 0.01]
radius = 0.05
mass = 1
)");
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  for (int k = 1; k <= 12; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    const Vec3 inside =
        stepper->state().position[0] - offset_at(simulation.world.shapes[0].motion, report.time);
    for (const double x : {inside.x, inside.y, inside.z}) EXPECT_LT(std::abs(x), 0.3);
  }
}

// ----- The audit --------------------------------------------------------------------------------

TEST(WallAudit, SeesAVertexBehindAWall) {
  const Problem problem = struck(1.0, 1.0);
  const std::vector<Vec3> in_front = {{0.3, 0.2, 0.1}, {0.25, 0, 0}};
  const std::vector<Vec3> behind = {{0.3, 0.2, 0.1}, {0.35, 0, 0}};
  const std::vector<Vec3> on_it = {{0.3, 0.2, 0.1}, {0.3, 0, 0}};
  EXPECT_FALSE(audit_walls(problem, in_front));
  ASSERT_TRUE(audit_walls(problem, behind));
  EXPECT_NEAR(audit_walls(problem, behind)->gap, -0.05, 1e-15);
  EXPECT_TRUE(audit_walls(problem, on_it));
}

// In front at both ends of the window, behind in between, when the wall turns back.
TEST(WallAudit, SeesAllOfAMotion) {
  const Problem problem = struck(1.0, 1.0);
  const std::vector<PathKnot> knots = {
      {0.0, {0.5, 0, 0}}, {1.0, {0.3, 0, 0}}, {0.0, {}}, {0.5, {0.45, 0, 0}}, {1.0, {0.1, 0, 0}}};
  const std::vector<std::size_t> first = {0, 2, 5};
  AuditPath path;
  path.begin = 0.0;
  path.end = 1.0;
  path.knots = knots;
  path.first_knot = first;
  const auto fault = audit_walls(problem, path);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->time, 0.5);
  EXPECT_NEAR(fault->gap, -0.05, 1e-12);
  const std::vector<PathKnot> apart = {
      {0.0, {0.6, 0, 0}}, {1.0, {0.4, 0, 0}}, {0.0, {}}, {0.5, {0.45, 0, 0}}, {1.0, {0.1, 0, 0}}};
  path.knots = apart;
  EXPECT_FALSE(audit_walls(problem, path));
}

TEST(WallAudit, AStartBehindAPlaneIsRefused) {
  const std::string text = R"(kind = "scene"
[time]
scheme = "asynchronous"
[[shape]]
name = "floor"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
[[body]]
name = "ball"
position = [0, -0.25]
radius = 0.1
mass = 1
)";
  try {
    static_cast<void>(make_stepper(read(text)));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.message().find("vertex 'ball' is 0.25 m behind shape 'floor'"),
              std::string::npos)
        << error.message();
  }
}

}  // namespace
}  // namespace carom::asynchronous
