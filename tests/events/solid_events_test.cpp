// Events of bodies that turn: closed forms, laws, lasting contact, reports that change nothing.

#include "carom/events/solid_events.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/events/detail/slow_impact.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

// A scene of the scheme "events" in three dimensions, with bodies and more settings.
Scene events_scene(const std::string& settings, const std::string& bodies) {
  return read_scene("kind = \"scene\"\n" + settings +
                    "[time]\nscheme = \"events\"\nstep = 0.01\nduration = 1\n" + bodies);
}

const std::string kFloor =
    "[[shape]]\nname = \"floor\"\ntype = \"half_plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
const std::string kGravity = "[world]\ndimension = 3\ngravity = [0, 0, -9.81]\n";
const std::string kNoGravity = "[world]\ndimension = 3\n";

std::string box(const std::string& name, const std::string& more) {
  return "[[body]]\nname = \"" + name + "\"\nsolid = \"box\"\ndensity = 1000\n" + more + "\n";
}
const std::string kBox = "[[solid]]\nname = \"box\"\ntype = \"box\"\nsize = [0.2, 0.2, 0.1]\n";

struct Outcome {
  State state;
  double penetration = 0.0;
  double energy_before = 0.0;
  double energy = 0.0;
  double work = 0.0;
  Vec3 momentum;
  Vec3 angular_momentum;
};

Outcome run_for(const Scene& scene, double duration) {
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
  Outcome run;
  run.energy_before = totals(scene.simulation, scene.simulation.start).energy();
  const auto steps =
      static_cast<std::uint64_t>(std::llround(duration / scene.simulation.time.step));
  for (std::uint64_t k = 0; k < steps; ++k) {
    const StepReport report = stepper->step();
    EXPECT_TRUE(report.can_go_on()) << report.message;
    if (!report.can_go_on()) break;
    run.penetration = std::max(run.penetration, report.penetration.relative);
    run.work += report.external_work;
    run.energy = report.totals.energy();
    run.momentum = report.totals.momentum;
    run.angular_momentum = report.totals.angular_momentum;
  }
  run.state = stepper->state();
  return run;
}

TEST(SolidEvents, BoxesThatCollideElasticallyKeepEnergyAndMomenta) {
  const Scene scene =
      events_scene(kNoGravity, kBox +
                                   box("a",
                                       "position = [-0.5, 0.03, 0]\nvelocity = [1, 0, 0]\n"
                                       "angular_velocity = [1, 2, 3]") +
                                   box("b",
                                       "position = [0.5, 0, 0.02]\nvelocity = [-1, 0.1, 0]\n"
                                       "angular_velocity = [-2, 0.5, 1]"));
  const Totals before = totals(scene.simulation, scene.simulation.start);
  const Outcome run = run_for(scene, 1.0);
  EXPECT_GT(run.state.velocity[1].x, -0.5);  // they met
  EXPECT_NEAR(run.energy, before.energy(), 1e-10 * before.energy());
  EXPECT_LT(norm(run.momentum - before.momentum), 1e-12 * 8.0);
  EXPECT_LT(norm(run.angular_momentum - before.angular_momentum), 1e-9);
  EXPECT_EQ(run.penetration, 0.0);
}

TEST(SolidEvents, AFaceThatLandsFlatDoesNotTurn) {
  const Scene scene = events_scene(kGravity, kBox + kFloor + box("box", "position = [0, 0, 0.3]"));
  const Outcome run = run_for(scene, 1.0);
  EXPECT_LT(norm(run.state.angular_velocity[0]), 1e-9);
  // Elastic, and reflected while it was at most the envelope above the floor.
  EXPECT_NEAR(run.energy, run.energy_before, 1e-9 * run.energy_before);
}

