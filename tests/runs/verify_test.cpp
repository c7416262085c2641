#include "carom/runs/verify.h"

#include <gtest/gtest.h>

#include "runs/edited_record.h"

namespace carom {
namespace {

using test::EditedRecord;

constexpr const char* kScene = R"toml(
kind = "scene"
title = "balls in a drum"
[world]
gravity = 1.0
[time]
step = 0.01
duration = 3.0
[[shape]]
type = "sphere_inside"
center = [0.0, 0.0]
radius = 6.0
[[grid]]
counts = [4, 4]
spacing = 2.2
radius = 1.0
velocity_random = 2.0
[record]
every = 7
impulses = true
checkpoint_every = 50
[expect]
status = "completed"
energy_drift = 1e-11
)toml";

TEST(Verify, FindsTheSameBitsAndSeesOthers) {
  const Scene scene = read_scene(kScene, "drum.toml");
  const MemoryRun run = run_in_memory(scene);
  const Verification same = verify_record(*run.record);
  EXPECT_FALSE(same.first_different);
  EXPECT_EQ(same.steps, 301U);

  // A recording of another scene, which claims to be of this one.
  const std::vector<std::string> other = {"material.default.restitution=0.9999999"};
  const MemoryRun lossy = run_in_memory(read_scene(kScene, "drum.toml", other));
  EditedRecord forged(*lossy.record);
  forged.own_header.scene_text = kScene;
  const Verification different = verify_record(forged);
  ASSERT_TRUE(different.first_different);
  EXPECT_GT(*different.first_different, 1U) << "alike until the first impact";
  EXPECT_EQ(different.what, "the state");
  EXPECT_TRUE(different.state_differs);
}

TEST(Verify, SeesWhatWasChangedInTheFile) {
  const MemoryRun run = run_in_memory(read_scene(kScene, "drum.toml"));
  const std::size_t frames = run.record->frame_times().size();
  EXPECT_EQ(verify_record(*run.record).frames, frames);
  const auto expect = [&](std::uint64_t step, const std::string& what, auto&& edit) {
    EditedRecord record(*run.record);
    edit(record);
    const Verification outcome = verify_record(record);
    ASSERT_TRUE(outcome.first_different) << what;
    EXPECT_EQ(*outcome.first_different, step) << what;
    EXPECT_EQ(outcome.what.substr(0, what.size()), what);
    EXPECT_FALSE(outcome.state_differs);
  };
  // A frame every seven steps.
  expect(35, "the frame", [](EditedRecord& r) { r.edited = 5, r.position = true; });
  expect(0, "the frame", [](EditedRecord& r) { r.edited = 0, r.velocity = true; });
  expect(21, "the frame, which cannot be read: is damaged",
         [](EditedRecord& r) { r.unreadable = 3; });
  expect(300, "the frame, which is missing", [](EditedRecord& r) { r.own_times.pop_back(); });
  expect(300, "a frame that the run does not have",
         [](EditedRecord& r) { r.own_times.push_back(4.0); });
  expect(123, "the diagnostics 'kinetic'",
         [](EditedRecord& r) { r.edited = 123, r.column = "kinetic"; });
  const ContactEvent event = run.record->events()[10];
  expect(event.step, "the contact events",
         [](EditedRecord& r) { r.own_events[10].impulse[0] += 1e-9; });
  expect(run.record->events().back().step, "the contact events",
         [](EditedRecord& r) { r.own_events.pop_back(); });
  expect(300, "contact events that the run does not have", [](EditedRecord& r) {
    r.own_events.push_back(r.own_events.back());
    r.own_events.back().step = 300;
  });
}

}  // namespace
}  // namespace carom
