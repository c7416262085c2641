// Nothing is lost: finished recordings stay until the next has finished, files that Carom did not
// make stay, links stay links, and what was interrupted goes on.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/recording/reader.h"
#include "carom/runs/scene_run.h"

#include "support/directories.h"
#include "support/run_command.h"

namespace carom::test {
namespace {

const char* const kBalls = R"toml(kind = "scene"
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
counts = [3, 3]
spacing = 2.2
radius = 1.0
velocity_random = 2.0
[record]
every = 7
checkpoint_every = 20
)toml";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class KeptFiles : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        scratch_directory() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    write("s.toml", kBalls);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string at(const std::string& name) const {
    return (directory_ / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] CommandResult carom(const std::string& arguments) const {
    return run_carom(arguments, directory_);
  }
  void expect_fine(const std::string& arguments) const {
    const CommandResult result = carom(arguments);
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.errors;
  }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const CommandResult result = carom(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.errors.find(message), std::string::npos) << arguments << "\n" << result.errors;
  }
  /// Starts a command, waits until the shell's `condition` holds and a little longer (or until the
  /// command has ended), sends it the signal, and returns what it printed.
  [[nodiscard]] std::string stopped(const std::string& arguments, const std::string& condition,
                                    const std::string& signal) const {
    const std::string command = "cd '" + directory_.string() + "' && { '" + build_directory() +
                                "/apps/carom/carom' " + arguments +
                                " > out 2>&1 & run=$!; until [ " + condition +
                                " ] || ! kill -0 $run; do sleep 0.01; done; sleep 0.1; kill -" +
                                signal + " $run; wait $run; } 2> /dev/null";
    static_cast<void>(std::system(command.c_str()));
    return text_of(directory_ / "out");
  }
  /// Names and contents of everything there is but what commands print.
  [[nodiscard]] std::vector<std::string> all_files() const {
    std::vector<std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      if (entry.path().filename() == "out" || !entry.is_regular_file()) continue;
      list.push_back(entry.path().filename().string() + ": " + text_of(entry.path()));
    }
    std::sort(list.begin(), list.end());
    return list;
  }

 private:
  std::filesystem::path directory_;
};

// Interrupted and killed, a second run leaves the first as it was, and can be resumed itself.
TEST_F(KeptFiles, AFinishedRecordingIsReplacedWhenTheNextHasFinished) {
  expect_fine("run s.toml -q -o p.h5");
  const std::string before = text_of(at("p.h5"));
  for (const char* signal : {"TERM", "KILL"}) {
    const std::string output =
        stopped("run s.toml -q --force --steps 20000 -o p.h5", "-s p.h5.journal", signal);
    if (std::string(signal) == "TERM") {
      EXPECT_NE(output.find("p.h5 holds a finished run and stays as it was"), std::string::npos);
      EXPECT_NE(output.find("carom run --resume p.h5"), std::string::npos) << output;
    }
    EXPECT_EQ(text_of(at("p.h5")), before) << signal;
    const std::vector<std::string> files = all_files();
    for (const char* look : {"info p.h5", "check p.h5", "verify -q p.h5", "info p.h5.journal"}) {
      expect_fine(look);
    }
    EXPECT_TRUE(all_files() == files) << "who reads writes nothing";
    EXPECT_NE(carom("info p.h5").output.find("a newer run waits in"), std::string::npos);
    expect_refused("run s.toml -q -o p.h5", "p.h5: holds an unfinished run: continue it with");
  }
  expect_fine("run --resume p.h5 -q");
  EXPECT_EQ(open_recording(at("p.h5")).diagnostics_count(), 20001U);
  EXPECT_FALSE(std::filesystem::exists(at("p.h5.journal")));
}

