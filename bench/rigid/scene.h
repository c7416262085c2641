#pragma once

#include <string>

#include "carom/core/types.h"
#include "carom/stepping/simulation.h"

namespace carom::bench {

/// Equal bodies in a loose grid above the floor of a box, restitution 0.5, friction 0.5, let go
/// from rest; every other layer stands half a spacing aside. The mirror x = 0 maps it onto itself.
struct RigidScene {
  std::string name;  ///< "boxes", "spheres" or "bunnies"
  Simulation simulation;
  Vec3 lower;  ///< the box
  Vec3 upper;
};

/// `side` bodies along each edge of the grid, side^3 together. `mesh` is the bunny's file, for
/// bunnies. Throws InputError on an unknown name or a mesh that cannot be read.
[[nodiscard]] RigidScene make_rigid_scene(const std::string& name, Index side,
                                          const std::string& mesh,
                                          const std::string& friction_model);

}  // namespace carom::bench
