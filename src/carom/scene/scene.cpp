// Scene files: the order in which their sections are read, and the check of the start.

#include "carom/scene/scene.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "carom/core/names.h"
#include "carom/scene/detail/fault_list.h"
#include "carom/scene/detail/overrides.h"
#include "carom/scene/detail/rubbing.h"
#include "carom/scene/detail/scene_parts.h"
#include "carom/scene/detail/sections.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/detail/text_file.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

using detail::SceneBuilder;
using detail::TableReader;

// The table that the ball of that name comes from.
const InputPlace* source_of_ball(const SceneBuilder& builder, const std::string& name) {
  const NameList& names = builder.scene.simulation.world.bodies.name;
  // Where a name occurs twice the later one is at fault.
  std::size_t index = names.size();
  while (index > 0 && names[index - 1] != name) --index;
  if (index == 0) return nullptr;
  --index;
  const auto later =
      std::find_if(builder.sources.begin(), builder.sources.end(),
                   [&](const SceneBuilder::Source& source) { return source.first > index; });
  return later == builder.sources.begin() ? nullptr : &std::prev(later)->place;
}

// What the start check found, told at the table where it comes from.
[[noreturn]] void refuse_start(TableReader& root, const SceneBuilder& builder,
                               const InputError& error) {
  const std::string& key = error.place().key;
  const std::string message = key.empty() ? error.message() : key + " " + error.message();
  for (const char* prefix : {"body '", "force on body '", "motion of body '"}) {
    if (const InputPlace* place = source_of_ball(builder, detail::name_in_fault(key, prefix))) {
      throw InputError(*place, message);
    }
  }
  for (const char* prefix : {"shape '", "surface '", "surface["}) {
    const auto named = builder.names.find(detail::name_in_fault(key, prefix));
    if (named != builder.names.end()) throw InputError(named->second, message);
  }
  const std::size_t dot = key.find('.');
  if (dot != std::string::npos) {
    const std::string section = key.substr(0, dot);
    const toml::node* node = root.find(section);
    if (node != nullptr && node->is_table()) {
      root.subtable(section)->refuse(key.substr(dot + 1), error.message());
    }
  }
  throw InputError({builder.scene.file, 0, 0, ""}, message);
}

void check_start(TableReader& root, const SceneBuilder& builder) {
  const Simulation& simulation = builder.scene.simulation;
  std::optional<TableReader> world = root.subtable("world");
  const bool may_be_empty = world && world->boolean("empty").value_or(false);
  if (simulation.world.bodies.size() == 0 && !may_be_empty) {
    // A check may bring its own balls.
    if (builder.scene.check.empty()) {
      root.refuse_missing("body",
                          "at least one ball that moves: [[body]], [[grid]], [[rack]], "
                          "[[line]], [[ring]] or [[random]]; or a [[surface]]");
    }
    return;
  }
  try {
    check_simulation(simulation);
  } catch (const InputError& error) {
    refuse_start(root, builder, error);
  }
}

}  // namespace

bool SceneExpectation::empty() const {
  return !status && !impact_status && !energy_drift && !energy_drift_at_least && !momentum_drift &&
         !penetration && !penetration_at_least && !applications_at_most && states.empty() &&
         symmetries.empty();
}

std::string_view to_string(SymmetryExpectation::Kind kind) {
  return kind == SymmetryExpectation::Kind::mirror ? "mirror" : "rotation";
}

const std::vector<std::string>& run_status_names() {
  static const std::vector<std::string> names = {"completed", "stopped"};
  return names;
}

