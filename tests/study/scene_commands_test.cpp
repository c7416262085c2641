#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/recording/reader.h"

#include "study/run_command.h"

namespace carom::test {
namespace {

// A directory with a scene in it, of this test alone.
class SceneCommands : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        scratch_directory() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    ASSERT_EQ(run_carom("new " + at("break.toml")).code, 0);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::string at(const std::string& name) const {
    return (directory_ / name).string();
  }
  [[nodiscard]] std::string record() const {
    const CommandResult run =
        run_carom("run " + at("break.toml") + " -q --duration 0.3 -o " + at("break.h5"));
    EXPECT_EQ(run.code, 0) << run.errors;
    return at("break.h5");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name) << text;
  }

 private:
  std::filesystem::path directory_;
};

TEST_F(SceneCommands, TheStarterSceneRunsAndHolds) {
  const std::string file = record();
  const CommandResult check = run_carom("check " + file);
  EXPECT_EQ(check.code, 0) << check.output;
  EXPECT_NE(check.output.find("mirror error"), std::string::npos);
  const CommandResult verify = run_carom("verify " + file);
  EXPECT_EQ(verify.code, 0);
  EXPECT_NE(verify.output.find("all 301 recorded states"), std::string::npos) << verify.output;
}

TEST_F(SceneCommands, ASummaryTellsWhatTheRunAmountedTo) {
  const CommandResult run =
      run_carom("run " + at("break.toml") + " --duration 0.3 -o " + at("a.h5"));
  for (const char* word : {"steps 300", "wall time", "integration", "detection", "impact",
                           "applications", "penetration", "energy", "momentum", "recording"}) {
    EXPECT_NE(run.output.find(word), std::string::npos) << word;
  }
}

TEST_F(SceneCommands, OverridesReachTheRecording) {
  ASSERT_EQ(run_carom("run " + at("break.toml") +
                      " -q --set time.step=0.002 --operator lcp --steps 50 -o " + at("a.h5"))
                .code,
            0);
  const RecordingReader reader = open_recording(at("a.h5"));
  EXPECT_EQ(reader.header().step, 0.002);
  EXPECT_EQ(reader.header().impact_operator, "lcp");
  EXPECT_EQ(reader.diagnostics_count(), 51U);
  EXPECT_EQ(run_carom("verify -q " + at("a.h5")).code, 0);
}

TEST_F(SceneCommands, InfoIsForMachinesToo) {
  const CommandResult info = run_carom("info --json " + record());
  const auto json = nlohmann::json::parse(info.output);
  EXPECT_EQ(json["bodies"], 16);
  EXPECT_EQ(json["status"], "finished");
  EXPECT_LT(json["energy_drift"].get<double>(), 1e-12);
}

TEST_F(SceneCommands, PicturesAndPagesAreWritten) {
  const std::string file = record();
  EXPECT_EQ(run_carom("plot " + file + " -o " + at("plot")).code, 0);
  EXPECT_GT(std::filesystem::file_size(at("plot.svg")), 1000U);
  EXPECT_GT(std::filesystem::file_size(at("plot.png")), 1000U);
  const CommandResult view = run_carom("view " + file + " -o " + at("page.html"));
  if (view.errors.find("no viewer") == std::string::npos) {
    EXPECT_EQ(view.code, 0) << view.errors;
    EXPECT_NE(view.output.find(at("page.html")), std::string::npos);
    EXPECT_GT(std::filesystem::file_size(at("page.html")), 100000U);
  }
}

TEST_F(SceneCommands, APageDoesNotReplaceItsRecording) {
  const std::string file = record();
  EXPECT_EQ(run_carom("view " + file + " -o " + file).code, 2);
  EXPECT_EQ(run_carom("info " + file).code, 0);
}

TEST_F(SceneCommands, EveryFormatIsExported) {
  const std::string file = record();
  for (const char* format : {"csv", "lammps", "vtk"}) {
    const CommandResult out =
        run_carom("export " + file + " --every 10 --format " + format + " -o " + at(format));
    EXPECT_EQ(out.code, 0) << out.errors;
    EXPECT_FALSE(std::filesystem::is_empty(at(format))) << format;
  }
  const CommandResult wrong = run_carom("export " + file + " --format vkt");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.errors.find("vtk"), std::string::npos) << wrong.errors;
}

TEST_F(SceneCommands, CompareShowsEveryOperator) {
  const CommandResult compare = run_carom(
      "compare " + at("break.toml") +
      " -q --steps 300 --operators gr,gauss_seidel:order=random,seed=3,qce -o " + at("cmp"));
  EXPECT_EQ(compare.code, 0) << compare.errors;
  for (const char* word : {"gr ", "gauss_seidel:order=random,seed=3", "qce", "mirror error"}) {
    EXPECT_NE(compare.output.find(word), std::string::npos) << word << "\n" << compare.output;
  }
  EXPECT_TRUE(std::filesystem::exists(at("cmp.svg")));
}

