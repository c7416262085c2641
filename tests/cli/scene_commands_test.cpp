#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/recording/reader.h"

#include "support/directories.h"
#include "support/run_command.h"

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
  EXPECT_NE(verify.output.find("all 301 recorded states and 61 frames"), std::string::npos)
      << verify.output;
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

TEST_F(SceneCommands, TheSceneMayFollowItsSettings) {
  const CommandResult run = run_carom("run -q --set time.step=0.002 time.duration=0.1 " +
                                      at("break.toml") + " -o " + at("a.h5"));
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_EQ(open_recording(at("a.h5")).header().step, 0.002);
  const CommandResult none = run_carom("run --set time.step=0.002");
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.errors.find("a scene file is missing"), std::string::npos) << none.errors;
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
  for (const char* format : {"csv", "glb", "lammps", "vtk"}) {
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
  for (const auto& entry : std::filesystem::directory_iterator(at(""))) {
    EXPECT_EQ(entry.path().string().find("runs-"), std::string::npos) << "left behind";
  }
}

TEST_F(SceneCommands, APageOfTwoAndThreeDimensionsIsRefused) {
  write("space.toml",
        "kind = \"scene\"\n[world]\ndimension = 3\n[[body]]\nposition = [0, 0, 0]\n"
        "radius = 1\n");
  ASSERT_EQ(run_carom("run -q " + at("space.toml") + " -o " + at("space.h5")).code, 0);
  const CommandResult view =
      run_carom("view " + record() + " " + at("space.h5") + " -o " + at("both.html"));
  EXPECT_EQ(view.code, 2);
  if (view.errors.find("no viewer") != std::string::npos) return;
  EXPECT_NE(view.errors.find("'space' has 3 dimensions and 'break' has 2"), std::string::npos)
      << view.errors;
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

TEST_F(SceneCommands, UnderEventsTheLastImpactOfAStepCanBeDumpedAndInfoCountsCollisions) {
  write("pair.toml", R"toml(kind = "scene"
[time]
scheme = "events"
step = 0.5
duration = 2.0
[[body]]
name = "left"
position = [-1.0, 0.0]
velocity = [1.0, 0.0]
radius = 0.25
[[body]]
name = "right"
position = [0.25, 0.0]
radius = 0.25
)toml");
  // They meet after 0.75 s.
  const std::string dump = "run " + at("pair.toml") + " -o " + at("pair-instant.toml");
  EXPECT_EQ(run_carom(dump + " --dump-impact 1").code, 2);
  EXPECT_EQ(run_carom(dump + " --dump-impact 3").code, 2);
  ASSERT_EQ(run_carom(dump + " --dump-impact 2").code, 0);
  const CommandResult impact = run_carom("impact --json " + at("pair-instant.toml"));
  ASSERT_EQ(impact.code, 0) << impact.errors;
  EXPECT_NE(impact.output.find("right"), std::string::npos);
  const CommandResult run = run_carom("run -q " + at("pair.toml") + " -o " + at("pair.h5"));
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_NE(run.output.find("collisions 1\n"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("detection"), std::string::npos) << run.output;
  const auto json = nlohmann::json::parse(run_carom("info --json " + at("pair.h5")).output);
  EXPECT_EQ(json["scheme"], "events");
  EXPECT_EQ(json["collisions"], 1);
  EXPECT_EQ(json["recorded_impulses"], 0);
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
  const CommandResult unknown = run_carom("run " + at("break.toml") + " --operator grr");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.errors.find("carom: error: --operator: unknown impact operator 'grr'"), 0U)
      << unknown.errors;
  EXPECT_EQ(run_carom("new " + at("break.toml")).code, 2) << "nothing is overwritten";
  for (const char* wrong_number :
       {"--steps -1", "--steps 1e30", "--dump-impact 0", "--threads -2"}) {
    EXPECT_EQ(run_carom("run " + at("break.toml") + " " + wrong_number).code, 2) << wrong_number;
  }
}

TEST_F(SceneCommands, AFileOfAnotherKindIsSentToItsCommand) {
  const std::string scene = at("break.toml");
  const std::string recording = record();
  const std::string instant = "gallery/G4-cradle.toml";
  write("old.xml", "<ball2d_scene></ball2d_scene>");
  write("other.journal", "CAROMJ2\n....");
  const auto expect = [](const std::string& arguments, const std::string& message) {
    const CommandResult result = run_carom(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.errors.find(message), std::string::npos) << arguments << "\n" << result.errors;
  };
  const std::string run_it = "; run it with: carom run " + scene;
  expect("impact " + scene, scene + ": is a scene, not an instant" + run_it);
  const std::string no_recording = scene + ": is a scene, not a recording" + run_it;
  for (const char* command :
       {"view ", "plot ", "info ", "verify ", "export --format csv ", "run --resume "}) {
    expect(command + scene, no_recording);
  }
  expect("import " + scene, scene + ": is a scene, not a scene of SCISim (XML)" + run_it);
  for (const char* command : {"run ", "compare "}) {
    expect(command + instant, ": is an instant, not a scene; resolve it with: carom impact ");
    expect(command + recording,
           ": is a recording (HDF5), not a scene; look at it with: carom view ");
    expect(command + at("old.xml"), ": is an XML file, not a scene; if it is of SCISim, turn it");
  }
  expect("view " + instant, ": is an instant, not a recording; resolve it with: carom impact ");
  expect("view " + at("other.journal"),
         ": is damaged at its beginning; expected the journal of a recording");
  expect("run " + at("other.journal"), ": is the journal of a run, not a scene; look at it with: ");
}

TEST_F(SceneCommands, TheSystemsReasonIsTold) {
  const std::string file = record();
  const auto expect = [](const std::string& arguments, int code, const std::string& reason) {
    const CommandResult result = run_carom(arguments);
    EXPECT_EQ(result.code, code) << arguments;
    EXPECT_NE(result.errors.find(reason), std::string::npos) << arguments << "\n" << result.errors;
  };
  std::filesystem::create_directory(at("taken.html"));
  std::filesystem::create_directory(at("taken.svg"));
  expect("view " + file + " -o " + at("taken.html"), 2,
         "taken.html: cannot be written: Is a direc");
  expect("plot " + file + " -o " + at("taken.svg"), 2,
         "taken.svg: cannot be written: Is a directory");
  expect("view " + file + " -o " + at("no/x.html"), 2, "x.html: cannot be opened: No such file or");
  expect("new " + at("break.toml/x.toml"), 2, "x.toml: cannot be opened: Not a directory");
  expect("info " + at("taken.svg"), 2, "taken.svg: is a directory; expected a Carom recording");
  std::filesystem::create_symlink("loop", at("loop"));
  expect("info " + at("loop"), 2, "loop: cannot be opened: Too many levels of symbolic links");
  expect("run " + at("loop"), 2, "loop: cannot be opened: Too many levels of symbolic links");
  if (!std::filesystem::exists("/dev/full")) return;
  std::filesystem::create_symlink("/dev/full", at("full.svg"));
  std::filesystem::create_symlink("/dev/full", at("full.html.part"));
  expect("plot " + file + " -o " + at("full.svg"), 4, "cannot be written: No space left on device");
  expect("view " + file + " -o " + at("full.html"), 4,
         "cannot be written: No space left on device");
  const std::string command = "'" + build_directory() +
                              "/apps/carom/carom' operators > /dev/full 2> '" + at("errors") + "'";
  EXPECT_NE(std::system(command.c_str()), 0);
  std::ifstream stream(at("errors"));
  const std::string errors((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
  EXPECT_EQ(errors, "carom: error: the output cannot be written: No space left on device\n");
}

TEST_F(SceneCommands, ADurationThatIsNoneIsToldAsTheOption) {
  for (const char* command : {"run ", "compare "}) {
    for (const char* wrong : {"nan", "-1", "inf", "1e300"}) {
      const CommandResult result =
          run_carom(command + at("break.toml") + " --duration " + std::string(wrong));
      EXPECT_EQ(result.code, 2) << wrong;
      EXPECT_EQ(result.errors.find("carom: error: --duration: "), 0U) << result.errors;
      EXPECT_EQ(result.errors.find("--set"), std::string::npos) << result.errors;
    }
  }
}

TEST_F(SceneCommands, ARunOfNoStepsDoesNotReplaceAGoodRecording) {
  const std::string file = record();
  const std::string run = "run " + at("break.toml") + " -q -o " + file;
  for (const char* none : {" --steps 0", " --duration 0"}) {
    const CommandResult result = run_carom(run + none);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.errors.find("holds a run of 300 steps"), std::string::npos) << result.errors;
    EXPECT_EQ(open_recording(file).diagnostics_count(), 301U);
  }
  EXPECT_EQ(run_carom(run + " --steps 0 --force").code, 0);
  EXPECT_EQ(open_recording(file).diagnostics_count(), 1U);
  // Where there is nothing to lose it shows the start.
  EXPECT_EQ(run_carom(run + " --steps 0").code, 0);
}

TEST_F(SceneCommands, AShortenedRunSaysWhatItDoesNotReach) {
  write("two.toml", R"toml(kind = "scene"
[time]
duration = 2.0
[[body]]
name = "a"
position = [0.0, 0.0]
radius = 0.5
velocity = [1.0, 0.0]
[[expect.at]]
time = 1.0
position = { a = [1.0, 0.0] }
)toml");
  const std::string run = "run -q " + at("two.toml") + " -o " + at("two.h5");
  for (const char* length : {" --duration 0.5", " --steps 50", " --set time.duration=0.5"}) {
    ASSERT_EQ(run_carom(run + length).code, 0) << length;
    const CommandResult check = run_carom("check " + at("two.h5"));
    EXPECT_EQ(check.code, 0) << check.output;
    EXPECT_EQ(check.output, "-     position of a at time 1: not reached, the run ends at 0.5\n");
  }
  ASSERT_EQ(run_carom(run).code, 0);
  EXPECT_EQ(run_carom("check " + at("two.h5")).output.substr(0, 4), "ok  ");
}

TEST_F(SceneCommands, AnExportedPeriodicWorldHasItsPeriod) {
  write("ring.toml", R"toml(kind = "scene"
[world]
periodic = { x = [-1.0, 3.0] }
[time]
duration = 0.1
[[body]]
position = [2.5, 0.0]
radius = 0.25
velocity = [9.0, 0.0]
)toml");
  ASSERT_EQ(run_carom("run -q " + at("ring.toml") + " -o " + at("ring.h5")).code, 0);
  ASSERT_EQ(run_carom("export " + at("ring.h5") + " --format lammps -o " + at("out")).code, 0);
  std::ifstream stream(at("out/ring.lammpstrj"));
  const std::string dump((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  EXPECT_NE(dump.find("ITEM: BOX BOUNDS pp ff ff\n-1 3\n"), std::string::npos);
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
      "'" + build_directory() + "/apps/carom/carom' run '" + scene + "' -q --steps 100000 -o '" +
      file + "' > '" + at("out") + "' & run=$!; while [ ! -s '" + file +
      ".journal' ]; do sleep 0.01; done; sleep 0.1; kill -TERM $run; wait $run";
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
  const CommandResult shorter = run_carom("run --resume " + file + " --steps 5");
  EXPECT_EQ(shorter.code, 2);
  EXPECT_NE(shorter.errors.find("already; expected a longer duration"), std::string::npos)
      << shorter.errors;
  EXPECT_EQ(run_carom("run --resume " + file + " --operator lcp").code, 2);
  const CommandResult resumed = run_carom("run --resume " + file + " -q");
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_EQ(open_recording(file).diagnostics_count(), 100001U);
}

}  // namespace
}  // namespace carom::test
