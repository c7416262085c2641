#include "carom/core/name_list.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(NameList, GivesBackWhatItWasGiven) {
  const std::vector<std::string> given = {"a",
                                          "b",
                                          "b1",
                                          "b2",
                                          "b3",
                                          "b3",
                                          "9",
                                          "10",
                                          "11",
                                          "x-9-1",
                                          "x-10-1",
                                          "x-11-1",
                                          "x-1-2",
                                          "x-2-2",
                                          "a007",
                                          "a008",
                                          "a09",
                                          "a10",
                                          "",
                                          "",
                                          "1",
                                          "99",
                                          "100",
                                          "c1d1",
                                          "c2d1",
                                          "c2d2",
                                          "c3d3",
                                          "z18446744073709551615",
                                          "z18446744073709551616"};
  const NameList names(given);
  EXPECT_EQ(names.texts(), given);
  for (std::size_t k = 0; k < given.size(); ++k) {
    const auto found = names.find(given[k]);
    ASSERT_TRUE(found) << given[k];
    EXPECT_EQ(given[*found], given[k]);
    EXPECT_LE(*found, k);
  }
  EXPECT_FALSE(names.find("b4"));
  EXPECT_FALSE(names.find("b03"));
  EXPECT_FALSE(names.find("x-12-1"));
}

TEST(NameList, FindsTheFirstNameThatIsThereTwice) {
  EXPECT_EQ(NameList({"a", "b", "c"}).first_repeated(), std::nullopt);
  EXPECT_EQ(NameList({"a", "b", "a", "b"}).first_repeated(), 2U);
  EXPECT_EQ(NameList({"g-1", "g-2", "g-3", "g-2"}).first_repeated(), 3U);
}

TEST(NameList, KeepsNamesInAnotherOrder) {
  NameList names = {"p1", "p2", "p3", "q"};
  names.rearrange({2, 0, 3, 1});
  EXPECT_EQ(names.texts(), (std::vector<std::string>{"p3", "p1", "q", "p2"}));
  names.rearrange({3, 2, 1, 0});
  EXPECT_EQ(names.texts(), (std::vector<std::string>{"p2", "q", "p1", "p3"}));
  EXPECT_EQ(names.find("q"), 1U);
  names.push_back("p4");
  names.erase(0);
  EXPECT_EQ(names.texts(), (std::vector<std::string>{"q", "p1", "p3", "p4"}));
}

}  // namespace
}  // namespace carom