TEST(SolidEvents, ABoxComesToRestOnTheFloorAndStays) {
  const Scene scene = events_scene(
      kGravity +
          "[impact]\nfriction_model = \"collision\"\n[[material]]\nname = \"default\"\n"
          "restitution = 0.3\nfriction = 0.4\n",
      kBox + kFloor +
          box("box", "position = [0, 0, 0.12]\nturned = { axis = [1, 0.4, 0], degrees = 9 }"));
  const Outcome run = run_for(scene, 1.5);
  EXPECT_NEAR(run.state.position[0].z, 0.05, 1e-3);
  EXPECT_LT(norm(run.state.velocity[0]), 0.06);
  EXPECT_LT(run.energy, run.energy_before);
  EXPECT_LT(run.penetration, 1e-3);
}

TEST(SolidEvents, NothingDependsOnTheReports) {
  const auto final_state = [](double step) {
    Scene scene = events_scene(
        kGravity +
            "[impact]\nfriction_model = \"collision\"\n[[material]]\nname = \"default\"\n"
            "restitution = 0.5\nfriction = 0.3\n",
        kBox + kFloor +
            box("box",
                "position = [0, 0, 0.2]\nturned = { axis = [1, 0.4, 0], degrees = 30 }\n"
                "angular_velocity = [1, 2, 3]"));
    scene.simulation.time.step = step;
    return run_for(scene, 0.75).state;
  };
  const State coarse = final_state(0.25);
  const State fine = final_state(0.25 / 64);
  EXPECT_EQ(coarse.position[0], fine.position[0]);
  EXPECT_EQ(coarse.velocity[0], fine.velocity[0]);
  EXPECT_EQ(coarse.orientation[0], fine.orientation[0]);
}

TEST(SolidEvents, ARunGoesOnFromItsCheckpointToTheSameBits) {
  const Scene scene = events_scene(
      kGravity + "[[material]]\nname = \"default\"\nrestitution = 0.5\n",
      kBox + kFloor + box("a", "position = [0, 0, 0.2]\nangular_velocity = [1, 2, 3]") +
          box("b", "position = [0.05, 0, 0.5]\nangular_velocity = [0, 1, -3]"));
  const std::unique_ptr<Stepper> whole = make_stepper(scene.simulation);
  std::string saved;
  for (int k = 0; k < 60; ++k) {
    if (k == 31) saved = whole->save();
    ASSERT_TRUE(whole->step().can_go_on());
  }
  const std::unique_ptr<Stepper> rest = make_stepper(scene.simulation);
  rest->load(saved);
  for (int k = 31; k < 60; ++k) ASSERT_TRUE(rest->step().can_go_on());
  EXPECT_EQ(state_hash(rest->state()), state_hash(whole->state()));
  EXPECT_THROW(rest->load("carom-events-1\n"), InputError);
}

TEST(SolidEvents, AFastBoxDoesNotPassThroughAThinPlate) {
  const Scene scene = events_scene(
      kNoGravity, "[[solid]]\nname = \"plate\"\ntype = \"box\"\nsize = [0.001, 2, 2]\n" + kBox +
                      "[[shape]]\nname = \"plate\"\ntype = \"solid\"\nsolid = \"plate\"\n"
                      "position = [1, 0, 0]\n" +
                      box("box", "position = [0, 0, 0]\nvelocity = [300, 0, 0]"));
  const Outcome run = run_for(scene, 0.05);
  EXPECT_NEAR(run.state.velocity[0].x, -300.0, 1e-6);
}

TEST(SolidEvents, FastBodiesDoNotPassUnderGravityEither) {
  // Thin plates that turn, thrown at each other and at the floor.
  const Scene scene = events_scene(
      kGravity,
      "[[solid]]\nname = \"plate\"\ntype = \"box\"\nsize = [0.4, 0.4, 0.002]\n" + kFloor +
          "[[body]]\nname = \"a\"\nsolid = \"plate\"\ndensity = 1000\nposition = [0, 0, 0.5]\n"
          "velocity = [0, 0, -80]\nangular_velocity = [60, 20, 9]\n"
          "[[body]]\nname = \"b\"\nsolid = \"plate\"\ndensity = 1000\nposition = [0.1, 0, 1.2]\n"
          "velocity = [0, 0, -120]\nangular_velocity = [-40, 70, 5]\n");
  const Outcome run = run_for(scene, 0.2);
  EXPECT_LT(run.penetration, 1e-3);
  EXPECT_NEAR(run.energy, run.energy_before, 1e-6 * run.energy_before);
  for (const Vec3& q : run.state.position) EXPECT_GT(q.z, 0.0);
}