namespace {

// All sections, in the order in which they need each other.
void read_sections(TableReader& root, const toml::table& table, SceneBuilder& builder) {
  Scene& scene = builder.scene;
  detail::check_kind(root, "scene");
  static_cast<void>(root.find("set"));
  scene.title = root.text("title").value_or("");
  scene.description = root.text("description").value_or("");
  scene.figure = root.text("figure").value_or("");
  detail::read_world(root, builder);
  detail::read_settings(root, builder);
  detail::read_impact_section(root, scene.simulation.impact, scene.operators);
  detail::read_materials(root, builder);
  // Friction that is given acts; without friction where the scene says so.
  if (!table.at_path("impact.friction_model") &&
      detail::any_rub(scene.simulation.world.materials)) {
    scene.simulation.impact.friction_model = friction_model_where_materials_rub(scene.simulation);
  }
  if (scene.simulation.impact.friction_model != "coulomb" ||
      !scheme_info(scene.simulation.time.scheme).rolling) {
    for (const char* kind : {"material", "pair"}) {
      for (TableReader& entry : root.subtables(kind)) {
        if (entry.number("rolling").value_or(0.0) == 0.0) continue;
        entry.refuse("rolling", "acts with scheme " + schemes_where([](const SchemeInfo& info) {
                                  return info.rolling;
                                }) + " and friction_model \"coulomb\" only, and this scene has " +
                                    detail::in_quotes(scene.simulation.time.scheme) + " and " +
                                    detail::in_quotes(scene.simulation.impact.friction_model));
      }
    }
  }
  detail::read_solids(root, builder);
  detail::read_shapes(root, builder);
  detail::read_tracks(root, builder);
  detail::read_balls(root, builder);
  detail::read_generators(root, builder);
  detail::read_surfaces(root, builder);
  detail::read_leads(root, builder);
  detail::read_forces(root, builder);
  detail::read_measures(root, builder);
  detail::CheckSection check = detail::read_check(root);
  scene.check = std::move(check.name);
  scene.parameters = std::move(check.parameters);
  scene.slow_parameters = std::move(check.slow_parameters);
  detail::read_scene_expectations(root, builder);
  root.finish();
}

}  // namespace

Scene read_scene(std::string_view text, const std::string& file,
                 std::span<const std::string> overrides, const SceneLimits& limits) {
  constexpr Index kManyBodies = 100'000;  // to make them again for each fault would take too long
  detail::check_size(text.size(), file);
  toml::table table = detail::parse_toml(text, file);
  const bool other_time = detail::overrides_reach(table, overrides, "time", file);
  detail::apply_overrides(table, overrides, file);
  detail::FaultList faults(table, file);
  for (;;) {
    SceneBuilder builder;
    builder.limits = limits;
    builder.other_time = other_time;
    builder.scene.file = file;
    TableReader root(table, "", file);
    try {
      read_sections(root, table, builder);
    } catch (const InputError& fault) {
      const bool goes_on = faults.take(fault);
      if (goes_on && builder.simulation().world.bodies.size() < kManyBodies) continue;
    }
    if (!faults.empty()) faults.tell();
    check_start(root, builder);
    // What came from other files stands in the text from now on: a recording needs no other file,
    // but where an override named it.
    std::erase_if(builder.embedded, [&file](const SceneBuilder::Embedded& value) {
      return value.where.path && *value.where.path != file;
    });
    builder.scene.text = detail::text_with_overrides(
        detail::text_with_values(text, builder.embedded), table, overrides, file);
    return std::move(builder.scene);
  }
}

Scene read_scene_file(const std::filesystem::path& path, std::span<const std::string> overrides) {
  return read_scene(detail::read_text_file(path), path.string(), overrides);
}

std::string file_kind(std::string_view text, const std::string& file) {
  detail::check_size(text.size(), file);
  const toml::table table = detail::parse_toml(text, file);
  TableReader root(table, "", file);
  const std::vector<std::string> known = {"instant", "scene"};
  const std::optional<std::string> kind = root.text("kind");
  if (!kind) root.refuse_missing("kind", "kind = \"instant\" or kind = \"scene\"");
  if (std::find(known.begin(), known.end(), *kind) == known.end()) {
    root.refuse("kind", unknown_name_message("kind", detail::printable(*kind), known));
  }
  return *kind;
}

std::string file_kind_of(const std::filesystem::path& path) {
  return file_kind(detail::read_text_file(path), path.string());
}

}  // namespace carom
