// Recordings of simulations that a program drives: bodies come and go, edits are seen.
#include "carom/runs/live_recording.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/page/run_views.h"
#include "carom/recording/export.h"
#include "carom/recording/recover.h"
#include "carom/runs/run_record.h"
#include "carom/runs/scene_run.h"
#include "carom/runs/verify.h"

#include "support/scratch.h"

namespace carom::test {
namespace {

constexpr const char* kScene = R"toml(
kind = "scene"
title = "balls on a floor"
[world]
gravity = [0.0, -1.0]
[time]
step = 0.01
duration = 1.0
[[shape]]
type = "half_plane"
point = [0.0, 0.0]
normal = [0.0, 1.0]
name = "floor"
[[body]]
name = "a"
position = [0.0, 0.5]
radius = 0.5
velocity = [1.0, 0.0]
[[body]]
name = "b"
position = [3.0, 0.6]
radius = 0.5
[record]
every = 10
impulses = true
)toml";

NewBody box(const Vec3& position) {
  NewBody body;
  body.name = "box";
  body.solid = std::make_shared<const Solid>(SolidDefinition(BoxSolid{{0.2, 0.2, 0.0}}), 2);
  body.position = position;
  return body;
}

void steps(LiveSimulation& simulation, int count) {
  for (int k = 0; k < count; ++k) ASSERT_TRUE(simulation.step().can_go_on());
}

// 100 steps. After 20: "ball" (id 2) joins; after 40: "a" leaves; after 60: a box (id 3) joins;
// after 80: the box leaves. The floor rises from step 40 on.
void drive(const std::filesystem::path& path, bool finishes = true) {
  const Scene scene = read_scene(kScene, "floor.toml");
  LiveSimulation simulation(scene.simulation);
  const auto recording = LiveRecording::begin(simulation, scene, path);
  steps(simulation, 20);
  LiveEdit edit = simulation.edit();
  edit.add({.name = "ball", .mass = 3.0, .radius = 0.25, .position = {6.0, 2.0}});
  simulation.apply(std::move(edit));
  steps(simulation, 20);
  edit = simulation.edit();
  edit.remove(0);
  edit.move_shape("floor", {0.0, 0.1});
  simulation.apply(std::move(edit));
  steps(simulation, 20);
  edit = simulation.edit();
  edit.add(box({9.0, 4.0}));
  simulation.apply(std::move(edit));
  steps(simulation, 20);
  edit = simulation.edit();
  edit.remove(3);
  simulation.apply(std::move(edit));
  steps(simulation, 20);
  if (finishes) {
    EXPECT_TRUE(recording->finish(simulation));
  }
}

void expect_whole(const RecordingReader& reader) {
  const RecordingHeader& header = reader.header();
  ASSERT_EQ(header.body_names, (std::vector<std::string>{"a", "b", "ball", "box"}));
  EXPECT_EQ(header.masses[2], 3.0);
  ASSERT_EQ(header.presence.size(), 4U);
  EXPECT_EQ(header.presence[0], (BodyPresence{0, 0, 40}));
  EXPECT_EQ(header.presence[1], (BodyPresence{1, 0, kStays}));
  EXPECT_EQ(header.presence[2], (BodyPresence{2, 21, kStays}));
  EXPECT_EQ(header.presence[3], (BodyPresence{3, 61, 80}));
  EXPECT_EQ(header.driven_from, 21U);
  ASSERT_EQ(reader.frame_count(), 11U);
  for (std::size_t k = 0; k < reader.frame_count(); ++k) {
    const RecordedFrame frame = reader.frame(k);
    ASSERT_EQ(frame.positions.size(), 12U);
    ASSERT_EQ(frame.orientations.size(), 16U) << "a box turns";
    for (std::size_t body = 0; body < 4; ++body) {
      EXPECT_EQ(std::isnan(frame.positions[3 * body]), !header.is_there(body, frame.step)) << k;
      EXPECT_EQ(std::isnan(frame.orientations[4 * body]), !header.is_there(body, frame.step)) << k;
    }
  }
  EXPECT_EQ(reader.frame(3).positions[6], 6.0);
  EXPECT_EQ(reader.frame(3).orientations[8], 1.0) << "a ball that does not turn";
  // "b" falls on the floor throughout, but its number in the simulation changes.
  bool b_was_hit_late = false;
  for (const ContactEvent& event : reader.events()) {
    EXPECT_TRUE(header.is_there(static_cast<std::size_t>(event.body_a), event.step));
    b_was_hit_late = b_was_hit_late || (event.body_a == 1 && event.step > 40);
  }
  EXPECT_TRUE(b_was_hit_late);
  // The floor stood until 0.4 s and has risen by 0.06 m since.
  const nlohmann::json shapes = nlohmann::json::parse(header.shapes_json);
  const nlohmann::json& offsets = shapes[0]["motion"]["offsets"];
  ASSERT_EQ(offsets.size(), 11U);
  EXPECT_EQ(offsets[4][1].get<double>(), 0.0);
  EXPECT_NEAR(offsets.back()[1].get<double>(), 0.06, 1e-15);
}

TEST(LiveRecordings, KnowWhoIsThere) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5");
  const RecordingReader reader = open_recording(scratch / "run.h5");
  EXPECT_FALSE(reader.from_journal());
  EXPECT_EQ(reader.end().status, RunStatus::finished);
  expect_whole(reader);
}

