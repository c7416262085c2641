// Writing and reading back: every bit, resumed runs, locks, faults of the caller.

#include <bit>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/recording/reader.h"
#include "carom/recording/writer.h"

#include "recording/sample_run.h"
#include "support/scratch.h"

namespace carom::test {
namespace {

TEST(Recording, KeepsOrientationsAndAngularVelocitiesToTheBit) {
  const ScratchDirectory scratch;
  const SampleRun run{.turns = true};
  record_sample(run, scratch / "run.h5", 30);
  const RecordingReader recording = open_recording(scratch / "run.h5");
  ASSERT_EQ(recording.frame_count(), 31U);
  EXPECT_EQ(recording.frame(7).orientations.size(), 4 * run.bodies);
  EXPECT_EQ(fault_of_prefix(run, recording), "");
}

TEST(Recording, HoldsTheWholeRun) {
  const ScratchDirectory scratch;
  const SampleRun run;
  record_sample(run, scratch / "run.h5", 123);
  EXPECT_FALSE(std::filesystem::exists(journal_path(scratch / "run.h5")));
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(fault_of_prefix(run, recording), "");
  EXPECT_FALSE(recording.from_journal());
  EXPECT_EQ(recording.end().status, RunStatus::finished);
  EXPECT_EQ(recording.frame_count(), 124U);
  EXPECT_EQ(recording.frame_times().back(), 0.01 * 123.0);
  EXPECT_EQ(recording.diagnostics_count(), 124U);
  EXPECT_EQ(recording.event_count(), 24U * 10U + 6U);
  EXPECT_EQ(recording.events(3, 2),
            (std::vector<ContactEvent>{sample_events(3)[0 + 0], sample_events(3)[1]}));
  ASSERT_EQ(recording.checkpoints().size(), 2U);  // the newest two
  EXPECT_EQ(recording.checkpoints()[0].step, 110U);
  EXPECT_EQ(recording.checkpoints()[1].step, 120U);
}

TEST(Recording, KeepsEveryBitOfEveryNumber) {
  const ScratchDirectory scratch;
  const SampleRun run{.bodies = 1000};
  constexpr std::uint64_t kSeed = 20240;
  const auto frame_of_bits = [&](std::uint64_t step) {
    Random random(kSeed + step);  // any bits: infinities, denormals and NaNs with payload too
    RecordedFrame frame{step, std::bit_cast<double>(random.bits()), {}, {}};
    for (std::size_t k = 0; k < 3 * run.bodies; ++k) {
      frame.positions.push_back(std::bit_cast<double>(random.bits()));
      frame.velocities.push_back(k % 7 == 0 ? -0.0 : std::bit_cast<double>(random.bits()));
    }
    return frame;
  };
  RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", sample_header(run));
  constexpr std::uint64_t kFrames = 70;
  for (std::uint64_t step = 0; step < kFrames; ++step) {
    const RecordedFrame frame = frame_of_bits(step);
    writer.append_frame({step, frame.time, frame.positions, frame.velocities});
    writer.append_diagnostics(
        step, frame.time,
        std::vector<DiagnosticValue>{frame.positions[0], ~std::uint64_t{0} - step});
  }
  writer.finish({});
  const RecordingReader recording = open_recording(scratch / "run.h5");
  const std::vector<double> kinetic = recording.real_column("kinetic");
  const std::vector<std::uint64_t> rows = recording.integer_column("rows");
  ASSERT_EQ(recording.frame_count(), kFrames);
  for (std::uint64_t step = 0; step < kFrames; ++step) {
    const RecordedFrame expected = frame_of_bits(step);
    EXPECT_TRUE(same_bits(recording.frame(step), expected)) << "frame " << step;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(kinetic[step]),
              std::bit_cast<std::uint64_t>(expected.positions[0]));
    EXPECT_EQ(rows[step], ~std::uint64_t{0} - step);
  }
}

TEST(Recording, IsTheSameFileForTheSameRun) {
  const ScratchDirectory scratch;
  record_sample({}, scratch / "a.h5", 57);
  record_sample({}, scratch / "b.h5", 57);
  EXPECT_EQ(read_all(scratch / "a.h5"), read_all(scratch / "b.h5"));
}

TEST(Recording, CanBeEmptyInEveryWay) {
  const ScratchDirectory scratch;
  RecordingHeader header;
  RecordingWriter::create(scratch / "none.h5", header).finish({});
  EXPECT_EQ(open_recording(scratch / "none.h5").header(), header);

  // Frames without bodies, rows without columns, a checkpoint without a state.
  RecordingWriter writer = RecordingWriter::create(scratch / "void.h5", header);
  writer.append_frame({0, 0.5, {}, {}});
  writer.append_diagnostics(0, 0.5, {});
  writer.append_events({});
  writer.append_checkpoint({0, 0.5, 9, {}});
  writer.finish({RunStatus::failed, "because", 1.5});
  const RecordingReader recording = open_recording(scratch / "void.h5");
  EXPECT_EQ(recording.frame(0).time, 0.5);
  EXPECT_EQ(recording.diagnostics_count(), 1U);
  EXPECT_EQ(recording.event_count(), 0U);
  EXPECT_EQ(recording.checkpoint(0).state_hash, 9U);
  EXPECT_TRUE(recording.checkpoint(0).state.empty());
  EXPECT_EQ(recording.end().status, RunStatus::failed);
  EXPECT_EQ(recording.end().reason, "because");
  EXPECT_EQ(recording.end().wall_seconds, 1.5);
}

TEST(Recording, OutlivesAWriterThatIsDroppedAndSaysThatItCrashed) {
  const ScratchDirectory scratch;
  const SampleRun run;
  {
    RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", sample_header(run));
    append_steps(run, writer, 0, 34);
  }
  const std::string journal = read_all(journal_path(scratch / "run.h5"));
  for (const char* name : {"run.h5", "run.h5.journal"}) {
    const RecordingReader recording = open_recording(scratch / name);
    EXPECT_TRUE(recording.from_journal());
    EXPECT_EQ(recording.end().status, RunStatus::crashed);
    EXPECT_EQ(fault_of_prefix(run, recording), "");
    ASSERT_EQ(recording.checkpoints().size(), 4U);
    EXPECT_EQ(recording.checkpoints().back().step, 30U);
  }
  // Who only reads writes nothing.
  EXPECT_FALSE(std::filesystem::exists(scratch / "run.h5"));
  EXPECT_EQ(read_all(journal_path(scratch / "run.h5")), journal);
}

TEST(Recording, ResumedIsTheSameFileAsUninterrupted) {
  const ScratchDirectory scratch;
  const SampleRun run{.bodies = 40, .frame_every = 3};
  record_sample(run, scratch / "whole.h5", 200);
  RecordingWriter writer = RecordingWriter::create(scratch / "parts.h5", sample_header(run));
  append_steps(run, writer, 0, 47);  // 7 steps behind the checkpoint, to be dropped
  writer.finish({RunStatus::interrupted, "", 0.0});
  std::uint64_t checkpoint = 40;
  for (const std::uint64_t last : {64U, 113U, 114U, 170U}) {
    RecordingWriter resumed = RecordingWriter::resume(scratch / "parts.h5", checkpoint);
    EXPECT_EQ(resumed.header(), sample_header(run));
    append_steps(run, resumed, checkpoint + 1, last);
    if (last != 113) resumed.finish({RunStatus::interrupted, "", 0.0});  // else as after a crash
    checkpoint = last / 10 * 10;
    resumed = RecordingWriter::create(scratch / "other.h5", {});  // lets go of the journal
    EXPECT_EQ(open_recording(scratch / "parts.h5").checkpoints().back().step, checkpoint);
  }
  RecordingWriter resumed = RecordingWriter::resume(scratch / "parts.h5", checkpoint);
  append_steps(run, resumed, checkpoint + 1, 200);
  resumed.finish({});
  EXPECT_EQ(read_all(scratch / "parts.h5"), read_all(scratch / "whole.h5"));
}

TEST(Recording, CanBeResumedFromTheOlderOfItsCheckpoints) {
  const ScratchDirectory scratch;
  const SampleRun run;
  record_sample(run, scratch / "whole.h5", 60);
  record_sample(run, scratch / "run.h5", 47);
  RecordingWriter resumed = RecordingWriter::resume(scratch / "run.h5", 30);
  append_steps(run, resumed, 31, 60);
  resumed.finish({});
  EXPECT_EQ(read_all(scratch / "run.h5"), read_all(scratch / "whole.h5"));
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(RecordingWriter::resume(scratch / "run.h5", 20));
            }).find("holds no checkpoint at step 20"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(journal_path(scratch / "run.h5")));
}

