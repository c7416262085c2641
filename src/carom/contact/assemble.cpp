// Contacts written as the rows and bodies of an impact problem.
#include "carom/contact/assemble.h"

#include <algorithm>

namespace carom {
namespace {

Numbers numbers(const Vec3& v, int dimension) {
  return dimension == 2 ? Numbers{v.x, v.y} : Numbers{v.x, v.y, v.z};
}

}  // namespace

LinearAndAngular linear_and_angular(BodyKind kind, std::span<const double> numbers) {
  switch (kind) {
    case BodyKind::rigid_2d:
      return {{numbers[0], numbers[1], 0.0}, {0.0, 0.0, numbers[2]}};
    case BodyKind::rigid_3d:
      return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
    case BodyKind::ball:
      break;
  }
  return {{numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0.0}, {}};
}

Vec3 friction_on_a(const ImpactResult& result, const ImpactProblem& problem, Index row) {
  const BodyKind kind = problem.body(problem.row(row).body_a).kind;
  Vec3 sum;
  for (Index k = 0; k < problem.row(row).tangent_count; ++k) {
    sum += result.friction_impulses[2 * row + k] *
           linear_and_angular(kind, problem.tangent_a(row, k)).linear;
  }
  return sum;
}

ContactAssembler::ContactAssembler(const World& world)
    : world_(&world),
      problem_body_(world.bodies.size(), kNone),
      problem_shape_(world.shapes.size(), kNone) {}

Vec3 ContactAssembler::surface_velocity(Index shape, const ImpactMoment& moment) const {
  return mean_velocity(world_->shapes[shape].motion, moment.time, moment.step);
}

Vec3 ContactAssembler::surface_velocity(const Contact& contact, std::size_t number,
                                        const ImpactMoment& moment) const {
  const Vec3 velocity = surface_velocity(contact.shape, moment);
  const PlacedShape& placed = world_->shapes[contact.shape];
  if (placed.spin == Vec3{}) return velocity;
  const Vec3 center = spin_center(placed.shape) + offset_at(placed.motion, moment.time);
  return velocity + cross(placed.spin, moment.places[number] - center);
}

double ContactAssembler::closing_speed(const Contact& contact, std::size_t number,
                                       const ImpactMoment& moment) const {
  const Vec3 place = moment.places.empty() ? Vec3{} : moment.places[number];
  const Vec3 other = contact.body_b != kNone ? moment.velocity_at(contact.body_b, place)
                                             : surface_velocity(contact.shape, moment);
  return std::max(0.0, -dot(contact.normal, moment.velocity_at(contact.body_a, place) - other));
}

void ContactAssembler::make_rigid(Index body, const ImpactMoment& moment,
                                  BodyDefinition& definition) const {
  const Vec3& v = moment.velocity[body];
  const Vec3& w = moment.angular_velocity[body];
  if (world_->dimension == 2) {
    definition.kind = BodyKind::rigid_2d;
    definition.velocity = {v.x, v.y, w.z};
    definition.inertia = {world_->bodies.moments(body).z};
    return;
  }
  definition.kind = BodyKind::rigid_3d;
  definition.velocity = {v.x, v.y, v.z, w.x, w.y, w.z};
  const Mat3 inertia = world_inertia(world_->bodies, body, moment.orientation[body]);
  for (const Vec3& row : inertia.row) {
    definition.inertia.insert(definition.inertia.end(), {row.x, row.y, row.z});
  }
}

Index ContactAssembler::problem_body(Index body, const ImpactMoment& moment, bool names) {
  Index& known = problem_body_[body];
  if (known != kNone) return known;
  BodyDefinition definition;
  definition.mass = world_->bodies.mass[body];
  definition.velocity = numbers(moment.velocity[body], world_->dimension);
  if (world_->bodies.turns(body)) make_rigid(body, moment, definition);
  // Rows to a copy in a periodic world act at another place: angular momentum has no meaning there.
  if (!world_->periodicity.any() || world_->bodies.turns(body)) {
    definition.position = numbers(moment.position[body], world_->dimension);
  }
  if (names) definition.name = world_->bodies.name[body];
  known = problem_.add_body(definition);
  scene_bodies_.push_back(body);
  return known;
}

// kNone for a shape that stands still: the row touches one body.
Index ContactAssembler::problem_shape(Index shape, const ImpactMoment& moment, bool names) {
  const PlacedShape& placed = world_->shapes[shape];
  const bool spins = placed.spin != Vec3{};
  if (!is_moving(placed.motion) && !spins) return kNone;
  Index& known = problem_shape_[shape];
  if (known != kNone) return known;
  ScriptedDefinition definition;
  const Vec3 v = surface_velocity(shape, moment);
  definition.velocity = numbers(v, world_->dimension);
  if (spins) {
    const Vec3& w = placed.spin;
    definition.kind = world_->dimension == 2 ? BodyKind::rigid_2d : BodyKind::rigid_3d;
    definition.velocity =
        world_->dimension == 2 ? Numbers{v.x, v.y, w.z} : Numbers{v.x, v.y, v.z, w.x, w.y, w.z};
    definition.position = numbers(spin_center(placed.shape) + offset_at(placed.motion, moment.time),
                                  world_->dimension);
  }
  if (names) definition.name = placed.name;
  known = problem_.add_scripted(definition);
  scene_bodies_.push_back(kNone);
  return known;
}

void ContactAssembler::assemble(std::span<const Contact> contacts, const ImpactMoment& moment,
                                const Options& options) {
  for (const Index body : scene_bodies_) {
    if (body != kNone) problem_body_[body] = kNone;
  }
  problem_shape_.assign(problem_shape_.size(), kNone);
  scene_bodies_.clear();
  problem_ = ImpactProblem();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    const bool against_shape = contact.body_b == kNone;
    ContactDefinition row;
    row.body_a = problem_body(contact.body_a, moment, options.names);
    row.body_b = against_shape ? problem_shape(contact.shape, moment, options.names)
                               : problem_body(contact.body_b, moment, options.names);
    row.normal = numbers(contact.normal, world_->dimension);
    if (!moment.places.empty()) {
      row.point = numbers(moment.places[k], world_->dimension);
      if (!against_shape && world_->periodicity.any()) {
        const Vec3& b = moment.position[contact.body_b];
        row.point_b = numbers(b + nearest_image(world_->periodicity, moment.places[k] - b),
                              world_->dimension);
      }
    }
    const Index other = against_shape ? world_->shapes[contact.shape].material
                                      : world_->bodies.material[contact.body_b];
    const PairCoefficients pair =
        world_->materials.coefficients(world_->bodies.material[contact.body_a], other);
    if (!moment.restitution.empty()) {
      row.restitution = moment.restitution[k];
    } else if (pair.restitution_speed > 0.0) {
      row.restitution = restitution_at(pair, closing_speed(contact, k, moment));
    } else {
      row.restitution = pair.restitution;
    }
    row.friction = pair.friction;
    row.stiffness = pair.stiffness;
    if (!options.opening_speed.empty()) {
      row.restitution = 0.0;
      row.offset = options.opening_speed[k];
    }
    problem_.add_contact(row);
  }
}

}  // namespace carom
