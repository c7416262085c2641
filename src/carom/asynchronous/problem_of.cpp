// From a scene's world, forces and settings to the plain arrays of the asynchronous engine.
#include "carom/asynchronous/problem_of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "carom/asynchronous/scheme_settings.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/forces/central_field.h"
#include "carom/forces/drag_elements.h"
#include "carom/forces/elastic_surface.h"
#include "carom/forces/spring_elements.h"
#include "carom/forces/uniform_field.h"

namespace carom::asynchronous {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
  throw InputError({"", 0, 0, key}, "under time.scheme \"asynchronous\" " + why);
}

// The engine's materials: one for each material and radius that occur together.
class ContactKinds {
 public:
  explicit ContactKinds(const Simulation& simulation) : simulation_(&simulation) {}

  [[nodiscard]] Index number(Index material, double radius) {
    const auto [at, is_new] =
        numbers_.try_emplace({material, radius}, static_cast<Index>(kinds_.size()));
    if (is_new) kinds_.emplace_back(material, radius);
    if (kinds_.size() > kMost) {
      refuse("radius", "bodies have at most " + std::to_string(kMost) +
                           " different radii and materials together");
    }
    return at->second;
  }

  [[nodiscard]] std::vector<ContactLaw> laws() const {
    const auto& settings = simulation_->settings.of<AsynchronousSettings>();
    const bool rubs = settings.friction_model != "none";
    std::vector<ContactLaw> laws;
    laws.reserve(kinds_.size() * kinds_.size());
    for (const auto& [material_a, radius_a] : kinds_) {
      for (const auto& [material_b, radius_b] : kinds_) {
        const PairCoefficients pair =
            simulation_->world.materials.coefficients(material_a, material_b);
        ContactLaw law;
        law.stiffness = settings.stiffness * pair.stiffness;
        // Two obstacles never meet, but their law must be one.
        law.thickness = radius_a + radius_b > 0.0 ? radius_a + radius_b : 1.0;
        law.restitution = pair.restitution;
        law.friction = rubs ? pair.friction : 0.0;
        laws.push_back(law);
      }
    }
    return laws;
  }

 private:
  static constexpr std::size_t kMost = 256;
  const Simulation* simulation_;
  std::map<std::pair<Index, double>, Index> numbers_;
  std::vector<std::pair<Index, double>> kinds_;
};

class ProblemMaker {
 public:
  explicit ProblemMaker(const Simulation& simulation)
      : simulation_(simulation),
        world_(simulation.world),
        begin_(simulation.start.time),
        kinds_(simulation) {}

  Problem make() {
    problem_.dimension = world_.dimension;
    add_bodies();
    add_surfaces();
    for (const PlacedShape& placed : world_.shapes) add_shape(placed);
    for (const LedBody& led : world_.led) lead(led.body, led.motion, name_of(led.body));
    for (const BodyForce& force : simulation_.forces.prescribed) {
      if (begin_ > 0.0 && force.end <= begin_) continue;
      problem_.prescribed_forces.push_back(
          {force.body, force.force, std::max(force.begin - begin_, 0.0), force.end - begin_});
    }
    add_forces();
    for (std::size_t k = 0; k < simulation_.forces.elasticity.size(); ++k) {
      add_limits(world_.surfaces[k], simulation_.forces.elasticity[k]);
    }
    problem_.contact = kinds_.laws();
    return std::move(problem_);
  }

 private:
  [[nodiscard]] std::string name_of(Index body) const {
    return "body '" + world_.bodies.name[body] + "'";
  }

  void add_bodies() {
    const BodySet& bodies = world_.bodies;
    for (Index i = 0; i < bodies.size(); ++i) {
      if (bodies.turns(i)) refuse(name_of(i), "bodies do not turn");
      problem_.mass.push_back(bodies.mass[i]);
      problem_.position.push_back(simulation_.start.position[i]);
      problem_.velocity.push_back(simulation_.start.velocity[i]);
      problem_.material.push_back(kinds_.number(bodies.material[i], bodies.radius[i]));
    }
    problem_.rest_position = problem_.position;
  }

