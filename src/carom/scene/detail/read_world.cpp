// [world] and [time].
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

// One of a list of names, with the nearest one in the message.
std::string read_choice(TableReader& table, std::string_view key, const std::string& otherwise,
                        const std::vector<std::string>& known) {
  std::string name = table.text(key).value_or(otherwise);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    table.refuse(key, unknown_name_message(key, printable(name), known));
  }
  return name;
}

// A number is the strength of gravity downwards along y, which in three dimensions is not down for
// everybody.
Vec3 read_gravity(TableReader& world, const SceneBuilder& builder) {
  const std::optional<Numbers> given = world.numbers("gravity");
  if (!given) return {};
  if (given->size() != 1) return to_vector(world, "gravity", *given, builder);
  if (builder.scene.simulation.world.dimension == 3 && (*given)[0] != 0.0) {
    const std::string size = number_text((*given)[0]);
    world.refuse("gravity", "expected a vector in three dimensions: [0, 0, -" + size +
                                "] where z points upwards, [0, -" + size +
                                ", 0] where y does, found the number " + size);
  }
  return {0.0, (*given)[0] == 0.0 ? 0.0 : -(*given)[0], 0.0};
}

struct Period {
  double lower = 0.0;
  double length = 0.0;
};

// x = 10 (from 0), x = [-5, 5], or x = { lower = -5, length = 10 }
Period read_period(TableReader& periodic, std::string_view axis) {
  Period period;
  const toml::node* node = periodic.find(axis);
  if (node->is_table()) {
    TableReader table = *periodic.subtable(axis);
    period.lower = table.number("lower").value_or(0.0);
    const std::optional<double> length = table.number("length");
    if (!length) table.refuse_missing("length", "the length of the period");
    period.length = *length;
    table.finish();
  } else {
    const Numbers numbers = *periodic.numbers(axis);
    if (numbers.empty() || numbers.size() > 2) {
      periodic.refuse(
          axis, "expected a length, or the lower and the upper end, found " + describe_node(*node));
    }
    period.lower = numbers.size() == 2 ? numbers[0] : 0.0;
    period.length = numbers.size() == 2 ? numbers[1] - numbers[0] : numbers[0];
  }
  if (!(period.length > 0.0) || !std::isfinite(period.length)) {
    periodic.refuse(axis, "the length of the period must be positive and finite, found " +
                              number_text(period.length));
  }
  return period;
}

Periodicity read_periodicity(TableReader& world, const SceneBuilder& builder) {
  Periodicity periodicity;
  std::optional<TableReader> periodic = world.subtable("periodic");
  if (!periodic) return periodicity;
  const auto read_axis = [&](std::string_view axis, double& lower, double& length) {
    if (!periodic->has(axis)) return;
    const Period period = read_period(*periodic, axis);
    lower = period.lower;
    length = period.length;
  };
  read_axis("x", periodicity.lower.x, periodicity.length.x);
  read_axis("y", periodicity.lower.y, periodicity.length.y);
  if (builder.dimension() == 3) read_axis("z", periodicity.lower.z, periodicity.length.z);
  periodic->finish();
  return periodicity;
}

void read_time(TableReader& root, TimeSettings& time) {
  std::optional<TableReader> section = root.subtable("time");
  if (!section) return;
  time.scheme = read_choice(*section, "scheme", time.scheme, scheme_names());
  time.step = read_positive(*section, "step").value_or(time.step);
  time.duration = read_not_negative(*section, "duration").value_or(time.duration);
  time.rotation = rotation_scheme(read_choice(
      *section, "rotation", std::string(to_string(time.rotation)), rotation_scheme_names()));
  section->finish();
}