TEST_F(KeptFiles, ARunThatIsBeingWrittenCanBeLookedAt) {
  std::filesystem::create_directory(at("other"));
  const std::string look = "'" + build_directory() + "/apps/carom/carom'";
  const std::string command =
      "cd '" + at("") + "' && { " + look +
      " run s.toml -q --steps 100000000 -o p.h5 & run=$!; until [ -s p.h5.journal ]; do sleep "
      "0.01; done; sleep 0.2; " +
      look + " info --json p.h5 > info && " + look + " check p.h5 > check && " + look +
      " plot p.h5 -o other/p > plot && " + look +
      " export p.h5 --format csv --every 20 -o other > export && touch fine; kill -KILL $run; wait "
      "$run; } 2> errors";
  static_cast<void>(std::system(command.c_str()));
  EXPECT_TRUE(std::filesystem::exists(at("fine"))) << text_of(at("errors"));
  EXPECT_NE(text_of(at("info")).find("\"status\": \"running\""), std::string::npos);
  EXPECT_GT(std::filesystem::file_size(at("other/p.svg")), 1000U);
  EXPECT_GT(std::filesystem::file_size(at("other/p.frames.csv")), 1000U);
  EXPECT_FALSE(std::filesystem::exists(at("p.h5")));
}

// What Carom did not make stays, whatever it is called; what it made may be replaced.
TEST_F(KeptFiles, NoCommandOverwritesAFileThatItDidNotMake) {
  expect_fine("run s.toml -q -o p.h5");
  const std::string compare = "compare s.toml -q --steps 5 --operators gr,lcp -o c";
  const std::string sweep = "sweep s.toml -q --duration 0.05 --vary time.step=0.01,0.025 -o w";
  const FileRecord record(open_recording(at("p.h5")));
  const std::vector<std::uint64_t> rows = record.integer_column("rows");
  const auto impact = std::find_if(rows.begin(), rows.end(), [](auto count) { return count > 0; });
  ASSERT_NE(impact, rows.end());
  const std::string dump =
      "run s.toml --dump-impact " + std::to_string(impact - rows.begin()) + " -o mine.toml";
  struct Case {
    std::string command;
    std::string file;
  };
  const std::vector<Case> cases = {{"view p.h5 -o mine.html", "mine.html"},
                                   {"plot p.h5 -o mine.svg", "mine.svg"},
                                   {"plot p.h5 -o mine.png", "mine.png"},
                                   {"run s.toml -q --steps 5 -o mine.h5", "mine.h5"},
                                   {dump, "mine.toml"},
                                   {"export p.h5 --format csv", "p.frames.csv"},
                                   {"export p.h5 --format csv", "p.diagnostics.csv"},
                                   {"export p.h5 --format lammps", "p.lammpstrj"},
                                   {"export p.h5 --format vtk", "p.pvd"},
                                   {"export p.h5 --format vtk", "p_000003.vtp"},
                                   {"export p.h5 --format glb", "p.glb"},
                                   {"export p.h5 --format obj", "p_000003.obj"},
                                   {compare, "c.svg"},
                                   {compare, "c.html"},
                                   {sweep, "w.csv"},
                                   {sweep, "w.png"}};
  for (const Case& one : cases) {
    if (one.file.ends_with(".html") &&
        carom("view p.h5 -o any.html --force").errors.find("no viewer") != std::string::npos) {
      continue;
    }
    for (const std::string& text : {std::string(kBalls), std::string("<svg>my drawing</svg>"),
                                    std::string("\x89PNG\r\n\x1a\nholiday")}) {
      write(one.file, text);
      expect_refused(one.command, one.file + ": is ");
      EXPECT_EQ(text_of(at(one.file)), text) << one.command;
    }
    write(one.file, kBalls);
    expect_refused(one.command, one.file + ": is a scene, not ");
    expect_refused(one.command, "name another file, or replace it with --force");
    expect_fine(one.command + " --force");
    EXPECT_NE(text_of(at(one.file)), kBalls) << one.command;
    expect_fine(one.command);  // its own files it knows again
  }
}

