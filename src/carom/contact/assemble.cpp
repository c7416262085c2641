#include "carom/contact/assemble.h"

namespace carom {
namespace {

Numbers numbers(const Vec3& v, int dimension) {
  return dimension == 2 ? Numbers{v.x, v.y} : Numbers{v.x, v.y, v.z};
}

}  // namespace

ContactAssembler::ContactAssembler(const ContactWorld& world, const MaterialTable& materials)
    : world_(world),
      materials_(&materials),
      problem_body_(world.bodies->size(), kNone),
      problem_shape_(world.shapes->size(), kNone) {}

Vec3 ContactAssembler::surface_velocity(Index shape, const ImpactMoment& moment) const {
  return mean_velocity((*world_.shapes)[shape].motion, moment.time, moment.step);
}

Index ContactAssembler::problem_body(Index body, const ImpactMoment& moment, bool names) {
  Index& known = problem_body_[body];
  if (known != kNone) return known;
  BodyDefinition definition;
  definition.mass = world_.bodies->mass[body];
  definition.velocity = numbers(moment.velocity[body], world_.dimension);
  // Rows to a copy in a periodic world act at another place: angular momentum has no meaning there.
  if (!world_.periodicity->any()) {
    definition.position = numbers(moment.position[body], world_.dimension);
  }
  if (names) definition.name = world_.bodies->name[body];
  known = problem_.add_body(definition);
  scene_bodies_.push_back(body);
  return known;
}

// kNone for a shape that stands still: the row touches one body.
Index ContactAssembler::problem_shape(Index shape, const ImpactMoment& moment, bool names) {
  const PlacedShape& placed = (*world_.shapes)[shape];
  if (!is_moving(placed.motion)) return kNone;
  Index& known = problem_shape_[shape];
  if (known != kNone) return known;
  ScriptedDefinition definition;
  definition.velocity = numbers(surface_velocity(shape, moment), world_.dimension);
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
    row.normal = numbers(contact.normal, world_.dimension);
    const Index other = against_shape ? (*world_.shapes)[contact.shape].material
                                      : world_.bodies->material[contact.body_b];
    const PairCoefficients pair =
        materials_->coefficients(world_.bodies->material[contact.body_a], other);
    row.restitution = pair.restitution;
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