TEST(LiveRecordings, AreReadFromAJournalThatWasNeverFinished) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5", false);
  const RecordingReader reader = open_recording(scratch / "run.h5");
  EXPECT_TRUE(reader.from_journal());
  EXPECT_EQ(reader.end().status, RunStatus::crashed);
  expect_whole(reader);
  // The same in the file that is made of it.
  static_cast<void>(recover_recording(journal_path(scratch / "run.h5"), scratch / "saved.h5"));
  expect_whole(open_recording(scratch / "saved.h5"));
}

TEST(LiveRecordings, AreRecoveredWithTheirBodies) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5");
  const Recovery recovery = recover_recording(scratch / "run.h5", scratch / "saved.h5");
  EXPECT_TRUE(recovery.complete());
  expect_whole(open_recording(scratch / "saved.h5"));
}

TEST(LiveRecordings, WithoutEditsAreThoseOfTheScene) {
  const ScratchDirectory scratch;
  const Scene scene = read_scene(kScene, "floor.toml");
  static_cast<void>(record_scene(scene, scratch / "scene.h5"));
  LiveSimulation simulation(scene.simulation);
  const auto recording = LiveRecording::begin(simulation, scene, scratch / "live.h5");
  simulation.run_until(1.0);
  EXPECT_TRUE(recording->finish(simulation));
  const FileRecord expected(open_recording(scratch / "scene.h5"));
  const FileRecord live(open_recording(scratch / "live.h5"));
  EXPECT_EQ(live.header(), expected.header());
  EXPECT_EQ(live.frame_times(), expected.frame_times());
  EXPECT_EQ(live.events(), expected.events());
  EXPECT_EQ(live.integer_column("state_hash"), expected.integer_column("state_hash"));
  const Verification verified = verify_record(live);
  EXPECT_FALSE(verified.first_different) << verified.what;
  EXPECT_EQ(verified.steps, 101U);
  EXPECT_FALSE(verified.driven_from);
}

TEST(LiveRecordings, WithoutEditsGoOn) {
  const ScratchDirectory scratch;
  const Scene scene = read_scene(kScene, "floor.toml");
  static_cast<void>(record_scene(scene, scratch / "whole.h5"));
  LiveSimulation simulation(scene.simulation);
  const auto recording = LiveRecording::begin(simulation, scene, scratch / "run.h5");
  steps(simulation, 37);
  EXPECT_TRUE(recording->finish(simulation, RunStatus::interrupted));
  EXPECT_EQ(resume_recording(scratch / "run.h5").end.status, RunStatus::finished);
  const FileRecord whole(open_recording(scratch / "whole.h5"));
  const FileRecord resumed(open_recording(scratch / "run.h5"));
  EXPECT_EQ(resumed.integer_column("state_hash"), whole.integer_column("state_hash"));
}

