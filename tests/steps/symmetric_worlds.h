#pragma once

#include <string>
#include <vector>

#include "carom/geometry/square_symmetry.h"

#include "support/worlds.h"

namespace carom::test {

using Operations = std::vector<SquareOperation>;

struct NamedGroup {
  std::string name;
  Operations operations;  ///< all of them
};

/// One group for each of the seven operations, and the two that have several.
std::vector<NamedGroup> groups();

struct WorldSettings {
  double spacing = 1.0;
  bool flower = false;  ///< instead of the lattice
  double restitution = 1.0;
  double friction = 0.0;
  std::string friction_model = "none";
  std::string impact_operator = "gr";
  bool general = false;  ///< not the way made for points
  Vec3 center;
  bool box = true;
};

/// Velocities are random, but symmetric under `group`. Balls lie on all mirror lines and in the
/// centre. Their numbers are shuffled, so that representatives lie anywhere.
TestScene symmetric_world(const Operations& group, const WorldSettings& settings);

/// The largest difference of any coordinate or velocity from that of its partner. About a centre c
/// an operation R is q -> R q + t with t = c - R c, which the first pair of the start gives: so the
/// centre need not be known to the last bit.
double symmetry_error(const State& start, const State& state, const Operations& group,
                      const Vec3& center = {});

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

}  // namespace carom::test
