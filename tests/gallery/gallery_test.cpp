#include "carom/gallery/gallery.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "support/directories.h"

namespace carom {
namespace {

std::filesystem::path gallery_directory() {
  return std::filesystem::path(test::source_directory()) / "gallery";
}

// By their files: every test of this program asks for them, and reading meshes takes time.
std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::recursive_directory_iterator(gallery_directory())) {
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void expect_all_claims(const std::string& name, bool slow) {
  const std::vector<GalleryEntry> entries = read_gallery(gallery_directory());
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const GalleryEntry& e) { return e.name == name; });
  ASSERT_NE(entry, entries.end());
  const CheckOutcome outcome = entry->check(slow);
  EXPECT_FALSE(outcome.claims.empty());
  EXPECT_LT(outcome.headline, outcome.claims.size());
  for (const Claim& claim : outcome.claims) EXPECT_TRUE(claim.passed) << describe(claim);
}

std::string test_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

class Gallery : public testing::TestWithParam<std::string> {};
TEST_P(Gallery, Holds) { expect_all_claims(GetParam(), false); }
INSTANTIATE_TEST_SUITE_P(Files, Gallery, testing::ValuesIn(gallery_names()), test_name);

class SlowGallery : public testing::TestWithParam<std::string> {};
TEST_P(SlowGallery, Holds) { expect_all_claims(GetParam(), true); }
INSTANTIATE_TEST_SUITE_P(Files, SlowGallery, testing::ValuesIn(gallery_names()), test_name);

TEST(GalleryDirectory, HasEveryInstantOfThePapersInOrder) {
  const std::vector<GalleryEntry> entries = read_gallery(gallery_directory());
  std::vector<std::string> ids;
  for (const GalleryEntry& entry : entries) {
    if (ids.empty() || ids.back() != entry.id) ids.push_back(entry.id);
    EXPECT_FALSE(entry.title().empty()) << entry.name;
    EXPECT_FALSE(entry.figure().empty()) << entry.name;
    EXPECT_FALSE((entry.scene ? entry.scene->description : entry.instant->description).empty())
        << entry.name;
  }
  const std::set<std::string> found(ids.begin(), ids.end());
  EXPECT_EQ(found.size(), ids.size()) << "files of one id are not together";
  for (const char* id : {"A2", "A3", "A4", "A5", "A6", "G1", "G2", "G4", "G5", "Q1", "Q10", "U1"}) {
    EXPECT_TRUE(found.contains(id)) << id;
  }
}

// The larger scenes of slow runs are read, though not run, every time.
TEST(Gallery, LongChecksSayHowFarTheyAre) {
  const std::vector<std::string> small = {
      "world.periodic.x=8*1.08*6.6e-4", "world.periodic.y=8*1.08*6.6e-4",
      "grid[0].counts=[8, 8, 7]", "check.cycles=[0.5]", "check.last=0.25"};
  const Scene scene = read_scene_file(gallery_directory() / "G15-patterns.toml", small);
  std::vector<double> shares;
  static_cast<void>(check_scene(scene, false, [&](std::string_view doing, double share) {
    EXPECT_EQ(doing, "stripes, gr");
    shares.push_back(share);
  }));
  ASSERT_GT(shares.size(), 50U);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.front(), 0.0);
  EXPECT_NEAR(shares.back(), 1.0, 0.02);
}

TEST(GalleryDirectory, SlowRunsCanBegin) {
  int larger = 0;
  for (const GalleryEntry& entry : read_gallery(gallery_directory())) {
    if (!entry.scene || !entry.scene->slow_parameters.has("set")) continue;
    ++larger;
    EXPECT_NO_THROW(static_cast<void>(read_scene(entry.scene->text, entry.scene->file,
                                                 entry.scene->slow_parameters.texts("set"))))
        << entry.name;
  }
  EXPECT_GE(larger, 2);
}

TEST(GalleryDirectory, MustBeOne) {
  EXPECT_THROW(static_cast<void>(read_gallery("no/such/directory")), InputError);
}

TEST(GalleryChecks, UnknownOnesNameTheNearest) {
  const Instant instant = read_instant("kind = \"instant\"\n[check]\nname = \"wegde\"\n", "f.toml");
  try {
    static_cast<void>(check_instant(instant));
    FAIL() << "an unknown check ran";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("unknown check 'wegde'"), std::string::npos)
        << error.what();
    EXPECT_EQ(error.place().file, "f.toml");
  }
}

TEST(GalleryChecks, RefuseUnknownAndMissingParameters) {
  const std::string head = "kind = \"instant\"\n[check]\nname = \"sorting\"\n";
  for (const char* rest :
       {"sizes = [3]\n", "sizes = [3]\nseeds = 1\norders = [\"worst\"]\nsede = 1\n",
        "sizes = [3]\nseeds = -1\norders = [\"worst\"]\n"}) {
    EXPECT_THROW(static_cast<void>(check_instant(read_instant(head + rest))), InputError) << rest;
  }
}

// A check that cannot fail is a defect: wrong numbers must be seen.
TEST(GalleryChecks, GoRedWhenTheNumbersAreWrong) {
  Instant wrong_digits = read_instant_file(gallery_directory() / "U1-galperin.toml");
  wrong_digits.parameters.set("digits", std::vector<double>{3, 31, 314, 3142}, {});
  EXPECT_FALSE(all_passed(check_instant(wrong_digits).claims));

  Instant wrong_box = read_instant_file(gallery_directory() / "G2-box.toml");
  wrong_box.parameters.set("straight", std::vector<std::string>{"gauss_seidel"}, {});
  EXPECT_FALSE(all_passed(check_instant(wrong_box).claims));

  Instant not_locked = read_instant_file(gallery_directory() / "A6-necessity.toml");
  not_locked.check = "anti_locking";
  EXPECT_FALSE(all_passed(check_instant(not_locked).claims));

  Instant disturbed = read_instant_file(gallery_directory() / "Q10-disturbed-cradle.toml");
  disturbed.parameters.set("disturbance", 0.3, {});
  EXPECT_FALSE(all_passed(check_instant(disturbed).claims));

  Instant expectation = read_instant_file(gallery_directory() / "G4-cradle.toml");
  expectation.check.clear();
  expectation.expectations[4].velocities[0].value[0] += 1e-6;
  EXPECT_FALSE(all_passed(check_instant(expectation).claims));
}

}  // namespace
}  // namespace carom
