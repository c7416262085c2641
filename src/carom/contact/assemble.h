#pragma once

#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/contact/detection.h"
#include "carom/core/types.h"
#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"

namespace carom {

/// The moment of an impact as the stepper knows it.
struct ImpactMoment {
  double time = 0.0;
  double step = 0.0;  ///< scripted shapes move with their mean velocity over the step; 0: at a time
  std::span<const Vec3> position;
  std::span<const Vec3> velocity;
  // Empty where no body turns.
  std::span<const Quaternion> orientation = {};
  std::span<const Vec3> angular_velocity = {};
  std::span<const Vec3> places = {};         ///< one per contact: where it acts
  const Periodicity* periodicity = nullptr;  ///< of a world that repeats itself
  std::span<const double> restitution = {};  ///< one per contact, instead of the materials'

  /// Velocity of the body's material at a place.
  [[nodiscard]] Vec3 velocity_at(Index body, const Vec3& place) const {
    if (angular_velocity.empty()) return velocity[body];
    Vec3 arm = place - position[body];
    if (periodicity != nullptr) arm = nearest_image(*periodicity, arm);
    return velocity[body] + cross(angular_velocity[body], arm);
  }
};

/// The numbers of one body, its velocity or its part of a row's gradient, as vectors of space.
struct LinearAndAngular {
  Vec3 linear;
  Vec3 angular;
};
[[nodiscard]] LinearAndAngular linear_and_angular(BodyKind kind, std::span<const double> numbers);

/// Friction's impulse on body a of one row.
[[nodiscard]] Vec3 friction_on_a(const ImpactResult& result, const ImpactProblem& problem,
                                 Index row);

/// Turns contacts into an impact problem that holds only the bodies they touch. Row k of the
/// problem is contact k.
class ContactAssembler {
 public:
  explicit ContactAssembler(const World& world);

  /// How rows are written: as the materials say, or as inelastic rows with given opening speeds.
  struct Options {
    bool names = false;                     ///< carry the scene's names, for files and messages
    std::span<const double> opening_speed;  ///< one per contact: restitution 0 and this offset
  };
  void assemble(std::span<const Contact> contacts, const ImpactMoment& moment,
                const Options& options);

  [[nodiscard]] const ImpactProblem& problem() const { return problem_; }
  /// The scene's number of each moving body of the problem; kNone for scripted shapes.
  [[nodiscard]] std::span<const Index> scene_bodies() const { return scene_bodies_; }
  /// The speed at which a contact closes; 0 where it does not.
  [[nodiscard]] double closing_speed(const Contact& contact, std::size_t number,
                                     const ImpactMoment& moment) const;
  /// Velocity of a shape over the step: what its motion makes it.
  [[nodiscard]] Vec3 surface_velocity(Index shape, const ImpactMoment& moment) const;
  /// Velocity of a shape's surface where this contact, the moment's `number`-th, is: with its spin.
  /// The moment has places where a shape spins.
  [[nodiscard]] Vec3 surface_velocity(const Contact& contact, std::size_t number,
                                      const ImpactMoment& moment) const;

 private:
  void make_rigid(Index body, const ImpactMoment& moment, BodyDefinition& definition) const;
  Index problem_body(Index body, const ImpactMoment& moment, bool names);
  Index problem_shape(Index shape, const ImpactMoment& moment, bool names);

  const World* world_;
  ImpactProblem problem_;
  std::vector<Index> problem_body_;   ///< by scene body; kNone: not in the problem
  std::vector<Index> problem_shape_;  ///< by scene shape
  std::vector<Index> scene_bodies_;
};

}  // namespace carom
