// [[spring]], [[center]] and drag.
#include <string>
#include <vector>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

// Fills the ends; answers with their difference at the start.
Vec3 read_spring_ends(TableReader& table, SceneBuilder& builder, SpringForce& spring) {
  const std::vector<Vec3>& position = builder.simulation().start.position;
  const Periodicity& periodicity = builder.simulation().world.periodicity;
  const std::optional<std::vector<std::string>> names = table.texts("bodies");
  const std::optional<std::string> name = table.text("body");
  const std::optional<Vec3> point = read_vector(table, "point", builder);
  if (names) {
    if (name || point) table.refuse("bodies", "give bodies, or body and point, not both");
    if (names->size() != 2 || (*names)[0] == (*names)[1]) {
      table.refuse("bodies", "expected the names of two balls");
    }
    spring.body_a = find_ball(builder, (*names)[0], table, "bodies");
    spring.body_b = find_ball(builder, (*names)[1], table, "bodies");
    return nearest_image(periodicity, position[spring.body_a] - position[spring.body_b]);
  }
  if (!name) table.refuse_missing("bodies", "the names of two balls, or body and point");
  if (!point) table.refuse_missing("point", "where the other end is held");
  spring.body_a = find_ball(builder, *name, table, "body");
  spring.point = *point;
  return nearest_image(periodicity, position[spring.body_a] - spring.point);
}

}  // namespace

void read_forces(TableReader& root, SceneBuilder& builder) {
  ForceSet& forces = builder.simulation().forces;
  for (TableReader& table : root.subtables("spring")) {
    SpringForce spring;
    const Vec3 difference = read_spring_ends(table, builder, spring);
    const std::optional<double> stiffness = read_not_negative(table, "stiffness");
    if (!stiffness) table.refuse_missing("stiffness", "force per length");
    spring.stiffness = *stiffness;
    spring.length = read_not_negative(table, "length").value_or(norm(difference));
    table.finish();
    forces.springs.push_back(spring);
  }
  for (TableReader& table : root.subtables("central")) {
    CentralForce central;
    central.center = read_vector(table, "center", builder).value_or(Vec3{});
    central.strength = table.number("strength").value_or(central.strength);
    central.exponent = table.number("exponent").value_or(central.exponent);
    table.finish();
    forces.centers.push_back(central);
  }
}

}  // namespace carom::detail
