// Files that are not recordings, and recordings of which bits or ends are gone: an error or the
// truth, never anything else.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/recording/export.h"
#include "carom/recording/reader.h"
#include "carom/recording/writer.h"

#include "recording/sample_run.h"
#include "support/scratch.h"
#include "support/slow.h"

// HDF5 1.10 forgets some of its own memory when it meets a damaged file; what is ours still shows.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace carom::test {
namespace {

std::ptrdiff_t open_file_count() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

std::string flip_bit(std::string bytes, Random& random) {
  const Index at = random.below(static_cast<Index>(bytes.size()));
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << random.below(8)));
  return bytes;
}

std::string cut_off(std::string bytes, Random& random) {
  bytes.resize(random.below(static_cast<Index>(bytes.size())));
  return bytes;
}

using Damage = std::function<std::string(std::string, Random&)>;

struct Tally {
  int refused = 0;
  int read = 0;
};

const SampleRun kRun{.bodies = 12, .frame_every = 2, .checkpoint_every = 10};
constexpr std::uint64_t kLastStep = 60;

// Opens damaged copies of `good`; `judge` looks at those that open.
Tally open_damaged(const std::filesystem::path& path, const std::filesystem::path& damaged_part,
                   const std::pair<Damage, int>& damage,
                   const std::function<void(const RecordingReader&)>& judge) {
  const std::string good = read_all(damaged_part);
  const std::ptrdiff_t open_files = open_file_count();
  Random random(71);
  Tally tally;
  for (int k = 0; k < damage.second; ++k) {
    SCOPED_TRACE("damage " + std::to_string(k) + " of seed 71");
    write_all(damaged_part, damage.first(good, random));
    if (path != damaged_part) std::filesystem::remove(path);
    try {
      const RecordingReader recording = open_recording(path);
      judge(recording);
      ++tally.read;
    } catch (const InputError&) {
      ++tally.refused;
    }
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_EQ(open_file_count(), open_files);
  return tally;
}

void expect_whole(const RecordingReader& recording) {
  EXPECT_EQ(fault_of_prefix(kRun, recording), "");
  EXPECT_EQ(recording.frame_count(), kLastStep / 2 + 1);
  EXPECT_EQ(recording.checkpoints().size(), 2U);
}

void expect_prefix(const RecordingReader& recording) {
  EXPECT_EQ(fault_of_prefix(kRun, recording), "");
}

class DamagedFile : public testing::Test {
 protected:
  DamagedFile() : path(scratch / "run.h5") { record_sample(kRun, path, kLastStep); }

  ScratchDirectory scratch;
  std::filesystem::path path;
};

TEST_F(DamagedFile, WithAFlippedBitGivesTheTruthOrAnError) {
  const Tally tally = open_damaged(path, path, {flip_bit, problem_count(300, 5000)}, expect_whole);
  EXPECT_GT(tally.refused, tally.read / 10);
}

TEST_F(DamagedFile, UncompressedWithAFlippedBitGivesTheTruthOrAnError) {
  RecordingWriter writer =
      RecordingWriter::create(path, sample_header(kRun), {.kept_checkpoints = 2, .compression = 0});
  append_steps(kRun, writer, 0, kLastStep);
  writer.finish({});
  const Tally tally = open_damaged(path, path, {flip_bit, problem_count(100, 2000)}, expect_whole);
  EXPECT_GT(tally.refused, 0);
}

TEST_F(DamagedFile, CutOffIsRefused) {
  const Tally tally = open_damaged(path, path, {cut_off, problem_count(200, 2000)}, expect_whole);
  EXPECT_EQ(tally.read, 0);
}

TEST_F(DamagedFile, WithRandomBytesInsteadOfABlockGivesTheTruthOrAnError) {
  const Damage scramble = [](std::string bytes, Random& random) {
    const Index at = random.below(static_cast<Index>(bytes.size() - 64));
    for (Index k = 0; k < 64; ++k) bytes[at + k] = static_cast<char>(random.below(256));
    return bytes;
  };
  static_cast<void>(open_damaged(path, path, {scramble, problem_count(200, 2000)}, expect_whole));
}

// An export that cannot be finished leaves what stood there, and nothing beside it.
TEST_F(DamagedFile, AnExportThatFailsLeavesTheOldOne) {
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(scratch / "out")) {
      all.push_back(entry.path().filename().string());
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  ExportOptions options;
  options.directory = scratch / "out";
  options.prefix = "run";
  using Export =
      std::vector<std::filesystem::path> (*)(const RecordingReader&, const ExportOptions&);
  const std::string good = read_all(path);
  for (const Export each : {&export_csv, &export_lammps}) {
    write_all(path, good);
    const std::vector<std::filesystem::path> files = each(open_recording(path), options);
    const std::string before = read_all(files.front());
    const std::vector<std::string> listed = names();
    Random random(3);
    int failed = 0;
    for (int k = 0; k < 200 && failed == 0; ++k) {
      write_all(path, flip_bit(good, random));
      bool opened = false;
      try {
        const RecordingReader recording = open_recording(path);
        opened = true;
        static_cast<void>(each(recording, options));
      } catch (const InputError&) {
        failed += opened ? 1 : 0;
      }
      EXPECT_EQ(read_all(files.front()), before);
      EXPECT_EQ(names(), listed);
    }
    EXPECT_EQ(failed, 1);
  }
}

class DamagedJournal : public testing::Test {
 protected:
  DamagedJournal() : path(scratch / "run.h5") {
    RecordingWriter writer = RecordingWriter::create(path, sample_header(kRun));
    append_steps(kRun, writer, 0, kLastStep);
    writer.flush();
  }

  ScratchDirectory scratch;
  std::filesystem::path path;
};

TEST_F(DamagedJournal, WithAFlippedBitGivesAPrefixOrAnError) {
  const Tally tally =
      open_damaged(path, journal_path(path), {flip_bit, problem_count(200, 2000)}, expect_prefix);
  EXPECT_GT(tally.read, 0);
}

TEST_F(DamagedJournal, CutOffGivesAPrefixOrAnError) {
  const Tally tally =
      open_damaged(path, journal_path(path), {cut_off, problem_count(200, 2000)}, expect_prefix);
  EXPECT_GT(tally.read, 0);
}

TEST_F(DamagedJournal, IsKeptWhenItsBeginningIsLost) {
  std::string bytes = read_all(journal_path(path));
  bytes[20] = static_cast<char>(bytes[20] ^ 1);
  write_all(journal_path(path), bytes);
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(open_recording(path));
            }).find("is damaged at its beginning"),
            std::string::npos);
  EXPECT_EQ(read_all(journal_path(path)), bytes);
}

