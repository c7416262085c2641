// Runs under events that cannot go on: they end, and say who is involved.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom {
namespace {

// Two walls that close on what is between them, at 1 m/s, from 1 m to either side.
std::string closing_walls(const std::string& settings, const std::string& bodies) {
  return "kind = \"scene\"\n[world]\ndimension = 3\n" + settings +
         "[time]\nscheme = \"events\"\nstep = 0.05\nduration = 2\n"
         "[[shape]]\nname = \"left\"\ntype = \"half_plane\"\npoint = [-1, 0, 0]\n"
         "normal = [1, 0, 0]\nmotion = { type = \"constant\", velocity = [1, 0, 0] }\n"
         "[[shape]]\nname = \"right\"\ntype = \"half_plane\"\npoint = [1, 0, 0]\n"
         "normal = [-1, 0, 0]\nmotion = { type = \"constant\", velocity = [-1, 0, 0] }\n" +
         bodies;
}

StepReport last_report(const std::string& text) {
  const Scene scene = read_scene(text);
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
  StepReport report;
  for (int k = 0; k < 40 && report.can_go_on(); ++k) report = stepper->step();
  return report;
}

void expect_named(const StepReport& report, const std::vector<std::string>& names) {
  EXPECT_FALSE(report.can_go_on());
  for (const std::string& name : names) {
    const std::size_t place = report.message.find(name);
    EXPECT_NE(place, std::string::npos) << report.message;
    EXPECT_EQ(report.message.find(name, place + 1), std::string::npos) << report.message;
  }
}

const std::string kInelastic = "[[material]]\nname = \"default\"\nrestitution = 0\n";
const std::string kSolid =
    "[[solid]]\nname = \"cube\"\ntype = \"box\"\nsize = [0.4, 0.4, 0.4]\n"
    "[[body]]\nname = \"nut\"\nsolid = \"cube\"\ndensity = 1000\nposition = [0, 0, 0]\n";
const std::string kBall = "[[body]]\nname = \"nut\"\nradius = 0.2\nposition = [0.3, 0, 0]\n";
const std::string kLargeBall =
    "[[body]]\nname = \"nut\"\nradius = 0.99\nposition = [0.003, 0, 0]\n";

TEST(SqueezeUnderEvents, OfASolidNamesTheBodyAndTheWalls) {
  const StepReport report = last_report(closing_walls(kInelastic, kSolid));
  EXPECT_EQ(report.status, ImpactStatus::infeasible);
  expect_named(report, {"nut", "left", "right"});
  EXPECT_NE(report.message.find("at time 0.79"), std::string::npos) << report.message;
}

TEST(SqueezeUnderEvents, OfABallThatDoesNotBounceNamesTheBallAndTheWalls) {
  for (const char* const more : {"", "turns = true\n"}) {
    const StepReport report = last_report(closing_walls(kInelastic, kBall + more));
    EXPECT_EQ(report.status, ImpactStatus::infeasible);
    expect_named(report, {"nut", "left", "right"});
  }
}

// It bounces between them faster and faster, without end. It nearly fills the room, so that this
// comes soon.
TEST(SqueezeUnderEvents, OfAnElasticBallNamesTheBallAndTheWalls) {
  expect_named(last_report(closing_walls("", kLargeBall)), {"nut", "left", "right"});
  const StepReport turning = last_report(closing_walls("", kLargeBall + "turns = true\n"));
  EXPECT_EQ(turning.status, ImpactStatus::diverged);
  EXPECT_NE(turning.message.find("pile up"), std::string::npos) << turning.message;
  expect_named(turning, {"nut", "left", "right"});
}

// What only balls that do not turn have is refused by name, not left aside.
TEST(SolidEventSettings, WhatSolidsDoNotHaveIsRefusedByName) {
  const auto fault_of = [](const std::string& events) {
    try {
      static_cast<void>(read_scene(closing_walls("[events]\n" + events, kSolid)));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(fault_of("queue = \"heap\"\n"), "accepted");
  EXPECT_EQ(
      fault_of("contact_duration = 0\n"),
      "line 5:20: events.contact_duration: must be above 0 where a body turns or a shape is a "
      "solid, found 0");
  EXPECT_EQ(fault_of("contact_duration = 0.001\n"), "accepted");
}

}  // namespace
}  // namespace carom