// A new run that ends in each of the ways, beside a recording that has finished.
TEST(Recording, ThatHasFinishedIsReplacedOnlyByOneThatHasFinished) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch / "run.h5";
  record_sample({}, path, 20);
  const std::string before = read_all(path);
  for (const std::optional<RunStatus> end :
       {std::optional<RunStatus>(), std::optional(RunStatus::interrupted),
        std::optional(RunStatus::failed)}) {
    {
      RecordingWriter writer = RecordingWriter::create(path, sample_header({}));
      append_steps({}, writer, 0, 34);
      if (end) {
        EXPECT_FALSE(writer.finish({*end, "", 0.0}));
      }
    }
    EXPECT_EQ(open_recording(path).frame_count(), 21U);
    EXPECT_FALSE(open_recording(path).from_journal());
    const RecordingReader waiting = open_newest_run(path);
    EXPECT_EQ(waiting.frame_count(), 35U);
    EXPECT_EQ(waiting.end().status, end.value_or(RunStatus::crashed));
    EXPECT_EQ(fault_of_prefix({}, waiting), "");
    EXPECT_EQ(read_all(path), before);
    EXPECT_FALSE(std::filesystem::exists(scratch / "run.h5.part"));
  }
  RecordingWriter writer = RecordingWriter::resume(path, 30);
  append_steps({}, writer, 31, 40);
  EXPECT_EQ(read_all(path), before);
  EXPECT_TRUE(writer.finish({}));
  record_sample({}, scratch / "whole.h5", 40);
  EXPECT_EQ(read_all(path), read_all(scratch / "whole.h5"));
  EXPECT_FALSE(std::filesystem::exists(journal_path(path)));
}