  void add_surfaces() {
    for (const Surface& surface : world_.surfaces) {
      const Index first = surface.first;
      for (const auto& edge : surface.chain) {
        problem_.edges.push_back({first + edge[0], first + edge[1]});
      }
      for (const TriangleMesh::Triangle& t : surface.triangles) {
        problem_.faces.push_back({first + t.a, first + t.b, first + t.c});
      }
      for (Index i = 0; i < surface.size(); ++i) {
        problem_.rest_position[first + i] = surface.rest[i];
      }
    }
  }

  // A vertex of an obstacle.
  Index add_vertex(const Vec3& place, Index material, const PlacedShape& placed) {
    const auto number = static_cast<Index>(problem_.mass.size());
    problem_.mass.push_back(1.0);
    problem_.position.push_back(place + offset_at(placed.motion, begin_));
    problem_.velocity.push_back({});
    problem_.rest_position.push_back(problem_.position.back());
    problem_.material.push_back(kinds_.number(material, 0.0));
    lead(number, placed.motion, "shape '" + placed.name + "'");
    return number;
  }

  // What the motion says from the start on; places are already those at the start.
  void lead(Index vertex, const Motion& motion, const std::string& who) {
    HeldVertex held{vertex, {}};
    problem_.velocity[vertex] = {};
    if (const auto* constant = std::get_if<ConstantMotion>(&motion)) {
      problem_.velocity[vertex] = constant->velocity;
    } else if (const auto* table = std::get_if<TableMotion>(&motion)) {
      const Vec3 start = problem_.position[vertex] - offset_at(motion, begin_);
      // Corners that round-off alone puts behind the start are passed.
      constexpr double kPassed = 1e-9;  // steps
      const double passed = begin_ > 0.0 ? kPassed * simulation_.time.step : 0.0;
      if (table->times.empty() || table->times.front() > 0.0 || begin_ > 0.0) {
        held.path.push_back({0.0, problem_.position[vertex]});
      }
      for (std::size_t k = 0; k < table->times.size(); ++k) {
        const double time = table->times[k] - begin_;
        if (time >= passed) held.path.push_back({time, start + table->offsets[k]});
      }
    } else if (!std::holds_alternative<std::monostate>(motion)) {
      refuse(who, "motions are constant or tables: a sinusoid is not piecewise straight");
    }
    problem_.held.push_back(std::move(held));
  }

  // `at`: its material, and what it moves with.
  void add_wall(const Vec3& normal, double offset, const Wall& at) {
    problem_.walls.push_back({normal, offset, at.material, at.carrier});
  }

  void add_box(const BoxInside& box, const Wall& at) {
    add_wall({1, 0, 0}, box.lower.x, at);
    add_wall({-1, 0, 0}, -box.upper.x, at);
    add_wall({0, 1, 0}, box.lower.y, at);
    add_wall({0, -1, 0}, -box.upper.y, at);
    if (world_.dimension == 2) return;
    add_wall({0, 0, 1}, box.lower.z, at);
    add_wall({0, 0, -1}, -box.upper.z, at);
  }

  // A plane, or a box seen from inside. One that moves does so with a vertex of its own, which
  // starts at the origin.
  void add_walls(const PlacedShape& placed) {
    Wall at;
    at.material = kinds_.number(placed.material, 0.0);
    if (is_moving(placed.motion)) {
      at.carrier = add_vertex(-1.0 * offset_at(placed.motion, begin_), placed.material, placed);
    }
    const Vec3 offset = offset_at(placed.motion, begin_);
    if (const auto* plane = std::get_if<HalfPlane>(&placed.shape)) {
      add_wall(plane->normal, dot(plane->normal, plane->point + offset), at);
    } else {
      const auto& box = std::get<BoxInside>(placed.shape);
      add_box({box.lower + offset, box.upper + offset}, at);
    }
  }

  void add_segment(const Segment& segment, const PlacedShape& placed) {
    const Index a = add_vertex(segment.a, placed.material, placed);
    const Index b = add_vertex(segment.b, placed.material, placed);
    problem_.edges.push_back({a, b});
  }

