// The examples of the documents are run: what they show is what happens.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/gallery/gallery.h"
#include "carom/runs/diagnostics.h"
#include "carom/scene/instant.h"
#include "carom/schemes/registry.h"

#include "support/directories.h"
#include "support/run_command.h"

namespace carom::test {
namespace {

std::string read_document(const std::string& name) {
  std::ifstream stream(source_directory() + "/docs/" + name);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The fenced blocks of one language.
std::vector<std::string> blocks_of(const std::string& document, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string fence = "```" + language + "\n";
  for (std::size_t at = document.find(fence); at != std::string::npos;
       at = document.find(fence, at)) {
    at += fence.size();
    const std::size_t end = document.find("```", at);
    blocks.push_back(document.substr(at, end - at));
    at = end;
  }
  return blocks;
}

// Round-off may differ from build to build, and with it the width of a column; times differ from
// run to run.
std::string without_round_off(const std::string& text) {
  static const std::regex tiny("-?[0-9.]+e-(1[2-9]|[2-9][0-9])");
  static const std::regex wall_time("wall time [^\n]*");
  static const std::regex seconds(" [0-9]+\\.[0-9][0-9] ");
  static const std::regex blanks(" +");
  std::string plain = std::regex_replace(text, tiny, "0");
  plain = std::regex_replace(plain, wall_time, "wall time");
  plain = std::regex_replace(plain, blanks, " ");
  return std::regex_replace(plain, seconds, " seconds ");
}

// A command and what it prints.
struct Example {
  std::string arguments;
  std::string output;
};

std::vector<Example> examples_of(const std::string& block) {
  const std::string prompt = "$ carom ";
  std::vector<Example> examples;
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(prompt)) {
      examples.push_back({line.substr(prompt.size()), ""});
    } else if (!examples.empty()) {
      examples.back().output += line + "\n";
    }
  }
  return examples;
}

TEST(Documents, InstantsOfTheFormatDoWhatTheyExpect) {
  const std::vector<std::string> blocks = blocks_of(read_document("instant-format.md"), "toml");
  ASSERT_FALSE(blocks.empty());
  for (const std::string& block : blocks) {
    const CheckOutcome outcome = check_instant(read_instant(block, "docs/instant-format.md"));
    EXPECT_FALSE(outcome.claims.empty());
    for (const Claim& claim : outcome.claims) EXPECT_TRUE(claim.passed) << describe(claim);
  }
}

TEST(Documents, EveryColumnOfARunIsDescribed) {
  const std::string document = read_document("recording-format.md");
  for (const std::string& scheme : scheme_names()) {
    const DiagnosticTable table(scheme_info(scheme));
    ASSERT_FALSE(table.columns().empty());
    for (const DiagnosticColumn& column : table.columns()) {
      EXPECT_NE(document.find("`" + column.name + "`"), std::string::npos) << column.name;
    }
  }
}

// In the order of the document, in a directory that has the gallery and the scene of `carom new`.
TEST(Documents, CommandsPrintWhatIsShown) {
  const std::vector<std::string> blocks = blocks_of(read_document("command-line.md"), "console");
  ASSERT_FALSE(blocks.empty());
  const std::filesystem::path directory = scratch_directory() / "documents";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  std::filesystem::create_directory_symlink(source_directory() + "/gallery", directory / "gallery");
  ASSERT_EQ(run_carom("new", directory).code, 0);
  for (const std::string& block : blocks) {
    const std::vector<Example> examples = examples_of(block);
    ASSERT_FALSE(examples.empty()) << block;
    for (const Example& example : examples) {
      const CommandResult result = run_carom(example.arguments, directory);
      EXPECT_EQ(result.code, 0) << example.arguments;
      EXPECT_EQ(without_round_off(result.output + result.errors), without_round_off(example.output))
          << "carom " << example.arguments;
    }
  }
}

}  // namespace
}  // namespace carom::test
