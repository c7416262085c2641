// Scenes of SCISim as scenes of Carom: which elements there are, and what the whole of them needs.
#include "carom/scene/import_scisim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/collision/narrow_phase.h"
#include "carom/contact/detection.h"
#include "carom/core/names.h"
#include "carom/geometry/direction.h"
#include "carom/scene/detail/scene_parts.h"
#include "carom/scene/detail/scisim_importer.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/detail/text_file.h"
#include "carom/scene/detail/xml_values.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

using xml::demand_known;
using xml::flag;
using xml::fraction;
using xml::number;
using xml::positive;
using xml::refuse;
using xml::required;

// SCISim runs for ever where a file has no end_time.
constexpr double kDefaultDuration = 10.0;
// Its racks overlap on purpose by a few millionths of a radius, so that all balls touch. Up to this
// fraction of a radius the activation tolerance is raised to make them so here too.
constexpr double kLargestOverlap = 1e-3;

bool starts_with_camera(const std::string& name) { return name.starts_with("camera_"); }

struct Missing {
  const char* name;
  const char* what;
};
constexpr std::array<Missing, 3> kMissing = {{
    {"lees_edwards_portal", "Lees-Edwards portals"},
    {"penalty", "penalty forces"},
    {"scripting", "scripting"},
}};

}  // namespace

ScisimImporter::ScisimImporter(const std::string& file) {
  scene_.file = file;
  scene_.simulation.time.duration = kDefaultDuration;
}

const std::vector<ScisimImporter::FileKind>& ScisimImporter::kinds() {
  using I = ScisimImporter;
  static const std::vector<Known> shared = {
      {"integrator", &I::read_integrator, {"type", "dt"}, {}},
      {"end_time", &I::read_end_time, {"t"}, {}},
      {"static_plane", &I::read_plane, {"x", "n"}, {}},
      {"planar_portal", &I::read_portal, {"planeA", "planeB", "multiplier"}, {}},
      {"impact_operator",
       &I::read_impact_operator,
       {"type", "CoR", "v_tol", "cache_impulses"},
       {"solver", "elastic_operator", "inelastic_operator"}},
      {"sobogus_friction_solver",
       &I::read_friction_solver,
       {"mu", "CoR", "max_iters", "tol", "eval_every", "staggering", "cache_impulses",
        "stabilization", "penetration_threshold"},
       {}},
      {"staggered_projections_friction_solver",
       &I::read_friction_solver,
       {"mu", "CoR", "max_iters", "tol", "staggering", "internal_warm_start_alpha",
        "internal_warm_start_beta", "cache_impulses"},
       {"lcp_impact_solver", "mdp_friction_solver"}},
  };
  const auto with = [](std::vector<Known> own) {
    own.insert(own.begin(), shared.begin(), shared.end());
    return own;
  };
  static const std::vector<FileKind> kinds = {
      {"ball2d_scene", 2,
       with({{"gravity", &I::read_gravity, {"fx", "fy"}, {}},
             {"ball", &I::read_ball, {"x", "y", "vx", "vy", "m", "r", "fixed"}, {}},
             {"static_drum", &I::read_drum, {"x", "y", "r"}, {}},
             {"camera",
              &I::ignore,
              {"cx", "cy", "scale_factor", "fps", "render_at_fps", "locked"},
              {}}})},
      {"rigidbody2d_scene", 2,
       with({{"near_earth_gravity", &I::read_near_earth_gravity, {"f"}, {}},
             {"geometry", &I::read_geometry, {"type", "r"}, {}},
             {"rigid_body",
              &I::read_rigid_body,
              {"x", "theta", "v", "omega", "rho", "geo_idx", "fixed"},
              {}},
             {"camera", &I::ignore, {"center", "scale", "fps", "render_at_fps", "locked"}, {}}})},
      {"rigidbody3d_scene", 3,
       with({{"near_earth_gravity", &I::read_near_earth_gravity, {"f"}, {}},
             {"geometry", &I::read_geometry, {"type", "r", "filename", "w", "l", "D"}, {}},
             {"static_cylinder", &I::read_cylinder, {"x", "axis", "R"}, {}},
             {"rigid_body_with_density",
              &I::read_rigid_body,
              {"x", "R", "v", "omega", "rho", "geo_idx", "fixed"},
              {}}})},
  };
  return kinds;
}

Scene ScisimImporter::run(const XmlElement& root) {
  const auto kind = std::find_if(kinds().begin(), kinds().end(),
                                 [&](const FileKind& k) { return k.root == root.name; });
  if (kind == kinds().end()) {
    refuse(root.place,
           "expected the root ball2d_scene, rigidbody2d_scene or rigidbody3d_scene of a "
           "scene of SCISim");
  }
  for (const XmlAttribute& attribute : root.attributes) {
    refuse(attribute.place, root.name + " has no attributes");
  }
  scene_.simulation.world.dimension = kind->dimension;
  for (const XmlElement& element : root.children) read(element, *kind);
  check_once(root);
  finish(root);
  return std::move(scene_);
}