void read_detection(TableReader& root, DetectionSettings& detection) {
  std::optional<TableReader> section = root.subtable("detection");
  if (!section) return;
  detection.activation = read_positive(*section, "activation").value_or(detection.activation);
  if (detection.activation > 0.1) {
    section->refuse("activation", "is a fraction of a radius and must be at most 0.1, found " +
                                      number_text(detection.activation));
  }
  detection.redetect = section->boolean("redetect").value_or(detection.redetect);
  const std::uint64_t rounds =
      section->count("redetect_rounds").value_or(detection.redetect_rounds);
  if (rounds == 0 || rounds > 1'000'000) {
    section->refuse("redetect_rounds", "must be between 1 and 1000000, found " +
                                           std::to_string(rounds) +
                                           "; redetect = false turns it off");
  }
  detection.redetect_rounds = static_cast<Index>(rounds);
  detection.sweep = section->boolean("sweep").value_or(detection.sweep);
  detection.hold = section->boolean("hold").value_or(detection.hold);
  detection.halve = section->boolean("halve").value_or(detection.halve);
  detection.broad_phase =
      read_choice(*section, "broad_phase", detection.broad_phase, broad_phase_names());
  section->finish();
}

SettingValue read_value(TableReader& table, const SchemeSetting& setting) {
  using Kind = SchemeSetting::Kind;
  switch (setting.kind) {
    case Kind::choice:
      return read_choice(table, setting.key, "", setting.choices);
    case Kind::positive:
      return *read_positive(table, setting.key);
    case Kind::not_negative:
      return *read_not_negative(table, setting.key);
    case Kind::whole:
      return static_cast<double>(*table.count(setting.key));
    case Kind::flag:
      break;
  }
  return *table.boolean(setting.key);
}

// The tables of schemes are named like them. That of a scheme which the scene does not choose may
// be there: a scene can be run by several.
void read_scheme_settings(TableReader& root, SchemeSettings& settings) {
  for (const std::string& name : scheme_names()) {
    const SchemeInfo& info = scheme_info(name);
    if (info.settings.empty()) continue;
    std::optional<TableReader> section = root.subtable(name);
    if (!section) continue;
    for (const SchemeSetting& setting : info.settings) {
      if (section->has(setting.key)) setting.set(settings, read_value(*section, setting));
    }
    section->finish();
  }
}

void read_record(TableReader& root, const TimeSettings& time, RecordSettings& record) {
  std::optional<TableReader> section = root.subtable("record");
  if (!section) return;
  if (const auto every = section->count("every")) {
    if (*every == 0) section->refuse("every", "must be at least 1 step");
    record.every = *every;
  }
  if (const auto interval = read_positive(*section, "interval")) {
    if (section->has("every")) section->refuse("interval", "give every or interval, not both");
    const double steps = std::nearbyint(*interval / time.step);
    if (!(steps <= 9e15)) section->refuse("interval", "is longer than 9e15 steps");
    record.every = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps));
  }
  record.impulses = section->boolean("impulses").value_or(record.impulses);
  record.checkpoint_every = section->count("checkpoint_every").value_or(record.checkpoint_every);
  section->finish();
}

}  // namespace

void read_world(TableReader& root, SceneBuilder& builder) {
  Simulation& simulation = builder.simulation();
  std::optional<TableReader> world = root.subtable("world");
  if (!world) return;
  if (const auto dimension = world->count("dimension")) {
    if (*dimension != 2 && *dimension != 3) {
      world->refuse("dimension", "expected 2 or 3, found " + std::to_string(*dimension));
    }
    simulation.world.dimension = static_cast<int>(*dimension);
  }
  simulation.forces.gravity = read_gravity(*world, builder);
  simulation.forces.drag.coefficient = read_not_negative(*world, "drag").value_or(0.0);
  simulation.world.periodicity = read_periodicity(*world, builder);
  static_cast<void>(world->boolean("empty"));  // scene.cpp asks for it once all bodies are read
  simulation.symmetry = read_choice(*world, "symmetry", simulation.symmetry, symmetry_names());
  world->finish();
}

void read_settings(TableReader& root, SceneBuilder& builder) {
  Simulation& simulation = builder.simulation();
  read_time(root, simulation.time);
  read_detection(root, simulation.detection);
  read_scheme_settings(root, simulation.settings);
  read_record(root, simulation.time, builder.scene.record);
}

}  // namespace carom::detail
