// Bounds on the lengths of edges by nested layers: what a two-vertex edge does in closed form, that
// nothing passes a bound at any speed, and that both engines agree.

#include "carom/asynchronous/detail/length_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/detail/window_path.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/length_audit.h"
#include "carom/asynchronous/reference/detail/reference_parts.h"
#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/scene_builder.h"

namespace carom::asynchronous {
namespace {

using reference::ReferenceEngine;
using test::SceneBuilder;
using Side = LengthLimit::Side;

constexpr double kStiffness = 1000.0;

// A limit of the share s on both sides of a length at rest.
void add_limits(Problem& problem, const std::array<Index, 2>& edge, double s, bool both = false) {
  const double rest = norm(problem.position[edge[0]] - problem.position[edge[1]]);
  problem.limits.push_back({edge, Side::longest, (1.0 + s) * rest, s * rest, kStiffness, 1.0});
  if (!both) return;
  problem.limits.push_back({edge, Side::shortest, (1.0 - s) * rest, s * rest, kStiffness, 1.0});
}

// An edge of length 1 whose ends part with a speed each.
Problem parting(double speed, double s) {
  Problem problem;
  problem.mass = {1.0, 1.0};
  problem.position = {{-0.3, 0.1, 0.4}, {0.3, 0.9, 0.4}};
  problem.velocity = {{-0.6 * speed, -0.8 * speed, 0.0}, {0.6 * speed, 0.8 * speed, 0.0}};
  problem.edges = {{0, 1}};
  problem.contact[0].thickness = 1e-3;
  add_limits(problem, {0, 1}, s);
  return problem;
}

double length_of(const Configuration& now) { return norm(now.position[0] - now.position[1]); }

Vec3 angular_momentum(const Problem& problem, const Configuration& now) {
  Vec3 sum;
  for (std::size_t i = 0; i < now.position.size(); ++i) {
    sum += problem.mass[i] * cross(now.position[i], now.velocity[i]);
  }
  return sum;
}

// What is proven of all paths of a run, corner by corner.
template <class AnyEngine>
bool keeps_limits(const Problem& problem, AnyEngine& engine, double duration) {
  engine.record_corners(true);
  detail::WindowPath window;
  window.begin_at(engine.configuration());
  if (engine.advance(engine.time() + duration).status != AdvanceStatus::reached) return false;
  const Configuration end = engine.configuration();
  const AuditPath path = window.to(end, engine.corners());
  engine.record_corners(false);
  return !audit_lengths(problem, path) && !audit_lengths(problem, end.position);
}

// Both masses 1 at the speed v: E = v^2 is all stored at the turning point, which is as deep as the
// closed form of contact says, (840 E / (r_1 eta_1^2))^(2/7) layers.
TEST(LengthLimits, AnEdgeThatIsPulledApartComesBackWithItsSpeed) {
  constexpr double kShare = 0.1;
  for (int power = -2; power <= 4; ++power) {
    SCOPED_TRACE(power);
    const double speed = std::pow(10.0, power);
    const Problem problem = parting(speed, kShare);
    Engine engine(problem);
    const Ledger start = engine.ledger();
    // There and back: at most 0.1 each way, at 2 v.
    EXPECT_TRUE(keeps_limits(problem, engine, 0.2 / speed));
    const AdvanceReport report = engine.advance(0.2 / speed);
    const Configuration end = engine.configuration();
    const Vec3 along = {0.6, 0.8, 0.0};
    EXPECT_NEAR(dot(end.velocity[0], along) / speed, 1.0, 0.01);
    EXPECT_LT(length_of(end), 1.0);
    EXPECT_LT(report.limit_used, 1.0);
    const Ledger after = engine.ledger();
    EXPECT_LT(norm(after.momentum - start.momentum), 1e-14 * speed);
    EXPECT_NEAR(after.balance() / start.balance(), 1.0, 0.02);
    EXPECT_EQ(after.contact, 0.0);
    if (power < 1) continue;
    const double energy = speed * speed;
    const double predicted = std::pow(840.0 * energy / (kStiffness * kShare * kShare), 2.0 / 7.0);
    EXPECT_NEAR(report.deepest_layer / predicted, 1.0, 0.03);
    EXPECT_GT(report.limit_used, 1.0 - 1.05 * std::pow(predicted, -0.25));
  }
}

TEST(LengthLimits, RestitutionIsARatioOfSpeeds) {
  for (const double restitution : {0.9, 0.5, 0.0}) {
    Problem problem = parting(3.0, 0.1);
    problem.limits[0].restitution = restitution;
    Settings settings;
    settings.contact_step = 0.02;
    Engine engine(problem, settings);
    const Ledger start = engine.ledger();
    ASSERT_EQ(engine.advance(0.3).status, AdvanceStatus::reached);
    const double back = dot(engine.configuration().velocity[0], {0.6, 0.8, 0.0}) / 3.0;
    EXPECT_NEAR(back, restitution, restitution > 0.0 ? 0.01 : 0.05);
    const Ledger end = engine.ledger();
    EXPECT_NEAR((end.lost_to_restitution + end.limits) / start.kinetic, 1.0 - back * back, 0.01);
    EXPECT_NEAR(end.balance() / start.balance(), 1.0, 0.01);
  }
}

// A dumbbell that spins and whose length is free between both limits: energy over a thousand
// rebounds, linear and angular momentum to round-off.
TEST(LengthLimits, ALengthBetweenItsLimitsKeepsEnergyAndMomenta) {
  Problem problem = parting(0.5, 0.05);
  problem.velocity[0] += {0.9, -0.3, 1.0};
  problem.velocity[1] += {-0.1, 0.9, 0.4};
  problem.limits.clear();
  add_limits(problem, {0, 1}, 0.05, true);
  Engine engine(problem);
  const Ledger start = engine.ledger();
  const Vec3 spin = angular_momentum(problem, engine.configuration());
  double wander = 0.0;
  for (int k = 1; k <= 100; ++k) {
    ASSERT_EQ(engine.advance(0.5 * k).status, AdvanceStatus::reached);
    const Ledger now = engine.ledger();
    wander = std::max(wander, std::abs(now.balance() / start.balance() - 1.0));
    const double length = length_of(engine.configuration());
    EXPECT_LT(length, 1.05);
    EXPECT_GT(length, 0.95);
  }
  EXPECT_LT(wander, 0.03);
  EXPECT_LT(norm(engine.ledger().momentum - start.momentum), 1e-12);
  EXPECT_LT(norm(angular_momentum(problem, engine.configuration()) - spin), 1e-11);
  EXPECT_TRUE(keeps_limits(problem, engine, 2.0));
}

// ----- Chains and surfaces ----------------------------------------------------------------------

struct Compared {
  std::string name;
  Problem problem;
  double duration = 0.0;
};

// A chain of links without springs, held at its first vertex.
Problem chain(int dimension, double s, Index count = 8) {
  Problem problem;
  problem.dimension = dimension;
  for (Index i = 0; i < count; ++i) {
    const double bow = dimension == 3 ? 0.02 * i : 0.0;
    problem.position.push_back({0.1 * i, 0.0, bow});
    problem.velocity.push_back({});
    problem.mass.push_back(0.01);
  }
  problem.held = {{0, {}}};
  problem.contact[0].thickness = 0.01;
  for (Index i = 0; i + 1 < count; ++i) {
    problem.edges.push_back({i, i + 1});
    add_limits(problem, {i, i + 1}, s, true);
  }
  return problem;
}

void add_gravity(Problem& problem) {
  problem.forces.push_back(
      std::make_shared<test::TestGravity>(Vec3{0.0, -9.81, 0.0}, problem.mass));
}

Compared swinging(int dimension) {
  Problem problem = chain(dimension, 0.05);
  add_gravity(problem);
  return {"a chain that swings in " + std::to_string(dimension) + " dimensions", std::move(problem),
          0.4};
}

Compared struck_chain(double speed) {
  Problem problem = chain(2, 0.02);
  problem.held.push_back({7, {}});
  problem.position.push_back({0.37, 0.06, 0.0});
  problem.velocity.push_back({0.0, -speed, 0.0});
  problem.mass.push_back(0.02);
  return {"a chain struck at " + std::to_string(speed) + " m/s", std::move(problem), 0.3 / speed};
}

// A sheet with weak springs, pinned at two corners, with limits on the sides of all its triangles.
Compared struck_sheet() {
  SceneBuilder builder;
  builder.add_sheet(4, 0.4, {0, 0, 0}, {});
  builder.add_vertex({0.03, 0.02, 0.06}, 0.02, {0, 0, -30.0});
  builder.problem.contact[0].thickness = 0.02;
  builder.problem.held = {{0, {}}, {15, {}}};
  Problem problem = builder.finish({});
  const detail::Topology topology(problem);
  for (const auto& edge : topology.edges) add_limits(problem, edge, 0.05);
  return {"a sheet struck", std::move(problem), 0.02};
}

TEST(LengthLimits, NothingPassesALimitAtAnySpeed) {
  for (const double speed : {1.0, 100.0, 1e4}) {
    const Compared scene = struck_chain(speed);
    SCOPED_TRACE(scene.name);
    Engine engine(scene.problem);
    const Ledger start = engine.ledger();
    EXPECT_TRUE(keeps_limits(scene.problem, engine, scene.duration));
    const Ledger end = engine.ledger();
    EXPECT_LT(norm(end.momentum + end.held_impulse - start.momentum), 1e-12 * speed);
    EXPECT_NEAR(end.balance() / start.balance(), 1.0, 0.03);
    EXPECT_GT(engine.advance(scene.duration).limit_used, 0.1);
  }
}

struct Outcome {
  double kept = 0.0;
  double drift = 0.0;
  double used = 0.0;
  double lowest = 0.0;
  bool within = true;
};

template <class AnyEngine>
Outcome run(AnyEngine engine, const Compared& scene) {
  const auto sum = [](const Ledger& l) {
    return l.momentum + l.held_impulse + l.wall_impulse - l.external_impulse;
  };
  Outcome outcome;
  const Ledger start = engine.ledger();
  double scale = start.kinetic;
  for (int k = 1; k <= 20; ++k) {
    outcome.within = keeps_limits(scene.problem, engine, scene.duration / 20.0) && outcome.within;
    const Ledger now = engine.ledger();
    scale = std::max(scale, now.kinetic);
    outcome.kept = std::max(outcome.kept, std::abs(now.balance() - start.balance()));
    outcome.drift = std::max(outcome.drift, norm(sum(now) - sum(start)));
    for (const Vec3& x : engine.configuration().position) {
      outcome.lowest = std::min(outcome.lowest, x.y);
    }
  }
  outcome.kept /= scale;
  outcome.used = engine.advance(engine.time()).limit_used;
  return outcome;
}

// Bounds as of EnginesAgree. The share that was used up is that of the hardest pull, on which paths
// that have parted by chaos agree less than on the first.
TEST(LengthLimits, BothEnginesAgree) {
  for (const Compared& scene : {swinging(2), swinging(3), struck_chain(30.0), struck_sheet()}) {
    SCOPED_TRACE(scene.name);
    const Outcome fast = run(Engine(scene.problem), scene);
    const Outcome slow = run(ReferenceEngine(scene.problem), scene);
    EXPECT_TRUE(fast.within);
    EXPECT_TRUE(slow.within);
    EXPECT_LT(fast.drift, 1e-11);
    EXPECT_LT(slow.drift, 1e-11);
    EXPECT_LT(fast.kept, 0.03);
    EXPECT_LT(slow.kept, 0.03);
    EXPECT_NEAR(fast.used, slow.used, 0.05);
    EXPECT_NEAR(fast.lowest, slow.lowest, 0.01);
  }
}

// With the same clocks they do the same, up to the order of sums.
TEST(LengthLimits, WithNestedClocksBothEnginesDoTheSame) {
  for (const Problem& problem : {parting(3.0, 0.1), swinging(2).problem, swinging(3).problem}) {
    reference::Mechanisms nested;
    nested.clocks = reference::Clocks::nested;
    Engine fast(problem);
    ReferenceEngine slow(problem, {}, nested);
    ASSERT_EQ(fast.advance(0.06).status, AdvanceStatus::reached);
    ASSERT_EQ(slow.advance(0.06).status, AdvanceStatus::reached);
    const Configuration a = fast.configuration();
    const Configuration b = slow.configuration();
    for (std::size_t i = 0; i < a.position.size(); ++i) {
      EXPECT_LT(norm(a.position[i] - b.position[i]), 1e-11) << i;
    }
  }
}

// ----- Proofs -----------------------------------------------------------------------------------

// Against a fine search of the same function.
TEST(LengthLimits, TheTimeWithinABoundIsTheFirstAtWhichItIsReached) {
  Random random(11);
  const auto vector = [&](double size) {
    return Vec3{random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size)};
  };
  for (int k = 0; k < 2000; ++k) {
    const Vec3 apart = vector(1.0);
    const Vec3 motion = vector(k % 3 == 0 ? 1e-3 : 2.0);
    const double vague = k % 2 == 0 ? 0.0 : random.uniform(0.0, 2.0);
    const double bound = norm(apart) * (1.0 + random.uniform(0.0, 0.3));
    const double time = detail::time_within(apart, motion, vague, bound);
    ASSERT_GT(time, 0.0);
    const auto length = [&](double t) { return norm(apart + t * motion) + t * vague; };
    EXPECT_NEAR(length(time) / bound, 1.0, 1e-12);
    for (int m = 0; m <= 20; ++m) EXPECT_LE(length(0.05 * m * time), bound * (1.0 + 1e-14));
  }
  EXPECT_EQ(detail::time_within({1, 0, 0}, {1, 0, 0}, 0.0, 0.9), 0.0);
  EXPECT_EQ(detail::time_within({1, 0, 0}, {}, 0.0, 1.1), kInfinity);
}

// A certificate that lasts 1% too long, and layers left out, are seen by the audit of lengths.
TEST(LengthLimits, PlantedFaultsAreFound) {
  const auto keeps = [](const Problem& problem, const reference::PlantedFaults& faults) {
    reference::Mechanisms sharp;
    sharp.vague_trajectories = false;
    ReferenceEngine engine(
        std::make_unique<ReferenceEngine::Parts>(problem, Settings{}, sharp, faults));
    return keeps_limits(problem, engine, 0.08);
  };
  // It flies 0.1 before its first layer acts, and has 1e-4 to stop in.
  Problem problem = parting(1.0, 1e-4);
  problem.position[1] -= Vec3{0.06, 0.08, 0.0};
  reference::PlantedFaults lies;
  lies.certificate_length = 1.01;
  reference::PlantedFaults shallow;
  shallow.last_layer = 3;
  EXPECT_TRUE(keeps(problem, {}));
  EXPECT_FALSE(keeps(problem, lies));
  EXPECT_FALSE(keeps(problem, shallow));
}

// Between knots a shortest length is passed in the middle of a straight way, a longest at an end.
TEST(LengthLimits, AnAuditSeesAllOfAMotion) {
  Problem problem = parting(1.0, 0.1);
  problem.limits[0] = {{0, 1}, Side::shortest, 0.2, 0.1, kStiffness, 1.0};
  const std::vector<Vec3> from = {{-1, 0, 0}, {0, 0.1, 0}};
  const std::vector<Vec3> to = {{1, 0, 0}, {0, 0.1, 0}};
  const std::vector<std::size_t> first = {0, 2, 4};
  std::vector<PathKnot> knots = {{0.0, from[0]}, {1.0, to[0]}, {0.0, from[1]}, {1.0, to[1]}};
  AuditPath path;
  path.begin = 0.0;
  path.end = 1.0;
  path.knots = knots;
  path.first_knot = first;
  EXPECT_FALSE(audit_lengths(problem, from));
  EXPECT_FALSE(audit_lengths(problem, to));
  const auto fault = audit_lengths(problem, path);
  ASSERT_TRUE(fault);
  EXPECT_NEAR(fault->length, 0.1, 1e-12);
  problem.limits[0] = {{0, 1}, Side::longest, 1.1, 0.1, kStiffness, 1.0};
  EXPECT_FALSE(audit_lengths(problem, path));
  problem.limits[0].length = 1.0;
  EXPECT_TRUE(audit_lengths(problem, from));
  EXPECT_TRUE(audit_lengths(problem, path));
}

// ----- The rest of a run ------------------------------------------------------------------------

TEST(LengthLimits, ASavedRunGoesOnToTheSameBits) {
  const Problem problem = swinging(3).problem;
  Engine straight(problem);
  Engine saved(problem);
  ASSERT_EQ(saved.advance(0.1).status, AdvanceStatus::reached);
  Engine resumed(problem);
  resumed.load(saved.save());
  ASSERT_EQ(straight.advance(0.3).status, AdvanceStatus::reached);
  ASSERT_EQ(resumed.advance(0.3).status, AdvanceStatus::reached);
  const Configuration a = straight.configuration();
  const Configuration b = resumed.configuration();
  for (std::size_t i = 0; i < a.position.size(); ++i) EXPECT_EQ(a.position[i], b.position[i]) << i;
  EXPECT_EQ(straight.ledger().limits, resumed.ledger().limits);
  Problem other = problem;
  other.limits[0].length *= 1.01;
  Engine of_another(other);
  EXPECT_THROW(of_another.load(saved.save()), InputError);
}

// What is led knows no mercy: the run ends, with the limit kept to the last. The whole chain would
// be 2% longer when the led end has gone 4 mm; the layers that the lattice of times resolves leave
// the share L^(-1/4) of that, L the last of them.
TEST(LengthLimits, AnImpossiblePullEndsWithinTheLimit) {
  Problem problem = chain(2, 0.02, 3);
  problem.held.push_back({2, {{0.0, problem.position[2]}, {0.01, {0.4, 0.0, 0.0}}}});
  Engine engine(problem);
  const AdvanceReport report = engine.advance(0.01);
  EXPECT_EQ(report.status, AdvanceStatus::no_progress);
  EXPECT_TRUE(is_length_limit(report.stuck.kind));
  const double deepest = LayerTable::of(LayerLaw::harmon).last_layer(kOctaves - 1);
  EXPECT_NEAR(report.time / (0.004 / 20.0), 1.0 - std::pow(deepest, -0.25), 0.005);
  EXPECT_FALSE(audit_lengths(problem, engine.configuration().position));
}

TEST(LengthLimits, WhatCannotBeIsRefused) {
  const auto fault_of = [](const Problem& problem) -> std::string {
    try {
      check_problem(problem);
    } catch (const InputError& error) {
      return error.place().key + ": " + error.message();
    }
    return "";
  };
  Problem problem = parting(1.0, 0.1);
  EXPECT_EQ(fault_of(problem), "");
  problem.limits[0].length = 0.9;
  EXPECT_EQ(fault_of(problem), "limits[0]: at the start the length is 1 m, not below 0.9 m");
  problem = parting(1.0, 0.1);
  problem.limits[0].vertex = {0, 7};
  EXPECT_EQ(fault_of(problem), "limits[0]: there is no vertex 7, there are 2");
  problem = parting(1.0, 0.1);
  problem.held = {{0, {}}, {1, {}}};
  EXPECT_EQ(fault_of(problem), "limits[0]: is of two held vertices");
  problem = parting(1.0, 0.1);
  problem.limits[0].restitution = 1.5;
  EXPECT_EQ(fault_of(problem), "limits[0].restitution: must lie between 0 and 1, found 1.5");
  // So near to its bound that no layer of the lattice would do.
  problem = parting(1.0, 0.1);
  problem.limits[0].length = 1.0 + 1e-9;
  EXPECT_THROW(Engine{problem}, InputError);
  EXPECT_THROW(ReferenceEngine{problem}, InputError);
}

}  // namespace
}  // namespace carom::asynchronous
