#include "carom/scene/import_scisim.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/collision/narrow_phase.h"
#include "carom/core/names.h"
#include "carom/geometry/direction.h"
#include "carom/scene/detail/scene_parts.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/detail/text_file.h"
#include "carom/scene/detail/xml.h"
#include "carom/scene/detail/xml_values.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

using detail::XmlAttribute;
using detail::XmlElement;
using detail::xml::demand_known;
using detail::xml::flag;
using detail::xml::fraction;
using detail::xml::number;
using detail::xml::pair;
using detail::xml::positive;
using detail::xml::refuse;
using detail::xml::required;

// SCISim runs for ever where a file has no end_time.
constexpr double kDefaultDuration = 10.0;
// Its racks overlap on purpose by a few millionths of a radius, so that all balls touch. Up to this
// fraction of a radius the activation tolerance is raised to make them so here too.
constexpr double kLargestOverlap = 1e-3;

const std::vector<std::string> kOperators = {"gr", "lcp", "gauss_seidel", "jacobi"};

class ScisimImporter {
 public:
  explicit ScisimImporter(const std::string& file) {
    scene_.file = file;
    scene_.simulation.time.duration = kDefaultDuration;
  }

  Scene run(const XmlElement& root) {
    if (root.name != "ball2d_scene") {
      refuse(root.place,
             "expected the root ball2d_scene; only SCISim's ball2d scenes can be "
             "imported");
    }
    for (const XmlAttribute& attribute : root.attributes) {
      refuse(attribute.place, "ball2d_scene has no attributes");
    }
    for (const XmlElement& element : root.children) read(element);
    check_once(root);
    finish();
    return std::move(scene_);
  }

 private:
  using Reader = void (ScisimImporter::*)(const XmlElement&);
  struct Known {
    std::string name;
    Reader read;
    std::vector<std::string> attributes;  ///< those that SCISim knows, used here or not
    std::vector<std::string> children;
  };

  void read(const XmlElement& element);
  void ignore(const XmlElement& /*element*/) {}
  void read_integrator(const XmlElement& element);
  void read_end_time(const XmlElement& element);
  void read_gravity(const XmlElement& element);
  void read_ball(const XmlElement& element);
  void read_plane(const XmlElement& element);
  void read_drum(const XmlElement& element);
  void read_impact_operator(const XmlElement& element);
  [[nodiscard]] static std::string operator_type(const XmlElement& element,
                                                 const std::vector<std::string>& known);
  void check_once(const XmlElement& root) const;
  void finish();
  [[nodiscard]] double largest_overlap() const;

  Scene scene_;
  std::vector<InputPlace> places_;  ///< of the balls that move
  Index balls_ = 0;
  Index planes_ = 0;
  Index drums_ = 0;
  const XmlElement* euler_ = nullptr;  ///< an integrator that is Verlet only without forces
};

void ScisimImporter::read(const XmlElement& element) {
  static const std::vector<Known> known = {
      {"integrator", &ScisimImporter::read_integrator, {"type", "dt"}, {}},
      {"end_time", &ScisimImporter::read_end_time, {"t"}, {}},
      {"gravity", &ScisimImporter::read_gravity, {"fx", "fy"}, {}},
      {"ball", &ScisimImporter::read_ball, {"x", "y", "vx", "vy", "m", "r", "fixed"}, {}},
      {"static_plane", &ScisimImporter::read_plane, {"x", "n"}, {}},
      {"static_drum", &ScisimImporter::read_drum, {"x", "y", "r"}, {}},
      {"impact_operator",
       &ScisimImporter::read_impact_operator,
       {"type", "CoR", "v_tol", "cache_impulses"},
       {"solver", "elastic_operator", "inelastic_operator"}},
      {"camera",
       &ScisimImporter::ignore,
       {"cx", "cy", "scale_factor", "fps", "render_at_fps", "locked"},
       {}},
  };
  struct Missing {
    const char* name;
    const char* what;
  };
  static const std::vector<Missing> missing = {
      {"planar_portal", "portals"},
      {"lees_edwards_portal", "Lees-Edwards portals"},
      {"penalty", "penalty forces"},
      {"scripting", "scripting"},
      {"staggered_projections_friction_solver", "this friction solver"},
      {"sobogus_friction_solver", "this friction solver"},
  };
  std::vector<std::string> names;
  for (const Known& candidate : known) {
    if (candidate.name == element.name) {
      demand_known(element, candidate.attributes, candidate.children);
      (this->*candidate.read)(element);
      return;
    }
    names.push_back(candidate.name);
  }
  for (const Missing& candidate : missing) {
    if (candidate.name == element.name) {
      refuse(element.place, std::string("Carom does not have ") + candidate.what +
                                "; the scene cannot be imported with this element");
    }
  }
  if (element.name.ends_with("_renderer")) return;
  refuse(element.place, unknown_name_message("element", detail::printable(element.name), names));
}

