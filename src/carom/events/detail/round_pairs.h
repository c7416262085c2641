#pragma once

#include <vector>

#include "carom/events/event_stepper.h"

namespace carom::detail {

/// When two round bodies, or one and a shape, touch: in closed form, as between balls that do not
/// turn (events/touch_time.h, events/shape_touch.h). Turning does not move the surface of a sphere.
class RoundPairs {
 public:
  /// `simulation` must outlive it.
  RoundPairs(const Simulation& simulation, double contact_duration);

  /// Two bodies, or a body (`b` is kNone) and a shape.
  struct Pair {
    Index a = kNone;
    Index b = kNone;
    Index shape = kNone;
  };
  /// How a body flies on: under gravity, or, where it rests, not at all.
  struct Falling {
    BodyMoment moment;
    Vec3 acceleration;
  };
  /// Whether both are round, or one is and the shape is a half-plane, a segment, a box from inside
  /// or a sphere.
  [[nodiscard]] bool has(const Pair& pair) const;

  /// Seconds from now until they touch; nothing touches before. Infinity: never, if they fly on as
  /// they do.
  ///
  /// What is in touch and does not come together, or no faster than an operator's tolerance leaves
  /// it, is left alone for a moment even if it is pressed together: a twentieth of the contact
  /// duration for a shape or a body at rest, all of it for two bodies that fall alike. So bounces
  /// that become ever smaller do not stop the clock. What sinks in meanwhile sinks by less than a
  /// thousandth of the envelope.
  [[nodiscard]] double time_until_touch(const Pair& pair, const Falling& a, const Falling& b,
                                        double now) const;
  /// Gaps up to this are contact (m): the activation tolerance, and what round-off makes of places.
  [[nodiscard]] double touching_gap(const Pair& pair, const Vec3& place) const;

 private:
  [[nodiscard]] double time_of_bodies(const Pair& pair, const Falling& falling_a,
                                      const Falling& falling_b) const;
  [[nodiscard]] double time_of_shape(const Pair& pair, const Falling& falling, double now) const;

  const Simulation* simulation_;
  double contact_duration_;            ///< s
  std::vector<char> is_round_;         ///< by body
  std::vector<PlacedShape> shapes_;    ///< solid spheres as SphereOutside
  std::vector<char> has_closed_form_;  ///< by shape
};

}  // namespace carom::detail
