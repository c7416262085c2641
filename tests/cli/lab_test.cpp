// `carom lab`: the page with a scene inside, or, where it was not built, how to get it.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "support/directories.h"
#include "support/run_command.h"

namespace carom::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(LabCommand, WritesThePageWithTheSceneOrSaysHowToGetIt) {
  const fs::path page = scratch_directory() / "break-lab.html";
  const CommandResult result = run_carom("lab gallery/G6-break.toml -o '" + page.string() + "'");
  const fs::path built = fs::path(source_directory()) / "build" / "wasm" / "lab" / "lab.html";
  if (!fs::exists(built)) {
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.errors.find("./dev wasm"), std::string::npos) << result.errors;
    EXPECT_FALSE(fs::exists(page));
    return;
  }
  ASSERT_EQ(result.code, 0) << result.errors;
  const std::string text = text_of(page);
  EXPECT_EQ(text.find("{{carom-data}}"), std::string::npos);
  EXPECT_NE(text.find("The cleanest pool break"), std::string::npos);
}

TEST(LabCommand, RefusesWhatIsNoSceneAndReplacesNoOtherFile) {
  const fs::path built = fs::path(source_directory()) / "build" / "wasm" / "lab" / "lab.html";
  if (!fs::exists(built)) GTEST_SKIP() << "./dev wasm was not run";
  EXPECT_EQ(run_carom("lab gallery/G4-cradle.toml -o /tmp/never.html").code, 2);
  const fs::path other = scratch_directory() / "other.html";
  std::ofstream(other) << "mine";
  EXPECT_EQ(run_carom("lab -o '" + other.string() + "'").code, 2);
  EXPECT_EQ(text_of(other), "mine");
  EXPECT_EQ(run_carom("lab --force -o '" + other.string() + "'").code, 0);
  EXPECT_NE(text_of(other), "mine");
}

}  // namespace
}  // namespace carom::test