void ScisimImporter::read_integrator(const XmlElement& element) {
  const XmlAttribute& type = required(element, "type");
  const std::vector<std::string> known = {"verlet", "symplectic_euler"};
  if (type.value == "symplectic_euler") {
    euler_ = &element;
  } else if (type.value != "verlet") {
    refuse(type.place, unknown_name_message("integrator", detail::printable(type.value), known));
  }
  scene_.simulation.time.step = fraction(element, "dt");
}

void ScisimImporter::read_end_time(const XmlElement& element) {
  scene_.simulation.time.duration = positive(element, "t");
}

void ScisimImporter::read_gravity(const XmlElement& element) {
  scene_.simulation.forces.gravity += Vec3{number(element, "fx"), number(element, "fy"), 0.0};
}

void ScisimImporter::read_ball(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  const std::string name = "ball-" + std::to_string(++balls_);
  const Vec3 position = {number(element, "x"), number(element, "y"), 0.0};
  const Vec3 velocity = {number(element, "vx"), number(element, "vy"), 0.0};
  const double mass = positive(element, "m");
  const double radius = positive(element, "r");
  if (flag(element, "fixed")) {
    if (!(velocity == Vec3{})) {
      refuse(required(element, "fixed").place, "a fixed ball with a velocity is not possible");
    }
    simulation.world.shapes.push_back({SphereOutside{position, radius}, {}, 0, name});
    return;
  }
  simulation.world.bodies.mass.push_back(mass);
  simulation.world.bodies.radius.push_back(radius);
  simulation.world.bodies.material.push_back(0);
  simulation.world.bodies.name.push_back(name);
  simulation.start.position.push_back(position);
  simulation.start.velocity.push_back(velocity);
  places_.push_back(element.place);
}

void ScisimImporter::read_plane(const XmlElement& element) {
  const Vec3 point = pair(element, "x");
  const Vec3 normal = direction_of(pair(element, "n")).unit;
  if (normal == Vec3{}) refuse(required(element, "n").place, "has no length");
  scene_.simulation.world.shapes.push_back(
      {HalfPlane{point, normal}, {}, 0, "plane-" + std::to_string(++planes_)});
}

void ScisimImporter::read_drum(const XmlElement& element) {
  const Vec3 center = {number(element, "x"), number(element, "y"), 0.0};
  scene_.simulation.world.shapes.push_back(
      {SphereInside{center, positive(element, "r")}, {}, 0, "drum-" + std::to_string(++drums_)});
}

std::string ScisimImporter::operator_type(const XmlElement& element,
                                          const std::vector<std::string>& known) {
  const XmlAttribute& type = required(element, "type");
  if (std::find(known.begin(), known.end(), type.value) == known.end()) {
    refuse(type.place,
           unknown_name_message("impact operator", detail::printable(type.value), known));
  }
  // An absolute speed; Carom's tolerance is relative and stays as it is.
  if (element.attribute("v_tol") != nullptr) static_cast<void>(number(element, "v_tol"));
  return type.value;
}

