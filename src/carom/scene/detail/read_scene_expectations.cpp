// [expect] of a scene.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"
#include "carom/scene/detail/sections.h"

namespace carom::detail {
namespace {

// While reading, what [expect] says of the end stands apart from [[expect.at]]: an operator's own
// table replaces single bodies of the one, and the other as a whole.
struct Draft {
  SceneExpectation expectation;
  StateExpectation end;
  std::vector<StateExpectation> at;

  [[nodiscard]] SceneExpectation finished() const {
    SceneExpectation result = expectation;
    if (!end.positions.empty() || !end.velocities.empty() || !end.angular_velocities.empty()) {
      result.states.push_back(end);
    }
    result.states.insert(result.states.end(), at.begin(), at.end());
    return result;
  }
};

void read_values(TableReader& table, std::string_view key, SceneBuilder& builder,
                 std::vector<StateExpectation::Value>& values) {
  std::optional<TableReader> section = table.subtable(key);
  if (!section) return;
  for (const auto& [body, node] : section->table()) {
    const std::string name(body.str());
    const Index ball = find_ball(builder, name, *section, name);
    const Vec3 value = *read_vector(*section, name, builder);
    std::erase_if(values, [&](const auto& old) { return old.body == ball; });
    values.push_back({ball, value});
  }
}

// In two dimensions one number each.
void read_angular_velocities(TableReader& table, SceneBuilder& builder,
                             std::vector<StateExpectation::Value>& values) {
  std::optional<TableReader> section = table.subtable("angular_velocity");
  if (!section) return;
  for (const auto& [body, node] : section->table()) {
    const std::string name(body.str());
    const Index index = find_ball(builder, name, *section, name);
    if (!builder.simulation().world.bodies.turns(index)) section->refuse(name, "does not turn");
    const Vec3 value = builder.dimension() == 3 ? *read_vector(*section, name, builder)
                                                : Vec3{0.0, 0.0, *section->number(name)};
    std::erase_if(values, [&](const auto& old) { return old.body == index; });
    values.push_back({index, value});
  }
}

void read_state(TableReader& table, SceneBuilder& builder, StateExpectation& state) {
  state.tolerance = read_positive(table, "tolerance").value_or(state.tolerance);
  read_values(table, "position", builder, state.positions);
  read_values(table, "velocity", builder, state.velocities);
  read_angular_velocities(table, builder, state.angular_velocities);
}

// A time that the run comes to, unless it was shortened from outside of the file.
double read_time_within(TableReader& table, const SceneBuilder& builder) {
  const double time = *read_not_negative(table, "time");
  const double duration = builder.scene.simulation.time.duration;
  if (time > duration && !builder.other_time) {
    table.refuse("time", "is after the end of the run, " + number_text(duration) + ", found " +
                             number_text(time));
  }
  return time;
}

// mirror = "y", or its normal
Vec3 read_mirror(TableReader& table, const SceneBuilder& builder) {
  const toml::node* node = table.find("mirror");
  const auto* text = node->as_string();
  if (text == nullptr) {
    return read_direction(table, "mirror", *read_vector(table, "mirror", builder));
  }
  const std::string& name = text->get();
  if (name == "x") return {1.0, 0.0, 0.0};
  if (name == "y") return {0.0, 1.0, 0.0};
  if (name == "z" && builder.dimension() == 3) return {0.0, 0.0, 1.0};
  table.refuse("mirror", "expected the name of an axis, or the normal of the mirror, found " +
                             describe_node(*node));
}

SymmetryExpectation read_symmetry(TableReader& table, const SceneBuilder& builder) {
  SymmetryExpectation symmetry;
  const bool is_mirror = table.has("mirror");
  const std::optional<double> angle = table.number("rotation");
  if (is_mirror == angle.has_value()) {
    table.refuse(is_mirror ? "rotation" : "", "expected either mirror or rotation");
  }
  symmetry.center = read_vector(table, "center", builder).value_or(Vec3{});
  if (is_mirror) {
    symmetry.kind = SymmetryExpectation::Kind::mirror;
    symmetry.axis = read_mirror(table, builder);
  } else {
    symmetry.kind = SymmetryExpectation::Kind::rotation;
    symmetry.angle = *angle;
    symmetry.axis = {0.0, 0.0, 1.0};
    if (builder.dimension() == 3) {
      const Vec3 axis = read_vector(table, "axis", builder).value_or(symmetry.axis);
      symmetry.axis = read_direction(table, "axis", axis);
    }
  }
  symmetry.error_at_most = read_not_negative(table, "error_at_most");
  symmetry.error_at_least = read_not_negative(table, "error_at_least");
  if (!symmetry.error_at_most && !symmetry.error_at_least) {
    table.refuse_missing("error_at_most", "error_at_most or error_at_least, a length");
  }
  if (table.has("time")) symmetry.time = read_time_within(table, builder);
  symmetry.whole_run = table.boolean("whole_run").value_or(false);
  if (symmetry.whole_run && symmetry.time) {
    table.refuse("whole_run", "give time or whole_run, not both");
  }
  table.finish();
  return symmetry;
}

void replace(std::optional<double>& old, std::optional<double> given) {
  if (given) old = given;
}

// Reads over what the draft already says.
void read_draft(TableReader& table, SceneBuilder& builder, Draft& draft) {
  SceneExpectation& expectation = draft.expectation;
  if (const auto status = table.text("status")) {
    const std::vector<std::string>& known = run_status_names();
    if (std::find(known.begin(), known.end(), *status) == known.end()) {
      table.refuse("status", unknown_name_message("status of a run", printable(*status), known));
    }
    expectation.status = *status;
  }
  if (const auto name = table.text("impact_status")) {
    expectation.impact_status = read_impact_status(table, "impact_status", *name);
  }
  replace(expectation.energy_drift, read_not_negative(table, "energy_drift"));
  replace(expectation.energy_drift_at_least, read_not_negative(table, "energy_drift_at_least"));
  replace(expectation.momentum_drift, read_not_negative(table, "momentum_drift"));
  replace(expectation.penetration, read_not_negative(table, "penetration"));
  replace(expectation.penetration_at_least, read_not_negative(table, "penetration_at_least"));
  if (const auto n = table.count("applications_at_most")) expectation.applications_at_most = n;
  read_state(table, builder, draft.end);
  if (table.has("at")) draft.at.clear();
  for (TableReader& at : table.subtables("at")) {
    StateExpectation state;
    state.tolerance = draft.end.tolerance;
    if (!at.has("time")) at.refuse_missing("time", "the time at which to look");
    state.time = read_time_within(at, builder);
    read_state(at, builder, state);
    at.finish();
    draft.at.push_back(std::move(state));
  }
  if (table.has("symmetry")) expectation.symmetries.clear();
  for (TableReader& symmetry : table.subtables("symmetry")) {
    expectation.symmetries.push_back(read_symmetry(symmetry, builder));
  }
}

}  // namespace

void read_scene_expectations(TableReader& root, SceneBuilder& builder) {
  Scene& scene = builder.scene;
  scene.expectations.assign(scene.operators.size(), SceneExpectation{});
  std::optional<TableReader> section = root.subtable("expect");
  if (!section) return;
  Draft general;
  read_draft(*section, builder, general);
  for (std::size_t k = 0; k < scene.operators.size(); ++k) {
    Draft draft = general;
    if (auto own = section->subtable(scene.operators[k])) {
      read_draft(*own, builder, draft);
      own->finish();
    }
    scene.expectations[k] = draft.finished();
  }
  section->finish();
}

}  // namespace carom::detail
