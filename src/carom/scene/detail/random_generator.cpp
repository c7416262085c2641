// [[random]]: balls at random places of a region.
#include "carom/scene/detail/random_generator.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "carom/collision/solid_contact.h"
#include "carom/core/names.h"
#include "carom/core/random.h"
#include "carom/geometry/shape.h"
#include "carom/scene/detail/generator_form.h"
#include "carom/scene/detail/placement.h"
#include "carom/scene/detail/size_distribution.h"

namespace carom::detail {
namespace {

// Random placement one by one comes to an end well before a region is full (0.55 of a plane, 0.38
// of space); near that end tries fail almost always.
constexpr int kTriesPerBall = 10'000;

struct Box {
  Vec3 lower;
  Vec3 upper;
};
struct Round {  // a disc or a ball
  Vec3 center;
  double radius = 0.0;
};
using Region = std::variant<Box, Round>;

Region read_region(TableReader& table, const SceneBuilder& builder) {
  std::optional<TableReader> region = table.subtable("region");
  const std::string expected = "{ lower = ..., upper = ... } or { center = ..., radius = ... }";
  if (!region) table.refuse_missing("region", expected);
  const std::optional<Vec3> lower = read_vector(*region, "lower", builder);
  const std::optional<Vec3> upper = read_vector(*region, "upper", builder);
  const std::optional<Vec3> center = read_vector(*region, "center", builder);
  const std::optional<double> radius = read_positive(*region, "radius");
  region->finish();
  if (lower && upper && !center && !radius) return Box{*lower, *upper};
  if (!lower && !upper && radius) return Round{center.value_or(Vec3{}), *radius};
  table.refuse("region", "expected " + expected);
}

double volume(const Region& region, int dimension) {
  if (const auto* box = std::get_if<Box>(&region)) {
    const Vec3 size = box->upper - box->lower;
    return size.x * size.y * (dimension == 3 ? size.z : 1.0);
  }
  const double radius = std::get<Round>(region).radius;
  return dimension == 2 ? std::numbers::pi * radius * radius
                        : 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

bool holds(const Region& region, int dimension, double radius) {
  if (const auto* round = std::get_if<Round>(&region)) return round->radius >= radius;
  const auto& box = std::get<Box>(region);
  const Vec3 size = box.upper - box.lower;
  const double least =
      dimension == 3 ? std::min({size.x, size.y, size.z}) : std::min(size.x, size.y);
  return least >= 2.0 * radius;
}

// A place where a ball of that radius is wholly inside.
Vec3 random_place(Random& random, const Region& region, int dimension, double radius) {
  if (const auto* round = std::get_if<Round>(&region)) {
    return round->center + random_in_ball(random, dimension, round->radius - radius);
  }
  const auto& box = std::get<Box>(region);
  const double x = random.uniform(box.lower.x + radius, box.upper.x - radius);
  const double y = random.uniform(box.lower.y + radius, box.upper.y - radius);
  const double z =
      dimension == 3 ? random.uniform(box.lower.z + radius, box.upper.z - radius) : 0.0;
  return {x, y, z};
}

bool clear_of_solid(const OffsetShape& obstacle, const Solid& ball, const Vec3& place, double gap) {
  std::vector<SolidContact> contacts;
  find_solid_contacts({&ball, {place, Mat3()}}, obstacle, gap, contacts);
  return contacts.empty();
}

bool clear_of_shapes(const Simulation& simulation, const Vec3& place, double radius, double gap) {
  for (const PlacedShape& placed : simulation.world.shapes) {
    if (std::holds_alternative<SolidObstacle>(placed.shape)) {
      const Solid ball(SphereSolid{radius}, simulation.world.dimension);
      const OffsetShape obstacle = {&placed.shape, offset_at(placed.motion, 0.0)};
      if (!clear_of_solid(obstacle, ball, place, gap)) return false;
      continue;
    }
    const Vec3 relative = place - offset_at(placed.motion, 0.0);
    for (Index f = 0; f < feature_count(placed.shape, simulation.world.dimension); ++f) {
      if (!(ball_contact(placed.shape, f, relative, radius).gap >= gap)) return false;
    }
  }
  return true;
}

// Sizes of balls; of a solid, that of the ball about it.
std::optional<SizeDistribution> read_sizes(TableReader& table) {
  if (table.has("solid")) return std::nullopt;
  return SizeDistribution(table);
}

std::optional<double> first_radius(const std::optional<SizeDistribution>& sizes) {
  if (!sizes) return std::nullopt;
  return sizes->least();
}

// Everything that one [[random]] says.
struct Plan {
  std::string name;
  BallProperties properties;
  std::optional<SizeDistribution> sizes;  ///< of balls
  GeneratorForm form;
  Region region;
  double gap = 0.0;
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  Vec3 velocity;
  double velocity_random = 0.0;

  [[nodiscard]] double least() const { return sizes ? sizes->least() : form.radius(); }
  [[nodiscard]] double most() const { return sizes ? sizes->most() : form.radius(); }
};

// Of regular patterns only: places here are random anyway.
void refuse_pattern_keys(TableReader& table) {
  for (const char* key : {"jitter", "spacing", "origin", "center", "counts"}) {
    if (table.has(key)) {
      table.refuse(key, "not for [[random]], whose bodies are placed at random inside the region");
    }
  }
}

Plan read_plan(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  refuse_pattern_keys(table);
  std::string name = read_name(table, builder, otherwise);
  const BallProperties properties = read_ball_properties(table, builder);
  std::optional<SizeDistribution> sizes = read_sizes(table);
  if (!sizes && table.has("radius")) table.refuse("radius", "give radius or solid, not both");
  GeneratorForm form(table, builder, first_radius(sizes));
  Plan plan{std::move(name), properties, std::move(sizes), std::move(form), {}, 0.0, 0, 1, {}, 0.0};
  plan.region = read_region(table, builder);
  plan.gap = read_not_negative(table, "gap").value_or(0.0);
  plan.seed = table.count("seed").value_or(1);
  plan.velocity = read_vector(table, "velocity", builder).value_or(Vec3{});
  plan.velocity_random = read_not_negative(table, "velocity_random").value_or(0.0);
  const std::optional<std::uint64_t> count = table.count("count");
  if (!count) table.refuse_missing("count", "the number of balls");
  plan.count = *count;
  table.finish();
  return plan;
}

// What can be seen without a try: that no ball fits, or that all together are larger than the
// region.
void check_room(const TableReader& table, const Plan& plan, int dimension) {
  const double r = plan.least();
  const double least =
      dimension == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double room = volume(plan.region, dimension);
  if (!holds(plan.region, dimension, plan.most())) {
    table.refuse("region",
                 "a ball of radius " + number_text(plan.most()) + " does not fit into it");
  }
  if (!std::isfinite(room) || least * static_cast<double>(plan.count) > room) {
    table.refuse("count", std::to_string(plan.count) + " balls of radius " + number_text(r) +
                              " do not fit into the region");
  }
}

}  // namespace

void add_random(TableReader& table, SceneBuilder& builder, const std::string& otherwise) {
  Plan plan = read_plan(table, builder, otherwise);
  check_ball_count(table, "count", builder, static_cast<double>(plan.count));
  const int dimension = builder.dimension();
  check_room(table, plan, dimension);
  const Simulation& simulation = builder.simulation();
  OccupiedSpace space(dimension, simulation.world.periodicity, plan.gap);
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    space.add(simulation.start.position[i], simulation.world.bodies.radius[i]);
  }
  builder.sources.push_back({simulation.world.bodies.size(), table.place("")});
  Random random(plan.seed);
  for (std::uint64_t i = 0; i < plan.count; ++i) {
    BallStart start;
    start.radius = plan.sizes ? plan.sizes->draw(random) : plan.form.radius();
    int tries = 0;
    do {
      if (++tries > kTriesPerBall) {
        table.refuse("count", "only " + std::to_string(i) + " of " + std::to_string(plan.count) +
                                  " balls found room (" + std::to_string(kTriesPerBall) +
                                  " tries for the next); make the region larger, the balls "
                                  "smaller or fewer, or use [[grid]]");
      }
      start.position = random_place(random, plan.region, dimension, start.radius);
    } while (!space.is_free(start.position, start.radius) ||
             !clear_of_shapes(simulation, start.position, start.radius, plan.gap));
    start.velocity = plan.velocity;
    if (plan.velocity_random > 0.0) {
      start.velocity += random_in_ball(random, dimension, plan.velocity_random);
    }
    plan.form.shape(start, start.radius, plan.properties, random);
    space.add(start.position, start.radius);
    add_ball(builder, plan.name + "-" + std::to_string(i + 1), start);
  }
}

}  // namespace carom::detail
