// Changes of a live simulation: bodies come and go, and everything that has their numbers follows.
#include "carom/live/live_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom {
namespace {

// The number of a body behind one that goes becomes smaller.
Index without(Index body, Index gone) { return body != kNone && body > gone ? body - 1 : body; }

template <class Value>
void erase_at(std::vector<Value>& values, Index i) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
}

void renumber_forces(ForceSet& forces, Index gone) {
  std::erase_if(forces.springs, [gone](const SpringForce& spring) {
    return spring.body_a == gone || spring.body_b == gone;
  });
  for (SpringForce& spring : forces.springs) {
    spring.body_a = without(spring.body_a, gone);
    spring.body_b = without(spring.body_b, gone);
  }
  std::erase_if(forces.prescribed, [gone](const BodyForce& force) { return force.body == gone; });
  for (BodyForce& force : forces.prescribed) force.body = without(force.body, gone);
}

void renumber_world(World& world, Index gone) {
  std::erase_if(world.led, [gone](const LedBody& led) { return led.body == gone; });
  for (LedBody& led : world.led) led.body = without(led.body, gone);
  for (Surface& surface : world.surfaces) {
    if (surface.first > gone) --surface.first;
  }
}

void erase_body(BodySet& bodies, Index i) {
  erase_at(bodies.mass, i);
  erase_at(bodies.radius, i);
  erase_at(bodies.material, i);
  bodies.name.erase(i);
  if (bodies.any_turns()) erase_at(bodies.solid, i);
}

void erase_state(State& state, Index i) {
  erase_at(state.position, i);
  erase_at(state.velocity, i);
  if (!state.orientation.empty()) erase_at(state.orientation, i);
  if (!state.angular_velocity.empty()) erase_at(state.angular_velocity, i);
}

// Where nothing turns the arrays of what does are empty.
void forget_turning_if_nothing_does(Simulation& simulation) {
  BodySet& bodies = simulation.world.bodies;
  const auto is_ball = [](Index solid) { return solid == kNone; };
  if (!std::all_of(bodies.solid.begin(), bodies.solid.end(), is_ball)) return;
  bodies.solid.clear();
  bodies.solids.clear();
  simulation.start.orientation.clear();
  simulation.start.angular_velocity.clear();
}

Index number_of_solid(BodySet& bodies, const std::shared_ptr<const Solid>& solid) {
  const auto at = std::find(bodies.solids.begin(), bodies.solids.end(), solid);
  const auto number = static_cast<Index>(at - bodies.solids.begin());
  if (at == bodies.solids.end()) bodies.solids.push_back(solid);
  return number;
}

void make_room_for_turning(Simulation& simulation) {
  BodySet& bodies = simulation.world.bodies;
  if (bodies.any_turns()) return;
  bodies.solid.assign(bodies.size(), kNone);
  simulation.start.orientation.assign(bodies.size(), Quaternion{});
  simulation.start.angular_velocity.assign(bodies.size(), Vec3{});
}

void shift(HalfPlane& plane, const Vec3& way) { plane.point += way; }
void shift(Segment& segment, const Vec3& way) {
  segment.a += way;
  segment.b += way;
}
void shift(SphereInside& sphere, const Vec3& way) { sphere.center += way; }
void shift(SphereOutside& sphere, const Vec3& way) { sphere.center += way; }
void shift(BoxInside& box, const Vec3& way) {
  box.lower += way;
  box.upper += way;
}
void shift(SolidObstacle& solid, const Vec3& way) { solid.pose.position += way; }

}  // namespace

Index number_of_body(std::span<const BodyId> ids, BodyId id) {
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  if (at == ids.end() || *at != id) {
    throw InputError({}, "there is no body with the id " + std::to_string(id));
  }
  return static_cast<Index>(at - ids.begin());
}

LiveEdit::LiveEdit(Simulation simulation, Moment moment)
    : simulation_(std::move(simulation)), moment_(std::move(moment)) {}

Index LiveEdit::number_of(BodyId id) const { return number_of_body(moment_.ids, id); }

void LiveEdit::widen(Scope scope) { scope_ = std::max(scope_, scope); }

ForceSet& LiveEdit::forces() {
  widen(Scope::settings);
  return simulation_.forces;
}

MaterialTable& LiveEdit::materials() {
  widen(Scope::settings);
  return simulation_.world.materials;
}

ImpactSettings& LiveEdit::impact() {
  widen(Scope::settings);
  return simulation_.impact;
}

std::vector<PlacedShape>& LiveEdit::shapes() {
  widen(Scope::places);
  return simulation_.world.shapes;
}

void LiveEdit::move_shape(const std::string& name, const Vec3& velocity) {
  if (!std::isfinite(velocity.x) || !std::isfinite(velocity.y) || !std::isfinite(velocity.z)) {
    throw InputError({"", 0, 0, "shape '" + name + "'"}, "its velocity is not finite");
  }
  std::vector<std::string> names;
  for (PlacedShape& placed : simulation_.world.shapes) {
    names.push_back(placed.name);
    if (placed.name != name) continue;
    // No body is any nearer to it than before: nothing but the settings has changed.
    widen(Scope::settings);
    const double time = simulation_.start.time;
    const Vec3 way = offset_at(placed.motion, time) - time * velocity;
    std::visit([&way](auto& shape) { shift(shape, way); }, placed.shape);
    placed.motion = velocity == Vec3{} ? Motion{} : Motion{ConstantMotion{velocity}};
    return;
  }
  throw InputError({"", 0, 0, "shape"}, unknown_name_message("shape", name, names));
}

BodyId LiveEdit::add(const NewBody& body) {
  widen(Scope::settings);
  BodySet& bodies = simulation_.world.bodies;
  State& start = simulation_.start;
  const BodyId id = moment_.next_id++;
  if (body.solid != nullptr) make_room_for_turning(simulation_);
  if (bodies.any_turns()) {
    bodies.solid.push_back(body.solid == nullptr ? kNone : number_of_solid(bodies, body.solid));
    start.orientation.push_back(body.orientation);
    start.angular_velocity.push_back(body.angular_velocity);
  }
  bodies.mass.push_back(body.mass);
  bodies.radius.push_back(body.solid == nullptr ? body.radius : body.solid->bounding_radius());
  bodies.material.push_back(body.material);
  bodies.name.push_back(body.name.empty() ? "added-" + std::to_string(id) : body.name);
  start.position.push_back(body.position);
  start.velocity.push_back(body.velocity);
  moment_.ids.push_back(id);
  return id;
}

void LiveEdit::remove(BodyId id) {
  const Index gone = number_of(id);
  for (const Surface& surface : simulation_.world.surfaces) {
    if (gone < surface.first || gone - surface.first >= surface.size()) continue;
    throw InputError({"", 0, 0, "surface '" + surface.name + "'"},
                     "body '" + simulation_.world.bodies.name[gone] +
                         "' is one of its vertices and cannot be removed");
  }
  widen(Scope::settings);
  renumber_forces(simulation_.forces, gone);
  renumber_world(simulation_.world, gone);
  erase_body(simulation_.world.bodies, gone);
  erase_state(simulation_.start, gone);
  erase_at(moment_.ids, gone);
  forget_turning_if_nothing_does(simulation_);
}

}  // namespace carom