TEST(SolidEvents, ABallThatDoesNotTurnBouncesOffASolid) {
  const Scene scene = events_scene(
      kGravity, kBox +
                    "[[shape]]\nname = \"table\"\ntype = \"solid\"\nsolid = \"box\"\n"
                    "position = [0, 0, -0.05]\n[[body]]\nname = \"ball\"\nradius = 0.05\n"
                    "position = [0.02, 0.01, 0.3]\n");
  const Outcome run = run_for(scene, 1.0);
  EXPECT_NEAR(run.energy, run.energy_before, 1e-9 * run.energy_before);
  EXPECT_NEAR(run.state.position[0].x, 0.02, 1e-12);
  EXPECT_GT(run.state.position[0].z, 0.05);
}

// Meshes need not be convex: two knots that fly through each other's holes as far as they can.
TEST(SolidEvents, KnotsThatCollideElasticallyKeepEnergyAndMomenta) {
  const std::string knot = "solid = \"knot\"\ndensity = 10\nangular_velocity = [1, 2, 3]\n";
  const Scene scene = events_scene(
      kNoGravity,
      "[[solid]]\nname = \"knot\"\ntype = \"mesh\"\nfigure = \"trefoil\"\nsegments = 60\nsides = "
      "6\n"
      "[[body]]\nname = \"a\"\nposition = [-3, 0.2, 0]\nvelocity = [4, 0, 0]\n" +
          knot + "[[body]]\nname = \"b\"\nposition = [3, 0, 0.3]\nvelocity = [-4, 0, 0]\n" + knot);
  const Totals before = totals(scene.simulation, scene.simulation.start);
  const Outcome run = run_for(scene, 1.5);
  EXPECT_GT(run.state.velocity[1].x, -3.5) << "they met";
  EXPECT_NEAR(run.energy, before.energy(), 1e-9 * before.energy());
  EXPECT_LT(norm(run.momentum - before.momentum), 1e-9);
  EXPECT_LT(norm(run.angular_momentum - before.angular_momentum),
            1e-9 * norm(before.angular_momentum));
  EXPECT_EQ(run.penetration, 0.0);
}

// Faster bounces lose more: e(v) = 1 - (1 - e0) (v / v0)^(3/4) below v0. The ball turns only so
// that it is one of the solids.
TEST(SolidEvents, RestitutionBySpeedIsThatOfEachBounce) {
  const Scene scene = events_scene(
      kGravity +
          "[[material]]\nname = \"default\"\n"
          "restitution = { law = \"bizon\", least = 0.4, speed = 3.0 }\n",
      kFloor + "[[body]]\nname = \"ball\"\nradius = 0.05\nturns = true\nposition = [0, 0, 0.55]\n");
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
  stepper->note_impulses(true);
  std::vector<double> impulses;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(stepper->step().can_go_on());
    for (const ContactImpulse& contact : stepper->impulses()) impulses.push_back(contact.normal);
  }
  ASSERT_GE(impulses.size(), 3U);
  double speed = std::sqrt(2.0 * 9.81 * 0.5);
  for (std::size_t k = 0; k < 2; ++k) {
    const double e = speed < 3.0 ? 1.0 - 0.6 * std::pow(speed / 3.0, 0.75) : 0.4;
    // Collisions happen up to an envelope above the floor.
    EXPECT_NEAR(impulses[k] / scene.simulation.world.bodies.mass[0], (1.0 + e) * speed, 2e-3);
    speed *= e;
  }
}

