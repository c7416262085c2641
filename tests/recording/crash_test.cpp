// kill -9 at random moments: while recording, finishing, resuming and repairing.

#include <chrono>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
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

// A child that runs the program of these tests and has said that it is ready.
class Victim {
 public:
  explicit Victim(const std::vector<std::string>& arguments) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      std::vector<char*> words = {const_cast<char*>(CAROM_RECORDING_PROGRAM)};
      for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
      words.push_back(nullptr);
      ::execv(CAROM_RECORDING_PROGRAM, words.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    char letter = 0;
    ready_ = ::read(ends[0], &letter, 1) == 1;
    ::close(ends[0]);
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() { die(); }

  [[nodiscard]] bool ready() const { return ready_; }
  void die_after(double milliseconds) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
    die();
  }

 private:
  void die() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  pid_t process_ = -1;
  bool ready_ = false;
};

// What the kills met, so that a test can tell whether they met all there is.
struct Met {
  int journals = 0;         // a run or a repair was cut short
  int half_made_files = 0;  // a conversion was
  int unrepaired = 0;       // a repair was, before it was done
};

void kill_once(Random& random, Met& met) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch / "run.h5";
  const SampleRun run{.bodies = 100, .frame_every = 1, .checkpoint_every = 10};
  {
    Victim writer({"write", path.string(), std::to_string(run.bodies)});
    ASSERT_TRUE(writer.ready());
    writer.die_after(random.uniform(0.0, 100.0));
  }
  met.journals += std::filesystem::exists(journal_path(path)) ? 1 : 0;
  met.half_made_files += std::filesystem::exists(scratch / "run.h5.part") ? 1 : 0;
  for (int k = 0; k < 2; ++k) {
    Victim repairer({"finish", path.string()});
    ASSERT_TRUE(repairer.ready());
    repairer.die_after(random.uniform(0.0, 40.0));
  }
  met.unrepaired += std::filesystem::exists(journal_path(path)) ? 1 : 0;
  std::uint64_t step = 0;
  {
    const RecordingReader recording = open_newest_run(path);
    ASSERT_EQ(fault_of_prefix(run, recording), "");
    ASSERT_FALSE(recording.checkpoints().empty());
    step = recording.checkpoints().back().step;
    ASSERT_LE(recording.diagnostics_count(), step + 11) << "the newest checkpoint is lost";
  }
  RecordingWriter resumed = RecordingWriter::resume(path, step);
  append_steps(run, resumed, step + 1, step + 25);
  resumed.finish({});
  const RecordingReader recording = open_recording(path);
  ASSERT_EQ(fault_of_prefix(run, recording), "");
  ASSERT_EQ(recording.frame_count(), step + 26);
  ASSERT_FALSE(std::filesystem::exists(journal_path(path)));
}

Met kill_often(int times) {
  constexpr std::uint64_t kSeed = 9;
  Random random(kSeed);
  Met met;
  for (int k = 0; k < times && !testing::Test::HasFatalFailure(); ++k) {
    SCOPED_TRACE("kill " + std::to_string(k) + " of seed " + std::to_string(kSeed));
    kill_once(random, met);
  }
  testing::Test::RecordProperty("journals", met.journals);
  testing::Test::RecordProperty("half_made_files", met.half_made_files);
  testing::Test::RecordProperty("unrepaired", met.unrepaired);
  return met;
}

TEST(Crash, AtThirtyMomentsLeavesARecordingThatOpensAndResumes) {
  EXPECT_GT(kill_often(30).journals, 0);
}

TEST(SlowCrash, AtThreeHundredMomentsLeavesARecordingThatOpensAndResumes) {
  const Met met = kill_often(300);
  EXPECT_GT(met.journals, 0);
  EXPECT_GT(met.half_made_files, 0);
  EXPECT_GT(met.unrepaired, 0);
}

TEST(Crash, WhileAnotherProcessIsAliveItIsReadAndNothingIsWritten) {
  const ScratchDirectory scratch;
  const std::filesystem::path path = scratch / "run.h5";
  const SampleRun run{.bodies = 10};
  Victim writer({"write", path.string(), "10"});
  ASSERT_TRUE(writer.ready());
  // The program lets go of the lock for a moment each time that it resumes.
  int running = 0;
  for (int k = 0; k < 20; ++k) {
    try {
      const RecordingReader recording = open_newest_run(path);
      running += recording.end().status == RunStatus::running ? 1 : 0;
      EXPECT_EQ(fault_of_prefix(run, recording), "");
    } catch (const InputError& error) {
      // The journal that it names began between two looks.
      EXPECT_NE(std::string(error.what()).find("run.h5"), std::string::npos);
    }
  }
  EXPECT_GT(running, 0);
  writer.die_after(0.0);
  EXPECT_EQ(fault_of_prefix(run, open_newest_run(path)), "");
}

}  // namespace
}  // namespace carom::test
