// The impact of a symmetric world, on one body and one contact of each orbit.
#include "carom/contact/detail/symmetric_impact.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "carom/core/joined_sets.h"
#include "carom/impact/operators/lzb.h"

namespace carom::detail {
namespace {

// Gradients shorter than this are round-off of a row that symmetry cancels.
constexpr double kNothing = 1e-12;

Numbers numbers(const Vec3& v, double factor) { return {factor * v.x, factor * v.y}; }

}  // namespace

SymmetricImpact::SymmetricImpact(const ImpactScene& scene, const ExactSymmetry& symmetry)
    : scene_(scene),
      symmetry_(&symmetry),
      rubs_(scene.settings->friction_model != "none"),
      spring_exponent_(lzb_exponent(scene.settings->impact_operator)),
      surfaces_(*scene.world),
      orbits_(symmetry, scene.world->bodies.size()),
      problem_body_(scene.world->bodies.size(), kNone),
      parent_(scene.world->bodies.size(), kNone),
      averaged_(scene.world->bodies.size(), 0) {}

SymmetricImpact::Gradient SymmetricImpact::reduced(const Contact& contact,
                                                   const Vec3& direction) const {
  const auto pulled_back = [&](Index body, const Vec3& d) {
    const Vec3 at_lead = image(inverse(symmetry_->from_representative(body)), d);
    return symmetry_->projected(symmetry_->representative(body), at_lead);
  };
  Gradient g;
  g.at_a = pulled_back(contact.body_a, direction);
  if (contact.body_b != kNone) {
    const bool same =
        symmetry_->representative(contact.body_a) == symmetry_->representative(contact.body_b);
    (same ? g.at_a : g.at_b) += pulled_back(contact.body_b, -direction);
  }
  if (norm(g.at_a) < kNothing) g.at_a = {};
  if (norm(g.at_b) < kNothing) g.at_b = {};
  return g;
}

Index SymmetricImpact::problem_body(Index body, const ImpactMoment& moment) {
  Index& known = problem_body_[body];
  if (known != kNone) return known;
  BodyDefinition definition;
  definition.mass = scene_.world->bodies.mass[body] / symmetry_->stabilizer(body);  // (2)
  definition.velocity = numbers(moment.velocity[body], 1.0);
  body_of_.push_back(body);
  known = problem_.add_body(definition);
  return known;
}

void SymmetricImpact::assemble(std::span<const Contact> contacts, const ImpactMoment& moment) {
  for (const Index body : body_of_) problem_body_[body] = kNone;
  body_of_.clear();
  orbit_of_row_.clear();
  row_factor_.clear();
  tangent_.clear();
  squeezed_.clear();
  problem_ = ImpactProblem();
  for (Index number = 0; number < orbits_.orbits().size(); ++number) {
    const ContactOrbits::Orbit& orbit = orbits_.orbits()[number];
    const Index rows = problem_.row_count();
    add_row(contacts[orbit.leader], orbit, moment);
    if (problem_.row_count() > rows) orbit_of_row_.push_back(number);
  }
}

PairCoefficients SymmetricImpact::coefficients(const Contact& contact) const {
  const std::vector<Index>& material = scene_.world->bodies.material;
  const Index other = contact.body_b == kNone ? scene_.world->shapes[contact.shape].material
                                              : material[contact.body_b];
  return scene_.world->materials.coefficients(material[contact.body_a], other);
}

void SymmetricImpact::add_row(const Contact& contact, const ContactOrbits::Orbit& orbit,
                              const ImpactMoment& moment) {
  const bool against_shape = contact.body_b == kNone;
  const Vec3 surface = against_shape ? surfaces_.surface_velocity(contact.shape, moment) : Vec3{};
  const Vec3 along = {-contact.normal.y, contact.normal.x, 0.0};
  const PairCoefficients pair = coefficients(contact);
  Gradient normal = reduced(contact, contact.normal);
  Gradient tangent;
  if (rubs_ && pair.friction > 0.0) tangent = reduced(contact, along);
  if (normal.at_a == Vec3{} && normal.at_b == Vec3{}) {
    if (dot(contact.normal, surface) > kNothing * norm(surface)) squeezed_.push_back(orbit.leader);
    return;
  }
  // A side that the row does not reach is no part of it.
  Index lead_a = symmetry_->representative(contact.body_a);
  Index lead_b = against_shape ? kNone : symmetry_->representative(contact.body_b);
  if (normal.at_b == Vec3{} && tangent.at_b == Vec3{}) lead_b = kNone;
  if (normal.at_a == Vec3{} && tangent.at_a == Vec3{}) {
    lead_a = std::exchange(lead_b, kNone);
    normal = {normal.at_b, {}};
    tangent = {tangent.at_b, {}};
  }
  const double factor = 1.0 / std::sqrt(static_cast<double>(orbit.stabilizer));  // (2)
  RowDefinition row;
  row.body_a = problem_body(lead_a, moment);
  row.gradient_a = numbers(normal.at_a, factor);
  if (lead_b != kNone) {
    row.body_b = problem_body(lead_b, moment);
    row.gradient_b = numbers(normal.at_b, factor);
  }
  row.offset = factor * dot(contact.normal, surface);
  const std::vector<double>& mass = scene_.world->bodies.mass;
  row.own_diagonal = 1.0 / mass[contact.body_a];
  if (!against_shape) row.own_diagonal += 1.0 / mass[contact.body_b];
  row.restitution = pair.restitution;
  if (pair.restitution_speed > 0.0) {
    row.restitution = restitution_at(pair, surfaces_.closing_speed(contact, 0, moment));
  }
  row.stiffness = pair.stiffness * std::pow(factor, 1.0 - spring_exponent_);  // (3)
  if (tangent.at_a != Vec3{} || tangent.at_b != Vec3{}) {
    row.friction = pair.friction;
    RowDefinition::Tangent definition;
    definition.gradient_a = numbers(tangent.at_a, factor);
    if (lead_b != kNone) definition.gradient_b = numbers(tangent.at_b, factor);
    definition.offset = factor * dot(along, surface);
    row.tangents.push_back(definition);
  }
  problem_.add_row(row);
  row_factor_.push_back(factor);
  tangent_.push_back(along);
}

void SymmetricImpact::expand(const ImpactResult& result, std::vector<Vec3>& velocity,
                             std::vector<double>& impulses, std::vector<Vec3>& friction) const {
  for (Index row = 0; row < problem_.row_count(); ++row) {
    const Index leader = orbits_.orbits()[orbit_of_row_[row]].leader;
    impulses[leader] = result.impulses[row] / row_factor_[row];
    friction[leader] = (result.friction_impulses[2 * row] / row_factor_[row]) * tangent_[row];
  }
  for (Index k = 0; k < problem_.body_count(); ++k) {
    const std::span<const double> v = result.velocity(problem_, k);
    velocity[body_of_[k]] = {v[0], v[1], 0.0};
  }
  symmetry_->complete_velocities(velocity);
  follow_leaders(impulses, friction);
}

void SymmetricImpact::average(std::span<const Contact> contacts, std::vector<Vec3>& velocity,
                              std::vector<double>& impulses, std::vector<Vec3>& friction) {
  const std::span<const ContactOrbits::Orbit> orbits = orbits_.orbits();
  const std::span<const ContactOrbits::Member> members = orbits_.members();
  for (const ContactOrbits::Orbit& orbit : orbits) {
    for (const Index body : {contacts[orbit.leader].body_a, contacts[orbit.leader].body_b}) {
      if (body == kNone) continue;
      const Index lead = symmetry_->representative(body);
      if (averaged_[lead] == 0) symmetry_->average_velocity(lead, velocity);
      averaged_[lead] = 1;
    }
  }
  for (const Contact& contact : contacts) {
    averaged_[symmetry_->representative(contact.body_a)] = 0;
    if (contact.body_b != kNone) averaged_[symmetry_->representative(contact.body_b)] = 0;
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    const ContactOrbits::Member& member = members[k];
    const Index leader = orbits[member.orbit].leader;
    if (leader == k) continue;
    impulses[leader] += impulses[k];
    const Vec3 rubbed = image(inverse(member.operation), friction[k]);
    friction[leader] += member.reversed ? -rubbed : rubbed;
  }
  for (const ContactOrbits::Orbit& orbit : orbits) {
    const double share = 1.0 / static_cast<double>(orbit.members);
    impulses[orbit.leader] *= share;
    friction[orbit.leader] *= share;
  }
  follow_leaders(impulses, friction);
}

void SymmetricImpact::follow_leaders(std::vector<double>& impulses,
                                     std::vector<Vec3>& friction) const {
  const std::span<const ContactOrbits::Member> members = orbits_.members();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Index leader = orbits_.orbits()[members[k].orbit].leader;
    if (leader == k) continue;
    impulses[k] = impulses[leader];
    const Vec3 rubbed = image(members[k].operation, friction[leader]);
    friction[k] = members[k].reversed ? image(SquareOperation::half_turn, rubbed) : rubbed;
  }
}

