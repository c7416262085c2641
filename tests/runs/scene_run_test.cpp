#include "carom/runs/scene_run.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/page/run_views.h"
#include "carom/recording/writer.h"
#include "carom/runs/scene_check.h"

#include "runs/edited_record.h"

namespace carom {
namespace {

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

class SceneRun : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("carom-run-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return directory_ / name;
  }

 private:
  std::filesystem::path directory_;
};

// Stops after a number of steps of this process.
class StopAfter final : public RunObserver {
 public:
  explicit StopAfter(std::uint64_t step) : step_(step) {}
  bool on_step(const RunProgress& progress) override {
    return progress.statistics->steps() < step_;
  }

 private:
  std::uint64_t step_;
};

void expect_same_record(const RunRecord& a, const RunRecord& b) {
  ASSERT_EQ(a.frame_times(), b.frame_times());
  for (std::size_t k = 0; k < a.frame_times().size(); ++k) {
    EXPECT_EQ(a.frame(k).positions, b.frame(k).positions) << "frame " << k;
    EXPECT_EQ(a.frame(k).velocities, b.frame(k).velocities) << "frame " << k;
  }
  for (const DiagnosticColumn& column : a.header().columns) {
    if (column.type == ColumnType::real) {
      EXPECT_EQ(a.real_column(column.name), b.real_column(column.name)) << column.name;
    } else {
      EXPECT_EQ(a.integer_column(column.name), b.integer_column(column.name)) << column.name;
    }
  }
  EXPECT_EQ(a.events(), b.events());
}

TEST_F(SceneRun, AFileHoldsWhatMemoryHolds) {
  const Scene scene = read_scene(kScene, "drum.toml");
  const MemoryRun memory = run_in_memory(scene);
  const RunSummary summary = record_scene(scene, path("a.h5"));
  EXPECT_EQ(summary.end.status, RunStatus::finished);
  EXPECT_EQ(summary.statistics.steps(), 300U);
  const FileRecord file(open_recording(path("a.h5")));
  expect_same_record(*memory.record, file);
  EXPECT_GT(file.events().size(), 20U);
  EXPECT_EQ(file.frame_times().size(), 44U) << "0, 7, ..., 294 and the last step";
}

TEST_F(SceneRun, InterruptedAndResumedAtTenRandomStepsIsTheSameRun) {
  const Scene scene = read_scene(kScene, "drum.toml");
  record_scene(scene, path("whole.h5"));
  const FileRecord whole(open_recording(path("whole.h5")));
  Random random(8);
  for (int trial = 0; trial < 10; ++trial) {
    const auto stop = static_cast<std::uint64_t>(random.uniform(1, 299));
    const std::filesystem::path file = path("part" + std::to_string(trial) + ".h5");
    StopAfter observer(stop);
    RunOptions options;
    options.observer = &observer;
    const RunSummary first = record_scene(scene, file, options);
    ASSERT_EQ(first.end.status, RunStatus::interrupted);
    ASSERT_EQ(first.statistics.steps(), stop);
    const RunSummary second = resume_recording(file);
    EXPECT_EQ(second.end.status, RunStatus::finished);
    EXPECT_EQ(second.statistics.energy_drift(), recorded_statistics(whole).energy_drift());
    expect_same_record(whole, FileRecord(open_recording(file)));
  }
}

TEST_F(SceneRun, ADamagedRecordingIsNotMadeWorseByAResume) {
  const Scene scene = read_scene(kScene, "drum.toml");
  StopAfter observer(200);
  RunOptions options;
  options.observer = &observer;
  record_scene(scene, path("d.h5"), options);
  // The numbers of a frame fill most of the file: spoil one byte after the other until one matters.
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path("d.h5")));
  bool refused = false;
  for (std::streamoff at = size / 3; at < size && !refused; at += size / 40) {
    std::filesystem::copy_file(path("d.h5"), path("spoilt.h5"),
                               std::filesystem::copy_options::overwrite_existing);
    std::fstream file(path("spoilt.h5"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.write("\x5a\xa5\x5a\xa5", 4);
    file.close();
    try {
      resume_recording(path("spoilt.h5"));
    } catch (const InputError&) {
      refused = true;
      EXPECT_FALSE(std::filesystem::exists(journal_path(path("spoilt.h5"))));
    }
  }
  EXPECT_TRUE(refused);
}

TEST_F(SceneRun, ARecordingWithOtherColumnsIsNotContinued) {
  const Scene scene = read_scene(kScene, "drum.toml");
  StopAfter observer(100);
  RunOptions options;
  options.observer = &observer;
  record_scene(scene, path("now.h5"), options);
  const FileRecord now(open_recording(path("now.h5")));
  RecordingHeader header = now.header();
  std::erase_if(header.columns, [](const auto& column) { return column.name == "substeps"; });
  RecordingWriter writer = RecordingWriter::create(path("before.h5"), header);
  writer.append_checkpoint(now.reader().checkpoint(0));
  writer.finish(now.end());
  try {
    resume_recording(path("before.h5"));
    FAIL() << "other columns";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("another version of Carom"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(journal_path(path("before.h5"))));
}

TEST_F(SceneRun, AnyNumberOfThreadsGivesTheSameBits) {
  // Many components at once, and more balls than one stretch of the detection.
  const std::vector<std::string> wide = {
      "grid=[{counts=[90,60],spacing=2.1,radius=1.0,velocity_random=6.0}]",
      "shape=[{type=\"box_inside\",lower=[-100,-70],upper=[100,70]}]", "time.duration=0.05"};
  const Scene scene = read_scene(kScene, "drum.toml", wide);
  for (const char* name : {"gr", "gauss_seidel:order=random,seed=2", "qce"}) {
    RunOptions options;
    options.impact_operator = name;
    const MemoryRun one = run_in_memory(scene, options);
    EXPECT_GT(one.summary.statistics.rows_most(), 500U);
    for (const unsigned threads : {2U, 3U}) {
      options.threads = threads;
      const MemoryRun several = run_in_memory(scene, options);
      expect_same_record(*one.record, *several.record);
    }
  }
}

TEST_F(SceneRun, ARunThatCannotGoOnKeepsWhatItHas) {
  const std::string squeeze = R"toml(
kind = "scene"
[time]
step = 0.01
duration = 5.0
[[material]]
name = "default"
restitution = 0.0
[[shape]]
name = "anvil"
type = "half_plane"
point = [0.0, 0.0]
normal = [1.0, 0.0]
[[shape]]
name = "press"
type = "half_plane"
point = [3.0, 0.0]
normal = [-1.0, 0.0]
motion = { type = "constant", velocity = [-1.0, 0.0] }
[[body]]
name = "nut"
position = [1.0, 0.0]
radius = 0.5
[expect]
status = "stopped"
impact_status = "infeasible"
)toml";
  const Scene scene = read_scene(squeeze, "squeeze.toml");
  const RunSummary summary = record_scene(scene, path("s.h5"));
  EXPECT_EQ(summary.end.status, RunStatus::failed);
  EXPECT_NE(summary.end.reason.find("nut"), std::string::npos) << summary.end.reason;
  EXPECT_NE(summary.end.reason.find("press"), std::string::npos) << summary.end.reason;
  const FileRecord file(open_recording(path("s.h5")));
  EXPECT_GT(file.frame_times().size(), 100U);
  EXPECT_TRUE(all_passed(judge_run(scene.expectations[0], file)));
}

TEST_F(SceneRun, WhatAShortenedRunDoesNotReachIsNotJudged) {
  const std::string text = std::string(kScene) + "position = { grid-1-1 = [0, 0] }\n" +
                           "[[expect.at]]\ntime = 2.1\nposition = { grid-1-1 = [0, 0] }\n" +
                           "[[expect.symmetry]]\nmirror = \"x\"\nerror_at_most = 1\ntime = 2.1\n";
  const std::vector<std::string> shorter = {"time.duration=1"};
  const Scene scene = read_scene(text, "drum.toml", shorter);
  EXPECT_EQ(read_scene(scene.text).expectations[0].states.size(), 2U) << "as a recording keeps it";
  const MemoryRun run = run_in_memory(scene);
  const std::vector<Claim> claims = judge_run(scene.expectations[0], *run.record);
  std::vector<std::string> unjudged;
  for (const Claim& claim : claims) {
    if (!claim.unjudged.empty()) unjudged.push_back(describe(claim));
  }
  EXPECT_EQ(unjudged, (std::vector<std::string>{
                          "position of grid-1-1 at time 2.1: not reached, the run ends at 1",
                          "mirror error at time 2.1: not reached, the run ends at 1"}));
  EXPECT_FALSE(all_passed(claims)) << "the position at the end is judged";
  SceneExpectation later = scene.expectations[0];
  later.states.erase(later.states.begin());
  EXPECT_TRUE(all_passed(judge_run(later, *run.record)));

  // The same by --steps, and what is reached is judged.
  RunOptions steps;
  steps.steps = 100;
  EXPECT_TRUE(all_passed(judge_run(later, *run_in_memory(read_scene(text), steps).record)));
  EXPECT_FALSE(all_passed(judge_run(later, *run_in_memory(read_scene(text)).record)));
  // The file itself must not contradict itself.
  const std::vector<std::string> other = {"world.gravity=2", "expect.at=[{time=9}]"};
  EXPECT_THROW(static_cast<void>(read_scene(text, "drum.toml", other)), InputError);
}

TEST_F(SceneRun, ARunThatStoppedByItselfFailsWhatItDidNotReach) {
  RunOptions steps;
  steps.steps = 100;
  const MemoryRun run = run_in_memory(read_scene(kScene), steps);
  SceneExpectation expectation;
  expectation.states.resize(1);
  expectation.states[0].time = 2.0;
  expectation.states[0].positions = {{0, {}}};
  EXPECT_TRUE(all_passed(judge_run(expectation, *run.record)));
  test::EditedRecord stopped(*run.record);
  stopped.own_end.status = RunStatus::failed;
  EXPECT_FALSE(all_passed(judge_run(expectation, stopped)));
}

TEST_F(SceneRun, ComparedRunsKeepTheirColourAndCountsAreWhole) {
  const Scene scene = read_scene(kScene);
  RunOptions options;
  options.steps = 20;
  const MemoryRun first = run_in_memory(scene, options);
  options.impact_operator = "lcp";
  const MemoryRun second = run_in_memory(scene, options);
  const std::vector<const RunRecord*> records = {first.record.get(), second.record.get(),
                                                 first.record.get()};
  const Figure figure = run_figure(records);
  std::vector<std::string> titles;
  for (const PlotPanel& panel : figure.panels) {
    titles.push_back(panel.title);
    ASSERT_EQ(panel.series.size(), 3U) << panel.title;
    // Series with the same label have the same colour.
    EXPECT_EQ(panel.series[0].label, "gr (1)");
    EXPECT_EQ(panel.series[1].label, "lcp");
    EXPECT_EQ(panel.series[2].label, "gr (2)");
    EXPECT_EQ(panel.whole_y, panel.title == "contacts" || panel.title == "applications");
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"energy", "momentum x", "momentum y", "contacts",
                                              "applications"}));
  for (const PageSeries& series : page_run(*first.record).series) {
    EXPECT_EQ(series.whole, series.plot == "contacts" || series.plot == "applications");
  }
}