TEST_F(DamagedJournal, OfAnotherRunIsRefused) {
  // A journal that continues one recording stands beside another one.
  RecordingWriter::resume(path, kLastStep).finish({});
  static_cast<void>(RecordingWriter::resume(path, kLastStep));
  record_sample({.bodies = 3}, scratch / "other.h5", 5);
  std::filesystem::rename(scratch / "other.h5", path);
  EXPECT_EQ(fault_of_prefix({.bodies = 3}, open_recording(path)), "") << "has finished";
  EXPECT_NE(message_of<InputError>([&] {
              static_cast<void>(RecordingWriter::resume(path, kLastStep));
            }).find("continues another recording"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(journal_path(path)));
}

TEST_F(DamagedJournal, ThatIsEmptyIsIgnored) {
  RecordingWriter::resume(path, kLastStep).finish({});
  write_all(journal_path(path), "");
  EXPECT_FALSE(open_recording(path).from_journal());
}

TEST(ForeignFile, IsRefusedByName) {
  const ScratchDirectory scratch;
  write_all(scratch / "text.h5", "a,b\n1,2\n");
  write_all(scratch / "empty.h5", "");
  for (const char* name : {"text.h5", "empty.h5"}) {
    const std::string message =
        message_of<InputError>([&] { static_cast<void>(open_recording(scratch / name)); });
    EXPECT_NE(message.find(name), std::string::npos);
    EXPECT_NE(message.find("is not an HDF5 file; expected a Carom recording"), std::string::npos);
  }
}

}  // namespace
}  // namespace carom::test
