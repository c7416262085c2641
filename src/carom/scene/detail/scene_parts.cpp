// What the sections of a scene file share: vectors, names, materials, balls.

#include "carom/scene/detail/scene_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "carom/core/names.h"
#include "carom/geometry/direction.h"
#include "carom/scene/detail/overrides.h"

namespace carom::detail {
namespace {

// Of thousands of names, the nearest and the first are enough for a message.
template <typename Names>
std::vector<std::string> few_names(const std::string& name, const Names& all) {
  constexpr std::size_t kMostNames = 20;
  constexpr std::size_t kMostSearched = 10'000;
  const auto count = static_cast<std::ptrdiff_t>(std::min(all.size(), kMostSearched));
  std::vector<std::string> names(all.begin(), all.begin() + count);
  if (names.size() > kMostNames) {
    const std::string near = nearest_name(name, names);
    names.resize(kMostNames);
    if (!near.empty()) names.back() = near;
  }
  return names;
}

void index_balls(SceneBuilder& builder) {
  const NameList& names = builder.scene.simulation.world.bodies.name;
  if (builder.balls.size() == names.size()) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    builder.balls.emplace(names[i], static_cast<Index>(i));
  }
}

}  // namespace

std::string text_with_values(std::string_view text, std::vector<SceneBuilder::Embedded> values) {
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    const auto place = [](const auto& v) {
      return std::pair(v.where.begin.line, v.where.begin.column);
    };
    return place(a) < place(b);
  });
  std::string result;
  std::size_t at = 0;
  for (const SceneBuilder::Embedded& value : values) {
    const std::size_t begin = offset_of(text, value.where.begin);
    result += text.substr(at, begin - at);
    result += value.text;
    at = offset_of(text, value.where.end);
  }
  result += text.substr(at);
  return result;
}

Vec3 to_vector(const TableReader& table, std::string_view key, const Numbers& numbers,
               const SceneBuilder& builder) {
  const auto dimension = static_cast<std::size_t>(builder.dimension());
  if (numbers.size() != dimension) {
    table.refuse(key, "expected " + std::to_string(dimension) +
                          " numbers, as many as the world has dimensions, found " +
                          std::to_string(numbers.size()));
  }
  return {numbers[0], numbers[1], dimension == 3 ? numbers[2] : 0.0};
}

std::optional<Vec3> read_vector(TableReader& table, std::string_view key,
                                const SceneBuilder& builder) {
  const std::optional<Numbers> numbers = table.numbers(key);
  if (!numbers) return std::nullopt;
  return to_vector(table, key, *numbers, builder);
}

Vec3 required_vector(TableReader& table, std::string_view key, const SceneBuilder& builder,
                     const std::string& expected) {
  const std::optional<Vec3> vector = read_vector(table, key, builder);
  if (!vector) table.refuse_missing(key, expected);
  return *vector;
}

std::optional<double> read_positive(TableReader& table, std::string_view key) {
  const std::optional<double> number = table.number(key);
  if (number && !(*number > 0.0)) {
    table.refuse(key, "must be positive, found " + number_text(*number));
  }
  return number;
}

std::optional<double> read_not_negative(TableReader& table, std::string_view key) {
  const std::optional<double> number = table.number(key);
  if (number && !(*number >= 0.0)) {
    table.refuse(key, "must not be negative, found " + number_text(*number));
  }
  return number;
}

Vec3 read_direction(TableReader& table, std::string_view key, const Vec3& given) {
  if (std::abs(norm_squared(given) - 1.0) <= 4.0 * kRoundOff) return given;
  const Vec3 unit = direction_of(given).unit;
  if (unit == Vec3{}) table.refuse(key, "has no length");
  return unit;
}

std::string read_name(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  std::string name = table.text("name").value_or(otherwise);
  if (name.empty()) table.refuse("name", "must not be empty");
  if (!builder.names.emplace(name, table.place("")).second) {
    table.refuse("name", in_quotes(name) + " is the name of an earlier body, shape or generator");
  }
  return name;
}

