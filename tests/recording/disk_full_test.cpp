// No room: a clear error, and nothing of what was written is lost.

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <utility>

#include <gtest/gtest.h>

#include "carom/recording/error.h"
#include "carom/recording/export.h"
#include "carom/recording/reader.h"
#include "carom/recording/writer.h"

#include "recording/sample_run.h"
#include "support/scratch.h"

namespace carom::test {
namespace {

// No file of this process can grow beyond `bytes` while it lives: writing more gives EFBIG.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

const SampleRun kRun{.bodies = 50, .frame_every = 1, .checkpoint_every = 10};

// Appends until there is no room; the step that failed.
std::uint64_t fill(RecordingWriter& writer, std::string& message) {
  for (std::uint64_t step = 0; step < 1000; ++step) {
    try {
      append_steps(kRun, writer, step, step);
    } catch (const RecordingError& error) {
      message = error.what();
      return step;
    }
  }
  return 1000;
}

TEST(DiskFull, WhileRecordingIsAnErrorThatNamesTheFile) {
  const ScratchDirectory scratch;
  {
    const FileSizeLimit limit(100'000);  // outlives the writer, which tries once more when it goes
    RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", sample_header(kRun));
    std::string message;
    EXPECT_LT(fill(writer, message), 60U);
    EXPECT_NE(message.find("run.h5.journal: cannot be written: File too large"), std::string::npos)
        << message;
    EXPECT_THROW(writer.flush(), RecordingError);
    EXPECT_THROW(writer.finish({}), RecordingError);
  }
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(fault_of_prefix(kRun, recording), "");
  EXPECT_GT(recording.frame_count(), 30U);
  EXPECT_EQ(recording.end().status, RunStatus::crashed);
  EXPECT_FALSE(recording.checkpoints().empty());
}

TEST(DiskFull, LosesNothingWhenRoomIsMade) {
  const ScratchDirectory scratch;
  RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", sample_header(kRun));
  std::uint64_t step = 0;
  {
    const FileSizeLimit limit(100'000);
    std::string message;
    step = fill(writer, message);
    EXPECT_FALSE(message.empty());
  }
  ASSERT_EQ(step % 10, 0U);  // checkpoints are what reaches the disk here
  append_steps(kRun, writer, step + 1, 200);
  writer.finish({});
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(fault_of_prefix(kRun, recording), "");
  EXPECT_EQ(recording.frame_count(), 201U);
}

TEST(DiskFull, WhileFinishingLeavesTheJournalAndTheFileBefore) {
  const ScratchDirectory scratch;
  const SampleRun small{.bodies = 2};
  const std::filesystem::path path = scratch / "run.h5";
  record_sample(small, path, 3);
  const std::string before = read_all(path);
  {
    RecordingWriter writer = RecordingWriter::create(path, sample_header(small));
    append_steps(small, writer, 0, 5);
    // Every limit stops HDF5 at another place; the journal is shorter than all of them.
    ASSERT_LT(std::filesystem::file_size(journal_path(path)), 2500U);
    for (rlim_t bytes = 2500; bytes < before.size(); bytes += 509) {
      const FileSizeLimit limit(bytes);
      const std::string message = message_of<RecordingError>([&] { writer.finish({}); });
      EXPECT_NE(message.find("File too large"), std::string::npos) << bytes << ": " << message;
      EXPECT_EQ(read_all(path), before);
      EXPECT_FALSE(std::filesystem::exists(scratch / "run.h5.part"));
    }
  }
  // Once there is room whoever resumes it makes the file first.
  {
    const FileSizeLimit limit(6000);
    const RecordingReader waiting = open_newest_run(path);
    EXPECT_EQ(fault_of_prefix(small, waiting), "");
    EXPECT_EQ(waiting.end().status, RunStatus::finished);
    EXPECT_THROW(static_cast<void>(RecordingWriter::resume(path, 0)), RecordingError);
    EXPECT_EQ(read_all(path), before);
  }
  static_cast<void>(RecordingWriter::resume(path, 0));
  const RecordingReader recording = open_recording(path);
  EXPECT_EQ(recording.frame_count(), 6U);
  EXPECT_EQ(fault_of_prefix(small, recording), "");
}

TEST(DiskFull, WhileExportingIsAnErrorThatNamesTheFile) {
  const ScratchDirectory scratch;
  record_sample(kRun, scratch / "run.h5", 50);
  const RecordingReader recording = open_recording(scratch / "run.h5");
  const ExportOptions options{
      .directory = scratch.path(), .prefix = "out", .every = 1, .box = {}, .period = {}};
  const FileSizeLimit limit(4000);
  for (const std::string& message :
       {message_of<RecordingError>([&] { export_csv(recording, options); }),
        message_of<RecordingError>([&] { export_lammps(recording, options); }),
        message_of<RecordingError>([&] { export_vtk(recording, options); })}) {
    EXPECT_NE(message.find("cannot be written: File too large"), std::string::npos) << message;
  }
}

// A file system of one megabyte, where the right to mount one can be had.
class SmallFileSystem {
 public:
  explicit SmallFileSystem(std::filesystem::path place)
      : place_(std::move(place)),
        mounted_(::mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=1m") == 0) {}
  SmallFileSystem(const SmallFileSystem&) = delete;
  SmallFileSystem& operator=(const SmallFileSystem&) = delete;
  ~SmallFileSystem() {
    if (mounted_) ::umount2(place_.c_str(), MNT_DETACH);
  }

  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] bool grow() const {
    return ::mount("tmpfs", place_.c_str(), "tmpfs", MS_REMOUNT, "size=4m") == 0;
  }

 private:
  std::filesystem::path place_;
  bool mounted_ = false;
};

TEST(SlowDiskFull, OnASmallFileSystemLosesNothing) {
  const ScratchDirectory scratch;
  const SmallFileSystem disk(scratch.path());
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount";
  const std::filesystem::path path = scratch / "run.h5";
  std::string message;
  {
    RecordingWriter writer = RecordingWriter::create(path, sample_header(kRun));
    EXPECT_LT(fill(writer, message), 1000U);
    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
  }
  EXPECT_EQ(fault_of_prefix(kRun, open_recording(path)), "") << "reading takes no room";
  ASSERT_TRUE(disk.grow());
  const RecordingReader recording = open_recording(path);
  EXPECT_EQ(fault_of_prefix(kRun, recording), "");
  EXPECT_GT(recording.frame_count(), 100U);
}

}  // namespace
}  // namespace carom::test
