#include "support/worlds.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace carom::test {

Index TestScene::ball(const Vec3& position, const Vec3& velocity, double radius, double mass) {
  BodySet& bodies = simulation.world.bodies;
  bodies.mass.push_back(mass);
  bodies.radius.push_back(radius);
  bodies.material.push_back(0);
  bodies.name.push_back("ball-" + std::to_string(bodies.mass.size()));
  simulation.start.position.push_back(position);
  simulation.start.velocity.push_back(velocity);
  if (bodies.any_turns()) {
    bodies.solid.push_back(kNone);
    simulation.start.orientation.emplace_back();
    simulation.start.angular_velocity.emplace_back();
  }
  return bodies.size() - 1;
}

Index TestScene::solid(const SolidDefinition& definition, const SolidStart& start) {
  BodySet& bodies = simulation.world.bodies;
  const auto solid = std::make_shared<const Solid>(definition, simulation.world.dimension);
  if (!bodies.any_turns()) {
    bodies.solid.assign(bodies.size(), kNone);
    simulation.start.orientation.resize(bodies.size());
    simulation.start.angular_velocity.resize(bodies.size());
  }
  bodies.solid.push_back(static_cast<Index>(bodies.solids.size()));
  bodies.solids.push_back(solid);
  bodies.mass.push_back(solid->mass().volume);
  bodies.radius.push_back(solid->bounding_radius());
  bodies.material.push_back(0);
  bodies.name.push_back("solid-" + std::to_string(bodies.mass.size()));
  simulation.start.position.push_back(start.position);
  simulation.start.velocity.push_back(start.velocity);
  simulation.start.orientation.push_back(start.orientation);
  simulation.start.angular_velocity.push_back(start.angular_velocity);
  return bodies.size() - 1;
}

Index TestScene::wall(const Shape& shape, const Motion& motion, const std::string& name) {
  const std::size_t count = simulation.world.shapes.size();
  simulation.world.shapes.push_back(
      {shape, motion, 0, name.empty() ? "wall-" + std::to_string(count + 1) : name});
  return static_cast<Index>(count);
}

void TestScene::restitution(double value, double friction) {
  simulation.world.materials.replace(0, {"default", value, friction, 1.0});
}

void TestScene::step(double h, double duration) {
  simulation.time.step = h;
  simulation.time.duration = duration;
}

StepReport run(Stepper& stepper, std::uint64_t steps) {
  StepReport report;
  for (std::uint64_t k = 0; k < steps; ++k) {
    report = stepper.step();
    if (!report.can_go_on()) {
      ADD_FAILURE() << "step " << report.step << ": " << report.message;
      break;
    }
  }
  return report;
}

RunExtremes run_and_measure(Stepper& stepper, const Simulation& simulation, std::uint64_t steps) {
  RunExtremes extremes;
  const Totals start = totals(simulation, stepper.state());
  double largest = start.kinetic;
  double off = 0.0;
  double work = 0.0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    const StepReport report = stepper.step();
    if (!report.can_go_on()) {
      ADD_FAILURE() << "step " << report.step << ": " << report.message;
      break;
    }
    work += report.external_work;
    largest = std::max(largest, report.totals.kinetic);
    off = std::max(off, std::abs(report.totals.energy() - start.energy() - work));
    extremes.penetration = std::max(extremes.penetration, report.penetration.relative);
    extremes.applications = std::max(extremes.applications, report.applications);
    extremes.redetections += report.redetections;
    if (report.status != ImpactStatus::resolved) ++extremes.unresolved;
  }
  extremes.energy_drift = off / largest;
  return extremes;
}

}  // namespace carom::test
