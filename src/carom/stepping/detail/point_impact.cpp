#include "carom/stepping/detail/point_impact.h"

#include <algorithm>

namespace carom::detail {
namespace {

constexpr Index kAhead = 16;  // contacts

Vec3 vector_of(std::span<const double> v) { return {v[0], v[1], v.size() > 2 ? v[2] : 0.0}; }

}  // namespace

PointImpact::PointImpact(const Simulation& simulation, const ContactAssembler& assembler)
    : simulation_(&simulation), assembler_(&assembler), bodies_(simulation.bodies.size()) {
  const MaterialTable& materials = simulation.materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b < materials.size(); ++b) {
      const PairCoefficients pair = materials.coefficients(a, b);
      coefficients_.push_back(pair);
      rubs_ = rubs_ || (pair.friction > 0.0 && simulation.impact.friction_model != "none");
    }
  }
  const BodySet& bodies = simulation.bodies;
  if (!bodies.any_turns()) return;
  for (Index i = 0; i < bodies.size(); ++i) {
    turn_weight_.push_back(bodies.turns(i) ? 1.0 / bodies.moments(i).z : 0.0);
  }
}

bool PointImpact::is_possible(const Simulation& simulation) {
  return PointResolver::supports(simulation.impact) && simulation.bodies.all_round() &&
         std::none_of(simulation.shapes.begin(), simulation.shapes.end(),
                      [](const PlacedShape& placed) {
                        return std::holds_alternative<SolidObstacle>(placed.shape);
                      });
}

const PairCoefficients& PointImpact::coefficients(const Contact& contact) const {
  if (coefficients_.size() == 1) return coefficients_.front();
  const BodySet& bodies = simulation_->bodies;
  const Index other = contact.body_b == kNone ? simulation_->shapes[contact.shape].material
                                              : bodies.material[contact.body_b];
  return coefficients_[bodies.material[contact.body_a] * simulation_->materials.size() + other];
}

void PointImpact::find_surfaces(const ImpactMoment& moment) {
  surface_.clear();
  for (Index shape = 0; shape < simulation_->shapes.size(); ++shape) {
    const bool moves = is_moving(simulation_->shapes[shape].motion);
    surface_.push_back(moves ? assembler_->surface_velocity(shape, moment) : Vec3{});
  }
}

// Few of many bodies touch, and what is decided about one contact is hard to foresee: memory is
// asked for in time.
void PointImpact::ask_for(const Contact& contact, const ImpactMoment& moment) const {
  __builtin_prefetch(&bodies_[contact.body_a], 1);
  __builtin_prefetch(&moment.velocity[contact.body_a]);
  if (contact.body_b == kNone) return;
  __builtin_prefetch(&bodies_[contact.body_b], 1);
  __builtin_prefetch(&moment.velocity[contact.body_b]);
}

// What the second pass reads as well.
void PointImpact::ask_for_rest(const Contact& contact, const ImpactMoment& moment) const {
  for (const Index number : {contact.body_a, contact.body_b}) {
    if (number == kNone) continue;
    __builtin_prefetch(&simulation_->bodies.mass[number]);
    __builtin_prefetch(&moment.position[number]);
  }
}

void PointImpact::survey(std::span<const Contact> contacts, const ImpactMoment& moment,
                         std::span<const double> opening_speed) {
  if (++stamp_ == 0) {  // after four thousand million calls
    bodies_.assign(bodies_.size(), Body());
    stamp_ = 1;
  }
  for (Index k = 0; k < contacts.size(); ++k) {
    if (k + kAhead < contacts.size()) ask_for(contacts[k + kAhead], moment);
    const Contact& contact = contacts[k];
    ++body(contact.body_a).touches;
    Index first = lead(contact.body_a);
    if (contact.body_b != kNone) {
      ++body(contact.body_b).touches;
      const Index second = lead(contact.body_b);
      const Index least = std::min(first, second);
      const Index most = std::max(first, second);
      bodies_[least].standing = std::max(bodies_[least].standing, bodies_[most].standing);
      bodies_[most].lead = least;
      first = least;
    }
    // Any speed below zero counts: the resolver knows better, but never finds more.
    const Vec3 apart = moment.velocity[contact.body_a] - other_velocity(contact, moment);
    const double wanted = opening_speed.empty() ? 0.0 : opening_speed[k];
    if (dot(contact.normal, apart) < wanted) bodies_[first].standing = Standing::closes;
  }
}

void PointImpact::answer_lone(const Contact& contact, Index number, const ImpactMoment& moment,
                              double tolerance) {
  const std::vector<double>& mass = simulation_->bodies.mass;
  const bool has_b = contact.body_b != kNone;
  const Vec3& other = other_velocity(contact, moment);
  LoneContact row;
  row.normal = contact.normal;
  row.mass_a = mass[contact.body_a];
  row.mass_b = has_b ? mass[contact.body_b] : 0.0;
  row.velocity_a = moment.velocity[contact.body_a];
  row.velocity_b = has_b ? other : Vec3{};
  row.offset = has_b ? 0.0 : dot(contact.normal, other);
  lone_.push_back({number, respond_alone(row, tolerance)});
}

