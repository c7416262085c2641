#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

const char* const kText = R"toml(# a comment
kind = "scene"
[time]
step = 0.5
[impact]
operators = ["gr", "lcp"]
[[body]]
name = "cue"
position = [0, 0]
radius = 1
[[body]]
name = "other"
position = [5, 0]
radius = 1
[expect.lcp]
energy_drift = 1
)toml";

Scene read(const std::vector<std::string>& overrides) {
  return read_scene(kText, "file.toml", overrides);
}

std::string fault_of(const std::vector<std::string>& overrides) {
  try {
    static_cast<void>(read(overrides));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SceneOverrides, ReplaceAndAddValues) {
  const Scene scene =
      read({"time.step=1e-3", "world.gravity=[1, -2]", "record.impulses=true", "body[0].mass=3",
            "body.other.velocity=[\"-1/3\", 0]", "material.default.restitution=0.5",
            "expect.lcp.energy_drift=2", "title=A long name", "detection.activation=1e-3*2"});
  EXPECT_EQ(scene.simulation.time.step, 1e-3);
  EXPECT_EQ(scene.simulation.forces.gravity, (Vec3{1.0, -2.0, 0.0}));
  EXPECT_TRUE(scene.record.impulses);
  EXPECT_EQ(scene.simulation.world.bodies.mass[0], 3.0);
  EXPECT_EQ(scene.simulation.start.velocity[1].x, -1.0 / 3.0);
  EXPECT_EQ(scene.simulation.world.materials.material(0).restitution, 0.5);
  EXPECT_EQ(scene.expectations[1].energy_drift, 2.0);
  EXPECT_EQ(scene.title, "A long name");
  EXPECT_EQ(scene.simulation.detection.activation, 2e-3);
}

TEST(SceneOverrides, ReplaceOneNumberOfAList) {
  const Scene scene = read({"body.other.position[0]=7", "body[0].position[1]=0.5"});
  EXPECT_EQ(scene.simulation.start.position[1], (Vec3{7.0, 0.0, 0.0}));
  EXPECT_EQ(scene.simulation.start.position[0], (Vec3{0.0, 0.5, 0.0}));
  EXPECT_NE(fault_of({"body.cue.position[2]=1"}).find("2 are there"), std::string::npos);
  EXPECT_NE(fault_of({"body.cue.velocity[0]=1"}).find("none in the file"), std::string::npos);
  EXPECT_NE(fault_of({"body.cue.radius[0]=1"}).find("is "), std::string::npos);
  EXPECT_NE(fault_of({"body[0]=1"}).find("expected a key"), std::string::npos);
  // Written back, the text holds it.
  EXPECT_EQ(read_scene(scene.text, "").simulation.start.position[1].x, 7.0);
}

TEST(SceneOverrides, WordsNeedNoQuotes) {
  const Scene scene = read({"impact.operators=gauss_seidel:order=random,seed=3", "expect={}"});
  EXPECT_EQ(scene.operators, std::vector<std::string>{"gauss_seidel:order=random,seed=3"});
}

TEST(SceneOverrides, TheLastOneCounts) {
  EXPECT_EQ(read({"time.step=1", "time.step=2"}).simulation.time.step, 2.0);
}

TEST(SceneOverrides, FaultsNameTheOption) {
  EXPECT_EQ(fault_of({"time.stp=1"}).substr(0, 70),
            "--set time.stp=1: time: unknown key 'stp'; did you mean 'step'? Known:");
  EXPECT_EQ(fault_of({"time.step=-1"}),
            "--set time.step=-1: time.step: must be positive, found -1");
  EXPECT_EQ(
      fault_of({"time.step=fast"}),
      "--set time.step=fast: time.step: expected a number or an expression such as \"-1/3\", "
      "found the string \"fast\": unknown name 'fast'; known: abs, sqrt, sin, cos, tan, pi, deg");
  EXPECT_EQ(fault_of({"wrld.gravity=1"}).substr(0, 26), "--set wrld.gravity=1: unkn");
  EXPECT_EQ(fault_of({"step"}), "--set step: expected table.key=value, e.g. time.step=1e-3");
  EXPECT_EQ(fault_of({"=1"}), "--set =1: expected table.key=value, e.g. time.step=1e-3");
  EXPECT_EQ(fault_of({"body[7].mass=1"}),
            "--set body[7].mass=1: body: there is no number 7; they are counted from 0, and 2 are "
            "there");
  EXPECT_EQ(fault_of({"body.cu.mass=1"}),
            "--set body.cu.mass=1: body: unknown name 'cu'; did you mean 'cue'? Known: cue, other");
  EXPECT_EQ(fault_of({"body[x].mass=1"}),
            "--set body[x].mass=1: expected a whole number in brackets, e.g. body[0].mass=2");
  EXPECT_EQ(fault_of({"body.mass=1"}),
            "--set body.mass=1: body: say which one: body[0].key or body.name.key");
  EXPECT_EQ(fault_of({"rack[0].rows=1"}), "--set rack[0].rows=1: rack: there is none in the file");
  EXPECT_EQ(fault_of({"time.step.size=1"}),
            "--set time.step.size=1: step: is the number 0.5, not a table");
  // What was right in the file still has its line.
  EXPECT_EQ(fault_of({"body[0].radius=9"}).substr(0, 21), "file.toml:11:1: body[");
}

TEST(SceneOverrides, EntriesWithoutNamesAreCounted) {
  const std::string text = "kind = \"scene\"\n[[line]]\ncount = 3\nradius = 0.2\nspacing = 1.0\n";
  const std::vector<std::string> by_name = {"line.0.spacing=2"};
  try {
    static_cast<void>(read_scene(text, "file.toml", by_name));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--set line.0.spacing=2: line: no entry has a name, found '0'; by number, from 0: "
                 "line[0]");
  }
  const std::vector<std::string> by_number = {"line[0].spacing=2"};
  const Scene scene = read_scene(text, "file.toml", by_number);
  const std::vector<Vec3>& places = scene.simulation.start.position;
  EXPECT_EQ(norm(places[1] - places[0]), 2.0);
}

