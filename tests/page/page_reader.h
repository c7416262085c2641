#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "carom/page/page.h"

// A reader of pages that shares nothing with the writer, and runs to make pages of.
namespace carom::page_test {

inline constexpr std::string_view kTemplate = "<html><script>{{carom-data}}</script></html>";

[[nodiscard]] PageResult page_of(const PageRun& run, const PageSettings& settings = {});
/// Of the InputError that a page of this run ends with, or "no error".
[[nodiscard]] std::string message_of(const PageRun& run);

/// What stands in the page's script.
[[nodiscard]] nlohmann::json data_of(const PageResult& page);

[[nodiscard]] std::vector<unsigned char> bytes_of(const nlohmann::json& base64);

template <typename Number>
[[nodiscard]] std::vector<Number> numbers_of(const nlohmann::json& base64) {
  const std::vector<unsigned char> bytes = bytes_of(base64);
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

[[nodiscard]] std::vector<std::int64_t> differences_of(const nlohmann::json& base64);

/// Whole numbers from their second differences, `count` per frame.
[[nodiscard]] std::vector<std::vector<std::int32_t>> whole_numbers_of(const nlohmann::json& base64,
                                                                      std::size_t count);

/// Coordinates, frame by frame, as a page shows them.
[[nodiscard]] std::vector<std::vector<double>> positions_of(const nlohmann::json& run);

/// Balls in free flight that change their ways at random, so that differences of every size occur.
[[nodiscard]] PageRun random_run(std::size_t bodies, std::size_t frames, int dimension,
                                 std::uint64_t seed);

}  // namespace carom::page_test
