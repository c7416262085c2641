// Prescribed motions, of shapes and of bodies that are led.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

Motion read_table_motion(TableReader& motion, const SceneBuilder& builder) {
  TableMotion table;
  const std::optional<std::vector<double>> times = motion.number_list("times");
  const std::optional<std::vector<Numbers>> offsets = motion.number_lists("offsets");
  if (!times) motion.refuse_missing("times", "a list of rising times");
  if (!offsets) motion.refuse_missing("offsets", "a list of vectors, one per time");
  if (times->empty()) motion.refuse("times", "must not be empty");
  if (times->size() != offsets->size()) {
    motion.refuse("offsets", "expected one vector per time, " + std::to_string(times->size()) +
                                 ", found " + std::to_string(offsets->size()));
  }
  for (std::size_t k = 0; k < times->size(); ++k) {
    if (k > 0 && !((*times)[k] > (*times)[k - 1])) {
      motion.refuse("times", "must rise, found " + number_text((*times)[k]) + " after " +
                                 number_text((*times)[k - 1]));
    }
    table.offsets.push_back(to_vector(motion, "offsets", (*offsets)[k], builder));
  }
  table.times = *times;
  return table;
}

double required_positive(TableReader& table, std::string_view key, const std::string& what) {
  const std::optional<double> value = read_positive(table, key);
  if (!value) table.refuse_missing(key, what);
  return *value;
}

// A plate under a layer of depth H, by the numbers that its patterns depend on:
//   f* = f sqrt(H / g),   Gamma = 4 pi^2 A f^2 / g.
Motion read_shaken_motion(TableReader& motion, const SceneBuilder& builder) {
  const Vec3& gravity = builder.scene.simulation.forces.gravity;
  const double g = norm(gravity);
  if (!(g > 0.0)) motion.refuse("type", "\"shaken\" needs gravity to be measured by");
  const double depth = required_positive(motion, "depth", "the depth of the layer");
  const double frequency =
      required_positive(motion, "frequency", "f* = f sqrt(depth / g), without a unit");
  const double acceleration =
      required_positive(motion, "acceleration", "the largest one, in units of gravity");
  SinusoidMotion sinusoid;
  sinusoid.frequency = frequency * std::sqrt(g / depth);
  const double turns = 2.0 * std::numbers::pi * sinusoid.frequency;
  sinusoid.amplitude = (-acceleration / (turns * turns)) * gravity;
  sinusoid.phase = motion.number("phase").value_or(0.0);
  return sinusoid;
}

// Up and down again once: amplitude (1 - cos(2 pi f (t - start))) / 2 over one period, at rest
// before and after it. In so many straight pieces that the offset is right to 0.03% of the
// amplitude.
Motion read_shake_motion(TableReader& motion, const SceneBuilder& builder) {
  constexpr int kPieces = 128;
  const Vec3 amplitude = required_vector(motion, "amplitude", builder, "the largest offset");
  const double frequency = required_positive(motion, "frequency", "one over how long it takes");
  const double start = motion.number("start").value_or(0.0);
  TableMotion table;
  for (int k = 0; k <= kPieces; ++k) {
    const double turn = static_cast<double>(k) / kPieces;
    table.times.push_back(start + turn / frequency);
    // Exactly 0 at both ends.
    const double sine = k == kPieces ? 0.0 : std::sin(std::numbers::pi * turn);
    table.offsets.push_back(sine * sine * amplitude);
  }
  return table;
}

Motion read_motion_of_type(TableReader& motion, const std::string& type,
                           const SceneBuilder& builder) {
  if (type == "constant") {
    return ConstantMotion{required_vector(motion, "velocity", builder, "a velocity")};
  }
  if (type == "sinusoid") {
    SinusoidMotion sinusoid;
    sinusoid.amplitude = required_vector(motion, "amplitude", builder, "the largest offset");
    const std::optional<double> frequency = read_not_negative(motion, "frequency");
    if (!frequency) motion.refuse_missing("frequency", "turns per unit of time");
    sinusoid.frequency = *frequency;
    sinusoid.phase = motion.number("phase").value_or(0.0);
    return sinusoid;
  }
  if (type == "table") return read_table_motion(motion, builder);
  if (type == "shaken") return read_shaken_motion(motion, builder);
  if (type == "shake") return read_shake_motion(motion, builder);
  const std::vector<std::string> known = {"constant", "sinusoid", "table", "shaken", "shake"};
  motion.refuse("type", unknown_name_message("type of motion", printable(type), known));
}

}  // namespace

Motion read_motion(TableReader& table, const SceneBuilder& builder) {
  std::optional<TableReader> motion = table.subtable("motion");
  if (!motion) return {};
  const std::optional<std::string> type = motion->text("type");
  if (!type)
    motion->refuse_missing("type",
                           "\"constant\", \"sinusoid\", \"table\", \"shaken\" or \"shake\"");
  Motion result = read_motion_of_type(*motion, *type, builder);
  motion->finish();
  return result;
}

}  // namespace carom::detail