Index SymmetricImpact::root(Index body) { return smallest_joined(parent_, body); }

SymmetricImpact::Count SymmetricImpact::count(std::span<const Contact> contacts,
                                              const ImpactReport& report) {
  Count sum;
  for (const Contact& contact : contacts) {
    for (const Index body : {contact.body_a, contact.body_b}) {
      if (body == kNone || parent_[body] != kNone) continue;
      parent_[body] = body;
      ++sum.components;
    }
    if (contact.body_b == kNone) continue;
    const Index a = root(contact.body_a);
    const Index b = root(contact.body_b);
    if (a == b) continue;
    parent_[std::max(a, b)] = std::min(a, b);
    --sum.components;
  }
  // A component of the reduced problem is there once for each component of its bodies' images. Some
  // of them may be one in the whole, joined by a body that symmetry keeps from moving.
  std::vector<std::pair<Index, std::uint64_t>> applications;
  for (const ComponentReport& component : report.components) {
    const Index body = body_of_[component.bodies.front()];
    for (std::size_t k = 0; k < symmetry_->operations().size(); ++k) {
      applications.emplace_back(root(symmetry_->body_image(k, body)), component.applications);
    }
  }
  std::sort(applications.begin(), applications.end());
  for (std::size_t k = 0; k < applications.size(); ++k) {
    const bool last =
        k + 1 == applications.size() || applications[k + 1].first != applications[k].first;
    if (last) sum.applications += applications[k].second;
  }
  for (const Contact& contact : contacts) {
    parent_[contact.body_a] = kNone;
    if (contact.body_b != kNone) parent_[contact.body_b] = kNone;
  }
  return sum;
}

}  // namespace carom::detail