TEST(SolidEvents, ASlidingBlockFeelsCoulombsFriction) {
  const Scene scene =
      events_scene(kGravity +
                       "[impact]\nfriction_model = \"collision\"\nfriction_passes = 20\n"
                       "[[material]]\nname = \"default\"\nrestitution = 0\nfriction = 0.2\n",
                   kBox + kFloor + box("box", "position = [0, 0, 0.05003]\nvelocity = [1, 0, 0]"));
  // 1 - 0.2 * 9.81 * 0.3, and at rest after 0.51 s and 0.2548 m.
  EXPECT_NEAR(run_for(scene, 0.3).state.velocity[0].x, 1.0 - 0.2 * 9.81 * 0.3, 0.02);
  EXPECT_NEAR(run_for(scene, 1.0).state.position[0].x, 0.5 / (0.2 * 9.81), 5e-3);
}

TEST(SolidEvents, APlatterThatSpinsDragsABlockAlong) {
  // At the centre, so that it only turns.
  Scene scene = events_scene(
      kGravity +
          "[impact]\nfriction_model = \"collision\"\n[[material]]\nname = \"default\"\n"
          "restitution = 0\nfriction = 0.5\n",
      kBox + kFloor + "spin = [0, 0, 2]\n" + box("box", "position = [0, 0, 0.05003]"));
  const Outcome run = run_for(scene, 1.0);
  EXPECT_NEAR(run.state.angular_velocity[0].z, 2.0, 0.1);
  EXPECT_GT(run.work, 0.0);
  scene.simulation.world.shapes[0].spin = {0, 1, 0};
  EXPECT_THROW(static_cast<void>(make_stepper(scene.simulation)), InputError);
}

// Three boxes that fall on each other from half a millimetre come to rest: then they do not move at
// all, have no events, and what they lost is counted.
TEST(EventsAtRest, AStackStandsWithoutEvents) {
  const Scene scene =
      events_scene(kGravity, kBox + kFloor + box("low", "position = [0, 0, 0.0505]") +
                                 box("middle", "position = [0.02, 0, 0.151]") +
                                 box("top", "position = [0, 0.02, 0.2515]"));
  for (const double restitution : {0.0, 0.3, 0.9}) {
    Simulation simulation = scene.simulation;
    Material material = simulation.world.materials.material(0);
    material.restitution = restitution;
    material.friction = 0.4;
    simulation.world.materials.replace(0, material);
    simulation.impact.friction_model = "collision";
    SolidEventStepper stepper(simulation);
    const double energy = totals(simulation, simulation.start).energy();
    double lost = 0.0;
    StepReport report;
    for (int k = 0; k < 300; ++k) {
      report = stepper.step();
      ASSERT_TRUE(report.can_go_on()) << report.message;
      lost += report.dissipated;
    }
    const State rests = stepper.state();
    const std::uint64_t impacts = stepper.counts().impacts;
    EXPECT_LT(norm(rests.position[2] - Vec3{0.0, 0.02, 0.25}), 2e-3) << restitution;
    for (int k = 0; k < 2000; ++k) {
      report = stepper.step();
      ASSERT_EQ(report.dissipated, 0.0);
    }
    EXPECT_EQ(stepper.counts().impacts, impacts) << restitution;
    for (Index i = 0; i < 3; ++i) {
      EXPECT_EQ(stepper.state().position[i], rests.position[i]) << restitution;
      EXPECT_EQ(stepper.state().velocity[i], Vec3{}) << restitution;
    }
    EXPECT_NEAR(report.totals.energy(), energy - lost, 1e-11 * energy);
    EXPECT_LE(report.totals.energy(), energy);
  }
}

