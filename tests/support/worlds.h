#pragma once

#include <string>

#include "carom/stepping/simulation.h"
#include "carom/stepping/stepper.h"

namespace carom::test {

/// A simulation built by hand, without a scene file.
class TestScene {
 public:
  explicit TestScene(int dimension = 2) { simulation.world.dimension = dimension; }

  Index ball(const Vec3& position, const Vec3& velocity, double radius = 0.5, double mass = 1.0);
  /// A body that turns, with density 1.
  struct SolidStart {
    Vec3 position;
    Vec3 velocity;
    Quaternion orientation;
    Vec3 angular_velocity;
  };
  Index solid(const SolidDefinition& definition, const SolidStart& start);
  Index wall(const Shape& shape, const Motion& motion = {}, const std::string& name = "");
  /// The coefficients of everything.
  void restitution(double value, double friction = 0.0);
  void step(double h, double duration = 1.0);

  Simulation simulation;
};

/// Steps until the end, failing the test when a step cannot go on. Returns the last report.
StepReport run(Stepper& stepper, std::uint64_t steps);

/// Over a whole run.
struct RunExtremes {
  double energy_drift = 0.0;  ///< largest |E - E0 - work| over the largest kinetic energy
  double penetration = 0.0;   ///< in radii
  std::uint64_t applications = 0;
  std::uint64_t redetections = 0;
  std::uint64_t unresolved = 0;
};
RunExtremes run_and_measure(Stepper& stepper, const Simulation& simulation, std::uint64_t steps);

}  // namespace carom::test