  void add_solid(const SolidObstacle& obstacle, const PlacedShape& placed) {
    const TriangleMesh& mesh = obstacle.solid->surface();
    const auto first = static_cast<Index>(problem_.mass.size());
    for (const Vec3& v : mesh.vertices) {
      add_vertex(obstacle.pose.position + obstacle.pose.rotation * v, placed.material, placed);
    }
    for (const TriangleMesh::Triangle& t : mesh.triangles) {
      problem_.faces.push_back({first + t.a, first + t.b, first + t.c});
    }
  }

  void add_shape(const PlacedShape& placed) {
    const std::string who = "shape '" + placed.name + "'";
    if (const auto* segment = std::get_if<Segment>(&placed.shape)) {
      add_segment(*segment, placed);
      return;
    }
    const auto* obstacle = std::get_if<SolidObstacle>(&placed.shape);
    if (obstacle != nullptr && world_.dimension == 3) {
      add_solid(*obstacle, placed);
      return;
    }
    if (!std::holds_alternative<HalfPlane>(placed.shape) &&
        !std::holds_alternative<BoxInside>(placed.shape)) {
      refuse(who,
             "shapes are planes, boxes from inside, segments and, in 3D, solids; instead of a "
             "sphere take a [[body]] with a [[lead]], or a solid of triangles");
    }
    add_walls(placed);
  }

  // Fields act on these alone: a led body gives what they give it to whatever leads it.
  [[nodiscard]] std::vector<Index> free_bodies() const {
    std::vector<bool> is_led(world_.bodies.size(), false);
    for (const LedBody& led : world_.led) is_led[led.body] = true;
    std::vector<Index> free;
    for (Index i = 0; i < world_.bodies.size(); ++i) {
      if (!is_led[i]) free.push_back(i);
    }
    return free;
  }

  void add_forces() {
    const ForceSet& forces = simulation_.forces;
    const std::vector<Index> free = free_bodies();
    const std::vector<double>& mass = problem_.mass;
    if (forces.gravity != Vec3{}) {
      problem_.forces.push_back(std::make_shared<UniformField>(forces.gravity, free, mass));
    }
    if (!forces.springs.empty()) {
      problem_.forces.push_back(std::make_shared<SpringElements>(forces.springs));
    }
    for (const CentralForce& force : forces.centers) {
      double nearest = kInfinity;
      for (const Index i : free) {
        nearest = std::min(nearest, norm(problem_.position[i] - force.center));
      }
      problem_.forces.push_back(std::make_shared<CentralField>(force, free, mass, nearest));
    }
    if (forces.drag.coefficient > 0.0) {
      problem_.forces.push_back(std::make_shared<DragElements>(forces.drag, free));
    }
    ElasticElements elements;
    for (std::size_t k = 0; k < forces.elasticity.size(); ++k) {
      add_elements(world_.surfaces[k], forces.elasticity[k], elements);
    }
    for (auto& family : make_families(elements, world_.dimension)) {
      problem_.forces.push_back(std::move(family));
    }
  }

  // Layers begin at the rest length and are spread over what is left to the bound. Nothing keeps an
  // edge between two led vertices from what they are led to.
  void add_limits(const Surface& surface, const SurfaceElasticity& elasticity) {
    if (elasticity.stretch_limit == 0.0 && elasticity.compression_limit == 0.0) return;
    std::vector<bool> is_led(world_.bodies.size(), false);
    for (const LedBody& led : world_.led) is_led[led.body] = true;
    LengthLimit limit;
    limit.stiffness = elasticity.limit_stiffness;
    if (limit.stiffness == 0.0) {
      limit.stiffness = simulation_.settings.of<AsynchronousSettings>().stiffness *
                        world_.materials.coefficients(surface.material, surface.material).stiffness;
    }
    limit.restitution = elasticity.limit_restitution;
    for (const auto& edge : surface.edges) {
      limit.vertex = {surface.first + edge[0], surface.first + edge[1]};
      if (is_led[limit.vertex[0]] && is_led[limit.vertex[1]]) continue;
      const double rest = norm(surface.rest[edge[0]] - surface.rest[edge[1]]);
      if (elasticity.stretch_limit > 0.0) {
        limit.side = LengthLimit::Side::longest;
        add_limit(limit, rest, 1.0 + elasticity.stretch_limit);
      }
      if (elasticity.compression_limit > 0.0) {
        limit.side = LengthLimit::Side::shortest;
        add_limit(limit, rest, 1.0 - elasticity.compression_limit);
      }
    }
  }

