#include "carom/asynchronous/engine.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

using test::TestGravity;

Problem two_particles(double speed) {
  Problem problem;
  problem.mass = {1.0, 1.0};
  problem.position = {{-0.2, 0.0, 0.0}, {0.2, 0.0, 0.0}};
  problem.velocity = {{speed, 0.0, 0.0}, {-speed, 0.0, 0.0}};
  return problem;
}

// Particles on a square lattice of pitch 0.2 between four walls, with random velocities.
Problem gas(int side, double speed) {
  Problem problem;
  problem.dimension = 2;
  Random random(5);
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      problem.mass.push_back(random.uniform(0.5, 2.0));
      problem.position.push_back({0.2 * i + 0.15, 0.2 * j + 0.15, 0.0});
      const double angle = random.uniform(0.0, 6.283);
      problem.velocity.push_back({speed * std::cos(angle), speed * std::sin(angle), 0.0});
    }
  }
  const double width = 0.2 * side + 0.1;
  problem.walls = {
      {{1, 0, 0}, 0.0, 0}, {{-1, 0, 0}, -width, 0}, {{0, 1, 0}, 0.0, 0}, {{0, -1, 0}, -width, 0}};
  return problem;
}

// Two unit masses at speed v each: E = v^2 / 2 + v^2 / 2 = v^2 is all stored at the turning point,
// and V of n layers is about r_1 eta_1^2 n^3.5 / 840.
TEST(Engine, HeadOnParticlesTurnAtTheDepthThatTheirEnergyAsksFor) {
  const std::array<Index, 4> layers = {13, 49, 183, 684};
  for (int power = -2; power <= 4; ++power) {
    const double speed = std::pow(10.0, power);
    Engine engine(two_particles(speed));
    const AdvanceReport report = engine.advance(0.8 / speed);
    ASSERT_EQ(report.status, AdvanceStatus::reached);
    const Configuration end = engine.configuration();
    EXPECT_LT(end.position[0].x, end.position[1].x);
    EXPECT_NEAR(end.velocity[1].x / speed, 1.0, 0.01);
    EXPECT_EQ(end.velocity[0].x, -end.velocity[1].x);
    EXPECT_EQ(report.nearest.kind, PairKind::vertex_vertex);
    if (power >= 1) {
      const double predicted = layers[static_cast<std::size_t>(power) - 1];
      EXPECT_NEAR(report.deepest_layer / predicted, 1.0, 0.01) << speed;
    }
  }
}

// A layer gives back restitution^2 of its energy, so the pair leaves with restitution times its
// speed.
TEST(Engine, RestitutionIsARatioOfSpeeds) {
  for (const double speed : {0.3, 3.0, 300.0}) {
    for (const double restitution : {0.9, 0.5, 0.2, 0.0}) {
      Problem problem = two_particles(speed);
      problem.contact[0].restitution = restitution;
      Settings settings;
      settings.contact_step = 0.02;
      Engine engine(problem, settings);
      const Ledger start = engine.ledger();
      const AdvanceReport report = engine.advance(1.0 / speed);
      ASSERT_EQ(report.status, AdvanceStatus::reached);
      const double after = engine.configuration().velocity[1].x / speed;
      EXPECT_NEAR(after, restitution, restitution > 0.0 ? 0.01 : 0.05) << speed;
      const Ledger end = engine.ledger();
      // What is still stored, where they part slowly, is lost when it is released.
      const double lost = end.lost_to_restitution + end.contact;
      EXPECT_NEAR(lost / start.kinetic, 1.0 - after * after, 0.01);
      EXPECT_NEAR(end.balance() / start.balance(), 1.0, 0.01);
    }
  }
}

TEST(Engine, GasKeepsMomentumWithItsWallsAndEnergy) {
  Problem problem = gas(8, 4.0);
  Engine engine(problem);
  const Ledger start = engine.ledger();
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(engine.advance(0.05 * k).status, AdvanceStatus::reached);
    const Ledger now = engine.ledger();
    const Vec3 kept = now.momentum + now.wall_impulse - start.momentum;
    EXPECT_LT(norm(kept), 1e-12 * norm(now.wall_impulse) + 1e-12) << k;
    EXPECT_NEAR(now.balance() / start.balance(), 1.0, 0.01) << k;
  }
  for (const Vec3& x : engine.configuration().position) {
    EXPECT_GT(x.x, 0.0);
    EXPECT_LT(x.x, 1.7);
    EXPECT_GT(x.y, 0.0);
    EXPECT_LT(x.y, 1.7);
  }
}