TEST(Recording, ThatWasCutShortBeforeItsJournalWasRemovedIsMadeAgain) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch / "run.h5";
  record_sample({}, path, 20);
  std::string journal;
  {
    RecordingWriter writer = RecordingWriter::resume(path, 20);
    append_steps({}, writer, 21, 40);
    writer.flush();
    journal = read_all(journal_path(path));
    writer.finish({});
  }
  const std::string whole = read_all(path);
  write_all(journal_path(path), journal);  // as if it had not been removed
  RecordingWriter writer = RecordingWriter::resume(path, 40);
  writer.finish({});
  EXPECT_EQ(read_all(path), whole);
}

TEST(Recording, CanBeGivenAnotherLength) {
  const ScratchDirectory scratch;
  const SampleRun run{.bodies = 3, .frame_every = 4};
  RecordingHeader longer = sample_header(run);
  longer.settings_json = R"({"steps": 60})";
  {
    RecordingWriter whole = RecordingWriter::create(scratch / "whole.h5", longer);
    append_steps(run, whole, 0, 60);
    whole.finish({});
  }
  // The shorter run ends with a frame of its own, after step 30.
  const std::filesystem::path path = scratch / "run.h5";
  {
    RecordingWriter writer = RecordingWriter::create(path, sample_header(run));
    append_steps(run, writer, 0, 29);
    const RecordedFrame last = sample_frame(run, 30);
    writer.append_frame({30, last.time, last.positions, last.velocities});
    writer.append_diagnostics(30, last.time, sample_diagnostics(30));
    writer.append_checkpoint(sample_checkpoint(run, 30));
    writer.finish({});
  }
  const std::string before = read_all(path);
  {
    RecordingWriter writer = RecordingWriter::resume(path, 30);
    writer.extend(longer, 30);
    append_steps(run, writer, 31, 47);
    EXPECT_FALSE(writer.finish({RunStatus::interrupted, "", 0.0}));
  }
  EXPECT_EQ(read_all(path), before);
  EXPECT_EQ(open_newest_run(path).header(), longer);
  RecordingWriter writer = RecordingWriter::resume(path, 40);
  append_steps(run, writer, 41, 60);
  EXPECT_TRUE(writer.finish({}));
  EXPECT_EQ(read_all(path), read_all(scratch / "whole.h5"));
}

TEST(Recording, OfALivingWriterIsReadAndLeftAlone) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch / "run.h5";
  RecordingWriter writer = RecordingWriter::create(path, sample_header({}));
  append_steps({}, writer, 0, 20);
  const std::string journal = read_all(journal_path(path));
  for (const std::string& message :
       {message_of<InputError>([&] { static_cast<void>(RecordingWriter::create(path, {})); }),
        message_of<InputError>([&] { static_cast<void>(RecordingWriter::resume(path, 10)); })}) {
    EXPECT_NE(message.find("is being written by another process"), std::string::npos) << message;
    EXPECT_NE(message.find("run.h5"), std::string::npos);
  }
  const RecordingReader so_far = open_recording(path);
  EXPECT_EQ(so_far.end().status, RunStatus::running);
  EXPECT_EQ(fault_of_prefix({}, so_far), "");
  EXPECT_EQ(so_far.frame_count(), 21U);
  EXPECT_EQ(read_all(journal_path(path)), journal);
  append_steps({}, writer, 21, 30);
  writer.finish({});
  EXPECT_EQ(fault_of_prefix({}, open_recording(path)), "");
  EXPECT_EQ(fault_of_prefix({}, so_far), "") << "what was open stays readable";
}