  void add_limit(LengthLimit limit, double rest, double factor) {
    limit.length = factor * rest;
    limit.thickness = std::abs(limit.length - rest);
    const auto [a, b] = limit.vertex;
    const double now = norm(problem_.position[a] - problem_.position[b]);
    const bool is_longest = limit.side == LengthLimit::Side::longest;
    if (!(is_longest ? now < limit.length : now > limit.length)) {
      refuse("the edge '" + world_.bodies.name[a] + "', '" + world_.bodies.name[b] + "'",
             "must start within its limits: its length is " + number_text(now / rest) +
                 " of that at rest, not " + (is_longest ? "below " : "above ") +
                 number_text(factor));
    }
    problem_.limits.push_back(limit);
  }

  const Simulation& simulation_;
  const World& world_;
  double begin_;  ///< of the engine's time, in that of the simulation
  ContactKinds kinds_;
  Problem problem_;
};

}  // namespace

std::vector<std::string> layer_names() { return {"harmon", "vouga"}; }
std::vector<std::string> asynchronous_friction_names() { return {"anchored", "printed", "none"}; }
std::vector<std::string> asynchronous_audit_names() { return {"states", "motion", "none"}; }

Problem problem_of(const Simulation& simulation) {
  if (simulation.world.periodicity.any()) refuse("world.periodic", "a world does not repeat");
  if (simulation.symmetry == "exact") refuse("world.symmetry", "\"exact\" is not there");
  const MaterialTable& materials = simulation.world.materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b <= a; ++b) {
      if (materials.coefficients(a, b).restitution_speed > 0.0) {
        refuse("material '" + materials.material(a).name + "'",
               "restitution is the same at all speeds");
      }
    }
  }
  return ProblemMaker(simulation).make();
}

Settings settings_of(const Simulation& simulation) {
  const auto& given = simulation.settings.of<AsynchronousSettings>();
  Settings settings;
  settings.layers = given.layers == "vouga" ? LayerLaw::vouga : LayerLaw::harmon;
  settings.friction =
      given.friction_model == "printed" ? FrictionModel::printed : FrictionModel::anchored;
  settings.contact_step = given.contact_step;
  settings.force_step = given.force_step;
  settings.pressing_step = given.pressing_step;
  settings.activation_margin = given.activation_margin;
  settings.least_progress = given.least_progress;
  settings.threads = simulation.threads;
  return settings;
}

AuditMesh audit_mesh_of(const Problem& problem) {
  AuditMesh mesh;
  mesh.dimension = problem.dimension;
  mesh.vertex_count = problem.mass.size();
  mesh.edges = problem.edges;
  mesh.triangles = problem.faces;
  mesh.fixed.assign(problem.mass.size(), 0);
  for (const HeldVertex& held : problem.held) mesh.fixed[held.vertex] = 1;
  const std::vector<char> carries = carriers_of(problem);
  mesh.ignored.assign(carries.begin(), carries.end());
  return mesh;
}

namespace {

// Where a held vertex is; between points of its path on a straight line.
Vec3 place_at(const Problem& problem, const HeldVertex& held, double time) {
  const std::vector<PathPoint>& path = held.path;
  if (path.empty()) return problem.position[held.vertex] + time * problem.velocity[held.vertex];
  const auto after = std::upper_bound(path.begin(), path.end(), time,
                                      [](double t, const PathPoint& p) { return t < p.time; });
  if (after == path.begin()) return path.front().position;
  const PathPoint& from = *(after - 1);
  if (after == path.end()) return from.position;
  const double share = (time - from.time) / (after->time - from.time);
  return from.position + share * (after->position - from.position);
}

}  // namespace

void place_obstacles(const Problem& problem, double time, std::span<Vec3> places, Index first) {
  for (const HeldVertex& held : problem.held) {
    if (held.vertex >= first) places[held.vertex] = place_at(problem, held, time);
  }
}

}  // namespace carom::asynchronous
