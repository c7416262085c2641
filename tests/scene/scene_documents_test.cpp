// The scenes of docs/scene-format.md are read and pass the start check.

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/scene/import_scisim.h"
#include "carom/scene/scene.h"
#include "carom/scene/settings.h"

#include "support/directories.h"

namespace carom {
namespace {

std::string document() {
  std::ifstream stream(test::source_directory() + "/docs/scene-format.md");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<std::string> blocks_of(const std::string& text, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string fence = "```" + language + "\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    const std::size_t end = text.find("```", at);
    blocks.push_back(text.substr(at, end - at));
    at = end;
  }
  return blocks;
}

TEST(SceneDocument, ItsExamplesAreScenes) {
  int count = 0;
  for (const std::string& block : blocks_of(document(), "toml")) {
    if (!block.starts_with("kind = \"scene\"")) continue;
    ++count;
    const Scene scene = read_scene(block, "docs/scene-format.md");
    EXPECT_FALSE(scene.expectations[0].empty()) << scene.title;
  }
  EXPECT_GE(count, 4);
}

TEST(SceneDocument, ItsPiecesBelongToScenes) {
  for (const std::string& block : blocks_of(document(), "toml")) {
    if (block.starts_with("kind = ")) continue;
    const std::string ball = "[[body]]\nname = \"other\"\nposition = [1e6, 0]\nradius = 1\n";
    std::string whole = "kind = \"scene\"\n";
    whole.append(block).append(ball);
    EXPECT_NO_THROW(static_cast<void>(read_scene(whole, "piece"))) << block;
  }
}

TEST(SceneDocument, ItsXmlCanBeImported) {
  const std::vector<std::string> blocks = blocks_of(document(), "xml");
  ASSERT_FALSE(blocks.empty());
  for (const std::string& block : blocks) {
    EXPECT_NO_THROW(static_cast<void>(import_scisim(block, "docs/scene-format.md")));
  }
}

}  // namespace
}  // namespace carom