// Links that lead to a file, and to none yet; the one that leads nowhere at all.
TEST(Recording, IsWrittenWhereALinkLeads) {
  const ScratchDirectory scratch;
  std::filesystem::create_directory(scratch / "disk");
  std::filesystem::create_symlink("disk/there.h5", scratch / "near.h5");
  std::filesystem::create_symlink("near.h5", scratch / "far.h5");
  const std::filesystem::path link = scratch / "far.h5";
  for (const std::uint64_t last : {20U, 30U}) {  // the first time there is no such file
    RecordingWriter writer = RecordingWriter::create(link, sample_header({}));
    append_steps({}, writer, 0, last);
    EXPECT_TRUE(std::filesystem::exists(scratch / "disk" / "there.h5.journal"));
    EXPECT_EQ(journal_path(link), scratch / "disk" / "there.h5.journal");
    writer.finish({});
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_symlink(scratch / "near.h5"));
    EXPECT_EQ(open_recording(scratch / "disk" / "there.h5").frame_count(), last + 1);
    EXPECT_EQ(fault_of_prefix({}, open_recording(link)), "");
  }
  RecordingWriter::resume(link, 30).finish({});
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::filesystem::create_symlink("b.h5", scratch / "a.h5");
  std::filesystem::create_symlink("a.h5", scratch / "b.h5");
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(RecordingWriter::create(scratch / "a.h5", sample_header({})));
            }).find("Too many levels of symbolic links"),
            std::string::npos);
}

TEST(Recording, RefusesAnUnknownColumnWithTheNearestName) {
  const ScratchDirectory scratch;
  record_sample({}, scratch / "run.h5", 3);
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(recording.real_column("kinetik"));
            }).find("did you mean 'kinetic'"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(recording.real_column("rows"));
            }).find("holds integers, not reals"),
            std::string::npos);
  EXPECT_TRUE(recording.has_column("time"));
  EXPECT_FALSE(recording.has_column("energy"));
}

TEST(Recording, SaysWhereItCannotBe) {
  const ScratchDirectory scratch;
  const auto create_at = [](const std::filesystem::path& path) {
    return message_of<InputError>(
        [&] { static_cast<void>(RecordingWriter::create(path, RecordingHeader{})); });
  };
  EXPECT_NE(create_at(scratch / "no" / "such.h5").find("No such file"), std::string::npos);
  EXPECT_NE(create_at(scratch.path()).find("is a directory"), std::string::npos);
  const auto open_at = [](const std::filesystem::path& path) {
    return message_of<InputError>([&] { static_cast<void>(open_recording(path)); });
  };
  EXPECT_NE(open_at(scratch / "missing.h5").find("missing.h5: there is no such recording"),
            std::string::npos);
  EXPECT_NE(open_at(scratch.path()).find("is a directory; expected a Carom recording"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(RecordingWriter::resume(scratch / "missing.h5", 0));
            }).find("there is no such recording"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

// A run that is stopped within a step leaves a further checkpoint at the step before: it goes on
// from the last, also when it stops within that step again.
TEST(Recording, HasFurtherCheckpointsAtAStepAndGoesOnFromTheLast) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch / "run.h5";
  Checkpoint further = sample_checkpoint({}, 10);
  {
    RecordingWriter writer = RecordingWriter::create(path, sample_header({}));
    append_steps({}, writer, 0, 10);  // a checkpoint closes step 10
    further.state.push_back(std::byte{7});
    writer.append_checkpoint(further);
  }
  {
    const RecordingReader reader = open_newest_run(path);
    ASSERT_GE(reader.checkpoints().size(), 2U);
    EXPECT_EQ(reader.checkpoint(reader.checkpoints().size() - 1).state, further.state);
  }
  {
    RecordingWriter resumed = RecordingWriter::resume(path, 10);
    further.state.push_back(std::byte{8});
    resumed.append_checkpoint(further);
  }
  const RecordingReader reader = open_newest_run(path);
  EXPECT_EQ(reader.checkpoint(reader.checkpoints().size() - 1).state, further.state);
  EXPECT_EQ(reader.diagnostics_count(), 11U);
}

TEST(RecordingDeathTest, DemandsThatStepsGrow) {
  const ScratchDirectory scratch;
  RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", sample_header({}));
  append_steps({}, writer, 0, 10);  // a checkpoint closes step 10
  const RecordedFrame frame = sample_frame({}, 10);
  EXPECT_DEATH(writer.append_frame({10, 0.1, frame.positions, frame.velocities}), "step");
  EXPECT_DEATH(writer.append_diagnostics(9, 0.1, sample_diagnostics(9)), "step");
  EXPECT_DEATH(writer.append_events(sample_events(4)), "step");
  EXPECT_DEATH(writer.append_diagnostics(11, 0.1, {}), "columns");
}

}  // namespace
}  // namespace carom::test
