// Steps that take long: stopped within, gone on with to the same bits, and given up when too little
// time passes for the work.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/stepper.h"
#include "carom/scene/scene.h"

namespace carom::asynchronous {
namespace {

constexpr const char* kCloth = R"(kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
scheme = "asynchronous"
step = 0.1
duration = 0.4
[[surface]]
name = "cloth"
type = "rectangle"
size = [0.5, 0.5]
counts = [6, 6]
thickness = 0.02
area_density = 0.2
stretching = 100
stretching_damping = 0.02
bending = 1e-4
velocity = [0, 0, -2]
[[body]]
name = "ball"
position = [0.013, 0.007, -0.1]
radius = 0.05
[[lead]]
body = "ball"
)";

Simulation cloth(const std::vector<std::string>& settings = {}) {
  return read_scene(kCloth, "cloth.toml", settings).simulation;
}

void expect_same_sums(const StepReport& a, const StepReport& b) {
  EXPECT_EQ(a.external_work, b.external_work);
  EXPECT_EQ(a.dissipated, b.dissipated);
  for (const std::size_t number : {OwnNumber::kLostToDamping, OwnNumber::kTakenZ,
                                   OwnNumber::kForceKicks, OwnNumber::kContactTicks}) {
    EXPECT_EQ(a.own[number], b.own[number]) << number;
  }
}

TEST(LongSteps, StopWithinAndGoOnToTheSameBits) {
  const Simulation simulation = cloth();
  AsynchronousStepper whole(simulation);
  static_cast<void>(whole.step());
  const StepReport expected = whole.step();
  ASSERT_TRUE(expected.can_go_on()) << expected.message;

  AsynchronousStepper stopped(simulation);
  ASSERT_TRUE(stopped.step().can_go_on());
  const std::uint64_t before = state_hash(stopped.state());
  int asked = 0;
  stopped.watch_within([&](const StepProgress& inside) {
    EXPECT_GE(inside.time, 0.1);
    EXPECT_GT(inside.events, 0U);
    return ++asked % 3 != 0;
  });
  StepReport report = stopped.step();
  EXPECT_EQ(report.failure, kStoppedWithin);
  EXPECT_FALSE(report.can_go_on());
  EXPECT_EQ(state_hash(stopped.state()), before);
  EXPECT_EQ(stopped.state().step, 1U);

  // What it saves goes on from within the step, and so does it itself.
  AsynchronousStepper resumed(simulation);
  resumed.load(stopped.save());
  EXPECT_EQ(state_hash(resumed.state()), before);
  EXPECT_EQ(resumed.state().step, 1U);
  int stops = 1;
  for (; report.failure == kStoppedWithin && stops < 1000; ++stops) report = stopped.step();
  EXPECT_GT(stops, 1);
  EXPECT_EQ(state_hash(stopped.state()), state_hash(whole.state()));
  expect_same_sums(report, expected);
  const StepReport again = resumed.step();
  EXPECT_EQ(state_hash(resumed.state()), state_hash(whole.state()));
  expect_same_sums(again, expected);
}

TEST(LongSteps, RefuseACheckpointThatEndsWithinItsState) {
  const Simulation simulation = cloth();
  AsynchronousStepper stepper(simulation);
  stepper.watch_within([](const StepProgress&) { return false; });
  static_cast<void>(stepper.step());
  const std::string bytes = stepper.save();
  AsynchronousStepper other(simulation);
  EXPECT_ANY_THROW(other.load(bytes.substr(0, 400)));
}

TEST(LongSteps, EndWhereTheWorkBringsTooLittleTime) {
  // A million events bring about 0.2 s here: 10 s are not to be had, 1 ms is.
  const Simulation hopeless = cloth({"asynchronous.least_progress=10", "time.step=2"});
  AsynchronousStepper slow(hopeless);
  const StepReport report = slow.step();
  EXPECT_EQ(report.failure, "no_progress");
  EXPECT_NE(report.message.find("least_progress = 10"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("nothing has crossed"), std::string::npos) << report.message;

  const Simulation modest = cloth({"asynchronous.least_progress=1e-3", "time.step=2"});
  AsynchronousStepper fast(modest);
  EXPECT_TRUE(fast.step().can_go_on());
}

}  // namespace
}  // namespace carom::asynchronous