TEST(LiveRecordings, AreVerifiedAsFarAsTheSceneGoesAndHeldAgainstTheirHashes) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5");
  const FileRecord record(open_recording(scratch / "run.h5"));
  const Verification verified = verify_record(record);
  EXPECT_FALSE(verified.first_different) << verified.what;
  EXPECT_EQ(verified.driven_from, 21U);
  EXPECT_EQ(verified.steps, 21U) << "0 to 20";
  EXPECT_EQ(verified.frames, 3U);
  // In the first two of them "a", which is gone after 40, slides on the floor: what is shown is not
  // what the state has.
  EXPECT_EQ(verified.frames_held, 6U);
  EXPECT_EQ(verified.frames_not_held, 2U);
}

TEST(LiveRecordings, OfProgramsAreNotContinued) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5");
  const std::string message =
      message_of<InputError>([&] { static_cast<void>(resume_recording(scratch / "run.h5")); });
  EXPECT_NE(message.find("was driven by a program"), std::string::npos) << message;
}

TEST(LiveRecordings, BookWhatEditsBringInAsWork) {
  const ScratchDirectory scratch;
  const Scene scene = read_scene(kScene, "floor.toml");
  LiveSimulation simulation(scene.simulation);
  const auto recording = LiveRecording::begin(simulation, scene, scratch / "run.h5");
  steps(simulation, 10);
  LiveEdit edit = simulation.edit();
  edit.state().velocity[0].x += 2.0;
  simulation.apply(std::move(edit));
  steps(simulation, 10);
  EXPECT_TRUE(recording->finish(simulation));
  const FileRecord record(open_recording(scratch / "run.h5"));
  EXPECT_TRUE(record.header().presence.empty()) << "nobody came or went";
  const std::vector<double> work = record.real_column("external_work");
  EXPECT_NEAR(work[11], 0.5 * (9.0 - 1.0), 1e-12);
  EXPECT_LT(recorded_statistics(record).energy_drift(), 1e-12);
}

TEST(LiveRecordings, BeginInTheMiddleWithTheIdsOfThatMoment) {
  const ScratchDirectory scratch;
  const Scene scene = read_scene(kScene, "floor.toml");
  LiveSimulation simulation(scene.simulation);
  steps(simulation, 5);
  LiveEdit edit = simulation.edit();
  edit.remove(0);
  simulation.apply(std::move(edit));
  const auto recording = LiveRecording::begin(simulation, scene, scratch / "run.h5");
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(LiveRecording::begin(simulation, scene, scratch / "other.h5"));
            }),
            "");
  steps(simulation, 15);
  EXPECT_TRUE(recording->finish(simulation));
  const FileRecord record(open_recording(scratch / "run.h5"));
  EXPECT_EQ(record.header().presence, (std::vector<BodyPresence>{{1, 5, kStays}}));
  const Verification verified = verify_record(record);
  EXPECT_FALSE(verified.first_different) << verified.what;
  EXPECT_EQ(verified.steps, 0U);
  EXPECT_EQ(verified.frames_held, record.frame_times().size());
}

TEST(LiveRecordings, MayBeginWithNobodyAndNoFile) {
  const ScratchDirectory scratch;
  Scene scene;
  scene.title = "a tap";
  scene.simulation.world.dimension = 2;
  scene.simulation.time.step = 0.01;
  LiveSimulation simulation(scene.simulation);
  const auto recording = LiveRecording::begin(simulation, scene, scratch / "run.h5");
  steps(simulation, 10);
  LiveEdit edit = simulation.edit();
  edit.add({.velocity = {1.0, 0.0}});
  simulation.apply(std::move(edit));
  steps(simulation, 10);
  EXPECT_TRUE(recording->finish(simulation));
  const FileRecord record(open_recording(scratch / "run.h5"));
  EXPECT_EQ(record.header().body_names, (std::vector<std::string>{"added-0"}));
  EXPECT_TRUE(std::isnan(record.frame(10).positions[0]));
  EXPECT_NEAR(record.frame(20).positions[0], 0.1, 1e-15);
  EXPECT_FALSE(verify_record(record).first_different);
  const std::vector<PageRun> runs = {page_run(record)};
  EXPECT_FALSE(make_page(kPageDataMark, runs).html.empty());
}

