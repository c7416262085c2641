#pragma once

#include <string>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::bench {

/// What every engine gets: equal balls in rows above the floor of a box, elastic and
/// without friction, let go from rest. The mirror x = 0 maps it onto itself. SI units; the sizes
/// are those that the other engines are made for.
struct PeerScene {
  std::string name;
  double radius = 1.0;
  double mass = 1.0;
  double gravity = 10.0;  ///< downwards
  double step = 0.01;     ///< h
  Vec3 lower;             ///< the box
  Vec3 upper;
  std::vector<Vec3> start;
};

/// "grid": columns of balls, each of which bounces by itself, in one dimension. "staggered grid":
/// every other row stands half a spacing aside, one ball shorter.
[[nodiscard]] std::vector<std::string> peer_scene_names();
/// At least `n` balls, as many rows as balls in the longer rows. Neighbours are 1% of a radius
/// apart, the lowest row falls one diameter.
[[nodiscard]] PeerScene make_peer_scene(const std::string& name, Index n);

/// Kinetic energy, and potential energy above the floor.
[[nodiscard]] double energy(const PeerScene& scene, const State& state);
/// Deepest overlap of two balls, or of a ball and a wall, in radii.
[[nodiscard]] double deepest_overlap(const PeerScene& scene, const State& state);

}  // namespace carom::bench
