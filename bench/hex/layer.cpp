#include "hex/layer.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/random.h"

namespace carom::bench {
namespace {

constexpr double kDiameter = 6.6e-4;  // m
constexpr double kGravity = 9.81;
constexpr double kDepth = 5.4;  // diameters

}  // namespace

void set_pattern(const std::string& name, LayerOptions& options) {
  struct Known {
    const char* name;
    double frequency;
    double acceleration;
    double across;
  };
  constexpr Known kPatterns[] = {
      {"squares", 0.27, 3.0, 100.0}, {"stripes", 0.44, 3.0, 41.0}, {"hexagons", 0.38, 4.0, 93.1}};
  std::vector<std::string> names;
  for (const Known& known : kPatterns) {
    names.emplace_back(known.name);
    if (name != known.name) continue;
    options.frequency = known.frequency;
    options.acceleration = known.acceleration;
    options.across = known.across;
    return;
  }
  throw InputError({}, unknown_name_message("pattern", name, names));
}

Layer make_layer(const LayerOptions& options) {
  Layer layer;
  layer.diameter = kDiameter;
  layer.depth = kDepth * kDiameter;
  Simulation& s = layer.simulation;
  s.dimension = 3;
  s.forces.gravity = {0, 0, -kGravity};
  s.time.step = options.step;
  Material grain;
  grain.name = "default";
  grain.restitution = 0.7;
  grain.restitution_speed = std::sqrt(kGravity * kDiameter);
  grain.friction = 0.5;
  s.materials.replace(0, grain);
  s.impact.impact_operator = options.impact_operator;
  s.impact.friction_model = options.friction_model;
  s.impact.mixed_restitution = MixedRestitution::direct;
  s.detection.redetect = options.rounds > 0;
  s.detection.redetect_rounds = options.rounds;
  const double width = options.across * kDiameter;
  const double depth = options.width * options.width / options.across * kDiameter;
  s.periodicity = {{0, 0, 0}, {width, depth, 0}};
  const double frequency = options.frequency * std::sqrt(kGravity / layer.depth);
  layer.period = 1.0 / frequency;
  const double turns = 2.0 * std::numbers::pi * frequency;
  PlacedShape& plate = s.shapes.emplace_back();
  plate.shape = HalfPlane{{0, 0, 0}, {0, 0, 1}};
  plate.motion =
      SinusoidMotion{{0, 0, options.acceleration * kGravity / (turns * turns)}, frequency, 0.0};
  plate.name = "plate";

  // A loose lattice above the highest place of the plate.
  s.bodies.solids.push_back(std::make_shared<const Solid>(SphereSolid{0.5 * kDiameter}, 3));
  const Solid& solid = *s.bodies.solids.front();
  const auto columns = static_cast<Index>(width / (1.1 * kDiameter));
  const auto rows = static_cast<Index>(depth / (1.1 * kDiameter));
  const auto grains = static_cast<Index>(std::llround(6.0 * options.width * options.width));
  Random random(1);
  const double shake = 0.02 * kDiameter;
  const double above = options.acceleration * kGravity / (turns * turns) + kDiameter;
  for (Index n = 0; n < grains; ++n) {
    const Index level = n / (columns * rows);
    const auto place = [&](double spacing, Index k) {
      return spacing * (k + 0.5) + shake * random.uniform(-1, 1);
    };
    s.bodies.mass.push_back(2500.0 * solid.mass().volume);
    s.bodies.radius.push_back(solid.bounding_radius());
    s.bodies.material.push_back(0);
    s.bodies.name.push_back("grain-" + std::to_string(n + 1));
    s.bodies.solid.push_back(0);
    const double x = place(width / columns, n % columns);
    const double y = place(depth / rows, n / columns % rows);
    s.start.position.push_back({x, y, above + 1.1 * kDiameter * level});
    const double speed = 0.1 * std::sqrt(kGravity * kDiameter);
    s.start.velocity.push_back({speed * random.uniform(-1, 1), speed * random.uniform(-1, 1), 0.0});
    s.start.orientation.emplace_back();
    s.start.angular_velocity.emplace_back();
  }
  return layer;
}

HeightField Layer::heights(const State& state) const {
  const Vec3& length = simulation.periodicity.length;
  const Vec3 plate = offset_at(simulation.shapes.front().motion, state.time);
  return height_field(state.position, simulation.bodies.radius,
                      {{0, 0, plate.z}, length, 2.0 * diameter, HeightKind::mean});
}

PatternLimits Layer::limits() const {
  PatternLimits limits;
  limits.flat_below = 0.05 * depth;
  limits.shortest = depth;
  return limits;
}

}  // namespace carom::bench
