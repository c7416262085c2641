#pragma once

#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::reference {

/// The vertices, each with its own last time, and the velocities that certificates count with.
class Trajectories {
 public:
  explicit Trajectories(const Problem& problem);

  [[nodiscard]] Index size() const { return static_cast<Index>(position.size()); }
  [[nodiscard]] bool is_held(Index i) const { return inverse_mass[i] == 0.0; }

  /// Where a vertex is at a time not before its last one.
  [[nodiscard]] Vec3 place(Index i, double time) const {
    // Held vertices from the beginning of their way, so that round-off does not add up.
    return is_held(i) ? way_place[i] + (time - way_begin[i]) * velocity[i]
                      : position[i] + (time - last[i]) * velocity[i];
  }
  void touch(Index i, double time) {
    position[i] = place(i, time);
    last[i] = time;
  }
  /// A held vertex goes on with another velocity from where it is.
  void turn(Index i, double time, const Vec3& motion) {
    touch(i, time);
    way_place[i] = position[i];
    way_begin[i] = time;
    velocity[i] = motion;
  }

  std::vector<double> mass;
  std::vector<double> inverse_mass;  ///< 0: held
  std::vector<Vec3> position;        ///< at `last`
  std::vector<Vec3> velocity;
  std::vector<double> last;
  std::vector<Vec3> way_place;  ///< of held vertices, at `way_begin`
  std::vector<double> way_begin;
  std::vector<Vec3> counted;      ///< u_i of reference_engine.h
  std::vector<double> vagueness;  ///< e_i; 0 of held vertices
};

}  // namespace carom::asynchronous::reference
