// What is sound in a damaged recording is saved as it was; the rest is named.

#include "carom/recording/recover.h"

#include <algorithm>
#include <filesystem>
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

// Frames that fill chunks of their own.
const SampleRun kRun{.bodies = 3000, .frame_every = 2, .checkpoint_every = 10};
constexpr std::uint64_t kLastStep = 60;
constexpr std::size_t kFrames = kLastStep / 2 + 1;

// How many frames, rows and impulses of a saved recording are not as they were.
int altered(const RecordingReader& saved) {
  int wrong = 0;
  for (std::size_t k = 0; k < saved.frame_count(); ++k) {
    if (!same_bits(saved.frame(k), sample_frame(kRun, saved.frame_steps()[k]))) ++wrong;
  }
  for (const ContactEvent& event : saved.events()) {
    const std::vector<ContactEvent> of_step = sample_events(event.step);
    const bool is_there =
        std::any_of(of_step.begin(), of_step.end(), [&](const ContactEvent& other) {
          return other.body_a == event.body_a && other.body_b == event.body_b &&
                 other.normal == event.normal && other.impulse == event.impulse;
        });
    if (!is_there) ++wrong;
  }
  return wrong;
}

class Recover : public testing::Test {
 protected:
  Recover() : path(scratch / "run.h5"), saved(scratch / "saved.h5") {
    record_sample(kRun, path, kLastStep);
  }

  ScratchDirectory scratch;
  std::filesystem::path path;
  std::filesystem::path saved;
};

TEST_F(Recover, OfASoundRecordingEverythingIsKept) {
  const Recovery recovery = recover_recording(path, saved);
  EXPECT_TRUE(recovery.complete());
  EXPECT_EQ(describe_losses(recovery), "nothing");
  EXPECT_EQ(recovery.frames.kept, kFrames);
  const RecordingReader recording = open_recording(saved);
  EXPECT_EQ(recording.end().status, RunStatus::finished);
  EXPECT_EQ(recording.checkpoints().size(), 2U);
  EXPECT_EQ(fault_of_prefix(kRun, recording), "");
}

TEST_F(Recover, OneFlippedBitCostsLittleAndWhatIsKeptIsTrue) {
  const std::string good = read_all(path);
  Random random(5);
  int saved_runs = 0;
  constexpr int kTries = 60;
  for (int k = 0; k < kTries; ++k) {
    std::string bytes = good;
    const Index at = random.below(static_cast<Index>(bytes.size()));
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << random.below(8)));
    write_all(path, bytes);
    Recovery recovery;
    try {
      recovery = recover_recording(path, saved);
    } catch (const InputError&) {
      continue;  // its beginning or an index is gone
    }
    ++saved_runs;
    EXPECT_LE(recovery.frames.lost, 2U);
    EXPECT_EQ(recovery.frames.kept + recovery.frames.lost, kFrames);
    EXPECT_EQ(recovery.lost_frames.size(), recovery.frames.lost);
    const RecordingReader recording = open_recording(saved);
    EXPECT_EQ(recording.frame_count(), recovery.frames.kept);
    EXPECT_EQ(altered(recording), 0);
    EXPECT_EQ(recording.end().status,
              recovery.complete() ? RunStatus::finished : RunStatus::crashed);
    if (!recovery.complete()) {
      EXPECT_NE(recording.end().reason.find(describe_losses(recovery)), std::string::npos);
    }
    for (const Checkpoint& checkpoint : recording.checkpoints()) {
      for (const std::uint64_t step : recovery.lost_frames) EXPECT_LT(checkpoint.step, step);
    }
  }
  EXPECT_GT(saved_runs, kTries * 8 / 10);
}

TEST_F(Recover, OfAJournalWhatStandsBeforeTheDamageIsSaved) {
  RecordingWriter writer = RecordingWriter::create(scratch / "new.h5", sample_header(kRun));
  append_steps(kRun, writer, 0, 20);
  writer.flush();
  std::string bytes = read_all(journal_path(scratch / "new.h5"));
  bytes[bytes.size() - 1000] = static_cast<char>(bytes[bytes.size() - 1000] ^ 1);
  write_all(scratch / "copy.h5.journal", bytes);
  const Recovery recovery = recover_recording(scratch / "copy.h5.journal", saved);
  EXPECT_GT(recovery.frames.kept, 5U);
  EXPECT_EQ(altered(open_recording(saved)), 0);
}

TEST_F(Recover, WhatIsNoRecordingIsRefused) {
  write_all(scratch / "text.h5", "a,b\n");
  EXPECT_THROW(recover_recording(scratch / "text.h5", saved), InputError);
  EXPECT_FALSE(std::filesystem::exists(saved));
}

}  // namespace
}  // namespace carom::test