// The laws of contact that remember something.
std::vector<std::pair<ContactLaw, FrictionModel>> contact_laws() {
  return {{{1000.0, 0.1, 1.0, 0.0}, FrictionModel::anchored},
          {{1000.0, 0.1, 0.8, 0.4}, FrictionModel::anchored},
          {{1000.0, 0.1, 0.8, 0.4}, FrictionModel::printed}};
}

// The order of vertices is the order of simultaneous events and of sums. Before chaos sets in the
// outcomes agree to round-off.
TEST(Engine, OrderOfSimultaneousEventsDoesNotMatter) {
  for (const auto& [law, model] : contact_laws()) {
    Problem problem = gas(6, 4.0);
    problem.contact[0] = law;
    problem.forces.push_back(std::make_shared<TestGravity>(Vec3{0, -9.81, 0}, problem.mass));
    Problem mirrored = problem;
    std::reverse(mirrored.mass.begin(), mirrored.mass.end());
    std::reverse(mirrored.position.begin(), mirrored.position.end());
    std::reverse(mirrored.velocity.begin(), mirrored.velocity.end());
    std::reverse(mirrored.walls.begin(), mirrored.walls.end());
    mirrored.forces = {std::make_shared<TestGravity>(Vec3{0, -9.81, 0}, mirrored.mass)};
    Settings settings;
    settings.friction = model;
    Engine a(problem, settings);
    Engine b(mirrored, settings);
    ASSERT_EQ(a.advance(0.1).status, AdvanceStatus::reached);
    ASSERT_EQ(b.advance(0.1).status, AdvanceStatus::reached);
    const Configuration end_a = a.configuration();
    const Configuration end_b = b.configuration();
    const std::size_t last = problem.mass.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      EXPECT_LT(norm(end_a.position[i] - end_b.position[last - i]), 1e-11) << i;
    }
  }
}

// Certificates and lists decide how much is computed, not what: other margins, the same outcome.
TEST(Engine, OutcomeDoesNotDependOnCertificates) {
  for (const auto& [law, model] : contact_laws()) {
    Problem problem = gas(6, 4.0);
    problem.contact[0] = law;
    Settings settings;
    settings.friction = model;
    Settings wide = settings;
    wide.activation_margin = 0.25;
    Engine a(problem, settings);
    Engine b(problem, wide);
    const AdvanceReport report_a = a.advance(0.1);
    const AdvanceReport report_b = b.advance(0.1);
    EXPECT_GT(report_b.counts.contact_ticks, report_a.counts.contact_ticks * 3 / 2);
    EXPECT_EQ(report_a.deepest_layer, report_b.deepest_layer);
    for (std::size_t i = 0; i < problem.mass.size(); ++i) {
      const Vec3 apart = a.configuration().position[i] - b.configuration().position[i];
      EXPECT_LT(norm(apart), 1e-11) << i;
    }
  }
}

// A certificate that sleeps loses no tick: a particle that bounces off a wall, and the same motion
// by a plain loop over the ticks of all layers' octaves at multiples of their steps from time 0.
TEST(Engine, LayersTickAtMultiplesOfTheirStepsFromTimeZero) {
  Problem problem;
  problem.dimension = 2;
  problem.mass = {1.0};
  problem.position = {{0.5, 0.0, 0.0}};
  problem.velocity = {{3.0, 0.0, 0.0}};
  problem.walls = {{{1, 0, 0}, 0.0, 0}, {{-1, 0, 0}, -1.0, 0}};
  Engine engine(problem);
  const double unit = engine.time_unit();
  const LayerTable& table = LayerTable::of(LayerLaw::harmon);
  // The step of the first layer: 2^k units, at most c sqrt(m / r_1).
  const double first = std::exp2(std::floor(std::log2(0.1 / std::sqrt(1000.0) / unit))) * unit;
  double x = 0.5;
  double v = 3.0;
  const int finest = 8;
  const double step = std::ldexp(first, -finest);
  for (std::uint64_t tick = 1; static_cast<double>(tick) * step <= 2.0; ++tick) {
    x += step * v;
    double impulse = 0.0;
    for (const double sign : {1.0, -1.0}) {
      const double d = (sign > 0.0 ? x : 1.0 - x) / 0.1;
      const Index n = table.active_layers(d);
      ASSERT_LE(table.octave_of(n), finest);
      for (int octave = 0; octave <= table.octave_of(n); ++octave) {
        if (tick % (std::uint64_t{1} << (finest - octave)) != 0) continue;
        impulse += sign * std::ldexp(first, -octave) * 1000.0 * 0.1 * table.force(octave, n, d);
      }
    }
    v += impulse;
    const double time = static_cast<double>(tick) * step;
    if (tick % 1024 != 0) continue;
    ASSERT_EQ(engine.advance(time).status, AdvanceStatus::reached);
    ASSERT_NEAR(engine.configuration().position[0].x, x, 1e-9) << time;
    ASSERT_NEAR(engine.configuration().velocity[0].x, v, 1e-8) << time;
  }
}

