// What must hold of every simulation before its first step, whatever its scheme.
#include "carom/stepping/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

void demand_positive(const std::string& key, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  refuse(key, "must be positive and finite, found " + number_text(value));
}

// Steps refuse what is larger: squares of it would overflow soon.
constexpr double kLargestNumber = 1e100;
void demand_moderate(const std::string& key, const Vec3& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest < kLargestNumber) return;
  refuse(key, "must be below 1e100 along every axis, found " + number_text(largest));
}

void check_settings(const Simulation& s) {
  if (s.world.dimension != 2 && s.world.dimension != 3) {
    refuse("world.dimension", "must be 2 or 3, found " + std::to_string(s.world.dimension));
  }
  demand_positive("time.step", s.time.step);
  if (!std::isfinite(s.time.duration) || s.time.duration < 0.0) {
    refuse("time.duration",
           "must be finite and not negative, found " + number_text(s.time.duration));
  }
  if (s.time.duration / s.time.step > 1e15) {
    refuse("time.duration", "is more than 1e15 steps");
  }
  demand_positive("detection.activation", s.detection.activation);
  if (s.detection.activation > 0.1) {
    refuse("detection.activation",
           "must be at most 0.1 of a radius, found " + number_text(s.detection.activation));
  }
  static_cast<void>(make_broad_phase(s.detection.broad_phase));
  // The settings of the impact are judged by those who use them.
  ImpactSettings impact = s.impact;
  if (impact.friction_model == "coulomb") impact.friction_model = "collision";  // what bounces
  static_cast<void>(resolve_impacts(ImpactProblem(), impact));
  if (s.threads > 256) refuse("threads", "must be at most 256, found " + std::to_string(s.threads));
  if (!is_finite(s.forces.gravity)) refuse("world.gravity", "is not finite");
}

void check_sizes(const Simulation& s) {
  const std::size_t count = s.world.bodies.size();
  const auto same = [&](const char* what, std::size_t size) {
    if (size == count) return;
    refuse(what, "expected one for each of " + std::to_string(count) + " bodies, found " +
                     std::to_string(size));
  };
  same("bodies.radius", s.world.bodies.radius.size());
  same("bodies.material", s.world.bodies.material.size());
  same("bodies.name", s.world.bodies.name.size());
  same("start.position", s.start.position.size());
  same("start.velocity", s.start.velocity.size());
  const BodySet& bodies = s.world.bodies;
  const bool turning = bodies.any_turns();
  if (turning) same("bodies.solid", bodies.solid.size());
  if (turning || !s.start.orientation.empty()) {
    same("start.orientation", s.start.orientation.size());
  }
  if (turning || !s.start.angular_velocity.empty()) {
    same("start.angular_velocity", s.start.angular_velocity.size());
  }
  for (const Index solid : bodies.solid) {
    if (solid == kNone) continue;
    if (solid >= bodies.solids.size() || bodies.solids[solid] == nullptr) {
      refuse("bodies.solid", "there is no solid of that number");
    }
    if (bodies.solids[solid]->dimension() != s.world.dimension) {
      refuse("bodies.solid", "a solid is of another dimension than the world");
    }
  }
  const auto known = [&](Index material) { return material < s.world.materials.size(); };
  if (!std::all_of(s.world.bodies.material.begin(), s.world.bodies.material.end(), known) ||
      !std::all_of(s.world.shapes.begin(), s.world.shapes.end(),
                   [&](const PlacedShape& shape) { return known(shape.material); })) {
    refuse("material", "there is no material of that number");
  }
  for (const SpringForce& spring : s.forces.springs) {
    if (spring.body_a >= count || (spring.body_b != kNone && spring.body_b >= count)) {
      refuse("spring", "there is no body of that number");
    }
  }
}

void check_turning(const Simulation& s, Index body) {
  const std::string who = "body '" + s.world.bodies.name[body] + "'";
  const Quaternion& q = s.start.orientation[body];
  const Vec3& w = s.start.angular_velocity[body];
  constexpr double kLengthTolerance = 1e-9;
  if (!is_finite(q) || std::abs(norm_squared(q) - 1.0) > kLengthTolerance) {
    refuse(who + " orientation", "is not a rotation (a unit quaternion)");
  }
  if (!is_finite(w)) refuse(who + " angular_velocity", "is not finite");
  if (s.world.dimension == 2 && (w.x != 0.0 || w.y != 0.0 || q.x != 0.0 || q.y != 0.0)) {
    refuse(who, "turns out of the plane in a world of two dimensions");
  }
  if (s.world.bodies.radius[body] != s.world.bodies.solid_of(body).bounding_radius()) {
    refuse(who + " radius", "of a body that turns must be that of the ball about its solid");
  }
}