TEST_F(KeptFiles, GalleryFilesAreGuardedAndKnownAgain) {
  expect_fine("gallery check Q1 --out curves");
  std::vector<std::string> tables;
  for (const auto& entry : std::filesystem::directory_iterator(at("curves"))) {
    tables.push_back("curves/" + entry.path().filename().string());
  }
  ASSERT_FALSE(tables.empty());
  expect_fine("gallery check Q1 --out curves");
  for (const std::string& table : tables) {
    write(table, kBalls);
    expect_refused("gallery check Q1 --out curves", table + ": is a scene, not ");
    EXPECT_EQ(text_of(at(table)), kBalls);
    expect_fine("gallery check Q1 --out curves --force");
    EXPECT_NE(text_of(at(table)), kBalls);
  }
  write("file", "mine");
  expect_refused("gallery check Q1 --out file", "file");
}

TEST_F(KeptFiles, WhatIsSoundInADamagedRecordingIsRecovered) {
  expect_fine("run s.toml -q --steps 200 -o p.h5");
  std::string bytes = text_of(at("p.h5"));
  // Positions of the frames are the largest part of the file.
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  write("p.h5", bytes);
  expect_refused("recover p.h5 -o p.h5", "is the input");
  write("there.h5", "mine");
  expect_refused("recover p.h5 -o there.h5", "exists already");
  const CommandResult result = carom("recover p.h5 -o saved.h5");
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find("missing: "), std::string::npos);
  EXPECT_EQ(result.output.find("missing: nothing"), std::string::npos) << result.output;
  // What was lost is made anew.
  expect_fine("run --resume saved.h5 -q");
  expect_fine("verify saved.h5 -q");
}

TEST_F(KeptFiles, OutputsFollowLinksThatDangleToo) {
  std::filesystem::create_directory(at("disk"));
  for (const char* name : {"p.h5", "p.svg", "p.html", "w.csv", "n.toml"}) {
    std::filesystem::create_symlink(std::filesystem::path("disk") / name, at(name));
  }
  for (int k = 0; k < 2; ++k) {  // the first time they lead to nothing
    expect_fine("run s.toml -q --steps 50 -o p.h5");
    expect_fine("plot p.h5 -o p.svg");
    expect_fine("sweep s.toml -q --duration 0.05 --vary time.step=0.01,0.025 -o w");
    expect_fine("new n.toml --force");
    std::vector<std::string> names = {"p.h5", "p.svg", "w.csv", "n.toml"};
    const CommandResult view = carom("view p.h5 -o p.html");
    if (view.errors.find("no viewer") == std::string::npos) names.emplace_back("p.html");
    for (const std::string& name : names) {
      EXPECT_TRUE(std::filesystem::is_symlink(at(name))) << name;
      EXPECT_TRUE(std::filesystem::is_regular_file(at("disk/" + name))) << name;
    }
  }
}

TEST_F(KeptFiles, AnInterruptedComparisonKeepsWhatHasFinishedAndGoesOn) {
  const std::string compare = "compare s.toml -q --steps 3000 --operators gr,lcp,gauss_seidel -o c";
  expect_fine(compare);
  EXPECT_FALSE(std::filesystem::exists(at("c.runs")));
  const std::string whole = carom(compare).output;
  expect_refused(compare + " --resume", "c.runs: there is no interrupted comparison to go on with");
  for (const char* signal : {"TERM", "KILL"}) {
    std::filesystem::remove(at("c.svg"));
    const std::string output = stopped(compare, "-e c.runs/2-lcp.h5.journal", signal);
    if (std::string(signal) == "TERM" && output.find("interrupted") != std::string::npos) {
      EXPECT_NE(output.find("same command with --resume goes on"), std::string::npos) << output;
      EXPECT_NE(output.find("  gr "), std::string::npos) << output;
      EXPECT_TRUE(std::filesystem::exists(at("c.svg")));
    }
    if (!std::filesystem::exists(at("c.runs"))) continue;  // it was faster than the signal
    expect_refused(compare, "c.runs: holds the runs of a comparison that was interrupted");
    expect_refused("compare s.toml -q --steps 30 --operators gr -o c --resume",
                   "1-gr.h5: is a run of another comparison");
    const CommandResult rest = carom(compare + " --resume");
    EXPECT_EQ(rest.code, 0) << rest.errors;
    EXPECT_FALSE(std::filesystem::exists(at("c.runs")));
    for (const char* name : {"  gr ", "  lcp ", "  gauss_seidel "}) {
      EXPECT_NE(rest.output.find(name), std::string::npos) << rest.output;
    }
  }
  std::filesystem::create_directory(at("c.runs"));
  write("c.runs/letter.txt", "dear");
  expect_refused(compare + " --force", "c.runs: holds files that are no runs of a comparison");
  EXPECT_EQ(text_of(at("c.runs/letter.txt")), "dear");
}