TEST_F(SceneCommands, TheImpactOfAStepCanBeDumped) {
  // The cue is 0.4475 m away from the rack at 3 m/s: it arrives in step 150.
  std::string output;
  for (const char* step : {"149", "150"}) {
    const CommandResult dump = run_carom("run " + at("break.toml") + " --dump-impact " + step +
                                         " -o " + at("instant.toml"));
    ASSERT_EQ(dump.code, 0) << dump.errors;
  }
  const CommandResult impact = run_carom("impact " + at("instant.toml"));
  EXPECT_EQ(impact.code, 0) << impact.errors;
  EXPECT_NE(impact.output.find("cue"), std::string::npos);
  EXPECT_EQ(run_carom("run " + at("break.toml") + " --dump-impact 5000").code, 2);
}

TEST_F(SceneCommands, BadInputNamesThePlace) {
  write("wrong.toml", "kind = \"scene\"\n[time]\nstpe = 0.1\n");
  const CommandResult wrong = run_carom("run " + at("wrong.toml"));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.errors.find("wrong.toml:3:"), std::string::npos) << wrong.errors;
  EXPECT_NE(wrong.errors.find("step"), std::string::npos) << wrong.errors;
  const CommandResult option = run_carom("run " + at("break.toml") + " --set time.stpe=1");
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.errors.find("stpe"), std::string::npos) << option.errors;
  EXPECT_EQ(run_carom("run " + at("missing.toml")).code, 2);
  EXPECT_EQ(run_carom("run").code, 2);
  EXPECT_EQ(run_carom("check " + at("missing.h5")).code, 2);
  EXPECT_EQ(run_carom("run --resume " + at("missing.h5")).code, 2);
  EXPECT_EQ(run_carom("view " + at("break.toml")).code, 2) << "a scene is no recording";
  EXPECT_EQ(run_carom("run " + at("break.toml") + " --operator grr").code, 2);
  EXPECT_EQ(run_carom("new " + at("break.toml")).code, 2) << "nothing is overwritten";
  for (const char* wrong_number :
       {"--steps -1", "--steps 1e30", "--dump-impact 0", "--threads -2"}) {
    EXPECT_EQ(run_carom("run " + at("break.toml") + " " + wrong_number).code, 2) << wrong_number;
  }
}

TEST_F(SceneCommands, ARunThatCannotGoOnSaysWhyAndKeepsItsRecording) {
  write("squeeze.toml", R"toml(kind = "scene"
[time]
duration = 5.0
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
[[material]]
name = "default"
restitution = 0.0
[[body]]
name = "nut"
position = [1.0, 0.0]
radius = 0.5
)toml");
  const CommandResult run = run_carom("run -q " + at("squeeze.toml") + " -o " + at("s.h5"));
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.errors.find("nut"), std::string::npos) << run.errors;
  EXPECT_NE(run.errors.find("press"), std::string::npos) << run.errors;
  EXPECT_GT(open_recording(at("s.h5")).frame_count(), 10U);
}

TEST_F(SceneCommands, AnInterruptedRunSaysHowToResumeAndIsNotReplaced) {
  // SIGTERM is taken as Ctrl-C is; a shell lets what it starts in the background ignore SIGINT.
  const std::string scene = at("break.toml");
  const std::string file = at("long.h5");
  const std::string command =
      "'" + std::string(CAROM_BINARY_DIR) + "/apps/carom/carom' run '" + scene +
      "' -q --steps 100000 -o '" + file + "' > '" + at("out") + "' & run=$!; while [ ! -s '" +
      file + ".journal' ]; do sleep 0.01; done; sleep 0.1; kill -TERM $run; wait $run";
  static_cast<void>(std::system(command.c_str()));
  std::ifstream stream(at("out"));
  const std::string output((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
  EXPECT_NE(output.find("carom run --resume " + file), std::string::npos) << output;
  const RecordingReader reader = open_recording(file);
  EXPECT_EQ(reader.end().status, RunStatus::interrupted);
  const CommandResult again = run_carom("run " + scene + " -q -o " + file);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.errors.find("--resume"), std::string::npos) << again.errors;
  EXPECT_EQ(run_carom("run --resume " + file + " --steps 5").code, 2);
  const CommandResult resumed = run_carom("run --resume " + file + " -q");
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_EQ(open_recording(file).diagnostics_count(), 100001U);
}

}  // namespace
}  // namespace carom::test
