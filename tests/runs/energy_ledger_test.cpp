// What a run's energy amounts to: losses are no drift, and what impacts gain is said.

#include "carom/runs/energy_ledger.h"

#include <gtest/gtest.h>

#include "carom/runs/scene_run.h"

namespace carom {
namespace {

StepReport after(double kinetic, double potential, double dissipated = 0.0, double work = 0.0) {
  StepReport report;
  report.totals.kinetic = kinetic;
  report.totals.potential = potential;
  report.dissipated = dissipated;
  report.external_work = work;
  return report;
}

TEST(EnergyLedger, LossesAndWorkAreAccountedFor) {
  EnergyLedger ledger;
  ledger.add(after(50.0, 10.0));
  ledger.add(after(30.0, 5.0, 25.0));
  ledger.add(after(42.0, 5.0, 0.0, 12.0));
  EXPECT_EQ(ledger.start(), 60.0);
  EXPECT_EQ(ledger.now(), 47.0);
  EXPECT_EQ(ledger.lost(), 25.0);
  EXPECT_EQ(ledger.work(), 12.0);
  EXPECT_EQ(ledger.gained(), 0.0);
  EXPECT_EQ(ledger.available(), 67.0);
  EXPECT_EQ(ledger.unaccounted(), 0.0);
}

TEST(EnergyLedger, WhatDragTakesIsLeftOver) {
  EnergyLedger ledger;
  ledger.add(after(50.0, 0.0));
  ledger.add(after(40.0, 0.0));
  EXPECT_DOUBLE_EQ(ledger.unaccounted(), -0.2);
}

// A cube that rests: its impacts give and take a rounding of its energy, at no kinetic energy.
TEST(EnergyLedger, TheRoundingOfWhatRestsIsNoGain) {
  EnergyLedger ledger;
  ledger.add(after(0.0, 4.6));
  ledger.add(after(1e-32, 4.6, -4.4e-16));
  EXPECT_EQ(ledger.gained(), 0.0);
  ledger.add(after(1e-32, 4.6, -1e-12));
  EXPECT_EQ(ledger.gained(), 1e-12);
}

// jacobi bounces a ball from two others at once as if each were alone, and makes energy.
TEST(EnergyLedger, WhatAnOperatorGainsIsNoLoss) {
  const Scene scene = read_scene(R"toml(kind = "scene"
[impact]
operator = "jacobi"
[time]
step = 0.01
duration = 0.6
[[body]]
position = [0.0, 3.0]
velocity = [0.0, -2.0]
radius = 1.0
[[body]]
position = [-1.0, 0.8]
radius = 1.0
[[body]]
position = [1.0, 0.8]
radius = 1.0
)toml");
  const MemoryRun run = run_in_memory(scene);
  const EnergyLedger& ledger = run.summary.statistics.energy();
  EXPECT_GT(ledger.gained(), 0.1 * ledger.available());
  EXPECT_NEAR(ledger.now(), ledger.start() + ledger.gained(), 1e-12 * ledger.now());
  EXPECT_NEAR(ledger.unaccounted(), 0.0, 1e-12);
}

TEST(EnergyLedger, OfAnInelasticRunNothingIsUnaccounted) {
  const Scene scene = read_scene(R"toml(kind = "scene"
[world]
gravity = 9.81
[time]
step = 0.005
duration = 2.0
[[material]]
name = "default"
restitution = 0.6
[[shape]]
type = "half_plane"
point = [0.0, 0.0]
normal = [0.0, 1.0]
[[body]]
position = [0.0, 2.0]
radius = 0.5
)toml");
  const MemoryRun run = run_in_memory(scene);
  const EnergyLedger& ledger = run.summary.statistics.energy();
  EXPECT_GT(ledger.lost(), 0.5 * ledger.available());
  EXPECT_NEAR(ledger.unaccounted(), 0.0, 1e-12);
}

}  // namespace
}  // namespace carom