// A ball between walls collides at known moments: every window's count over its length.
TEST_F(SceneRun, RunsUnderEventsShowTheirRateOfCollisions) {
  const char* text = R"toml(
kind = "scene"
[time]
scheme = "events"
step = 0.5
duration = 10
[[shape]]
name = "box"
type = "box_inside"
lower = [0, 0]
upper = [2, 2]
[[body]]
name = "ball"
position = [0.85, 1.0]
velocity = [1.5, 0]
radius = 0.25
)toml";
  const MemoryRun run = run_in_memory(read_scene(text));
  const std::vector<const RunRecord*> records = {run.record.get()};
  const Figure figure = run_figure(records);
  ASSERT_EQ(figure.panels.back().title, "collision rate");
  const PlotSeries& rate = figure.panels.back().series.front();
  ASSERT_EQ(rate.x.size(), 20U);
  // From wall to wall it is a second; the first time 0.6 s.
  for (std::size_t k = 0; k < rate.x.size(); ++k) {
    EXPECT_EQ(rate.y[k], k % 2 == 1 ? 2.0 : 0.0) << "until " << rate.x[k];
  }
  const MemoryRun steps = run_in_memory(read_scene(kScene), {});
  const std::vector<const RunRecord*> others = {steps.record.get()};
  EXPECT_EQ(run_figure(others).panels.back().title, "applications");
}