TEST(LiveRecordings, RefuseOtherShapes) {
  const ScratchDirectory scratch;
  const Scene scene = read_scene(kScene, "floor.toml");
  LiveSimulation simulation(scene.simulation);
  const auto recording = LiveRecording::begin(simulation, scene, scratch / "run.h5");
  LiveEdit edit = simulation.edit();
  edit.shapes().clear();
  EXPECT_THROW(simulation.apply(std::move(edit)), InputError);
  EXPECT_EQ(simulation.simulation().world.shapes.size(), 1U);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(LiveRecordings, AreExportedWithThoseThatAreThere) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5");
  const RecordingReader reader = open_recording(scratch / "run.h5");
  ExportOptions options;
  options.directory = scratch.path();
  // 2 bodies in frames 0 to 2, 3 in 3 and 4, 2 in 5 and 6, 3 in 7 and 8, 2 in 9 and 10.
  constexpr std::size_t kPoses = 3 * 2 + 2 * 3 + 2 * 2 + 2 * 3 + 2 * 2;
  const std::string csv = read_all(export_csv(reader, options)[0]);
  EXPECT_EQ(count_of(csv, "\n"), kPoses + 1);
  EXPECT_EQ(csv.find("nan"), std::string::npos);
  const std::string lammps = read_all(export_lammps(reader, options)[0]);
  EXPECT_EQ(count_of(lammps, "NUMBER OF ATOMS\n2\n"), 7U);
  EXPECT_EQ(count_of(lammps, "NUMBER OF ATOMS\n3\n"), 4U);
  EXPECT_EQ(lammps.find("nan"), std::string::npos);
  static_cast<void>(export_vtk(reader, options));
  EXPECT_NE(read_all(scratch / "carom_000004.vtp").find("NumberOfVerts=\"3\""), std::string::npos);
  EXPECT_NE(read_all(scratch / "carom_000005.vtp").find("NumberOfVerts=\"2\""), std::string::npos);
  EXPECT_NE(read_all(scratch / "carom_000007.vtp").find("NumberOfPolys=\"2\""), std::string::npos)
      << "the box";
  const std::string glb = read_all(export_glb(reader, options)[0]);
  EXPECT_EQ(count_of(glb, "\"path\":\"scale\""), 3U) << "all but b come or go";
  EXPECT_EQ(count_of(glb, "\"STEP\""), 3U);
  static_cast<void>(export_obj(reader, options));
  EXPECT_NE(read_all(scratch / "carom_000007.obj").find("o box"), std::string::npos);
  EXPECT_EQ(read_all(scratch / "carom_000009.obj").find("o box"), std::string::npos);
}

TEST(LiveRecordings, TellThePageWhenBodiesAreThere) {
  const ScratchDirectory scratch;
  drive(scratch / "run.h5");
  const PageRun run = page_run(FileRecord(open_recording(scratch / "run.h5")));
  ASSERT_EQ(run.presence.size(), 4U);
  EXPECT_EQ(run.presence[0], (std::array<double, 2>{0.0, run.times[4]}));
  EXPECT_EQ(run.presence[1], (std::array<double, 2>{0.0, run.times[10]}));
  EXPECT_EQ(run.presence[2], (std::array<double, 2>{run.times[3], run.times[10]}));
  EXPECT_EQ(run.presence[3], (std::array<double, 2>{run.times[7], run.times[8]}));
  const std::vector<PageRun> runs = {run};
  EXPECT_NE(make_page(kPageDataMark, runs).html.find("\"presence\""), std::string::npos);
}

}  // namespace
}  // namespace carom::test
