// Hash64 against the published values of XXH64 and against itself in pieces.

#include "carom/core/hash.h"

#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

std::uint64_t hash_of(std::string_view text) {
  Hash64 hash;
  hash.add(text);
  return hash.value();
}

TEST(Hash64, IsXxh64WithSeedZero) {
  EXPECT_EQ(hash_of(""), 0xef46db3751d8e999U);
  EXPECT_EQ(hash_of("a"), 0xd24ec4f1a98c6e5bU);
  EXPECT_EQ(hash_of("abc"), 0x44bc2cf5ad770999U);
  EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1U);
}

TEST(Hash64, DoesNotDependOnHowTheBytesAreSplit) {
  std::string text;
  Random random(5);
  for (int k = 0; k < 500; ++k) text += static_cast<char>(random.below(256));
  const std::uint64_t whole = hash_of(text);
  for (int repeat = 0; repeat < 200; ++repeat) {
    Hash64 hash;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view piece = rest.substr(0, random.below(70));
      hash.add(piece);
      rest.remove_prefix(piece.size());
    }
    ASSERT_EQ(hash.value(), whole);
  }
}

TEST(Hash64, TakesNumbersAsEightBytesLowestFirst) {
  Hash64 integer;
  integer.add(std::uint64_t{0x0807060504030201U});
  EXPECT_EQ(integer.value(), hash_of("\x01\x02\x03\x04\x05\x06\x07\x08"));
  Hash64 real;
  real.add(1.0);  // 3ff0000000000000
  EXPECT_EQ(real.value(), hash_of(std::string_view("\0\0\0\0\0\0\xf0\x3f", 8)));

  const std::vector<double> values = {1.5, -0.0, 3e-310, 7.0, 1.0 / 3.0};
  Hash64 one_by_one;
  for (const double value : values) one_by_one.add(value);
  Hash64 together;
  together.add(std::span<const double>(values));
  EXPECT_EQ(one_by_one.value(), together.value());
}

TEST(Hash64, TellsEveryBitOfALongStateApart) {
  std::vector<double> state(1000, 0.25);
  Hash64 before;
  before.add(std::span<const double>(state));
  for (const std::size_t at : {0U, 1U, 499U, 999U}) {
    std::vector<double> other = state;
    other[at] = -other[at];
    Hash64 after;
    after.add(std::span<const double>(other));
    EXPECT_NE(after.value(), before.value()) << at;
  }
}

}  // namespace
}  // namespace carom