TEST(SceneOverrides, AreInsideTheTextThatIsKept) {
  const std::vector<std::string> first = {"time.step=0.25", "title=say \"it\""};
  const Scene scene = read(first);
  EXPECT_NE(scene.text.find("# a comment"), std::string::npos);
  const Scene again = read_scene(scene.text, "kept.toml");
  EXPECT_EQ(again.text, scene.text);
  EXPECT_EQ(again.title, "say \"it\"");
  EXPECT_EQ(write_scene(again), write_scene(scene));

  const std::vector<std::string> second = {"time.duration=7", "time.step=0.125"};
  const Scene further = read_scene(scene.text, "kept.toml", second);
  EXPECT_EQ(further.simulation.time.step, 0.125);
  EXPECT_EQ(further.title, "say \"it\"");
  const Scene last = read_scene(further.text, "kept.toml");
  EXPECT_EQ(write_scene(last), write_scene(further));
  EXPECT_EQ(last.simulation.time.duration, 7.0);
}

TEST(SceneOverrides, AByteOrderMarkStaysInFront) {
  const std::vector<std::string> overrides = {"time.step=0.25"};
  const Scene scene = read_scene("\xef\xbb\xbf" + std::string(kText), "", overrides);
  EXPECT_TRUE(
      scene.text.starts_with("\xef\xbb\xbf"
                             "set = "));
  EXPECT_EQ(read_scene(scene.text).simulation.time.step, 0.25);
}

TEST(SceneOverrides, WithoutThemTheTextIsTheFile) { EXPECT_EQ(read({}).text, kText); }

}  // namespace
}  // namespace carom
