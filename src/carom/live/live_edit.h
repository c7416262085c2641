#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/stepping/simulation.h"

namespace carom {

/// Names a body of a live simulation. Its number, its place in the arrays, becomes smaller when
/// bodies before it are removed; its id stays, and is never given again.
using BodyId = std::uint64_t;

/// A body that joins.
struct NewBody {
  std::string name = {};  ///< unique; empty: "added-" and its id
  double mass = 1.0;      ///< kg, > 0
  double radius = 0.5;    ///< > 0, of a ball that does not turn
  /// Of a body that turns; null: a ball that does not.
  std::shared_ptr<const Solid> solid = {};
  Index material = 0;
  Vec3 position = {};
  Vec3 velocity = {};
  Quaternion orientation = {};
  Vec3 angular_velocity = {};  ///< rad/s, world coordinates
};

/// What is to be changed between two steps: a copy of all there is, to be handed to
/// LiveSimulation::apply(), which judges it. Until then nothing has happened.
/// LiveSimulation::edit() makes it.
class LiveEdit {
 public:
  /// Which bodies there are, and how often steps and edits have happened.
  struct Moment {
    std::vector<BodyId> ids;  ///< by number, rising
    BodyId next_id = 0;
    std::uint64_t revision = 0;
  };
  /// `simulation` begins with the present state.
  LiveEdit(Simulation simulation, Moment moment);

  [[nodiscard]] const Simulation& simulation() const { return simulation_; }
  [[nodiscard]] const Moment& moment() const { return moment_; }
  /// Throws InputError where no body has this id.
  [[nodiscard]] Index number_of(BodyId id) const;

  /// Positions, velocities, orientations and angular velocities, by numbers of bodies. How many
  /// there are, step and time are not for changing.
  [[nodiscard]] State& state() { return simulation_.start; }

  /// Behind all others.
  BodyId add(const NewBody& body);
  /// Springs, forces and motions of the body go with it, and those behind it have smaller numbers
  /// from now on. Throws InputError on a vertex of a surface, and where no body has this id.
  void remove(BodyId id);

  // All that is no body. Whoever asks for it is taken to change it.
  [[nodiscard]] ForceSet& forces();
  [[nodiscard]] MaterialTable& materials();
  [[nodiscard]] ImpactSettings& impact();
  /// Then no body may overlap any other or a shape by more than a start may.
  [[nodiscard]] std::vector<PlacedShape>& shapes();

  /// From now on the shape moves with this velocity (m/s) from where it is now, instead of as it
  /// did. Throws InputError where no shape has the name, and on a velocity that is not
  /// finite.
  void move_shape(const std::string& name, const Vec3& velocity);

  /// What has been asked for to be changed.
  enum class Scope : std::uint8_t {
    state,     ///< nothing but state()
    settings,  ///< forces, materials, settings, or which bodies there are
    places,    ///< shapes too
  };
  [[nodiscard]] Scope scope() const { return scope_; }

 private:
  void widen(Scope scope);

  Simulation simulation_;
  Moment moment_;
  Scope scope_ = Scope::state;
};

/// The number of a body among rising ids. Throws InputError where none has this id.
[[nodiscard]] Index number_of_body(std::span<const BodyId> ids, BodyId id);

}  // namespace carom
