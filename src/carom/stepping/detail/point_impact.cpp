#include "carom/stepping/detail/point_impact.h"

#include <algorithm>
#include <numeric>

namespace carom::detail {
namespace {

Vec3 vector_of(std::span<const double> v) { return {v[0], v[1], v.size() > 2 ? v[2] : 0.0}; }

}  // namespace

PointImpact::PointImpact(const Simulation& simulation, const ContactAssembler& assembler)
    : simulation_(&simulation),
      assembler_(&assembler),
      touches_(simulation.bodies.size()),
      point_of_(simulation.bodies.size(), kNone),
      lead_(simulation.bodies.size()),
      standing_(simulation.bodies.size()),
      component_(simulation.bodies.size()) {
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

Index PointImpact::lead(Index body) {
  while (lead_[body] != body) body = lead_[body] = lead_[lead_[body]];
  return body;
}

Vec3 PointImpact::other_velocity(const Contact& contact, const ImpactMoment& moment) const {
  if (contact.body_b != kNone) return moment.velocity[contact.body_b];
  const bool moves = is_moving(simulation_->shapes[contact.shape].motion);
  return moves ? assembler_->surface_velocity(contact.shape, moment) : Vec3{};
}

const PairCoefficients& PointImpact::coefficients(const Contact& contact) const {
  const BodySet& bodies = simulation_->bodies;
  const Index other = contact.body_b == kNone ? simulation_->shapes[contact.shape].material
                                              : bodies.material[contact.body_b];
  return coefficients_[bodies.material[contact.body_a] * simulation_->materials.size() + other];
}

void PointImpact::answer_lone(std::span<const Contact> contacts, const ImpactMoment& moment,
                              double tolerance) {
  const std::vector<double>& mass = simulation_->bodies.mass;
  for (const Contact& contact : contacts) {
    touches_[contact.body_a] = 0;
    if (contact.body_b != kNone) touches_[contact.body_b] = 0;
  }
  for (const Contact& contact : contacts) {
    ++touches_[contact.body_a];
    if (contact.body_b != kNone) ++touches_[contact.body_b];
  }
  for (Index k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    if (!is_lone(contact) || coefficients(contact).restitution_speed > 0.0 ||
        coefficients(contact).restitution != 1.0) {
      joined_.push_back(k);
      continue;
    }
    const bool has_b = contact.body_b != kNone;
    const Vec3 other = other_velocity(contact, moment);
    const Vec3& velocity = moment.velocity[contact.body_a];
    if (!(dot(contact.normal, velocity - other) < 0.0)) {
      ++quiet_components_;
      continue;
    }
    LoneContact row;
    row.normal = contact.normal;
    row.mass_a = mass[contact.body_a];
    row.mass_b = has_b ? mass[contact.body_b] : 0.0;
    row.velocity_a = velocity;
    row.velocity_b = has_b ? other : Vec3{};
    row.offset = has_b ? 0.0 : dot(contact.normal, other);
    lone_.push_back({k, respond_alone(row, tolerance)});
  }
}

void PointImpact::find_closing(std::span<const Contact> contacts, const ImpactMoment& moment,
                               std::span<const double> opening_speed) {
  for (const Index k : joined_) {
    for (const Index body : {contacts[k].body_a, contacts[k].body_b}) {
      if (body == kNone) continue;
      lead_[body] = body;
      standing_[body] = Standing::quiet;
      component_[body] = kNone;
    }
  }
  for (const Index k : joined_) {
    const Contact& contact = contacts[k];
    Index first = lead(contact.body_a);
    if (contact.body_b != kNone) {
      const Index other = lead(contact.body_b);
      const auto [least, most] = std::minmax(first, other);
      standing_[least] = std::max(standing_[least], standing_[most]);
      lead_[most] = least;
      first = least;
    }
    if (standing_[first] == Standing::closes) continue;
    // Any speed below zero counts: the resolver knows better, but never finds more.
    const Vec3 apart = moment.velocity[contact.body_a] - other_velocity(contact, moment);
    const double wanted = opening_speed.empty() ? 0.0 : opening_speed[k];
    if (dot(contact.normal, apart) < wanted) standing_[first] = Standing::closes;
  }
}

Index PointImpact::point(Index body, const ImpactMoment& moment) {
  Index& known = point_of_[body];
  if (known != kNone) return known;
  known = problem_.point_count();
  body_of_.push_back(body);
  Index& component = component_[lead(body)];
  if (component == kNone) component = components_++;
  problem_.component.push_back(component);
  problem_.mass.push_back(simulation_->bodies.mass[body]);
  const auto add = [&](const Vec3& from, std::vector<double>& to) {
    to.push_back(from.x);
    to.push_back(from.y);
    if (problem_.dimension == 3) to.push_back(from.z);
  };
  add(moment.velocity[body], problem_.velocity);
  // Rows to a copy in a periodic world act at another place.
  if (!simulation_->periodicity.any()) add(moment.position[body], problem_.position);
  if (turn_weight_.empty()) return known;
  problem_.turn_weight.push_back(turn_weight_[body]);
  if (problem_.dimension == 3) {
    add(moment.angular_velocity[body], problem_.spin);
  } else {
    problem_.spin.push_back(moment.angular_velocity[body].z);
  }
  return known;
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

void PointImpact::assemble(std::span<const Contact> contacts, const ImpactMoment& moment,
                           std::span<const double> opening_speed) {
  for (const Index body : body_of_) point_of_[body] = kNone;
  body_of_.clear();
  first_point_.clear();
  contact_of_.clear();
  problem_.clear();
  problem_.dimension = simulation_->dimension;
  lossless_ = true;
  components_ = 0;
  for (const Index k : joined_) {
    const Contact& contact = contacts[k];
    Standing& standing = standing_[lead(contact.body_a)];
    if (standing != Standing::closes) {
      if (standing == Standing::quiet) ++quiet_components_;
      standing = Standing::left_out;
      continue;
    }
    const bool against_shape = contact.body_b == kNone;
    PointProblem::Row row;
    row.a = point(contact.body_a, moment);
    if (!against_shape) row.b = point(contact.body_b, moment);
    row.normal = {contact.normal.x, contact.normal.y, contact.normal.z};
    Vec3 surface;
    if (against_shape) {
      surface = other_velocity(contact, moment);
      row.offset = dot(contact.normal, surface);
    }
    const PairCoefficients& pair = coefficients(contact);
    if (!moment.restitution.empty()) {
      row.restitution = moment.restitution[k];
    } else if (pair.restitution_speed > 0.0) {
      row.restitution = restitution_at(pair, assembler_->closing_speed(contact, k, moment));
    } else {
      row.restitution = pair.restitution;
    }
    lossless_ = lossless_ && row.restitution == 1.0;
    if (!opening_speed.empty()) {
      row.restitution = 0.0;
      row.offset += opening_speed[k];
    }
    problem_.rows.push_back(row);
    first_point_.push_back(row.a);
    contact_of_.push_back(k);
    if (!rubs_) continue;
    problem_.rubbing.push_back(rubbing(contact, pair.friction, surface));
    lossless_ = lossless_ && pair.friction == 0.0;
  }
}

void PointImpact::resolve(std::span<const Contact> contacts, const ImpactMoment& moment,
                          const ImpactSettings& settings, std::span<const double> opening_speed) {
  joined_.clear();
  lone_.clear();
  quiet_components_ = 0;
  if (opening_speed.empty() && moment.restitution.empty() && !rubs_) {
    answer_lone(contacts, moment, settings.tolerance);
  } else {
    joined_.resize(contacts.size());
    std::iota(joined_.begin(), joined_.end(), Index{0});
  }
  find_closing(contacts, moment, opening_speed);
  assemble(contacts, moment, opening_speed);
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