TEST(Engine, ResumesWithTheSameBits) {
  for (const auto& [law, model] : contact_laws()) {
    Problem problem = gas(6, 4.0);
    problem.contact[0] = law;
    problem.held = {
        {3, {{0.0, problem.position[3]}, {0.1, problem.position[3] + Vec3{0, 0.05, 0}}}}};
    problem.forces.push_back(std::make_shared<TestGravity>(Vec3{0, -9.81, 0}, problem.mass));
    Settings settings;
    settings.friction = model;
    Engine whole(problem, settings);
    Engine first(problem, settings);
    static_cast<void>(whole.advance(0.0731));
    static_cast<void>(first.advance(0.0731));
    const std::string bytes = first.save();
    Engine second(problem, settings);
    second.load(bytes);
    EXPECT_EQ(second.save(), bytes);
    const AdvanceReport report = whole.advance(0.2);
    const AdvanceReport resumed = second.advance(0.2);
    EXPECT_EQ(report.counts.contact_ticks, resumed.counts.contact_ticks);
    EXPECT_EQ(whole.configuration().position, second.configuration().position);
    EXPECT_EQ(whole.configuration().velocity, second.configuration().velocity);
    EXPECT_EQ(whole.save(), second.save());
  }
}

TEST(Engine, RefusesBytesThatAreNotItsOwn) {
  Engine engine(gas(6, 4.0));
  const std::string bytes = engine.save();
  EXPECT_THROW(engine.load(std::string_view(bytes).substr(0, bytes.size() - 8)), InputError);
  EXPECT_THROW(engine.load("nothing"), InputError);
  EXPECT_THROW(engine.load(bytes + bytes), InputError);
  EXPECT_EQ(engine.save(), bytes);
  Engine other(gas(5, 4.0));
  EXPECT_THROW(other.load(bytes), InputError);
}

// Two looks or one: stopping for a look changes nothing.
TEST(Engine, LooksChangeNothing) {
  const Problem problem = gas(5, 4.0);
  Engine once(problem);
  Engine often(problem);
  static_cast<void>(once.advance(0.1));
  for (int k = 1; k <= 37; ++k) static_cast<void>(often.advance(0.1 * k / 37.0));
  EXPECT_EQ(once.configuration().position, often.configuration().position);
}

// A plate that comes down on a particle on the ground: no layer stops it, so the run ends, safe.
TEST(Engine, ImpossibleSqueezeEndsAsNoProgress) {
  Problem problem;
  problem.mass = {1.0, 1.0, 1.0, 1.0};
  problem.position = {{0, 0, 0.15}, {-1, -1, 0.3}, {1, -1, 0.3}, {0, 1, 0.3}};
  problem.velocity.resize(4);
  problem.faces = {{1, 2, 3}};
  problem.walls = {{{0, 0, 1}, 0.0, 0}};
  for (const Index i : {1U, 2U, 3U}) {
    const Vec3 start = problem.position[i];
    problem.held.push_back({i, {{0.0, start}, {0.01, start - Vec3{0, 0, 1.0}}}});
  }
  problem.held[0].path[1].position = problem.position[1] - Vec3{0, 0, 1.0};
  Engine engine(problem);
  const AdvanceReport report = engine.advance(0.02);
  EXPECT_EQ(report.status, AdvanceStatus::no_progress);
  EXPECT_TRUE(report.stuck.kind == PairKind::vertex_wall ||
              report.stuck.kind == PairKind::vertex_face);
  EXPECT_EQ(report.stuck.vertex[0], 0U);
  EXPECT_GT(report.deepest_layer, 3000U);
  const Configuration end = engine.configuration();
  EXPECT_GT(end.position[0].z, 0.0);
  EXPECT_LT(end.position[0].z, end.position[1].z);
  EXPECT_LT(end.time, 0.003);
  EXPECT_EQ(engine.advance(0.02).status, AdvanceStatus::no_progress);
  EXPECT_GT(engine.ledger().work_of_held, 0.0);
}

