#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/instant.h"
#include "carom/scene/settings.h"

namespace carom {
namespace {

TEST(InstantReader, ReadsBodiesOfEveryKind) {
  const Instant instant = read_instant(R"toml(
kind = "instant"
title = "bodies"
[[body]]
name = "line"
velocity = 2
[[body]]
velocity = ["-1/3", "sqrt(2)"]
mass = 3
position = [1, 2]
[[body]]
name = "plate"
kind = "rigid_2d"
velocity = [1, 2, 3]
inertia = 0.5
position = [0, 0]
[[body]]
name = "box"
kind = "rigid_3d"
velocity = [1, 2, 3, 4, 5, 6]
inertia = [1, 2, 3]
[[body]]
name = "top"
kind = "rigid_3d"
velocity = [0, 0, 0, 0, 0, 0]
inertia = [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 1]]
[[body]]
name = "heavy"
velocity = [0, 0]
mass_matrix = [[2, 1], [1, 2]]
[[body]]
name = "wall"
fixed = true
[[body]]
name = "piston"
kind = "rigid_2d"
scripted = true
velocity = [0, 1, 0]
)toml");
  const ImpactProblem& problem = instant.problem;
  ASSERT_EQ(problem.body_count(), 8U);
  EXPECT_EQ(instant.title, "bodies");
  EXPECT_EQ(problem.velocity(0).size(), 1U);
  EXPECT_EQ(problem.body(1).name, "body-2");
  EXPECT_EQ(problem.velocity(1)[0], -1.0 / 3.0);
  EXPECT_EQ(problem.velocity(1)[1], std::sqrt(2.0));
  EXPECT_EQ(problem.body(1).mass, 3.0);
  EXPECT_EQ(problem.body(1).position[1], 2.0);
  EXPECT_EQ(problem.mass_matrix(2)[8], 0.5);
  EXPECT_EQ(problem.mass_matrix(3)[28], 2.0);  // row 4, column 4
  EXPECT_EQ(problem.mass_matrix(4)[22], 0.5);  // row 3, column 4
  EXPECT_FALSE(problem.body(5).plain_mass);
  EXPECT_TRUE(problem.body(6).scripted);
  EXPECT_EQ(problem.body(6).size, 1U);  // as the first ball
  EXPECT_TRUE(problem.body(7).scripted);
  EXPECT_EQ(problem.velocity(7)[1], 1.0);
}

TEST(InstantReader, NormalsPointFromTheSecondBodyToTheFirst) {
  const Instant instant = read_instant(R"toml(
kind = "instant"
[defaults]
restitution = 0.25
[[body]]
name = "a"
velocity = [0, 0]
position = [0, 0]
[[body]]
name = "b"
velocity = [0, 0]
position = [3, 4]
[[contact]]
bodies = ["a", "b"]
[[contact]]
name = "floor"
bodies = ["a"]
normal = [0, 2]
restitution = 1
friction = 0.5
stiffness = 2
offset = 0.125
)toml");
  const ImpactProblem& problem = instant.problem;
  ASSERT_EQ(problem.row_count(), 2U);
  EXPECT_DOUBLE_EQ(problem.gradient_a(0)[0], -0.6);
  EXPECT_DOUBLE_EQ(problem.gradient_a(0)[1], -0.8);
  EXPECT_DOUBLE_EQ(problem.gradient_b(0)[0], 0.6);
  EXPECT_EQ(problem.row(0).restitution, 0.25);
  EXPECT_EQ(problem.row(1).body_b, kNone);
  EXPECT_EQ(problem.gradient_a(1)[1], 1.0);  // made a unit vector
  EXPECT_EQ(problem.row(1).restitution, 1.0);
  EXPECT_EQ(problem.row(1).friction, 0.5);
  EXPECT_EQ(problem.row(1).stiffness, 2.0);
  EXPECT_EQ(problem.row(1).offset, 0.125);
}

TEST(InstantReader, ReadsRawRows) {
  const Instant instant = read_instant(R"toml(
kind = "instant"
[[body]]
name = "a"
velocity = [0, 0]
[[body]]
name = "b"
velocity = 0
[[row]]
name = "odd"
bodies = ["a", "b"]
gradient = [[1, 2], [-3]]
tangents = [[[2, -1], [0]]]
tangent_offsets = [0.5]
friction = 0.1
)toml");
  const ImpactProblem& problem = instant.problem;
  ASSERT_EQ(problem.row_count(), 1U);
  EXPECT_EQ(problem.gradient_a(0)[1], 2.0);
  EXPECT_EQ(problem.gradient_b(0)[0], -3.0);
  ASSERT_EQ(problem.row(0).tangent_count, 1U);
  EXPECT_EQ(problem.tangent_a(0, 0)[1], -1.0);
  EXPECT_EQ(problem.tangent_offset(0, 0), 0.5);
}

TEST(InstantReader, EverySettingHasAKeyThatReadsBack) {
  std::string text = "kind = \"instant\"\n[impact]\n";
  text += "operator = \"gauss_seidel:order=worst\"\n";
  text += "restitution_model = \"propagated\"\nfriction_model = \"collision\"\n";
  text += "restitution_end = \"poisson\"\nseveral_rows_friction = \"box\"\n";
  text += "energy_correction = \"velocity_renormalisation\"\nanti_locking = \"eager\"\n";
  text += "mixed_restitution = \"direct\"\ntolerance = 1e-08\nmax_applications = 7\n";
  text += "anti_locking_after = 8\nlineality_threshold = 1e-05\nlayer_applications = 9\n";
  text += "friction_passes = 3\ncertificate = true\n[[body]]\nvelocity = 0\n";
  const ImpactSettings settings = read_instant(text).settings;
  EXPECT_EQ(settings.impact_operator, "gauss_seidel:order=worst");
  EXPECT_EQ(settings.restitution_model, "propagated");
  EXPECT_EQ(settings.friction_model, "collision");
  EXPECT_EQ(settings.restitution_end, RestitutionEnd::poisson);
  EXPECT_EQ(settings.several_rows_friction, "box");
  EXPECT_EQ(settings.energy_correction, EnergyCorrection::velocity_renormalisation);
  EXPECT_EQ(settings.anti_locking, AntiLocking::eager);
  EXPECT_EQ(settings.mixed_restitution, MixedRestitution::direct);
  EXPECT_EQ(settings.tolerance, 1e-8);
  EXPECT_EQ(settings.max_applications, 7U);
  EXPECT_EQ(settings.anti_locking_after, 8U);
  EXPECT_EQ(settings.lineality_threshold, 1e-5);
  EXPECT_EQ(settings.layer_applications, 9U);
  EXPECT_EQ(settings.friction_passes, 3U);
  EXPECT_TRUE(settings.certificate);
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    EXPECT_NE(text.find(info.key + " = "), std::string::npos)
        << "this test does not know " << info.key;
    EXPECT_NE(text.find(info.key + " = " + impact_setting_text(settings, info.key)),
              std::string::npos)
        << info.key;
  }
}