void ScisimImporter::read(const XmlElement& element, const FileKind& kind) {
  std::vector<std::string> names;
  for (const Known& candidate : kind.known) {
    if (candidate.name == element.name) {
      demand_known(element, candidate.attributes, candidate.children);
      (this->*candidate.read)(element);
      return;
    }
    names.push_back(candidate.name);
  }
  for (const Missing& candidate : kMissing) {
    if (candidate.name == element.name) {
      refuse(element.place, std::string("Carom does not have ") + candidate.what +
                                "; the scene cannot be imported with this element");
    }
  }
  if (element.name.ends_with("_renderer") || starts_with_camera(element.name)) return;
  refuse(element.place, unknown_name_message("element", printable(element.name), names));
}

void ScisimImporter::read_integrator(const XmlElement& element) {
  const XmlAttribute& type = required(element, "type");
  const bool turns = !geometry_.empty() || scene_.simulation.world.dimension == 3;
  std::vector<std::string> known = {"verlet", "symplectic_euler"};
  if (turns) known = {"dmv", "split_ham", "exponential_euler"};
  if (scene_.simulation.world.dimension == 2) known = {"verlet", "symplectic_euler"};
  if (std::find(known.begin(), known.end(), type.value) == known.end()) {
    refuse(type.place, unknown_name_message("integrator", printable(type.value), known));
  }
  if (type.value == "symplectic_euler" || type.value == "exponential_euler") {
    notes_.push_back("SCISim moves it by " + type.value +
                     ", Carom by Verlet: under gravity places differ by half of what it does to "
                     "them in a step.");
  }
  if (type.value == "split_ham" || type.value == "exponential_euler") {
    notes_.push_back("Bodies turn by discrete Moser-Veselov steps here.");
  }
  scene_.simulation.time.step = fraction(element, "dt");
}

void ScisimImporter::read_end_time(const XmlElement& element) {
  scene_.simulation.time.duration = positive(element, "t");
}

void ScisimImporter::read_gravity(const XmlElement& element) {
  scene_.simulation.forces.gravity += Vec3{number(element, "fx"), number(element, "fy"), 0.0};
}

void ScisimImporter::read_near_earth_gravity(const XmlElement& element) {
  scene_.simulation.forces.gravity += xml::vector(element, "f", scene_.simulation.world.dimension);
}

void ScisimImporter::read_ball(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  const std::string name = "ball-" + std::to_string(++bodies_);
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
  const int dimension = scene_.simulation.world.dimension;
  const Vec3 point = xml::vector(element, "x", dimension);
  const Vec3 normal = direction_of(xml::vector(element, "n", dimension)).unit;
  if (normal == Vec3{}) refuse(required(element, "n").place, "has no length");
  scene_.simulation.world.shapes.push_back(
      {HalfPlane{point, normal}, {}, 0, "plane-" + std::to_string(++planes_)});
}

void ScisimImporter::read_drum(const XmlElement& element) {
  const Vec3 center = {number(element, "x"), number(element, "y"), 0.0};
  scene_.simulation.world.shapes.push_back(
      {SphereInside{center, positive(element, "r")}, {}, 0, "drum-" + std::to_string(++drums_)});
}

// The planes that it names may stand after it.
void ScisimImporter::read_portal(const XmlElement& element) {
  if (element.attribute("multiplier") != nullptr) {
    refuse(required(element, "multiplier").place,
           "portals that change what passes through them are not possible");
  }
  portals_.push_back(&element);
}

