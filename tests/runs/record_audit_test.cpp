// The exact audit of recorded frames, in the library and as a command.

#include "carom/runs/record_audit.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/recording/reader.h"
#include "carom/recording/writer.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"

#include "runs/edited_record.h"
#include "support/run_command.h"

namespace carom::test {
namespace {

// A table of two triangles moves up, and a cloth falls on it.
constexpr const char* kScene = R"toml(
kind = "scene"
title = "A cloth falls on a table that rises"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
scheme = "asynchronous"
step = 0.01
duration = 0.2
[[solid]]
name = "slab"
type = "box"
size = [0.4, 0.4, 0.1]
[[shape]]
name = "table"
type = "solid"
solid = "slab"
position = [0.01, 0.02, -0.2]
motion = { type = "constant", velocity = [0, 0, 1] }
[[surface]]
name = "cloth"
type = "rectangle"
size = [1, 1]
counts = [4, 4]
thickness = 0.02
area_density = 0.2
stretching = 50
stretching_damping = 0.1
bending = 1e-5
[[body]]
name = "stone"
position = [0.03, 0.07, 0.3]
radius = 0.02
[record]
every = 2
)toml";

const RunRecord& record() {
  static const MemoryRun run = run_in_memory(read_scene(kScene, "cloth.toml"));
  return *run.record;
}

Index body_named(const std::string& name) {
  const NameList& names = record().header().body_names;
  return static_cast<Index>(std::find(names.begin(), names.end(), name) - names.begin());
}

TEST(RecordAudit, ARunPasses) {
  const RecordAudit audit = audit_record(record());
  EXPECT_FALSE(audit.fault.has_value()) << audit.fault->what;
  EXPECT_EQ(audit.frames, 11U);
  EXPECT_GT(audit.pairs, 11U);
}

TEST(RecordAudit, APositionThatWasEditedIsFoundWithNamesFrameAndTime) {
  EditedRecord edited(record());
  edited.edited = 7;
  edited.moved = body_named("stone");
  // Onto the cloth: a corner of it.
  const std::size_t other = edited.moved == 0 ? 1 : 0;
  const RecordedFrame frame = record().frame(7);
  edited.place = {frame.positions[3 * other], frame.positions[3 * other + 1],
                  frame.positions[3 * other + 2]};
  const RecordAudit audit = audit_record(edited);
  ASSERT_TRUE(audit.fault.has_value());
  EXPECT_EQ(audit.frames, 8U);
  EXPECT_EQ(audit.fault->frame, 7U);
  EXPECT_EQ(audit.fault->time, record().frame_times()[7]);
  EXPECT_NE(audit.fault->what.find("'stone'"), std::string::npos) << audit.fault->what;
}

// A chain beside the table, held at one end. Where its free end is put on the other side the chain
// goes through the table, once that has risen.
constexpr const char* kChain = R"toml(
kind = "scene"
[world]
dimension = 3
[time]
scheme = "asynchronous"
step = 0.02
duration = 0.2
[[solid]]
name = "slab"
type = "box"
size = [0.4, 0.4, 0.1]
[[shape]]
name = "table"
type = "solid"
solid = "slab"
position = [0, 0, -0.2]
motion = { type = "constant", velocity = [0, 0, 1] }
[[surface]]
name = "chain"
type = "chain"
points = [[0.3, 0.01, 0.013], [0.4, 0.02, 0.01]]
thickness = 0.02
length_density = 0.2
stretching = 50
[[surface.lead]]
vertices = [0]
)toml";

TEST(RecordAudit, ObstaclesAreWhereTheyAreAtTheFramesTime) {
  const MemoryRun run = run_in_memory(read_scene(kChain, "chain.toml"));
  EXPECT_FALSE(audit_record(*run.record).fault.has_value());
  EditedRecord edited(*run.record);
  edited.moved = 1;
  edited.place = {-0.3, -0.02, 0.011};
  edited.edited = 0;
  EXPECT_FALSE(audit_record(edited).fault.has_value());
  edited.edited = 10;
  const RecordAudit late = audit_record(edited);
  ASSERT_TRUE(late.fault.has_value());
  EXPECT_EQ(late.fault->frame, 10U);
  EXPECT_NE(late.fault->what.find("one of an obstacle"), std::string::npos) << late.fault->what;
}

