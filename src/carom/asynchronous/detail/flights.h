#pragma once

#include <vector>

#include "carom/asynchronous/detail/lattice.h"
#include "carom/asynchronous/problem.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// A straight line in space and time with a radius: a tube.
struct Tube {
  Vec3 place;   ///< of its axis at `begin`
  Vec3 motion;  ///< of its axis, m per unit of the lattice
  Tick begin = 0;
  double radius = 0.0;

  [[nodiscard]] Vec3 at(Tick time) const {
    return place + static_cast<double>(time - begin) * motion;
  }
};

/// The vertices on their straight flights, each with its own last moment, and what is promised
/// about them.
///
/// Promise: until it is given a new plan, a free vertex is within its plan, and until the lists are
/// made anew within its range, at every moment before the moment it is next checked. It is checked
/// after every kick, up to its next touch that is certain (`certain_level`): a vertex flies
/// straight between kicks and the distance from the axis of a tube is a convex function of time, so
/// that being inside at both ends is enough. A held vertex is on the axis of both.
class Flights {
 public:
  explicit Flights(const Problem& problem);

  [[nodiscard]] Index size() const { return static_cast<Index>(position.size()); }
  [[nodiscard]] bool is_held(Index i) const { return inverse_mass[i] == 0.0; }

  /// Brings a vertex to a moment, not before its last one.
  void touch(Index i, Tick now) {
    const Tick elapsed = now - last[i];
    if (elapsed == 0) return;
    // Held vertices from the beginning of their plan, so that round-off does not add up.
    position[i] = is_held(i) ? plan[i].at(now)
                             : position[i] + (static_cast<double>(elapsed) * unit) * velocity[i];
    last[i] = now;
  }

  /// Whether a free vertex, at its place now, stays in its plan until its next certain touch.
  [[nodiscard]] bool stays(Index i, Tick now) const {
    const Tick next = next_firing(now, certain_level[i]);
    if (next > plan_end[i]) return false;
    const Vec3 there = position[i] + (static_cast<double>(next - now) * unit) * velocity[i];
    return norm_squared(there - plan[i].at(next)) <= plan[i].radius * plan[i].radius;
  }

  std::vector<char> turns;  ///< 1: a held vertex whose motion will change

  double unit = 0.0;  ///< s, of the lattice of times
  std::vector<double> mass;
  std::vector<double> inverse_mass;  ///< 0: held
  std::vector<Vec3> position;        ///< at `last`
  std::vector<Vec3> velocity;
  std::vector<Tick> last;
  std::vector<int> certain_level;  ///< a clock of this level touches the vertex whenever it fires
  std::vector<Tube> plan;
  std::vector<Tick> plan_end;      ///< up to here the plan lies in the range
  std::vector<double> plan_share;  ///< radius of the next plan as a share of the nearest distance
  std::vector<Tube> range;         ///< what the lists of pairs rest on
};

}  // namespace carom::asynchronous::detail
