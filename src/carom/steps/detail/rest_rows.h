#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/near_places.h"
#include "carom/integrators/verlet.h"
#include "carom/solvers/cone_program.h"
#include "carom/steps/rest_settings.h"

namespace carom::detail {

/// One place of contact as a row of the program at rest: a normal and two tangents.
struct RestRow {
  Contact contact;
  Vec3 place;
  std::array<Vec3, 3> direction;  ///< the normal, from b to a, and two at right angles
  Vec3 arm_a;
  Vec3 arm_b;
  Vec3 surface;  ///< velocity of a moving shape there
  double friction = 0.0;
  double restitution = 0.0;
  double size = 1.0;     ///< the length that tolerances refer to
  double opening = 0.0;  ///< b_n: the row may close as fast as this, m/s
  /// A ball that resists rolling stands on the corners of a patch: how large it is, m, and where
  /// this corner is, from the place of contact. 0: the place itself.
  double patch = 0.0;
  Vec3 corner;
  double rolled = 0.0;  ///< how fast the corner may close because the ball rolls over it, m/s
  solvers::ConeVector impulse{};  ///< along the directions
  Vec3 found;                ///< the world's impulse that solves, before the guard of the energy
  Vec3 bounce;               ///< what the elastic stage did, on body a
  std::uint32_t number = 0;  ///< among the places of the look
  Index component = 0;
};

/// Velocities of all bodies.
struct BodyVelocities {
  std::vector<Vec3> linear;
  std::vector<Vec3> angular;  ///< empty where no body turns
};

/// Whether an impact may have more kinetic energy than was there before it.
enum class RestEnergy : std::uint8_t {
  guarded,
  /// At the start, where what rests is given half of the impulse of a step: in the middle of the
  /// step it stands still, and at the node it has the velocity -h g / 2 that it has in all others.
  of_a_start,
};

/// The moment of a look: where bodies are, and what an impulse does to them.
struct RestMoment {
  const World* world = nullptr;
  double time = 0.0;
  double step = 0.0;
  std::span<const Vec3> position;
  std::span<const Quaternion> orientation;
  const VerletFlight* flight = nullptr;
  RestEnergy energy = RestEnergy::guarded;
};

/// Inverse inertia of a body in the world, and its root.
struct TurningMass {
  Mat3 inverse;
  Mat3 root;
};
[[nodiscard]] TurningMass turning_mass(const RestMoment& moment, Index body);

/// Relative velocity of a row's two sides along its directions, less that of a moving surface.
[[nodiscard]] solvers::ConeVector relative_velocity(const RestRow& row,
                                                    const BodyVelocities& velocities);
/// Acts with an impulse on body a, and with its opposite on b.
void push(const RestMoment& moment, const RestRow& row, const Vec3& impulse,
          BodyVelocities& velocities);
[[nodiscard]] inline Vec3 world_impulse(const RestRow& row) {
  return row.impulse[0] * row.direction[0] + row.impulse[1] * row.direction[1] +
         row.impulse[2] * row.direction[2];
}
/// The velocities with which bodies move through the step that begins with these.
void middle_velocities(const RestMoment& moment, const BodyVelocities& velocities,
                       BodyVelocities& middle);

/// What the program at rest did in one step.
struct RestSummary {
  double residual = 0.0;         ///< the largest of the components
  std::uint64_t iterations = 0;  ///< the most of any component
  Index components = 0;
  Index unsolved = 0;     ///< components that stayed above the tolerance
  Index guarded = 0;      ///< whose impulses were made smaller to keep the energy
  double given_up = 0.0;  ///< how far that may have let bodies sink, m
};

/// Solves the rows' programs, component by component, from the velocities after the elastic stage,
/// `bounced`; adds what their impulses do to `velocities` and leaves them in the rows, which are
/// also where the solvers begin. `before`: the velocities before the elastic stage. What a
/// component lost there may be used up here, so that its kinetic energy never grows by the impact
/// as a whole; nothing else may.
struct RestVelocities {
  const BodyVelocities& before;
  const BodyVelocities& bounced;
  BodyVelocities& after;
};
[[nodiscard]] RestSummary solve_rest(const RestMoment& moment, const RestSettings& settings,
                                     std::vector<RestRow>& rows, const RestVelocities& velocities);

}  // namespace carom::detail
