#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/runs/scene_run.h"

#include "support/directories.h"

// `kill -9` at random moments of a real run: the recording opens, and resumes to the bits of a run
// that nobody disturbed.
namespace carom {
namespace {

constexpr const char* kScene = R"toml(
kind = "scene"
[world]
gravity = 1.0
[time]
step = 0.01
duration = 10.0
[[shape]]
type = "sphere_inside"
center = [0.0, 0.0]
radius = 8.0
[[grid]]
counts = [5, 5]
spacing = 2.2
radius = 1.0
velocity_random = 2.0
[record]
every = 3
checkpoint_every = 20
)toml";

const std::string kProgram = test::build_directory() + "/apps/carom/carom";

// Starts `carom` with the arguments and nothing on its outputs.
pid_t start(const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);  // NOLINT: a C interface
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  std::vector<char*> list = {const_cast<char*>(kProgram.c_str())};  // NOLINT: as exec wants it
  for (const std::string& a : arguments) list.push_back(const_cast<char*>(a.c_str()));  // NOLINT
  list.push_back(nullptr);
  execv(kProgram.c_str(), list.data());
  _exit(127);
}

// True when the process was killed, false when it had ended by itself.
bool kill_after(pid_t child, double milliseconds) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

void kill_at_random_moments(int times) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("carom-kill-" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  const std::filesystem::path scene_file = directory / "scene.toml";
  std::ofstream(scene_file) << kScene;
  const Scene scene = read_scene(kScene, "scene.toml");
  const MemoryRun whole = run_in_memory(scene);
  const std::vector<std::uint64_t> hashes = whole.record->integer_column("state_hash");

  // How long an undisturbed run takes, to spread the kills over all of it, its end included.
  const auto begin = std::chrono::steady_clock::now();
  const std::string file = (directory / "run.h5").string();
  int status = 0;
  waitpid(start({"run", scene_file.string(), "-o", file, "-q"}), &status, 0);
  ASSERT_EQ(WEXITSTATUS(status), 0);
  double length =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  Random random(static_cast<std::uint64_t>(times));
  int killed = 0;
  for (int trial = 0; trial < times; ++trial) {
    std::filesystem::remove(file);
    std::filesystem::remove(file + ".journal");
    std::vector<std::string> arguments = {"run", scene_file.string(), "-o", file, "-q"};
    // Now and then the resumed run is killed too.
    for (int life = 0; life < 3; ++life) {
      if (kill_after(start(arguments), random.uniform(0.0, 1.1 * length))) {
        ++killed;
      } else {
        length *= 0.8;  // the run that was timed may have met a busy machine
      }
      // Killed before anything was written there is nothing to resume, and nothing lost.
      std::error_code none;
      const bool begun = std::filesystem::file_size(file + ".journal", none) > 0 && !none;
      if (begun || std::filesystem::exists(file)) arguments = {"run", "--resume", file, "-q"};
    }
    if (arguments.size() > 4) continue;  // killed three times before anything was written
    resume_recording(file);
    const FileRecord record(open_recording(file));
    EXPECT_EQ(record.end().status, RunStatus::finished) << "trial " << trial;
    EXPECT_EQ(record.integer_column("state_hash"), hashes) << "trial " << trial;
    EXPECT_EQ(record.frame_times(), whole.record->frame_times()) << "trial " << trial;
  }
  EXPECT_GT(killed, times / 2) << "the kills came too late to show anything";
  std::filesystem::remove_all(directory);
}

// One run, killed as often as that: between its beginning and its end, or if it ends too early
// again from its beginning.
void kill_one_run(const std::string& scene_file, const std::vector<std::string>& set, int times) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("carom-kill-one-" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  const MemoryRun whole = run_in_memory(read_scene_file(scene_file, set));
  const std::string file = (directory / "run.h5").string();
  std::vector<std::string> begin = {"run", scene_file, "-o", file, "-q"};
  for (const std::string& one : set) begin.insert(begin.end(), {"--set", one});
  Random random(17);
  std::vector<std::string> arguments = begin;
  int killed = 0;
  for (double longest = 400.0; killed < times; longest *= 1.1) {
    if (kill_after(start(arguments), random.uniform(0.3 * longest, longest))) {
      ++killed;
    } else {
      std::filesystem::remove(file);
      longest *= 0.5;
    }
    std::error_code none;
    const bool begun = std::filesystem::file_size(file + ".journal", none) > 0 && !none;
    arguments = begun ? std::vector<std::string>{"run", "--resume", file, "-q"} : begin;
  }
  ASSERT_EQ(arguments[1], "--resume") << "killed before anything was written";
  resume_recording(file);
  const FileRecord record(open_recording(file));
  EXPECT_EQ(record.end().status, RunStatus::finished);
  EXPECT_EQ(record.integer_column("state_hash"), whole.record->integer_column("state_hash"));
  EXPECT_EQ(record.frame_times(), whole.record->frame_times());
  std::filesystem::remove_all(directory);
}

// The reef knot of gallery C7 from where its ribbons come near each other, at 2 x 275 vertices.
TEST(SlowKilledRuns, ReefKnotKilledTenTimesEndsWithTheSameBits) {
  kill_one_run(test::source_directory() + "/gallery/C7-reef-knot.toml",
               {"time.duration=0.6", "record.checkpoint_every=2", "asynchronous.audit='states'"},
               10);
}

TEST(KilledRuns, OpenAndResumeToTheSameBits) { kill_at_random_moments(6); }
TEST(SlowKilledRuns, OpenAndResumeToTheSameBits) { kill_at_random_moments(100); }

}  // namespace
}  // namespace carom
