// The papers' engine as a setting of the scheme.

#include <string>

#include <gtest/gtest.h>

#include "carom/asynchronous/scheme_settings.h"
#include "carom/asynchronous/stepper.h"
#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"

namespace carom::asynchronous {
namespace {

constexpr const char* kCloth = R"toml(
kind = "scene"
title = "A cloth on a ball"
[time]
scheme = "asynchronous"
step = 0.005
duration = 0.1
[asynchronous]
engine = "reference"
friction_model = "printed"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[[material]]
name = "felt"
restitution = 0.7
friction = 0.3
[[surface]]
name = "cloth"
material = "felt"
type = "rectangle"
size = [0.4, 0.4]
counts = [5, 5]
thickness = 0.02
area_density = 0.2
stretching = 50
stretching_damping = 0.1
bending = 1e-5
[[body]]
name = "ball"
material = "felt"
position = [0.03, 0.02, -0.05]
radius = 0.02
[[lead]]
body = "ball"
motion = { type = "constant", velocity = [0, 0, 1] }
)toml";

std::string with(const std::string& keys) {
  std::string text = kCloth;
  const std::string first = "engine = \"reference\"\n";
  return text.replace(text.find(first), first.size(), keys);
}

Simulation cloth(const std::string& keys = "engine = \"reference\"\n") {
  return read_scene(with(keys), "cloth.toml").simulation;
}

std::string complaint(const std::string& keys) {
  try {
    static_cast<void>(read_scene(with(keys), "cloth.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(EngineChoice, TheReferenceRunsScenesAuditedAndResumed) {
  Simulation simulation = cloth();
  simulation.settings.of<AsynchronousSettings>().audit = "motion";
  AsynchronousStepper whole(simulation);
  AsynchronousStepper resumed(simulation);
  double account = whole.own_totals()->energy();
  const double scale = whole.own_totals()->energy();
  double gap = 0.0;
  for (int k = 0; k < 20; ++k) {
    if (k == 12) resumed.load(whole.save());
    const StepReport report = whole.step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    account += report.external_work - report.dissipated;
    EXPECT_NEAR(report.totals.energy(), account, 0.02 * (std::abs(scale) + 0.01));
    gap = report.own[OwnNumber::kSmallestGap];
    if (k < 12) continue;
    const StepReport again = resumed.step();
    EXPECT_EQ(report.own, again.own);
    EXPECT_EQ(state_hash(whole.state()), state_hash(resumed.state()));
  }
  EXPECT_LT(gap, 0.03);
}

// Until they touch: restitution is not the same law.
TEST(EngineChoice, ItsClocksMayBeThoseOfTheFastEngine) {
  const Simulation nested = cloth("engine = \"reference\"\nclocks = \"nested\"\n");
  const Simulation fast = cloth("engine = \"fast\"\n");
  AsynchronousStepper a(nested);
  AsynchronousStepper b(fast);
  for (int k = 0; k < 3; ++k) {
    static_cast<void>(a.step());
    static_cast<void>(b.step());
  }
  for (std::size_t i = 0; i < a.state().position.size(); ++i) {
    EXPECT_LT(norm(a.state().position[i] - b.state().position[i]), 1e-11) << i;
  }
  EXPECT_THROW(a.load(b.save()), InputError);
}

TEST(EngineChoice, KeysAreReadWrittenAndRefused) {
  const std::string keys =
      "engine = \"reference\"\nclocks = \"restarted\"\nsupports = false\n"
      "vague_trajectories = false\nhierarchy = false\nenvelopes = false\nadaptive_axes = false\n";
  const Scene scene = read_scene(with(keys), "cloth.toml");
  const std::string written = write_scene(scene);
  const auto& again = read_scene(written, "w.toml").simulation.settings.of<AsynchronousSettings>();
  EXPECT_EQ(again.engine, "reference");
  EXPECT_EQ(again.clocks, "restarted");
  EXPECT_FALSE(again.supports || again.vague_trajectories || again.hierarchy || again.envelopes ||
               again.adaptive_axes);
  EXPECT_NE(complaint("hierarchy = false\n").find("asynchronous.hierarchy: is a mechanism of the"),
            std::string::npos)
      << complaint("hierarchy = false\n");
  EXPECT_NE(complaint("clocks = \"own\"\nengine = \"slow\"\n").find("reference"),
            std::string::npos);
  std::string anchored = with("engine = \"reference\"\n");
  anchored.replace(anchored.find("printed"), 7, "anchored");
  try {
    static_cast<void>(read_scene(anchored, "cloth.toml"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("asynchronous.friction_model"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace carom::asynchronous
