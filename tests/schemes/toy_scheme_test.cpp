// A scheme that the tests register gets scene keys, a command line, recordings with its columns and
// checks, without a change anywhere else.
#include "schemes/toy_scheme.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/recording/reader.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

#include "command_line.h"

namespace carom::test {
namespace {

const char* const kScene = R"(kind = "scene"
[time]
scheme = "toy"
step = 0.5
duration = 2
[toy]
tempo = 3
[[body]]
name = "a"
radius = 1
position = [0, 0]
velocity = [2, 0]
[[body]]
name = "b"
radius = 1
position = [6, 0]
)";

struct Output {
  int code = 0;
  std::string out;
  std::string errors;
};

Output run_toy(std::vector<std::string> words) {
  register_toy_scheme();
  words.insert(words.begin(), "carom");
  std::vector<char*> arguments;
  arguments.reserve(words.size());
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Output output;
  output.code = cli::run_command_line(static_cast<int>(arguments.size()), arguments.data());
  output.out = testing::internal::GetCapturedStdout();
  output.errors = testing::internal::GetCapturedStderr();
  return output;
}

class ToyScheme : public testing::Test {
 public:
  ToyScheme()
      : directory_(std::filesystem::temp_directory_path() /
                   ("carom-toy-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(directory_);
    std::ofstream(directory_ / "toy.toml") << kScene;
  }
  ~ToyScheme() override { std::filesystem::remove_all(directory_); }

 protected:
  [[nodiscard]] std::string path(const char* name) const { return (directory_ / name).string(); }

 private:
  std::filesystem::path directory_;
};

TEST_F(ToyScheme, IsRunFromTheCommandLineIntoARecordingWithItsColumn) {
  const Output run = run_toy({"run", path("toy.toml"), "-o", path("toy.h5")});
  ASSERT_EQ(run.code, 0) << run.errors;
  const RecordingReader reader = open_recording(path("toy.h5"));
  // Two metres per second, half a second, three times as fast.
  EXPECT_EQ(reader.real_column("way"), (std::vector<double>{0.0, 3.0, 3.0, 3.0, 3.0}));
  EXPECT_EQ(reader.real_column("momentum_x").size(), 5U);
  EXPECT_FALSE(reader.has_column("rows"));
  EXPECT_EQ(reader.frame(4).positions.front(), 12.0);
  const Output info = run_toy({"info", path("toy.h5"), "--json"});
  ASSERT_EQ(info.code, 0) << info.errors;
  EXPECT_NE(info.out.find("\"toy\""), std::string::npos) << info.out;
  EXPECT_EQ(run_toy({"verify", path("toy.h5")}).code, 0);
}

TEST_F(ToyScheme, ItsKeysAreReadWrittenAndMissedByTheirNearestName) {
  register_toy_scheme();
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      static_cast<void>(read_scene(text, "toy.toml"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(kScene), "");
  std::string wrong = kScene;
  wrong.replace(wrong.find("tempo"), 5, "tenpo");
  EXPECT_NE(error_of(wrong).find("tempo"), std::string::npos) << error_of(wrong);
  wrong = kScene;
  wrong.replace(wrong.find("tempo = 3"), 9, "tempo = 0");
  EXPECT_NE(error_of(wrong).find("toy.tempo"), std::string::npos) << error_of(wrong);
  EXPECT_NE(run_toy({"schemes"}).out.find("free flight and nothing else"), std::string::npos);
}

TEST_F(ToyScheme, SaysWhichFrictionActsWhereMaterialsRub) {
  register_toy_scheme();
  const std::string rubbing =
      std::string(kScene) + "[[material]]\nname = \"cork\"\nfriction = 0.3\n";
  EXPECT_EQ(read_scene(rubbing, "toy.toml").simulation.impact.friction_model, "box");
  const std::string said = rubbing + "[impact]\nfriction_model = \"none\"\n";
  EXPECT_EQ(read_scene(said, "toy.toml").simulation.impact.friction_model, "none");
  EXPECT_EQ(read_scene(kScene, "toy.toml").simulation.impact.friction_model, "none");
}

TEST(SchemeRegistry, RefusesWhatCannotBeAScheme) {
  SchemeInfo info = toy_scheme();
  info.name = "steps";
  EXPECT_THROW(register_scheme(info), InputError);
  info.name = "two words";
  EXPECT_THROW(register_scheme(info), InputError);
  info.name = "idle";
  info.make = nullptr;
  EXPECT_THROW(register_scheme(info), InputError);
  EXPECT_THROW(static_cast<void>(scheme_info("stepps")), InputError);
}

}  // namespace
}  // namespace carom::test