// Whether check_bodies() has nothing to say of a body: texts for ten million of them take seconds.
bool is_sound(const Simulation& s, Index body) {
  const auto is_positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  const Vec3& q = s.start.position[body];
  const Vec3& v = s.start.velocity[body];
  if (!is_positive(s.world.bodies.mass[body]) || !is_positive(s.world.bodies.radius[body])) {
    return false;
  }
  for (const double number : {q.x, q.y, q.z, v.x, v.y, v.z}) {
    if (!(std::abs(number) < kLargestNumber)) return false;
  }
  return s.world.dimension != 2 || (q.z == 0.0 && v.z == 0.0);
}

void check_bodies(const Simulation& s) {
  const BodySet& bodies = s.world.bodies;
  if (const std::optional<std::size_t> repeated = bodies.name.first_repeated()) {
    refuse("body '" + bodies.name[*repeated] + "'", "the name occurs twice");
  }
  for (Index i = 0; i < bodies.size(); ++i) {
    if (is_sound(s, i)) continue;
    const std::string who = "body '" + bodies.name[i] + "'";
    demand_positive(who + " mass", bodies.mass[i]);
    demand_positive(who + " radius", bodies.radius[i]);
    if (!is_finite(s.start.position[i])) refuse(who + " position", "is not finite");
    if (!is_finite(s.start.velocity[i])) refuse(who + " velocity", "is not finite");
    demand_moderate(who + " position", s.start.position[i]);
    demand_moderate(who + " velocity", s.start.velocity[i]);
    if (s.world.dimension == 2 && (s.start.position[i].z != 0.0 || s.start.velocity[i].z != 0.0)) {
      refuse(who, "has a third coordinate in a world of two dimensions");
    }
  }
  for (Index i = 0; i < bodies.size(); ++i) {
    if (bodies.turns(i)) check_turning(s, i);
  }
  std::unordered_set<std::string> names;
  for (const PlacedShape& shape : s.world.shapes) {
    if (!names.insert(shape.name).second || bodies.name.find(shape.name))
      refuse("shape '" + shape.name + "'", "the name occurs twice");
  }
}

void check_start_time(const Simulation& s) {
  constexpr std::uint64_t kMostSteps = 1'000'000'000'000'000;
  if (s.start.step > kMostSteps) refuse("start.step", "is more than 1e15");
  const double expected = static_cast<double>(s.start.step) * s.time.step;
  if (s.start.time == expected) return;
  refuse("start.time", "must be that of its step, " + number_text(expected) + ", found " +
                           number_text(s.start.time));
}

bool blocks_period(const Shape& shape, const Periodicity& periodicity) {
  const auto* plane = std::get_if<HalfPlane>(&shape);
  if (plane == nullptr) return true;
  const Vec3& length = periodicity.length;
  return (length.x > 0 && plane->normal.x != 0) || (length.y > 0 && plane->normal.y != 0) ||
         (length.z > 0 && plane->normal.z != 0);
}

template <class Coefficients>
void check_coefficients(const Coefficients& of, const std::string& name) {
  const auto demand = [&](bool holds, const char* what, const char* expected, double found) {
    if (holds) return;
    refuse(name, std::string(what) + " must be " + expected + ", found " + number_text(found));
  };
  demand(of.restitution >= 0.0 && of.restitution <= 1.0, "restitution", "between 0 and 1",
         of.restitution);
  demand(of.friction >= 0.0, "friction", "0 or more", of.friction);
  demand(of.stiffness > 0.0, "stiffness", "more than 0", of.stiffness);
  demand(of.restitution_speed >= 0.0, "restitution_speed", "0 or more", of.restitution_speed);
  demand(of.rolling >= 0.0, "rolling", "0 or more", of.rolling);
}

void check_materials(const MaterialTable& materials) {
  for (Index i = 0; i < materials.size(); ++i) {
    check_coefficients(materials.material(i), "material '" + materials.material(i).name + "'");
  }
  for (const MaterialTable::Pair& pair : materials.pairs()) {
    check_coefficients(pair.coefficients, "materials '" + materials.material(pair.a).name +
                                              "' and '" + materials.material(pair.b).name + "'");
  }
}

void check_periodicity(const Simulation& s) {
  const Periodicity& p = s.world.periodicity;
  if (!p.any()) return;
  const double largest =
      s.world.bodies.radius.empty()
          ? 0.0
          : *std::max_element(s.world.bodies.radius.begin(), s.world.bodies.radius.end());
  for (const double length : {p.length.x, p.length.y, p.length.z}) {
    if (length > 0.0 && length < 4.0 * largest) {
      refuse("world.periodic", "a period must be at least two diameters of the largest ball, " +
                                   number_text(4.0 * largest) + ", found " + number_text(length));
    }
  }
  for (const PlacedShape& shape : s.world.shapes) {
    if (blocks_period(shape.shape, p)) {
      refuse("shape '" + shape.name + "'",
             "does not repeat with the world: a periodic world can have half-planes along its "
             "periods and no other shapes");
    }
  }
  if (!s.forces.centers.empty())
    refuse("central", "a central force does not repeat with the world");
}

