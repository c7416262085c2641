// Small pieces of the core: errors, names, random numbers, short vectors.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/numbers.h"
#include "carom/core/random.h"

namespace carom {
namespace {

TEST(InputError, SaysFileLineColumnKeyAndMessage) {
  const InputError error({"scene.toml", 3, 7, "body[2].mass"}, "must be positive");
  EXPECT_STREQ(error.what(), "scene.toml:3:7: body[2].mass: must be positive");
  EXPECT_EQ(error.message(), "must be positive");
  EXPECT_STREQ(InputError({}, "no place").what(), "no place");
  EXPECT_STREQ(InputError({"", 4, 0, ""}, "bad").what(), "line 4: bad");
}

TEST(NearestName, FindsWhatWasMeantAndNothingElse) {
  const std::vector<std::string> names = {"gauss_seidel", "jacobi", "gr", "qce"};
  EXPECT_EQ(nearest_name("gauss-seidel", names), "gauss_seidel");
  EXPECT_EQ(nearest_name("jacoby", names), "jacobi");
  EXPECT_EQ(nearest_name("grr", names), "gr");
  EXPECT_EQ(nearest_name("rg", names), "gr");
  EXPECT_EQ(nearest_name("banana", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

TEST(UnknownName, ListsWhatIsKnown) {
  const std::vector<std::string> names = {"slip", "box"};
  EXPECT_EQ(unknown_name_message("model", "slipp", names),
            "unknown model 'slipp'; did you mean 'slip'? Known: slip, box");
  EXPECT_EQ(unknown_name_message("model", "cone", names), "unknown model 'cone'; known: slip, box");
}

TEST(NumberText, IsShortAndReadsBack) {
  EXPECT_EQ(number_text(1e-10), "1e-10");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-2.0), "-2");
}

TEST(Random, GivesTheStandardsBitsAndUnbiasedDraws) {
  Random random(5489);  // the 10,000th draw of mt19937_64 with its default seed is in the standard
  std::uint64_t bits = 0;
  for (int i = 0; i < 10000; ++i) bits = random.bits();
  EXPECT_EQ(bits, 9981545732273789042U);

  Random draws(7);
  std::vector<int> counts(3, 0);
  double sum = 0.0;
  double square = 0.0;
  constexpr int kCount = 60000;
  for (int i = 0; i < kCount; ++i) {
    ++counts[draws.below(3)];
    const double x = draws.normal();
    sum += x;
    square += x * x;
  }
  for (const int count : counts) EXPECT_NEAR(count, kCount / 3.0, 500.0);
  EXPECT_NEAR(sum / kCount, 0.0, 0.02);
  EXPECT_NEAR(square / kCount, 1.0, 0.03);
}

TEST(Numbers, HoldShortListsInPlace) {
  const Numbers v = {1.0, 2.0, 3.0};
  EXPECT_EQ(v.size(), 3U);
  EXPECT_EQ(v[2], 3.0);
  EXPECT_TRUE(Numbers().empty());
  EXPECT_EQ(Numbers::zeros(6).size(), 6U);
}

TEST(DemandDeathTest, ABrokenInvariantStopsTheProgramWithItsPlace) {
  EXPECT_DEATH(CAROM_DEMAND(1 + 1 == 3), "1 \\+ 1 == 3 does not hold");
}

}  // namespace
}  // namespace carom