Index PointImpact::add_point(Index number, const ImpactMoment& moment) {
  Body& body = bodies_[number];
  body.point = problem_.point_count();
  body_of_.push_back(number);
  Index& component = bodies_[lead(number)].component;
  if (component == kNone) component = components_++;
  problem_.component.push_back(component);
  problem_.mass.push_back(simulation_->bodies.mass[number]);
  const auto add = [&](const Vec3& from, std::vector<double>& to) {
    to.push_back(from.x);
    to.push_back(from.y);
    if (problem_.dimension == 3) to.push_back(from.z);
  };
  add(moment.velocity[number], problem_.velocity);
  // Rows to a copy in a periodic world act at another place.
  if (!simulation_->periodicity.any()) add(moment.position[number], problem_.position);
  if (turn_weight_.empty()) return body.point;
  problem_.turn_weight.push_back(turn_weight_[number]);
  if (problem_.dimension == 3) {
    add(moment.angular_velocity[number], problem_.spin);
  } else {
    problem_.spin.push_back(moment.angular_velocity[number].z);
  }
  return body.point;
}

PointProblem::Rubbing PointImpact::rubbing(const Contact& contact, double coefficient,
                                           const Vec3& surface) const {
  const std::vector<double>& radius = simulation_->bodies.radius;
  PointProblem::Rubbing rubbing;
  rubbing.friction = coefficient;
  rubbing.arm_a = radius[contact.body_a];
  if (contact.body_b != kNone) {  // half way between the two
    rubbing.arm_a += 0.5 * contact.gap;
    rubbing.arm_b = radius[contact.body_b] + 0.5 * contact.gap;
  }
  rubbing.surface = {surface.x, surface.y, surface.z};
  return rubbing;
}

double PointImpact::restitution(const Contact& contact, Index number,
                                const ImpactMoment& moment) const {
  if (!moment.restitution.empty()) return moment.restitution[number];
  const PairCoefficients& pair = coefficients(contact);
  return pair.restitution_speed > 0.0
             ? restitution_at(pair, assembler_->closing_speed(contact, number, moment))
             : pair.restitution;
}

void PointImpact::assemble(std::span<const Contact> contacts, const ImpactMoment& moment,
                           std::span<const double> opening_speed, double tolerance) {
  const bool some_are_lone = opening_speed.empty() && moment.restitution.empty() && !rubs_;
  lone_.clear();
  body_of_.clear();
  first_point_.clear();
  contact_of_.clear();
  problem_.clear();
  problem_.dimension = simulation_->dimension;
  lossless_ = true;
  components_ = 0;
  quiet_components_ = 0;
  for (Index k = 0; k < contacts.size(); ++k) {
    if (k + kAhead < contacts.size()) {
      ask_for(contacts[k + kAhead], moment);
      ask_for_rest(contacts[k + kAhead], moment);
    }
    const Contact& contact = contacts[k];
    Standing& standing = bodies_[lead(contact.body_a)].standing;
    if (standing != Standing::closes) {
      if (standing == Standing::quiet) ++quiet_components_;
      standing = Standing::left_out;
      continue;
    }
    const PairCoefficients& pair = coefficients(contact);
    if (some_are_lone && is_lone(contact) && !(pair.restitution_speed > 0.0) &&
        pair.restitution == 1.0) {
      answer_lone(contact, k, moment, tolerance);
      continue;
    }
    const bool against_shape = contact.body_b == kNone;
    PointProblem::Row row;
    row.a = point(contact.body_a, moment);
    if (!against_shape) row.b = point(contact.body_b, moment);
    row.normal = {contact.normal.x, contact.normal.y, contact.normal.z};
    if (against_shape) row.offset = dot(contact.normal, surface_[contact.shape]);
    row.restitution = restitution(contact, k, moment);
    lossless_ = lossless_ && row.restitution == 1.0;
    if (!opening_speed.empty()) {
      row.restitution = 0.0;
      row.offset += opening_speed[k];
    }
    problem_.rows.push_back(row);
    first_point_.push_back(row.a);
    contact_of_.push_back(k);
    if (!rubs_) continue;
    problem_.rubbing.push_back(
        rubbing(contact, pair.friction, against_shape ? surface_[contact.shape] : Vec3{}));
    lossless_ = lossless_ && pair.friction == 0.0;
  }
}

void PointImpact::resolve(std::span<const Contact> contacts, const ImpactMoment& moment,
                          const ImpactSettings& settings, std::span<const double> opening_speed) {
  find_surfaces(moment);
  survey(contacts, moment, opening_speed);
  assemble(contacts, moment, opening_speed, settings.tolerance);
  resolver_.resolve(problem_, settings);
}

LinearAndAngular PointImpact::velocity(Index point) const {
  const auto dimension = static_cast<std::size_t>(problem_.dimension);
  LinearAndAngular velocity;
  velocity.linear = vector_of(resolver_.velocity().subspan(point * dimension, dimension));
  if (resolver_.spin().empty()) return velocity;
  if (dimension == 3) {
    velocity.angular = vector_of(resolver_.spin().subspan(std::size_t{3} * point, 3));
  } else {
    velocity.angular.z = resolver_.spin()[point];
  }
  return velocity;
}

Vec3 PointImpact::friction(Index row) const {
  return rubs_ ? vector_of(resolver_.friction()[row]) : Vec3{};
}

}  // namespace carom::detail