TEST_F(KeptFiles, AnInterruptedSweepKeepsWhatHasFinishedAndGoesOn) {
  const std::string sweep =
      "sweep s.toml -q --threads 1 --vary world.gravity=0:1:200 --measure energy -o w";
  expect_refused(sweep + " --resume", "w.csv: there is no such table to go on with");
  for (const char* signal : {"TERM", "KILL"}) {
    const std::string output = stopped(sweep, "-s w.csv", signal);
    const std::string table = text_of(at("w.csv"));
    EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 2) << "what has finished is there";
    if (std::string(signal) == "TERM") {
      EXPECT_NE(output.find("same command with --resume goes on"), std::string::npos) << output;
      EXPECT_TRUE(std::filesystem::exists(at("w.svg")));
    }
  }
  const CommandResult rest = carom(sweep + " --resume");
  EXPECT_EQ(rest.code, 0) << rest.errors;
  EXPECT_NE(rest.output.find(" of 200 runs were there already"), std::string::npos);
  const std::string table = text_of(at("w.csv"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 202);
}

// A run of 5 s that is given 10 s has the bits of one that had them from the start.
TEST_F(KeptFiles, AFinishedRunCanBeExtendedToTheSameBits) {
  for (const std::string scheme : {"steps", "events"}) {
    const std::string set = " -q --set 'time.scheme=\"" + scheme + "\"'";
    expect_fine("run s.toml" + set + " --duration 10 -o long.h5");
    expect_fine("run s.toml" + set + " --duration 5 -o short.h5");
    expect_fine("run --resume short.h5 -q --duration 10");
    const FileRecord one(open_recording(at("long.h5")));
    const FileRecord two(open_recording(at("short.h5")));
    EXPECT_EQ(one.header().settings_json, two.header().settings_json);
    EXPECT_EQ(one.header().shapes_json, two.header().shapes_json);
    EXPECT_EQ(scene_of(two.header()).scene.simulation.time.duration, 10.0);
    ASSERT_EQ(one.frame_times(), two.frame_times()) << "500 is no multiple of 7";
    for (std::size_t k = 0; k < one.frame_times().size(); ++k) {
      EXPECT_EQ(one.frame(k).positions, two.frame(k).positions);
      EXPECT_EQ(one.frame(k).velocities, two.frame(k).velocities);
    }
    EXPECT_EQ(one.integer_column("step").size(), 1001U);
    EXPECT_EQ(one.integer_column("state_hash"), two.integer_column("state_hash")) << scheme;
    EXPECT_EQ(one.reader().checkpoint(1).state, two.reader().checkpoint(1).state) << scheme;
    expect_fine("verify -q short.h5");
    expect_refused("run --resume short.h5 -q --duration 4", "expected a longer duration");
  }
  expect_fine("run s.toml -q --steps 100 -o p.h5");
  const std::string before = text_of(at("p.h5"));
  static_cast<void>(stopped("run --resume p.h5 -q --steps 20000", "-s p.h5.journal", "TERM"));
  EXPECT_EQ(text_of(at("p.h5")), before);
  expect_fine("run --resume p.h5 -q");
  EXPECT_EQ(open_recording(at("p.h5")).diagnostics_count(), 20001U);
}

}  // namespace
}  // namespace carom::test