TEST(InstantReader, AnOperatorsOwnExpectationsReplaceTheGeneralOnes) {
  const Instant instant = read_instant(R"toml(
kind = "instant"
[impact]
operators = ["gr", "lcp"]
[[body]]
name = "a"
velocity = 1
[[body]]
name = "b"
velocity = 0
[[contact]]
name = "touch"
bodies = ["b", "a"]
normal = 1
[expect]
status = "resolved"
tolerance = 1e-9
laws = ["ONE", "MOM"]
energy = 0
[expect.velocity]
a = 0
b = 1
[expect.lcp]
status = "still_closing"
applications = 1
velocity = { a = 0.5 }
impulse = { touch = "1/2" }
energy = [-1, 0]
)toml");
  ASSERT_EQ(instant.expectations.size(), 2U);
  const Expectation& gr = instant.expectations[0];
  const Expectation& lcp = instant.expectations[1];
  EXPECT_EQ(gr.status, ImpactStatus::resolved);
  EXPECT_EQ(gr.velocities.size(), 2U);
  EXPECT_EQ(gr.energy->first, -1e-9);
  EXPECT_TRUE(gr.impulses.empty());
  EXPECT_EQ(lcp.status, ImpactStatus::still_closing);
  EXPECT_EQ(lcp.applications, 1U);
  EXPECT_EQ(lcp.tolerance, 1e-9);
  EXPECT_EQ(lcp.laws.size(), 2U);
  EXPECT_EQ(lcp.energy->first, -1.0);
  ASSERT_EQ(lcp.velocities.size(), 2U);
  for (const Expectation::Velocity& velocity : lcp.velocities) {
    EXPECT_EQ(velocity.value[0], velocity.body == 0 ? 0.5 : 1.0);
  }
  ASSERT_EQ(lcp.impulses.size(), 1U);
  EXPECT_EQ(lcp.impulses[0].value, 0.5);
}

TEST(InstantReader, ParametersOfAChecksKeepTheirTypesAndPlaces) {
  const Instant instant = read_instant(R"toml(kind = "instant"
[check]
name = "anything"
size = 3
angle = "30 deg"
list = ["1/2", 2]
names = ["gr", "qce"]
[check.slow]
size = 300
)toml",
                                       "f.toml");
  EXPECT_EQ(instant.check, "anything");
  EXPECT_EQ(instant.parameters.count("size"), 3U);
  EXPECT_EQ(instant.slow_parameters.count("size"), 300U);
  EXPECT_NEAR(instant.parameters.number("angle"), 0.5235987755982988, 1e-15);
  EXPECT_EQ(instant.parameters.numbers("list"), (std::vector<double>{0.5, 2.0}));
  EXPECT_EQ(instant.parameters.texts("names"), (std::vector<std::string>{"gr", "qce"}));
  try {
    instant.parameters.demand_only({"size", "angle", "list", "nemas"});
    FAIL() << "an unknown key was let through";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, "f.toml");
    EXPECT_EQ(error.place().line, 7);
    EXPECT_EQ(error.place().key, "check.names");
  }
  EXPECT_THROW(static_cast<void>(instant.parameters.number("missing")), InputError);
  EXPECT_THROW(static_cast<void>(instant.parameters.number("names")), InputError);
}

}  // namespace
}  // namespace carom