// A slope holds what friction can hold, to the last bit, and lets go what it cannot.
TEST(EventsAtRest, ASlopeHoldsWhatFrictionCan) {
  const auto slid = [](double friction) {
    const double angle = 20.0 * 3.14159265358979323846 / 180.0;
    Scene scene = events_scene(
        "[world]\ndimension = 3\ngravity = [" + std::to_string(9.81 * std::sin(angle)) + ", 0, " +
            std::to_string(-9.81 * std::cos(angle)) +
            "]\n[[material]]\nname = \"default\"\nrestitution = 0\nfriction = " +
            std::to_string(friction) + "\n",
        kBox + kFloor + box("box", "position = [0, 0, 0.05001]"));
    return norm(run_for(scene, 1.0).state.position[0] - scene.simulation.start.position[0]);
  };
  const double tangent = std::tan(20.0 * 3.14159265358979323846 / 180.0);
  EXPECT_LT(slid(1.001 * tangent), 2e-5) << "no more than its gap";
  const double expected =
      0.5 * 9.81 * std::cos(20.0 * 3.14159265358979323846 / 180.0) * 0.1 * tangent;
  EXPECT_NEAR(slid(0.9 * tangent), expected, 0.01 * expected);
}

// A ball that rolls over a plate that rests: it is not stopped, the plate stays.
TEST(EventsAtRest, WhatRollsOverWhatRestsRollsOn) {
  const Scene scene = events_scene(
      kGravity + "[[material]]\nname = \"default\"\nrestitution = 0.2\nfriction = 0.5\n",
      kFloor +
          "[[solid]]\nname = \"plate\"\ntype = \"box\"\nsize = [2, 0.4, 0.05]\n"
          "[[solid]]\nname = \"ball\"\ntype = \"sphere\"\nradius = 0.1\n"
          "[[body]]\nname = \"plate\"\nsolid = \"plate\"\ndensity = 1000\n"
          "position = [0, 0, 0.025001]\n"
          "[[body]]\nname = \"ball\"\nsolid = \"ball\"\ndensity = 1000\n"
          "position = [-0.9, 0, 0.150002]\nvelocity = [0.02, 0, 0]\nangular_velocity = [0, 0.2, "
          "0]\n");
  SolidEventStepper stepper(scene.simulation);
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(stepper.step().can_go_on());
  const State& state = stepper.state();
  EXPECT_NEAR(state.position[1].x, -0.9 + 3.0 * 0.02, 2e-3);
  EXPECT_NEAR(state.velocity[1].x, 0.02, 1e-3);
  EXPECT_LT(norm(state.position[0] - scene.simulation.start.position[0]), 1e-5);
  EXPECT_EQ(state.velocity[0], Vec3{});
}

// Whoever gives one of them another velocity sets all going that touch it; the checkpoint of bodies
// at rest goes on to the same bits.
TEST(EventsAtRest, WhatIsPushedGoesOnWithItsGroup) {
  struct Push final : EventListener {
    double next_moment(double time) override { return time < 0.5 ? 0.5 : kInfinity; }
    void on_moment(EventMoment& moment) override { moment.set_velocity(0, {1.0, 0.0, 0.0}); }
  };
  const Scene scene =
      events_scene(kGravity + "[[material]]\nname = \"default\"\nrestitution = 0\nfriction = 0.3\n",
                   kBox + kFloor + box("low", "position = [0, 0, 0.05001]") +
                       box("top", "position = [0, 0, 0.15002]"));
  Push push;
  SolidEventStepper whole(scene.simulation);
  whole.listen(&push);
  std::string saved;
  for (int k = 0; k < 120; ++k) {
    if (k == 30) saved = whole.save();
    ASSERT_TRUE(whole.step().can_go_on());
  }
  // The low one slides and drags the other along; both come to rest again.
  EXPECT_GT(whole.state().position[0].x, 0.03);
  EXPECT_GT(whole.state().position[1].x, 0.005);
  EXPECT_EQ(whole.state().velocity[0], Vec3{});
  EXPECT_EQ(whole.state().velocity[1], Vec3{});
  SolidEventStepper resumed(scene.simulation);
  resumed.listen(&push);
  resumed.load(saved);
  for (int k = 30; k < 120; ++k) ASSERT_TRUE(resumed.step().can_go_on());
  EXPECT_EQ(state_hash(resumed.state()), state_hash(whole.state()));
}

