// A scene as text that reads back to the same bits.

#include "carom/scene/write_scene.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/core/assert.h"
#include "carom/scene/detail/quote.h"
#include "carom/scene/detail/rubbing.h"
#include "carom/scene/detail/scene_lines.h"
#include "carom/scene/detail/value_text.h"
#include "carom/scene/detail/write_solids.h"
#include "carom/scene/detail/write_surfaces.h"
#include "carom/scene/settings.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

using detail::quote;

class SceneWriter : private detail::SceneLines {
 public:
  explicit SceneWriter(const Scene& scene)
      : SceneLines(scene.simulation.world.dimension),
        scene_(scene),
        simulation_(scene.simulation),
        dimension_(scene.simulation.world.dimension) {}

  std::string write() {
    line("kind", quote("scene"));
    text("title", scene_.title);
    text("description", scene_.description);
    text("figure", scene_.figure);
    write_world();
    write_time();
    write_detection();
    write_scheme_settings();
    write_impact();
    write_record();
    write_materials();
    add(detail::solids_text(simulation_.world.bodies.solids, dimension_));
    for (const PlacedShape& shape : simulation_.world.shapes) write_shape(shape);
    for (Index i = 0; i < simulation_.world.bodies.size(); ++i) {
      if (!detail::is_vertex(simulation_.world, i)) write_ball(i);
    }
    add(detail::surfaces_text(simulation_));
    write_forces();
    write_measures();
    return take();
  }

 private:
  void material(Index i) {
    if (i != 0) line("material", quote(simulation_.world.materials.material(i).name));
  }

  void write_world();
  void write_time();
  void write_detection();
  void write_scheme_settings();
  void write_impact();
  void write_record();
  template <class Coefficients>
  void restitution(const Coefficients& of) {
    if (!(of.restitution_speed > 0.0)) {
      number("restitution", of.restitution);
      return;
    }
    line("restitution", "{ law = \"bizon\", least = " + exact_number(of.restitution) +
                            ", speed = " + exact_number(of.restitution_speed) + " }");
  }
  void write_materials();
  [[nodiscard]] std::string solid_name(const Solid* solid) const;
  void write_shape(const PlacedShape& placed);
  void write_ball(Index i);
  void write_forces();
  void write_measures();

  const Scene& scene_;
  const Simulation& simulation_;
  int dimension_;
};

void SceneWriter::write_world() {
  header("[world]");
  count("dimension", static_cast<std::uint64_t>(dimension_));
  line("gravity", vector(simulation_.forces.gravity));
  if (simulation_.forces.drag.coefficient != 0.0) {
    number("drag", simulation_.forces.drag.coefficient);
  }
  if (simulation_.world.bodies.size() == 0) flag("empty", true);
  const Periodicity& periodicity = simulation_.world.periodicity;
  std::string axes;
  const auto axis = [&](const char* name, double lower, double length) {
    if (!(length > 0.0)) return;
    axes += std::string(axes.empty() ? "" : ", ") + name + " = { lower = " + exact_number(lower) +
            ", length = " + exact_number(length) + " }";
  };
  axis("x", periodicity.lower.x, periodicity.length.x);
  axis("y", periodicity.lower.y, periodicity.length.y);
  axis("z", periodicity.lower.z, periodicity.length.z);
  if (!axes.empty()) line("periodic", "{ " + axes + " }");
  if (simulation_.symmetry != "none") line("symmetry", quote(simulation_.symmetry));
}

void SceneWriter::write_time() {
  header("[time]");
  line("scheme", quote(simulation_.time.scheme));
  number("step", simulation_.time.step);
  number("duration", simulation_.time.duration);
  if (simulation_.world.bodies.any_turns()) {
    line("rotation", quote(std::string(to_string(simulation_.time.rotation))));
  }
}

void SceneWriter::write_detection() {
  const DetectionSettings& detection = simulation_.detection;
  header("[detection]");
  number("activation", detection.activation);
  flag("redetect", detection.redetect);
  count("redetect_rounds", detection.redetect_rounds);
  flag("sweep", detection.sweep);
  flag("hold", detection.hold);
  flag("halve", detection.halve);
  line("broad_phase", quote(detection.broad_phase));
}

