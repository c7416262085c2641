// The portable decimal text of doubles against the standard library's: the same characters, the
// same bits, the same errors.

#include "carom/core/decimal.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace carom {
namespace {

std::string native_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::string portable_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = portable::write_decimal(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

// What reading did: bits, where it stopped, and the error.
void expect_same_reading(std::string_view text) {
  double native = 0.5;
  double ours = 0.5;
  const auto expected = std::from_chars(text.data(), text.data() + text.size(), native);
  const auto found = portable::read_decimal(text.data(), text.data() + text.size(), ours);
  EXPECT_EQ(found.ec, expected.ec) << text;
  EXPECT_EQ(found.ptr - text.data(), expected.ptr - text.data()) << text;
  if (std::isnan(native)) {
    EXPECT_TRUE(std::isnan(ours)) << text;
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(native)) << text;
  }
}

void expect_same(double value) {
  const std::string text = native_text(value);
  ASSERT_EQ(portable_text(value), text);
  expect_same_reading(text);
}

TEST(PortableDecimal, WritesAndReadsAMillionDoublesAsTheStandardLibraryDoes) {
  std::mt19937_64 engine(20);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11U) * 0x1.0p-53; };
  for (int k = 0; k < 500'000 && !testing::Test::HasFailure(); ++k) {
    expect_same(std::bit_cast<double>(engine()));  // all exponents alike
  }
  for (int k = 0; k < 500'000 && !testing::Test::HasFailure(); ++k) {
    // Numbers as scenes and reports have them: some digits, some powers of ten.
    const double digits = std::floor(std::pow(10.0, 17.0 * uniform()));
    expect_same(digits * std::pow(10.0, std::floor(30.0 * uniform()) - 20.0));
  }
}

TEST(PortableDecimal, WritesPowersOfTwoAndTheirNeighboursAsTheStandardLibraryDoes) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (const double value : {power, std::nextafter(power, 0.0), std::nextafter(power, 1e308)}) {
      expect_same(value);
      expect_same(-value);
    }
  }
  for (int exponent = -323; exponent < 309; ++exponent) {
    expect_same(std::strtod(("1e" + std::to_string(exponent)).c_str(), nullptr));
  }
  for (const double value :
       {0.0, -0.0, std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(portable_text(value), native_text(value));
  }
}

TEST(PortableDecimal, ReadsTextsAtTheEdgeAsTheStandardLibraryDoes) {
  const std::vector<std::string_view> texts = {
      "",
      "-",
      "+1",
      ".",
      "-.",
      ".5",
      "5.",
      "-5.e",
      "1e",
      "1e+",
      "1e-x",
      "1e5",
      "1E-5",
      "0x10",
      " 1",
      "1 ",
      "1.2.3",
      "--1",
      "inf",
      "-inf",
      "INF",
      "infin",
      "-Infinity",
      "nan",
      "nan(x)",
      "nan(",
      "NaN",
      "in",
      "1e400",
      "-1e400",
      "1e-400",
      "0e999",
      "0.0e-9999",
      "4.9e-324",
      "2.4e-324",
      "2.5e-324",
      "1.7976931348623157e308",
      "1.7976931348623159e308",
      "9007199254740993",
      "9007199254740992.99999999999999999999999999",
      "9007199254740993.00000000000000000000000000000000000001",
      "2.2250738585072011e-308",
      "2.2250738585072014e-308",
      "0.000000000000000000000000000000000000000000000000000000000000000000001e69",
      "17976931348623158079372897140530341507993413271003782693617377898044496829276475094664901797"
      "7"
      "58720709633028641669288791094655554785194040263065748867150582068190890200070838367627385484"
      "58"
      "17711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559"
      "69"
      "9508093042880e0"};
  for (const std::string_view text : texts) expect_same_reading(text);
}

TEST(PortableDecimal, SaysWhenThereIsNoRoom) {
  std::array<char, 5> buffer{};
  const auto end = portable::write_decimal(buffer.data(), buffer.data() + buffer.size(), 0.12345);
  EXPECT_EQ(end.ec, std::errc::value_too_large);
  EXPECT_EQ(end.ptr, buffer.data() + buffer.size());
}

}  // namespace
}  // namespace carom