// What loses nothing does not come to rest.
TEST(EventsAtRest, AnElasticBounceGoesOnForEver) {
  const Scene scene =
      events_scene(kGravity, kBox + kFloor + box("box", "position = [0, 0, 0.05004]"));
  const Outcome run = run_for(scene, 2.0);
  EXPECT_NEAR(run.energy, run.energy_before, 1e-9 * run.energy_before);
}

// Forces within Coulomb's cone: (1) of detail/slow_impact.h.
TEST(SlowImpact, FindsWhatRests) {
  const auto still = [](double slope, double friction, double sliding, double spin) {
    ImpactProblem problem;
    BodyDefinition body;
    body.kind = BodyKind::rigid_2d;
    body.inertia = {0.2};
    body.velocity = {sliding, -0.01, spin};
    body.position = Numbers{0.0, 0.5};
    problem.add_body(body);
    for (const double x : {-0.5, 0.5}) {
      ContactDefinition contact;
      contact.body_a = 0;
      contact.normal = {0.0, 1.0};
      contact.point = Numbers{x, 0.0};
      contact.friction = friction;
      problem.add_contact(contact);
    }
    const detail::Rest rest =
        detail::find_rest({&problem, true}, {{slope * 10.0, -10.0, 0.0}, 0.01});
    EXPECT_LE(rest.residual, 1e-10);
    return rest.all;
  };
  EXPECT_TRUE(still(0.2, 0.5, 0.0, 0.0));
  EXPECT_FALSE(still(0.6, 0.5, 0.0, 0.0));
  EXPECT_TRUE(still(0.0, 0.5, 0.05, 0.0)) << "friction stops this within the contact duration";
  EXPECT_FALSE(still(0.0, 0.5, 0.06, 0.0));
  EXPECT_FALSE(still(0.2, 0.0, 0.0, 0.0));
  EXPECT_FALSE(still(0.0, 0.5, 0.0, 0.5)) << "it tips";
}

// A block on a slope: after the collision its flight leads back to where it is.
TEST(SlowImpact, HoldsWhatFrictionCanHold) {
  const auto held = [](double slope, double friction) {
    ImpactProblem problem;
    BodyDefinition body;
    body.kind = BodyKind::rigid_2d;
    body.inertia = {0.2};
    body.velocity = {slope * 0.01, -0.01, 0.0};
    body.position = Numbers{0.0, 0.5};
    problem.add_body(body);
    for (const double x : {-0.5, 0.5}) {
      ContactDefinition contact;
      contact.body_a = 0;
      contact.normal = {0.0, 1.0};
      contact.point = Numbers{x, 0.0};
      contact.friction = friction;
      problem.add_contact(contact);
    }
    const std::vector<detail::SlowContact> contacts(2, {{slope * 10.0, -10.0, 0.0}, 0.01});
    return detail::hold_contacts({&problem, true}, contacts, {});
  };
  const auto resting = held(0.2, 0.5);
  ASSERT_TRUE(resting.has_value());
  EXPECT_NEAR(resting->velocities[0], -0.002, 1e-12);
  EXPECT_NEAR(resting->velocities[1], 0.01, 1e-12);
  EXPECT_NEAR(resting->velocities[2], 0.0, 1e-12);
  // Too steep: it slides, with all of mu, and the torque of friction at the base is balanced.
  const auto sliding = held(0.6, 0.5);
  ASSERT_TRUE(sliding.has_value());
  EXPECT_NEAR(sliding->velocities[0], 0.006 - 0.5 * 0.02, 1e-9);
  EXPECT_NEAR(sliding->velocities[1], 0.01, 1e-9);
  EXPECT_NEAR(sliding->velocities[2], 0.0, 1e-9);
}

}  // namespace
}  // namespace carom
