#include "carom/measures/settled.h"

#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

// A block slides at 1 m/s over a table with friction 0.5: it stops after v / (mu g) = 0.2 s.
std::string block(const std::string& further) {
  return R"toml(
kind = "scene"
[world]
gravity = 10
[time]
step = 0.01
duration = 1.5
[[material]]
name = "default"
restitution = 0
friction = 0.5
[[solid]]
name = "block"
type = "box"
size = [1, 0.2]
[[shape]]
name = "table"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
[[body]]
solid = "block"
position = [0, 0.1]
velocity = [1, 0]
)toml" + further;
}

Settled settled_of(const std::string& text) {
  const Scene scene = read_scene(text, "settled.toml");
  const MemoryRun run = run_in_memory(scene);
  const std::optional<Settled> settled = settled_state(*run.record, scene);
  EXPECT_TRUE(settled.has_value());
  return settled.value_or(Settled{});
}

TEST(Settled, ABlockThatStopsHasSettledSinceThen) {
  const Settled settled = settled_of(block("[measure]\nsettled = { speed = 1e-6, time = 1 }\n"));
  EXPECT_TRUE(settled.is_settled);
  EXPECT_NEAR(settled.since, 0.2, 0.011);
  EXPECT_LE(settled.fastest, 1e-6);
  EXPECT_TRUE(describe(settled).starts_with("settled since 0.2"));
}

TEST(Settled, ItCountsOnlyAfterTheTime) {
  const Settled settled = settled_of(block("[measure]\nsettled = { speed = 1e-6, time = 1.4 }\n"));
  EXPECT_FALSE(settled.is_settled);
  EXPECT_NEAR(settled.since, 0.2, 0.011);
  EXPECT_TRUE(describe(settled).find("less than the 1.4 s") != std::string::npos);
}

TEST(Settled, WhatMovesHasNot) {
  const Settled settled = settled_of(block("[impact]\nfriction_model = \"none\"\n"));
  EXPECT_FALSE(settled.is_settled);
  // It slides without friction. The half kick of gravity that its state has downwards at the end of
  // a step, h g / 2, is not shown.
  EXPECT_NEAR(settled.fastest, 1.0, 1e-12);
  EXPECT_TRUE(describe(settled).starts_with("not settled"));
}

TEST(Settled, WithoutGravityThereIsNoBoundButTheScenes) {
  std::string text = block("");
  text.replace(text.find("gravity = 10"), 12, "gravity = 0");
  EXPECT_FALSE(settled_bound(read_scene(text, "s.toml")).has_value());
  text += "[measure]\nsettled = { speed = 0.5, time = 2 }\n";
  const Scene scene = read_scene(text, "s.toml");
  ASSERT_TRUE(settled_bound(scene).has_value());
  EXPECT_EQ(settled_bound(scene)->speed, 0.5);
  const Scene again = read_scene(write_scene(scene), "again.toml");
  EXPECT_EQ(again.measure.settled->speed, 0.5);
  EXPECT_EQ(again.measure.settled->time, 2.0);
  EXPECT_THROW((void)read_scene(block("[measure]\nsettled = { speed = 1 }\n"), "s.toml"),
               InputError);
}

}  // namespace
}  // namespace carom
