#pragma once

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/forces/family.h"

namespace carom::test {

// A small random world with some elements of a family: what the contract of ForceFamily is tested
// on.
struct FamilySample {
  std::unique_ptr<ForceFamily> family;
  std::vector<Vec3> rest;      // where the elements were made
  std::vector<Vec3> position;  // somewhere else
  std::vector<double> mass;
  bool is_internal = true;  // only bodies act on bodies: momentum is kept
  bool is_flat = false;     // two dimensions
  bool is_damped = false;
  bool is_plastic = false;
  bool has_potential = true;
  bool angles = false;  // bends, which may turn to any angle

  [[nodiscard]] Index count() const { return static_cast<Index>(rest.size()); }
  [[nodiscard]] std::vector<double> inverse_mass() const;
  // As start() leaves it.
  [[nodiscard]] std::vector<double> memory(std::span<const Vec3> at) const;
  [[nodiscard]] std::vector<Index> all_elements() const;
};

struct FamilyKind {
  std::string_view name;
  FamilySample (*make)(Random& random);

  friend void PrintTo(const FamilyKind& kind, std::ostream* out) { *out << kind.name; }
};

// Every family, each with and without its damping and plasticity. A new family joins here.
[[nodiscard]] std::span<const FamilyKind> family_kinds();

// Worlds of a kind, the same in every test: function(sample, random).
template <typename Function>
void for_each_world(const FamilyKind& kind, const Function& function) {
  Random random(2009);
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial) + " of seed 2009");
    const FamilySample sample = kind.make(random);
    function(sample, random);
  }
}

}  // namespace carom::test