void SceneWriter::write_scheme_settings() {
  const SchemeInfo& info = scheme_info(simulation_.time.scheme);
  if (info.settings.empty()) return;
  header("[" + info.name + "]");
  for (const SchemeSetting& setting : info.settings) {
    const std::optional<SettingValue> value = setting.get(simulation_.settings);
    if (!value) continue;
    if (const auto* flagged = std::get_if<bool>(&*value)) {
      flag(setting.key, *flagged);
    } else if (const auto* text = std::get_if<std::string>(&*value)) {
      line(setting.key, quote(*text));
    } else if (setting.kind == SchemeSetting::Kind::whole) {
      count(setting.key, static_cast<std::uint64_t>(std::get<double>(*value)));
    } else {
      number(setting.key, std::get<double>(*value));
    }
  }
}

void SceneWriter::write_impact() {
  header("[impact]");
  std::string names;
  for (const std::string& name : scene_.operators) {
    names += (names.empty() ? "" : ", ") + quote(name);
  }
  line("operators", "[" + names + "]");
  const ImpactSettings standard;
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    if (info.key == "operator") continue;
    const std::string value = impact_setting_text(simulation_.impact, info.key);
    // Where materials rub, no model would mean the default one.
    const bool must_be_said =
        info.key == "friction_model" && detail::any_rub(simulation_.world.materials);
    if (must_be_said || value != impact_setting_text(standard, info.key)) line(info.key, value);
  }
}

void SceneWriter::write_record() {
  header("[record]");
  count("every", scene_.record.every);
  flag("impulses", scene_.record.impulses);
  count("checkpoint_every", scene_.record.checkpoint_every);
}

void SceneWriter::write_measures() {
  const MeasureSettings& measure = scene_.measure;
  if (!measure.any() && !measure.settled) return;
  header("[measure]");
  flag("temperature", measure.temperature);
  if (measure.settled) {
    line("settled", "{ speed = " + exact_number(measure.settled->speed) +
                        ", time = " + exact_number(measure.settled->time) + " }");
  }
  if (measure.sides) {
    const std::string axis(1, "xyz"[measure.sides->axis]);
    line("sides", "{ axis = " + quote(axis) + ", at = " + exact_number(measure.sides->at) + " }");
  }
  if (measure.layers) {
    line("layers", "{ count = " + std::to_string(measure.layers->count) +
                       ", from = " + exact_number(measure.layers->from) + " }");
  }
  if (measure.heights) {
    const HeightsMeasure& heights = *measure.heights;
    const bool has_floor = heights.floor != kNone;
    line("heights",
         "{ cell = " + exact_number(heights.cell) + ", depth = " + exact_number(heights.depth) +
             (has_floor ? ", floor = " + quote(simulation_.world.shapes[heights.floor].name) : "") +
             ", lower = " + vector(heights.lower) +
             ", upper = " + vector(heights.lower + heights.length) + " }");
  }
}

void SceneWriter::write_materials() {
  const MaterialTable& materials = simulation_.world.materials;
  for (Index i = 0; i < materials.size(); ++i) {
    const Material& material = materials.material(i);
    header("[[material]]");
    line("name", quote(material.name));
    restitution(material);
    number("friction", material.friction);
    number("stiffness", material.stiffness);
    if (material.rolling != 0.0) number("rolling", material.rolling);
  }
  header("[combine]");
  line("restitution", quote(to_string(materials.restitution_rule())));
  line("friction", quote(to_string(materials.friction_rule())));
  line("stiffness", quote(to_string(materials.stiffness_rule())));
  for (const MaterialTable::Pair& pair : materials.pairs()) {
    header("[[pair]]");
    line("materials", "[" + quote(materials.material(pair.a).name) + ", " +
                          quote(materials.material(pair.b).name) + "]");
    restitution(pair.coefficients);
    number("friction", pair.coefficients.friction);
    number("stiffness", pair.coefficients.stiffness);
    number("rolling", pair.coefficients.rolling);
  }
}