// Two planes that face each other along an axis, one just across from the other, are the two ends
// of a world that repeats itself.
void ScisimImporter::make_portals() {
  World& world = scene_.simulation.world;
  std::vector<std::string> gone;
  for (const XmlElement* portal : portals_) {
    std::array<const HalfPlane*, 2> planes{};
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const char* const key = k == 0 ? "planeA" : "planeB";
      const std::string name = "plane-" + number_text(number(*portal, key) + 1.0);
      const auto found =
          std::find_if(world.shapes.begin(), world.shapes.end(),
                       [&](const PlacedShape& placed) { return placed.name == name; });
      if (found == world.shapes.end()) {
        refuse(required(*portal, key).place, "expected the number of a static_plane, from 0");
      }
      if (std::find(gone.begin(), gone.end(), name) != gone.end()) {
        refuse(required(*portal, key).place, "this plane belongs to a portal already");
      }
      planes[k] = &std::get<HalfPlane>(found->shape);
      gone.push_back(name);
    }
    const Vec3& normal = planes[0]->normal;
    const Vec3 way = planes[1]->point - planes[0]->point;
    const double length = dot(way, normal);
    const bool across = norm(way - length * normal) <= 1e-9 * std::abs(length) && length > 0.0 &&
                        norm(normal + planes[1]->normal) <= 1e-12;
    int axis = 0;
    const std::array<double, 3> parts = {normal.x, normal.y, normal.z};
    while (axis < 3 && std::abs(parts[static_cast<std::size_t>(axis)]) != 1.0) ++axis;
    if (!across || axis == 3) {
      refuse(portal->place,
             "only portals between two planes across from each other along an axis "
             "can be had: a world that repeats itself");
    }
    const Vec3 lower = dot(normal, Vec3{1, 1, 1}) > 0.0 ? planes[0]->point : planes[1]->point;
    const auto set = [&](Vec3& target, double value) {
      (axis == 0 ? target.x : axis == 1 ? target.y : target.z) = value;
    };
    set(world.periodicity.length, length);
    set(world.periodicity.lower, axis == 0 ? lower.x : axis == 1 ? lower.y : lower.z);
  }
  std::erase_if(world.shapes, [&](const PlacedShape& placed) {
    return std::find(gone.begin(), gone.end(), placed.name) != gone.end();
  });
}

// What SCISim takes the first of, and what a run cannot do without.
void ScisimImporter::check_once(const XmlElement& root) const {
  const std::vector<std::string> solvers = {"impact_operator", "sobogus_friction_solver",
                                            "staggered_projections_friction_solver"};
  const XmlElement* solver = nullptr;
  const auto missing = [&](const std::string& name) {
    InputPlace place = root.place;
    place.key += "." + name;
    refuse(place, "is missing");
  };
  for (const XmlElement& element : root.children) {
    if (std::find(solvers.begin(), solvers.end(), element.name) == solvers.end()) continue;
    if (solver != nullptr) {
      refuse(element.place, element.name == solver->name
                                ? "is given twice"
                                : "the scene has an '" + solver->name + "' already");
    }
    solver = &element;
  }
  for (const char* name : {"integrator", "end_time"}) {
    const XmlElement* first = root.child(name);
    if (first == nullptr && std::string_view(name) != "end_time") missing(name);
    for (const XmlElement& element : root.children) {
      if (element.name == name && &element != first) refuse(element.place, "is given twice");
    }
  }
  if (solver == nullptr) missing("impact_operator");
}

double ScisimImporter::largest_overlap() const {
  const Simulation& s = scene_.simulation;
  if (s.world.bodies.any_turns()) {
    ContactDetector detector(s.world, s.detection);
    detector.measure({0.0, s.time.step, s.start.position, s.start.position, s.start.orientation,
                      s.start.orientation});
    return detector.penetration().relative;
  }
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

void ScisimImporter::make_overlaps_touch() {
  DetectionSettings& detection = scene_.simulation.detection;
  const double overlap = largest_overlap();
  if (!(overlap > detection.activation) || overlap > kLargestOverlap) return;
  detection.activation = 2.0 * overlap;
  notes_.push_back((geometry_.empty() ? "Balls" : "Bodies") +
                   std::string(" overlap at the start by up to ") + number_text(overlap) +
                   " of a radius; activation is raised so that this counts as touching.");
}

void ScisimImporter::finish(const XmlElement& root) {
  Simulation& simulation = scene_.simulation;
  if (simulation.world.bodies.size() == 0) {
    const std::string body = root.name == "ball2d_scene"        ? "ball"
                             : root.name == "rigidbody2d_scene" ? "rigid_body"
                                                                : "rigid_body_with_density";
    refuse({scene_.file, 0, 0, root.name + "." + body},
           "is missing; expected a " + std::string(geometry_.empty() ? "ball" : "body") +
               " that moves");
  }
  make_portals();
  scene_.title = std::filesystem::path(scene_.file).stem().string();
  make_overlaps_touch();
  scene_.description = "Imported from a scene of SCISim.";
  for (const std::string& note : notes_) scene_.description += " " + note;
  try {
    check_simulation(simulation);
  } catch (const InputError& error) {
    const std::string& key = error.place().key;
    const std::optional<std::size_t> body =
        simulation.world.bodies.name.find(name_in_fault(key, "body '"));
    const InputPlace place = body ? places_[*body] : InputPlace{scene_.file, 0, 0, ""};
    refuse(place, key + " " + error.message());
  }
  scene_.text = write_scene(scene_);
}

}  // namespace carom::detail

namespace carom {

Scene import_scisim(std::string_view xml, const std::string& file) {
  detail::check_size(xml.size(), file);
  detail::ScisimImporter importer(file);
  return importer.run(detail::parse_xml(xml, file));
}

Scene import_scisim_file(const std::filesystem::path& path) {
  return import_scisim(detail::read_text_file(path), path.string());
}

}  // namespace carom