// Whether a rotation about this axis leaves the shape's surface where it is.
bool keeps_its_surface(const Shape& shape, const Vec3& spin) {
  const auto is_along = [&](const Vec3& axis) {
    return norm(cross(axis, spin)) <= 1e-9 * norm(axis) * norm(spin);
  };
  if (const auto* plane = std::get_if<HalfPlane>(&shape)) return is_along(plane->normal);
  if (const auto* obstacle = std::get_if<SolidObstacle>(&shape)) {
    if (obstacle->solid->is_sphere()) return true;
    const auto* cylinder = obstacle->solid->parts().size() == 1
                               ? std::get_if<CylinderPart>(&obstacle->solid->parts()[0])
                               : nullptr;
    return cylinder != nullptr && is_along(obstacle->pose.rotation * cylinder->axis);
  }
  return std::holds_alternative<SphereInside>(shape) ||
         std::holds_alternative<SphereOutside>(shape);
}

// What spins where; whether a scheme can run it is another question.
void check_spins(const Simulation& s) {
  for (const PlacedShape& placed : s.world.shapes) {
    if (placed.spin == Vec3{}) continue;
    const std::string key = "shape '" + placed.name + "'";
    if (!is_finite(placed.spin)) refuse(key, "spin is not finite");
    if (!keeps_its_surface(placed.shape, placed.spin)) {
      refuse(key,
             "only what looks the same all the while can spin: a half-plane about its normal, a "
             "sphere, a cylinder about its axis");
    }
  }
}

// Runs of bodies, one after the other.
void check_surfaces(const Simulation& s) {
  const std::vector<Surface>& surfaces = s.world.surfaces;
  if (!s.forces.elasticity.empty() && s.forces.elasticity.size() != surfaces.size()) {
    refuse("surface", "expected one elasticity for each of " + std::to_string(surfaces.size()) +
                          " surfaces, found " + std::to_string(s.forces.elasticity.size()));
  }
  for (const SurfaceElasticity& e : s.forces.elasticity) {
    const bool is_fine = e.stretch_limit >= 0.0 && std::isfinite(e.stretch_limit) &&
                         e.compression_limit >= 0.0 && e.compression_limit < 1.0 &&
                         e.limit_stiffness >= 0.0 && std::isfinite(e.limit_stiffness) &&
                         e.limit_restitution >= 0.0 && e.limit_restitution <= 1.0;
    if (!is_fine) refuse("surface", "has a limit of its edges' length that is out of range");
  }
  Index free = 0;
  for (const Surface& surface : surfaces) {
    const std::string who = "surface '" + surface.name + "'";
    if (surface.first < free) refuse(who, "shares bodies with the surface before");
    if (s.world.bodies.size() < surface.size() ||
        surface.first > s.world.bodies.size() - surface.size()) {
      refuse(who, "has vertices that are no bodies");
    }
    free = surface.first + surface.size();
    if (surface.material >= s.world.materials.size()) refuse(who, "has no material");
    for (Index i = surface.first; i < free; ++i) {
      if (s.world.bodies.turns(i)) refuse(who, "has a body that turns for a vertex");
    }
  }
}

void check_led_bodies(const Simulation& s) {
  std::vector<bool> is_led(s.world.bodies.size(), false);
  for (const LedBody& led : s.world.led) {
    if (led.body >= is_led.size()) refuse("led", "there is no body of that number");
    if (is_led[led.body]) {
      refuse("body '" + s.world.bodies.name[led.body] + "'", "is led by two motions");
    }
    is_led[led.body] = true;
  }
  for (const BodyForce& force : s.forces.prescribed) {
    if (force.body >= is_led.size()) refuse("force", "there is no body of that number");
    const std::string who = "force on body '" + s.world.bodies.name[force.body] + "'";
    if (!is_finite(force.force)) refuse(who, "is not finite");
    if (!(force.begin >= 0.0) || !(force.end >= force.begin)) {
      refuse(who, "must begin at 0 or later and end after that");
    }
    if (s.world.dimension == 2 && force.force.z != 0.0) {
      refuse(who, "has a third coordinate in a world of two dimensions");
    }
  }
}

}  // namespace

std::vector<std::string> symmetry_names() { return {"none", "exact"}; }

std::uint64_t step_count(const TimeSettings& time) {
  return static_cast<std::uint64_t>(std::llround(time.duration / time.step));
}

bool has_solids(const World& world) {
  return world.bodies.any_turns() ||
         std::any_of(world.shapes.begin(), world.shapes.end(), [](const PlacedShape& placed) {
           return std::holds_alternative<SolidObstacle>(placed.shape);
         });
}

void check_start(const Simulation& simulation) {
  check_settings(simulation);
  check_start_time(simulation);
  check_sizes(simulation);
  check_bodies(simulation);
  check_materials(simulation.world.materials);
  check_spins(simulation);
  check_periodicity(simulation);
  check_surfaces(simulation);
  check_led_bodies(simulation);
}

}  // namespace carom