std::string SceneWriter::solid_name(const Solid* solid) const {
  const auto& solids = simulation_.world.bodies.solids;
  const auto found =
      std::find_if(solids.begin(), solids.end(), [&](const auto& s) { return s.get() == solid; });
  CAROM_DEMAND(found != solids.end());
  return detail::solid_name(static_cast<std::size_t>(found - solids.begin()));
}

void SceneWriter::write_shape(const PlacedShape& placed) {
  header("[[shape]]");
  line("name", quote(placed.name));
  line("type", quote(shape_type_name(placed.shape)));
  if (const auto* plane = std::get_if<HalfPlane>(&placed.shape)) {
    line("point", vector(plane->point));
    line("normal", vector(plane->normal));
  } else if (const auto* segment = std::get_if<Segment>(&placed.shape)) {
    line("a", vector(segment->a));
    line("b", vector(segment->b));
  } else if (const auto* inside = std::get_if<SphereInside>(&placed.shape)) {
    line("center", vector(inside->center));
    number("radius", inside->radius);
  } else if (const auto* outside = std::get_if<SphereOutside>(&placed.shape)) {
    line("center", vector(outside->center));
    number("radius", outside->radius);
  } else if (const auto* obstacle = std::get_if<SolidObstacle>(&placed.shape)) {
    line("solid", quote(solid_name(obstacle->solid.get())));
    line("position", vector(obstacle->pose.position));
    const Mat3& axes = obstacle->solid->mass().axes;
    const Mat3& rotation = obstacle->pose.rotation;
    orientation("orientation", matrix_of(obstacle->orientation) * axes == rotation
                                   ? obstacle->orientation
                                   : quaternion_of(rotation * transposed(axes)));
  } else {
    const auto& box = std::get<BoxInside>(placed.shape);
    line("lower", vector(box.lower));
    line("upper", vector(box.upper));
  }
  material(placed.material);
  if (!std::holds_alternative<std::monostate>(placed.motion)) {
    line("motion", detail::motion_text(placed.motion, dimension_));
  }
  if (placed.spin != Vec3{}) {
    line("spin", dimension_ == 3 ? vector(placed.spin) : exact_number(placed.spin.z));
  }
}

void SceneWriter::write_ball(Index i) {
  header("[[body]]");
  line("name", quote(simulation_.world.bodies.name[i]));
  line("position", vector(simulation_.start.position[i]));
  line("velocity", vector(simulation_.start.velocity[i]));
  number("mass", simulation_.world.bodies.mass[i]);
  if (simulation_.world.bodies.turns(i)) {
    line("solid", quote(detail::solid_name(simulation_.world.bodies.solid[i])));
    orientation("body_orientation", simulation_.start.orientation[i]);
    const Vec3& w = simulation_.start.angular_velocity[i];
    line("angular_velocity", dimension_ == 3 ? vector(w) : exact_number(w.z));
  } else {
    number("radius", simulation_.world.bodies.radius[i]);
  }
  material(simulation_.world.bodies.material[i]);
}

void SceneWriter::write_forces() {
  for (const SpringForce& spring : simulation_.forces.springs) {
    header("[[spring]]");
    const std::string first = quote(simulation_.world.bodies.name[spring.body_a]);
    if (spring.body_b == kNone) {
      line("body", first);
      line("point", vector(spring.point));
    } else {
      line("bodies",
           "[" + first + ", " + quote(simulation_.world.bodies.name[spring.body_b]) + "]");
    }
    number("stiffness", spring.stiffness);
    number("length", spring.length);
  }
  for (const CentralForce& central : simulation_.forces.centers) {
    header("[[central]]");
    line("center", vector(central.center));
    number("strength", central.strength);
    number("exponent", central.exponent);
  }
}

}  // namespace

std::string write_scene(const Scene& scene) { return SceneWriter(scene).write(); }

}  // namespace carom
