// [[lead]] and [[force]], of surfaces and of single bodies: prescribed motions and forces.

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/vertex_selection.h"

namespace carom::detail {
namespace {

// body = "name" or bodies = ["name", ...]
std::vector<Index> read_bodies_of(TableReader& table, SceneBuilder& builder) {
  const bool is_one = table.has("body");
  if (is_one && table.has("bodies")) table.refuse("bodies", "give body or bodies, not both");
  const char* key = is_one ? "body" : "bodies";
  std::vector<std::string> names;
  if (is_one) {
    names.push_back(*table.text("body"));
  } else if (std::optional<std::vector<std::string>> given = table.texts("bodies")) {
    names = std::move(*given);
  } else {
    table.refuse_missing("body",
                         "the name of a ball, or bodies, several; vertices of a surface "
                         "have [[surface.lead]] and [[surface.force]]");
  }
  if (names.empty()) table.refuse(key, "must not be empty");
  std::vector<Index> bodies;
  for (const std::string& name : names) bodies.push_back(find_ball(builder, name, table, key));
  std::vector<Index> sorted = bodies;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    table.refuse(key, "'" + builder.simulation().world.bodies.name[*twice] + "' is given twice");
  }
  return bodies;
}

}  // namespace

void read_lead(TableReader& table, SceneBuilder& builder, const std::vector<Index>& bodies) {
  Simulation& simulation = builder.simulation();
  const Motion motion = read_motion(table, builder);
  table.finish();
  for (const Index body : bodies) {
    const auto [known, is_new] =
        builder.led.try_emplace(body, SceneBuilder::Lead{motion, table.place("")});
    if (!is_new) {
      table.refuse("", "body '" + simulation.world.bodies.name[body] +
                           "' is led already, by the table in line " +
                           std::to_string(known->second.place.line));
    }
    simulation.start.velocity[body] = velocity_at(motion, 0.0);
  }
}

void read_force(TableReader& table, SceneBuilder& builder, const std::vector<Index>& bodies) {
  const std::optional<Vec3> each = read_vector(table, "force", builder);
  const std::optional<Vec3> total = read_vector(table, "total", builder);
  if (each && total) table.refuse("total", "give force or total, not both");
  if (!each && !total) {
    table.refuse_missing("force", "the force on each of them, or total, which they share");
  }
  BodyForce force;
  force.force = each ? *each : (1.0 / static_cast<double>(bodies.size())) * *total;
  force.begin = read_not_negative(table, "begin").value_or(force.begin);
  force.end = read_not_negative(table, "end").value_or(force.end);
  if (!(force.end > force.begin)) {
    table.refuse("end", "must be after begin, " + number_text(force.begin) + ", found " +
                            number_text(force.end));
  }
  table.finish();
  for (const Index body : bodies) {
    force.body = body;
    builder.simulation().forces.prescribed.push_back(force);
  }
}

void read_leads(TableReader& root, SceneBuilder& builder) {
  for (TableReader& table : root.subtables("lead")) {
    read_lead(table, builder, read_bodies_of(table, builder));
  }
  for (TableReader& table : root.subtables("force")) {
    read_force(table, builder, read_bodies_of(table, builder));
  }
  // However they were written: the same world has the same order.
  for (const auto& [body, lead] : builder.led) {
    builder.simulation().world.led.push_back({body, lead.motion});
  }
  std::vector<BodyForce>& forces = builder.simulation().forces.prescribed;
  const auto order = [](const BodyForce& f) {
    return std::tuple(f.body, f.begin, f.end, f.force.x, f.force.y, f.force.z);
  };
  std::sort(forces.begin(), forces.end(),
            [&](const BodyForce& a, const BodyForce& b) { return order(a) < order(b); });
}

}  // namespace carom::detail