TEST(RecordAudit, OtherSchemesAreRefused) {
  const Scene scene = read_scene(R"(kind = "scene"
[time]
step = 0.01
duration = 0.02
[[body]]
name = "a"
position = [0, 0]
radius = 1
)",
                                 "steps.toml");
  const MemoryRun run = run_in_memory(scene);
  EXPECT_THROW(static_cast<void>(audit_record(*run.record)), InputError);
}

class AuditCommand : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        scratch_directory() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    std::ofstream(directory_ / "cloth.toml") << kScene;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (directory_ / name).string();
  }

 private:
  std::filesystem::path directory_;
};

// The recording with its first body where its second is, in one frame.
void write_edited(const std::string& from, const std::string& to) {
  const RecordingReader reader = open_recording(from);
  RecordingWriter writer = RecordingWriter::create(to, reader.header());
  for (std::size_t k = 0; k < reader.frame_count(); ++k) {
    RecordedFrame frame = reader.frame(k);
    if (k == 4) std::copy_n(frame.positions.begin() + 3, 3, frame.positions.begin());
    writer.append_frame({.step = frame.step,
                         .time = frame.time,
                         .positions = frame.positions,
                         .velocities = frame.velocities,
                         .body_numbers = frame.body_numbers});
  }
  writer.finish({});
}

TEST_F(AuditCommand, ARunIsProvenAndItsRecordingPasses) {
  const CommandResult run =
      run_carom("run " + at("cloth.toml") + " -q --audit -o " + at("proven.h5"));
  EXPECT_EQ(run.code, 0) << run.errors;
  // What takes energy is called by its name: there are no impacts.
  const CommandResult told = run_carom("run " + at("cloth.toml") + " --force -o " + at("told.h5"));
  EXPECT_NE(told.output.find(" lost to restitution, friction and damping, "), std::string::npos)
      << told.output;
  EXPECT_EQ(told.output.find("impact"), std::string::npos) << told.output;
  const RecordingReader proven = open_recording(at("proven.h5"));
  EXPECT_NE(proven.header().scene_text.find("asynchronous.audit=motion"), std::string::npos);
  const std::vector<double> gaps = proven.real_column("audited_gap");
  EXPECT_GT(*std::max_element(gaps.begin(), gaps.end()), 0.0);
  EXPECT_EQ(run_carom("verify " + at("proven.h5")).code, 0);
  const CommandResult audit = run_carom("audit " + at("proven.h5"));
  EXPECT_EQ(audit.code, 0) << audit.errors;
  EXPECT_TRUE(audit.output.starts_with("11 frames, ")) << audit.output;
  EXPECT_NE(audit.output.find("passed"), std::string::npos) << audit.output;
  EXPECT_EQ(proven.frame(10).positions, record().frame(10).positions);

  write_edited(at("proven.h5"), at("edited.h5"));
  const CommandResult found = run_carom("audit " + at("edited.h5"));
  EXPECT_EQ(found.code, 1) << found.errors;
  EXPECT_TRUE(found.output.starts_with("FAULT in frame 4 at time 0.08: ")) << found.output;
}

TEST_F(AuditCommand, OtherSchemesAreRefusedInOneLine) {
  ASSERT_EQ(run_carom("new " + at("break.toml")).code, 0);
  const CommandResult run = run_carom("run " + at("break.toml") + " --audit -o " + at("break.h5"));
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.errors.find("--audit: is for scenes with time.scheme \"asynchronous\""),
            std::string::npos)
      << run.errors;
  ASSERT_EQ(run_carom("run " + at("break.toml") + " -q --steps 2 -o " + at("break.h5")).code, 0);
  const CommandResult audit = run_carom("audit " + at("break.h5"));
  EXPECT_EQ(audit.code, 2);
  EXPECT_NE(audit.errors.find("time.scheme \"steps\""), std::string::npos) << audit.errors;
  const CommandResult resume = run_carom("run --resume " + at("break.h5") + " --audit");
  EXPECT_EQ(resume.code, 2);
}

}  // namespace
}  // namespace carom::test