Index read_material(TableReader& table, const SceneBuilder& builder) {
  const std::optional<std::string> name = table.text("material");
  if (!name) return 0;
  const auto found = builder.materials.find(*name);
  if (found != builder.materials.end()) return found->second;
  std::vector<std::string> names;
  const MaterialTable& materials = builder.scene.simulation.world.materials;
  for (Index i = 0; i < materials.size(); ++i) names.push_back(materials.material(i).name);
  table.refuse("material",
               unknown_name_message("material", printable(*name), few_names(*name, names)));
}

double BallProperties::mass_of(double radius, int dimension) const {
  if (!density) return mass.value_or(1.0);
  const double size = dimension == 2 ? std::numbers::pi * radius * radius
                                     : 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  return *density * size;
}

double BallProperties::mass_of(const Solid& solid) const {
  return density ? *density * solid.mass().volume : mass.value_or(1.0);
}

BallProperties read_ball_properties(TableReader& table, const SceneBuilder& builder) {
  BallProperties properties;
  properties.mass = read_positive(table, "mass");
  properties.density = read_positive(table, "density");
  if (properties.mass && properties.density) {
    table.refuse("density", "give mass or density, not both");
  }
  properties.material = read_material(table, builder);
  return properties;
}

void add_ball(SceneBuilder& builder, std::string name, const BallStart& start) {
  Simulation& simulation = builder.scene.simulation;
  BodySet& bodies = simulation.world.bodies;
  if (start.solid != kNone && !bodies.any_turns()) {
    // The bodies so far do not turn.
    bodies.solid.assign(bodies.size(), kNone);
    simulation.start.orientation.assign(bodies.size(), Quaternion());
    simulation.start.angular_velocity.assign(bodies.size(), Vec3());
  }
  const bool turning = start.solid != kNone || bodies.any_turns();
  if (turning) {
    bodies.solid.push_back(start.solid);
    Quaternion orientation;
    if (start.body_orientation) {
      orientation = *start.body_orientation;
    } else if (start.solid != kNone) {
      const Mat3& axes = bodies.solids[start.solid]->mass().axes;
      orientation =
          axes == Mat3() ? start.orientation : normalized(start.orientation * quaternion_of(axes));
    }
    simulation.start.orientation.push_back(orientation);
    simulation.start.angular_velocity.push_back(start.angular_velocity);
  }
  bodies.mass.push_back(start.mass);
  bodies.radius.push_back(start.solid == kNone ? start.radius
                                               : bodies.solids[start.solid]->bounding_radius());
  bodies.material.push_back(start.material);
  bodies.name.push_back(name);
  simulation.start.position.push_back(start.position);
  simulation.start.velocity.push_back(start.velocity);
}

void check_ball_count(const TableReader& table, std::string_view key, const SceneBuilder& builder,
                      double count) {
  const auto present = static_cast<double>(builder.scene.simulation.world.bodies.size());
  if (present + count > static_cast<double>(builder.limits.balls)) {
    table.refuse(key, "a scene can have at most " + std::to_string(builder.limits.balls) +
                          " balls, here would be " + number_text(present + count));
  }
}

std::string name_in_fault(const std::string& key, std::string_view prefix) {
  const std::size_t end = prefix.ends_with('[') ? key.find("].") : key.rfind('\'');
  if (!key.starts_with(prefix) || end == std::string::npos || end <= prefix.size()) return "";
  return key.substr(prefix.size(), end - prefix.size());
}

Index find_ball(SceneBuilder& builder, const std::string& name, const TableReader& table,
                std::string_view key) {
  index_balls(builder);
  const auto found = builder.balls.find(name);
  if (found != builder.balls.end()) return found->second;
  for (const PlacedShape& shape : builder.scene.simulation.world.shapes) {
    if (shape.name == name) {
      table.refuse(key,
                   in_quotes(name) + " is a shape or a fixed body; expected a ball that moves");
    }
  }
  table.refuse(key,
               unknown_name_message("ball", printable(name),
                                    few_names(name, builder.scene.simulation.world.bodies.name)));
}

}  // namespace carom::detail
