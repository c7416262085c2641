#pragma once

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/geometry/vec3.h"

// Numbers and lists in the JSON texts of a recording; each says where something else was found.
namespace carom::detail {

[[noreturn]] inline void fail_at(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

[[nodiscard]] inline std::string indexed(const std::string& key, std::size_t k) {
  return key + "[" + std::to_string(k) + "]";
}

/// The entry of an object, null where there is none.
[[nodiscard]] inline const nlohmann::json& entry(const nlohmann::json& object, const char* name) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) return kNothing;
  const auto place = object.find(name);
  return place == object.end() ? kNothing : *place;
}

template <std::size_t count>
[[nodiscard]] std::array<double, count> numbers_of(const nlohmann::json& list,
                                                   const std::string& key) {
  if (!list.is_array() || list.size() != count) {
    fail_at(key, "expected " + std::to_string(count) + " numbers");
  }
  std::array<double, count> numbers{};
  for (std::size_t k = 0; k < count; ++k) {
    if (!list[k].is_number() || !std::isfinite(list[k].get<double>())) {
      fail_at(indexed(key, k), "expected a finite number");
    }
    numbers[k] = list[k].get<double>();
  }
  return numbers;
}

[[nodiscard]] inline Vec3 vector_of(const nlohmann::json& list, const std::string& key) {
  const std::array<double, 3> numbers = numbers_of<3>(list, key);
  return {numbers[0], numbers[1], numbers[2]};
}

[[nodiscard]] inline double positive_of(const nlohmann::json& number, const std::string& key) {
  if (!number.is_number() || !(number.get<double>() > 0.0) ||
      !std::isfinite(number.get<double>())) {
    fail_at(key, "expected a positive number");
  }
  return number.get<double>();
}

/// The entries of a text that must be an array; "" is an empty one.
[[nodiscard]] inline nlohmann::json list_of(std::string_view text, const std::string& key) {
  if (text.empty()) return nlohmann::json::array();
  nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array()) fail_at(key, "expected a JSON array");
  return list;
}

}  // namespace carom::detail
