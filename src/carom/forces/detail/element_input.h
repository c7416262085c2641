#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// Whether three positions span no triangle, to round-off.
[[nodiscard]] inline bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a;
  const Vec3 w = c - a;
  const double longest =
      std::fmax(norm_squared(u), std::fmax(norm_squared(w), norm_squared(c - b)));
  return !(norm(cross(u, w)) > 8.0 * kRoundOff * longest);
}

/// What is being read, for the place of an InputError: a family ("central_field"), or one of its
/// elements ("edge_springs[3]").
class InputNames {
 public:
  explicit InputNames(std::string_view family) : path_(family) {}
  InputNames(std::string_view family, std::size_t element)
      : path_(std::string(family) + "[" + std::to_string(element) + "]") {}

  [[noreturn]] void refuse(std::string_view member, const std::string& message) const {
    throw InputError({"", 0, 0, path_ + "." + std::string(member)}, message);
  }

  void demand_positive(double value, std::string_view member) const {
    if (std::isfinite(value) && value > 0.0) return;
    refuse(member, "must be positive and finite, found " + number_text(value));
  }
  void demand_not_negative(double value, std::string_view member) const {
    if (std::isfinite(value) && value >= 0.0) return;
    refuse(member, "must be finite and at least 0, found " + number_text(value));
  }
  void demand_different(std::span<const Index> bodies) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i] == kNone) refuse("body", "names no body");
      for (std::size_t j = 0; j < i; ++j) {
        if (bodies[i] != bodies[j]) continue;
        refuse("body", "names body " + std::to_string(bodies[i]) + " twice");
      }
    }
  }
  /// Two triangles with area, (0, 1, 2) and (1, 0, 3).
  void demand_hinge(const std::array<Index, 4>& bodies, const std::array<Vec3, 4>& rest) const {
    demand_different(bodies);
    demand_finite(rest);
    for (const Vec3& opposite : {rest[2], rest[3]}) {
      if (has_no_area(rest[0], rest[1], opposite)) refuse("rest", "has a triangle without area");
    }
  }
  void demand_finite(std::span<const Vec3> positions) const {
    for (const Vec3& p : positions) {
      if (!is_finite(p)) refuse("rest", "has a position that is not finite");
    }
  }

 private:
  std::string path_;
};

/// The masses of some bodies of the world, for a family of one element each.
[[nodiscard]] inline std::vector<double> masses_of(std::string_view family,
                                                   std::span<const Index> bodies,
                                                   std::span<const double> mass) {
  std::vector<double> masses;
  masses.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const InputNames input{family, i};
    if (bodies[i] >= mass.size()) {
      input.refuse("body", "is " + std::to_string(bodies[i]) + ", but the world has " +
                               std::to_string(mass.size()) + " bodies");
    }
    input.demand_positive(mass[bodies[i]], "mass");
    masses.push_back(mass[bodies[i]]);
  }
  return masses;
}

}  // namespace carom::detail
