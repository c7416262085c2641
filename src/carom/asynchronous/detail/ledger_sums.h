#pragma once

#include <cstdint>

#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// A sum of many small numbers that keeps what each addition rounds away (Kahan).
struct LongSum {
  double value = 0.0;
  double lost = 0.0;

  LongSum& operator+=(double number) {
    const double corrected = number - lost;
    const double sum = value + corrected;
    lost = (sum - value) - corrected;
    value = sum;
    return *this;
  }
  LongSum& operator+=(const LongSum& other) {
    *this += other.value;
    return *this += -other.lost;
  }
};

struct LongVectorSum {
  LongSum x, y, z;

  LongVectorSum& operator+=(const Vec3& v) {
    x += v.x;
    y += v.y;
    z += v.z;
    return *this;
  }
  LongVectorSum& operator+=(const LongVectorSum& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
  [[nodiscard]] Vec3 value() const { return {x.value, y.value, z.value}; }
};

/// What is booked event by event. Impulses in N s, work and losses in J.
struct LedgerSums {
  LongVectorSum external_impulse;  ///< of forces from outside (gravity, prescribed)
  LongVectorSum held_impulse;      ///< on held vertices, of all forces
  LongVectorSum wall_impulse;      ///< on walls
  LongSum work_of_held;            ///< done by whatever leads the held vertices
  LongSum work_of_forces;          ///< done by prescribed forces
  LongSum lost_to_restitution;
  LongSum lost_to_friction;
  LongSum lost_to_damping;  ///< within force families

  /// What was booked elsewhere.
  void add(const LedgerSums& other) {
    external_impulse += other.external_impulse;
    held_impulse += other.held_impulse;
    wall_impulse += other.wall_impulse;
    work_of_held += other.work_of_held;
    work_of_forces += other.work_of_forces;
    lost_to_restitution += other.lost_to_restitution;
    lost_to_friction += other.lost_to_friction;
    lost_to_damping += other.lost_to_damping;
  }
};

/// What penalty layers store at a moment, J.
struct StoredEnergy {
  double contact = 0.0;  ///< with anchors
  double limits = 0.0;   ///< of length limits
};

/// An impulse on a held vertex, which moves on as it is led.
inline void book_held(LedgerSums& sums, const Vec3& impulse, const Vec3& velocity) {
  sums.held_impulse += impulse;
  sums.work_of_held += -dot(impulse, velocity);
}

}  // namespace carom::asynchronous::detail
