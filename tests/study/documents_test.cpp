// The examples of the documents are run: what they show is what happens.

#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/scene/instant.h"
#include "carom/study/gallery.h"

#include "study/run_command.h"

namespace carom::test {
namespace {

std::string read_document(const std::string& name) {
  std::ifstream stream(std::string(CAROM_SOURCE_DIR) + "/docs/" + name);
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

// Round-off may differ from build to build, and with it the width of a column.
std::string without_round_off(const std::string& text) {
  static const std::regex tiny("-?[0-9.]+e-(1[4-9]|[2-9][0-9])");
  static const std::regex blanks(" +");
  return std::regex_replace(std::regex_replace(text, tiny, "0"), blanks, " ");
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

TEST(Documents, CommandsPrintWhatIsShown) {
  const std::vector<std::string> blocks = blocks_of(read_document("command-line.md"), "console");
  ASSERT_FALSE(blocks.empty());
  for (const std::string& block : blocks) {
    const std::string prompt = "$ carom ";
    ASSERT_TRUE(block.starts_with(prompt)) << block;
    const std::size_t end = block.find('\n');
    const std::string arguments = block.substr(prompt.size(), end - prompt.size());
    const CommandResult result = run_carom(arguments);
    EXPECT_EQ(result.code, 0) << arguments;
    EXPECT_EQ(without_round_off(result.output + result.errors),
              without_round_off(block.substr(end + 1)))
        << "carom " << arguments;
  }
}

}  // namespace
}  // namespace carom::test
