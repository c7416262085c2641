#pragma once

#include <cstdint>

#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// What is booked event by event. Impulses in N s, work and losses in J.
struct LedgerSums {
  Vec3 external_impulse;  ///< of forces from outside (gravity, prescribed)
  Vec3 held_impulse;      ///< on held vertices, of all forces
  Vec3 wall_impulse;      ///< on walls
  double work_of_held = 0.0;    ///< done by whatever leads the held vertices
  double work_of_forces = 0.0;  ///< done by prescribed forces
  double lost_to_restitution = 0.0;
  double lost_to_friction = 0.0;
  double lost_to_damping = 0.0;  ///< within force families
};

/// An impulse on a held vertex, which moves on as it is led.
inline void book_held(LedgerSums& sums, const Vec3& impulse, const Vec3& velocity) {
  sums.held_impulse += impulse;
  sums.work_of_held -= dot(impulse, velocity);
}

}  // namespace carom::asynchronous::detail