TEST_F(SceneRun, ExpectationsGoRed) {
  Scene scene = read_scene(kScene, "drum.toml");
  const MemoryRun run = run_in_memory(scene);
  EXPECT_TRUE(all_passed(judge_run(scene.expectations[0], *run.record)));
  scene.expectations[0].energy_drift = 0.0;
  EXPECT_FALSE(all_passed(judge_run(scene.expectations[0], *run.record)));
  SymmetryExpectation mirror;
  mirror.axis = {1, 0, 0};
  mirror.error_at_most = 1e-3;
  SceneExpectation symmetric;
  symmetric.symmetries = {mirror};
  EXPECT_FALSE(all_passed(judge_run(symmetric, *run.record))) << "random velocities";
}

TEST_F(SceneRun, TheInstantOfAStepIsTheImpactOfTheRun) {
  const char* text = R"toml(
kind = "scene"
[time]
step = 0.01
duration = 1.0
[[body]]
name = "cue"
position = [-2.0, 0.0]
velocity = [4.0, 0.0]
radius = 0.5
[[body]]
name = "eight"
position = [0.0, 0.0]
radius = 0.5
)toml";
  const Scene scene = read_scene(text, "two.toml");
  // the gap of 1 closes at 4 m/s: in step 25, which ends 0 apart, or in step 26 by round-off
  const Instant instant = instant_of_step(scene, 25);
  const Instant next = instant_of_step(scene, 26);
  const Instant& hit = instant.problem.row_count() > 0 ? instant : next;
  ASSERT_EQ(hit.problem.row_count(), 1U);
  EXPECT_EQ(hit.problem.body(0).name, "cue");
  const Instant again = read_instant(write_instant(hit), "dumped.toml");
  const ImpactResult result = resolve_impacts(again.problem, again.settings);
  EXPECT_EQ(result.velocities[2], 4.0) << "the eight ball takes it all";
  EXPECT_THROW(static_cast<void>(instant_of_step(scene, 0)), InputError);
  EXPECT_THROW(static_cast<void>(instant_of_step(scene, 101)), InputError);
}

}  // namespace
}  // namespace carom
