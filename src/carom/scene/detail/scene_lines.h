#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "carom/geometry/rotation.h"
#include "carom/scene/detail/quote.h"
#include "carom/scene/detail/value_text.h"
#include "carom/scene/settings.h"

namespace carom::detail {

/// A scene file on its way, line by line; vectors have as many numbers as the world has dimensions.
class SceneLines {
 public:
  explicit SceneLines(int dimension) : dimension_(dimension) {}

  void header(std::string_view name) { add("\n" + std::string(name) + "\n"); }
  void line(std::string_view key, const std::string& value) {
    add(std::string(key) + " = " + value + "\n");
  }
  void text(std::string_view key, const std::string& value) {
    if (!value.empty()) line(key, quote(value));
  }
  void number(std::string_view key, double value) { line(key, exact_number(value)); }
  void flag(std::string_view key, bool value) { line(key, value ? "true" : "false"); }
  void count(std::string_view key, std::uint64_t value) { line(key, std::to_string(value)); }
  void orientation(std::string_view key, const Quaternion& q) {
    line(key, "[" + exact_number(q.w) + ", " + exact_number(q.x) + ", " + exact_number(q.y) + ", " +
                  exact_number(q.z) + "]");
  }
  [[nodiscard]] std::string vector(const Vec3& v) const { return vector_text(v, dimension_); }

  void add(const std::string& lines) { lines_ += lines; }
  [[nodiscard]] std::string take() { return std::exchange(lines_, {}); }

 private:
  int dimension_;
  std::string lines_;
};

}  // namespace carom::detail