TEST(Engine, StopsWhenTheObserverAsksAndGoesOn) {
  const Problem problem = gas(6, 4.0);
  Engine engine(problem);
  const AdvanceReport report =
      engine.advance(10.0, [](const AdvanceReport& so_far) { return so_far.time < 0.05; });
  EXPECT_EQ(report.status, AdvanceStatus::interrupted);
  EXPECT_GE(report.time, 0.05);
  EXPECT_LT(report.time, 0.3);
  EXPECT_EQ(engine.advance(0.35).status, AdvanceStatus::reached);
  Engine other(problem);
  static_cast<void>(other.advance(0.35));
  EXPECT_EQ(engine.configuration().position, other.configuration().position);
}

// A held vertex follows its path whatever is in the way, and its work shows in the ledger.
TEST(Engine, HeldVertexFollowsItsPathAndDoesWork) {
  Problem problem;
  problem.dimension = 2;
  problem.mass = {1.0, 3.0};
  problem.position = {{0, 0, 0}, {0.3, 0, 0}};
  problem.velocity.resize(2);
  problem.held = {{0, {{0.1, {0, 0, 0}}, {0.2, {0.25, 0, 0}}, {0.4, {0.25, 1, 0}}}}};
  Engine engine(problem);
  ASSERT_EQ(engine.advance(0.15).status, AdvanceStatus::reached);
  EXPECT_NEAR(engine.configuration().position[0].x, 0.125, 1e-9);
  ASSERT_EQ(engine.advance(0.5).status, AdvanceStatus::reached);
  EXPECT_LT(norm(engine.configuration().position[0] - Vec3{0.25, 1, 0}), 1e-12);
  const Ledger end = engine.ledger();
  EXPECT_GT(end.work_of_held, 1.0);
  EXPECT_NEAR(end.kinetic, end.work_of_held, 0.01 * end.kinetic);
  EXPECT_NEAR(end.momentum.x + end.held_impulse.x, 0.0, 1e-12);
}

// A constant force: v = F t / m, with the half kick exact at any time, and F x = m v^2 / 2.
TEST(Engine, PrescribedForceAcceleratesAndDoesWork) {
  Problem problem;
  problem.mass = {2.0};
  problem.position.resize(1);
  problem.velocity.resize(1);
  problem.prescribed_forces = {{0, {6.0, 0.0, 0.0}, 0.0, kInfinity}};
  Engine engine(problem);
  ASSERT_EQ(engine.advance(1.2345).status, AdvanceStatus::reached);
  const Ledger end = engine.ledger();
  EXPECT_NEAR(end.kinetic, 0.5 * 2.0 * std::pow(3.0 * 1.2345, 2), 1e-9);
  EXPECT_NEAR(engine.configuration().position[0].x, 0.5 * 3.0 * 1.2345 * 1.2345, 1e-6);
  EXPECT_NEAR(end.work_of_forces, end.kinetic, 0.01);
}

TEST(Engine, RefusesStartsThatTouchAndBadNumbers) {
  Problem problem = two_particles(1.0);
  problem.position[1] = problem.position[0];
  EXPECT_THROW(Engine{problem}, InputError);
  problem.position[1].x += 1e-3;
  EXPECT_THROW(Engine{problem}, InputError);
  problem = two_particles(1.0);
  problem.mass[0] = 0.0;
  EXPECT_THROW(Engine{problem}, InputError);
  problem = two_particles(1.0);
  problem.velocity.pop_back();
  EXPECT_THROW(Engine{problem}, InputError);
  problem = two_particles(1.0);
  problem.contact[0].restitution = 1.5;
  EXPECT_THROW(Engine{problem}, InputError);
  problem = two_particles(1.0);
  problem.faces = {{0, 1, 7}};
  EXPECT_THROW(Engine{problem}, InputError);
}

}  // namespace
}  // namespace carom::asynchronous
