#include "scaling/scene.h"

#include <array>
#include <cmath>
#include <numbers>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/random.h"

namespace carom::bench {
namespace {

constexpr double kStep = 0.01;
constexpr double kGravity = 10.0;
constexpr double kGasSpacing = 2.0002;
constexpr std::uint64_t kSeed = 1;

void add_grid(Index side, double spacing, Simulation& simulation) {
  const Index count = side * side;
  simulation.world.bodies.mass.assign(count, 1.0);
  simulation.world.bodies.radius.assign(count, 1.0);
  simulation.world.bodies.material.assign(count, 0);
  simulation.world.bodies.name.reserve(count);
  simulation.start.position.reserve(count);
  simulation.start.velocity.assign(count, Vec3{});
  const double middle = 0.5 * static_cast<double>(side - 1);
  for (Index row = 0; row < side; ++row) {
    for (Index column = 0; column < side; ++column) {
      simulation.world.bodies.name.push_back("b" +
                                             std::to_string(simulation.world.bodies.name.size()));
      simulation.start.position.push_back({spacing * (static_cast<double>(column) - middle),
                                           spacing * (static_cast<double>(row) - middle), 0.0});
    }
  }
}

// The lower corners touch first.
double height_of_fall(Index side, double drum_radius) {
  const double corner = static_cast<double>(side - 1);
  const double reach = drum_radius - 1.0;
  return std::sqrt(reach * reach - corner * corner) - corner;
}

void let_fall(double height, Simulation& simulation) {
  const double steps = std::ceil(std::sqrt(2.0 * height / kGravity) / kStep) - 1.0;
  const double time = steps * kStep;
  // Few enough digits that the shift rounds no coordinate and touching balls stay so, exactly.
  constexpr double kGrain = 0x1.0p-30;
  const double fallen = kGrain * std::floor(0.5 * kGravity * time * time / kGrain);
  for (Vec3& q : simulation.start.position) q.y -= fallen;
  for (Vec3& v : simulation.start.velocity) v.y = -kGravity * time;
}

void give_random_velocities(Simulation& simulation) {
  Random random(kSeed);
  for (Vec3& v : simulation.start.velocity) {
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
    v = {std::cos(angle), std::sin(angle), 0.0};
  }
}

void shuffle_numbers(Simulation& simulation) {
  Random random(kSeed);
  for (std::size_t i = simulation.start.position.size(); i-- > 1;) {
    const auto j = static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(i + 1));
    std::swap(simulation.start.position[i], simulation.start.position[j]);
    std::swap(simulation.start.velocity[i], simulation.start.velocity[j]);
  }
}

}  // namespace

Index grid_side(Index n) {
  Index side = 1;
  while (std::uint64_t{side} * side < n) side += 2;
  return side;
}

Simulation scaling_simulation(const ScalingOptions& options) {
  const std::array<std::string, 2> scenes = {"drop", "gas"};
  const bool drop = options.scene == scenes[0];
  if (!drop && options.scene != scenes[1]) {
    throw InputError({"", 0, 0, "scene"}, unknown_name_message("scene", options.scene, scenes));
  }
  const Index side = grid_side(options.n);
  const double drum_radius = 1.5 * static_cast<double>(side);
  Simulation simulation;
  simulation.time.step = kStep;
  simulation.time.duration = kStep * static_cast<double>(options.steps);
  simulation.threads = options.threads;
  simulation.impact.impact_operator = options.impact_operator;
  simulation.symmetry = options.symmetry;
  if (!options.redetect) {
    simulation.detection.redetect = false;
    simulation.detection.sweep = false;
    simulation.detection.hold = false;
  }
  simulation.world.shapes.push_back({SphereInside{{}, drum_radius}, {}, 0, "drum"});
  if (drop) {
    simulation.forces.gravity = {0.0, -kGravity, 0.0};
    add_grid(side, 2.0, simulation);
    let_fall(height_of_fall(side, drum_radius), simulation);
  } else {
    add_grid(side, kGasSpacing, simulation);
    give_random_velocities(simulation);
  }
  if (options.shuffle) shuffle_numbers(simulation);
  return simulation;
}

}  // namespace carom::bench