void ScisimImporter::read_impact_operator(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  std::vector<std::string> known = kOperators;
  known.emplace_back("grr");
  std::string name = operator_type(element, known);
  Material material = simulation.world.materials.material(0);
  material.restitution = number(element, "CoR");
  if (!(material.restitution >= 0.0 && material.restitution <= 1.0)) {
    refuse(required(element, "CoR").place,
           "must be between 0 and 1, found " + number_text(material.restitution));
  }
  simulation.world.materials.replace(0, material);
  if (name == "grr") {
    const XmlElement* elastic = element.child("elastic_operator");
    const XmlElement* inelastic = element.child("inelastic_operator");
    if (elastic == nullptr || inelastic == nullptr) {
      refuse(element.place, "grr holds an elastic_operator and an inelastic_operator");
    }
    for (const XmlElement* part : {elastic, inelastic}) {
      demand_known(*part, {"type", "v_tol"}, {"solver"});
    }
    name = operator_type(*elastic, kOperators);
    static_cast<void>(operator_type(*inelastic, {"lcp"}));
  } else if (material.restitution < 1.0) {
    // Without grr the coefficient acts inside the iteration.
    simulation.impact.restitution_model = "propagated";
  }
  simulation.impact.impact_operator = name;
  scene_.operators = {name};
}

// What SCISim takes the first of, and what a run cannot do without.
void ScisimImporter::check_once(const XmlElement& root) const {
  for (const char* name : {"integrator", "impact_operator", "end_time"}) {
    const XmlElement* first = root.child(name);
    if (first == nullptr && std::string_view(name) != "end_time") {
      InputPlace place = root.place;
      place.key += "." + std::string(name);
      refuse(place, "is missing");
    }
    for (const XmlElement& element : root.children) {
      if (element.name == name && &element != first) refuse(element.place, "is given twice");
    }
  }
  if (euler_ != nullptr && !(scene_.simulation.forces.gravity == Vec3{})) {
    refuse(required(*euler_, "type").place,
           "Carom flies with Verlet, which is the same only without gravity; write "
           "type=\"verlet\"");
  }
}

double ScisimImporter::largest_overlap() const {
  const Simulation& s = scene_.simulation;
  double largest = 0.0;
  std::vector<BallPair> pairs;
  make_broad_phase(s.detection.broad_phase)
      ->find_pairs({2, s.start.position, s.start.position, s.world.bodies.radius, 0.0, {}, {}},
                   pairs);
  for (const BallPair& balls : pairs) {
    const double radius_a = s.world.bodies.radius[balls.a];
    const double radius_b = s.world.bodies.radius[balls.b];
    const Vec3 line = s.start.position[balls.a] - s.start.position[balls.b];
    const double gap = ball_pair_contact(line, radius_a, radius_b).gap;
    largest = std::max(largest, -gap / std::min(radius_a, radius_b));
  }
  for (const PlacedShape& placed : s.world.shapes) {
    for (Index i = 0; i < s.world.bodies.size(); ++i) {
      const double radius = s.world.bodies.radius[i];
      const double gap = ball_contact(placed.shape, 0, s.start.position[i], radius).gap;
      largest = std::max(largest, -gap / radius);
    }
  }
  return largest;
}

void ScisimImporter::finish() {
  Simulation& simulation = scene_.simulation;
  if (simulation.world.bodies.size() == 0) {
    refuse({scene_.file, 0, 0, "ball2d_scene.ball"}, "is missing; expected a ball that moves");
  }
  scene_.title = std::filesystem::path(scene_.file).stem().string();
  scene_.description = "Imported from a scene of SCISim.";
  const double overlap = largest_overlap();
  if (overlap > simulation.detection.activation && overlap <= kLargestOverlap) {
    simulation.detection.activation = 2.0 * overlap;
    scene_.description += " Balls overlap at the start by up to " + number_text(overlap) +
                          " of a radius; activation is raised so that this counts as touching.";
  }
  try {
    check_simulation(simulation);
  } catch (const InputError& error) {
    const std::string& key = error.place().key;
    const std::vector<std::string>& names = simulation.world.bodies.name;
    const auto ball = std::find(names.begin(), names.end(), detail::name_in_fault(key, "body '"));
    const InputPlace place = ball == names.end()
                                 ? InputPlace{scene_.file, 0, 0, ""}
                                 : places_[static_cast<std::size_t>(ball - names.begin())];
    refuse(place, key + " " + error.message());
  }
  scene_.text = write_scene(scene_);
}

}  // namespace

Scene import_scisim(std::string_view xml, const std::string& file) {
  detail::check_size(xml.size(), file);
  ScisimImporter importer(file);
  return importer.run(detail::parse_xml(xml, file));
}

Scene import_scisim_file(const std::filesystem::path& path) {
  return import_scisim(detail::read_text_file(path), path.string());
}

}  // namespace carom
