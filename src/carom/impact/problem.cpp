// Bodies and contacts as they are added to an impact problem, with what is refused.
#include "carom/impact/problem.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <Eigen/Core>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/detail/contact_gradients.h"
#include "carom/impact/detail/problem_checks.h"

namespace carom {
namespace {

using detail::check_position;
using detail::check_velocity;
using detail::count;
using detail::inverse_block;
using detail::mass_block;
using detail::space_dimension;
using detail::Subject;
using detail::subject;
using Matrix = detail::MassMatrix;

}  // namespace

std::string_view to_string(BodyKind kind) {
  switch (kind) {
    case BodyKind::ball:
      return "ball";
    case BodyKind::rigid_2d:
      return "rigid_2d";
    case BodyKind::rigid_3d:
      return "rigid_3d";
  }
  return "?";
}

Index ImpactProblem::add_body(const BodyDefinition& definition) {
  const Subject who = subject("body", bodies_.size(), definition.name);
  check_velocity(who, definition.kind, definition.velocity);
  const std::size_t size = definition.velocity.size();
  const std::size_t space = space_dimension(definition.kind, size);
  check_position(who, definition.kind, space, definition.position);
  const bool general = !definition.mass_matrix.empty();
  const Matrix mass = mass_block(who, definition);
  const Matrix inverse = inverse_block(who, mass, general);
  if (!inverse.allFinite()) who.refuse("mass", "its inverse is not finite");

  Body body{definition.kind,
            false,
            !general,
            definition.position.has_value(),
            static_cast<Index>(velocities_.size()),
            static_cast<Index>(size),
            static_cast<Index>(inverse_mass_.size()),
            general ? 0.0 : definition.mass,
            {},
            definition.name};
  if (definition.position)
    std::copy(definition.position->begin(), definition.position->end(), body.position.begin());
  velocities_.insert(velocities_.end(), definition.velocity.begin(), definition.velocity.end());
  mass_.insert(mass_.end(), mass.data(), mass.data() + mass.size());
  inverse_mass_.insert(inverse_mass_.end(), inverse.data(), inverse.data() + inverse.size());
  bodies_.push_back(std::move(body));
  return body_count() - 1;
}

Index ImpactProblem::add_scripted(const ScriptedDefinition& definition) {
  const Subject who = subject("body", bodies_.size(), definition.name);
  check_velocity(who, definition.kind, definition.velocity);
  const std::size_t size = definition.velocity.size();
  check_position(who, definition.kind, space_dimension(definition.kind, size), definition.position);
  Body body{definition.kind,
            true,
            false,
            definition.position.has_value(),
            static_cast<Index>(velocities_.size()),
            static_cast<Index>(size),
            kNone,
            0.0,
            {},
            definition.name};
  if (definition.position)
    std::copy(definition.position->begin(), definition.position->end(), body.position.begin());
  velocities_.insert(velocities_.end(), definition.velocity.begin(), definition.velocity.end());
  bodies_.push_back(std::move(body));
  return body_count() - 1;
}

void ImpactProblem::set_velocity(Index body, std::span<const double> velocity) {
  if (body >= body_count()) {
    throw InputError({"", 0, 0, "body " + std::to_string(body)}, "there is no such body");
  }
  const Subject who = subject("body", body, bodies_[body].name);
  if (velocity.size() != bodies_[body].size) {
    who.refuse("velocity", "expected " + std::to_string(bodies_[body].size) + " numbers, found " +
                               std::to_string(velocity.size()));
  }
  who.demand_finite("velocity", velocity);
  std::copy(velocity.begin(), velocity.end(), velocities_.begin() + bodies_[body].dof);
}

Index ImpactProblem::add_row(const RowDefinition& definition) {
  const Subject who = subject("row", rows_.size(), definition.name);
  const auto check_side = [&](const std::string& field, Index body, const Numbers& gradient) {
    who.demand_finite(field, gradient);
    if (body != kNone && body >= body_count()) {
      who.refuse(field, "there is no body " + std::to_string(body));
    }
    const std::size_t expected = body == kNone ? 0 : bodies_[body].size;
    if (gradient.size() != expected) {
      who.refuse(field, "expected " + count(expected, "number") +
                            (body == kNone ? " (no body on that side)"
                                           : ", as " + describe_body(body) + " has") +
                            ", found " + std::to_string(gradient.size()));
    }
  };
  if (definition.body_a == kNone) who.refuse("body_a", "a row must touch a body");
  check_side("gradient_a", definition.body_a, definition.gradient_a);
  check_side("gradient_b", definition.body_b, definition.gradient_b);
  if (definition.body_a == definition.body_b) who.refuse("body_b", "must differ from body_a");
  const auto movable = [&](Index body) { return body != kNone && !bodies_[body].scripted; };
  const auto is_zero = [](const Numbers& n) {
    return std::all_of(n.begin(), n.end(),
                       [](double x) { return std::abs(x) < 1.0 / detail::kLargestNumber; });
  };
  if (!movable(definition.body_a) && !movable(definition.body_b)) {
    who.refuse("", "touches no body that can move");
  }
  if ((!movable(definition.body_a) || is_zero(definition.gradient_a)) &&
      (!movable(definition.body_b) || is_zero(definition.gradient_b))) {
    who.refuse("gradient", "is zero on every body that can move");
  }
  who.demand_finite("offset", definition.offset);
  who.demand_finite("restitution", definition.restitution);
  if (definition.restitution < 0.0 || definition.restitution > 1.0) {
    who.refuse("restitution",
               "must be between 0 and 1, found " + number_text(definition.restitution));
  }
  who.demand_finite("friction", definition.friction);
  if (definition.friction < 0.0) {
    who.refuse("friction", "must not be negative, found " + number_text(definition.friction));
  }
  who.demand_positive("stiffness", definition.stiffness);
  if (definition.own_diagonal != 0.0) {
    who.demand_positive("own_diagonal", definition.own_diagonal);
  }
  if (definition.tangents.size() > 2) who.refuse("tangents", "at most two are possible");
  if (definition.friction > 0.0 && definition.tangents.empty()) {
    who.refuse("tangents", "friction needs at least one tangent");
  }
  for (const RowDefinition::Tangent& tangent : definition.tangents) {
    check_side("tangents.gradient_a", definition.body_a, tangent.gradient_a);
    check_side("tangents.gradient_b", definition.body_b, tangent.gradient_b);
    who.demand_finite("tangents.offset", tangent.offset);
  }

  const auto append = [](std::vector<double>& to, const Numbers& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  rows_.push_back({definition.body_a, definition.body_b, static_cast<Index>(gradients_.size()),
                   static_cast<Index>(tangents_.size()),
                   static_cast<Index>(definition.tangents.size()), definition.offset,
                   definition.restitution, definition.friction, definition.stiffness,
                   definition.own_diagonal, definition.name});
  append(gradients_, definition.gradient_a);
  append(gradients_, definition.gradient_b);
  for (const RowDefinition::Tangent& tangent : definition.tangents) {
    append(tangents_, tangent.gradient_a);
    append(tangents_, tangent.gradient_b);
    tangents_.push_back(tangent.offset);
  }
  return row_count() - 1;
}

Index ImpactProblem::add_contact(const ContactDefinition& definition) {
  const Subject who = subject("row", rows_.size(), definition.name);
  std::vector<ContactSide> sides;
  for (const Index body : {definition.body_a, definition.body_b}) {
    if (body == kNone) continue;
    if (body >= body_count()) who.refuse("body", "there is no body " + std::to_string(body));
    const Body& b = bodies_[body];
    if (b.kind != BodyKind::ball && !b.has_position) {
      who.refuse("point", describe_body(body) + " is rigid and needs a position");
    }
    if (b.kind != BodyKind::ball && !definition.point) {
      who.refuse("point", "is needed, because " + describe_body(body) + " is rigid");
    }
    sides.push_back({b.kind, space_dimension(b.kind, b.size), b.position});
  }
  if (definition.body_a == kNone) who.refuse("body_a", "a contact must touch a body");
  const std::size_t space = sides[0].space;
  if (sides.size() == 2 && sides[1].space != space) {
    who.refuse("body_b", "lives in " + std::to_string(sides[1].space) + "D, but body_a in " +
                             std::to_string(space) + "D");
  }
  who.demand_finite("normal", definition.normal);
  if (definition.normal.size() != space) {
    who.refuse("normal", "expected " + count(space, "number") + ", found " +
                             std::to_string(definition.normal.size()));
  }
  for (const std::optional<Numbers>* point : {&definition.point, &definition.point_b}) {
    if (!*point) continue;
    who.demand_finite("point", **point);
    if ((*point)->size() != space) {
      who.refuse("point", "expected " + count(space, "number") + ", found " +
                              std::to_string((*point)->size()));
    }
  }
  const std::optional<Numbers>& point_b =
      definition.point_b ? definition.point_b : definition.point;
  const std::optional<Numbers> normal = unit_vector(definition.normal);
  if (!normal) who.refuse("normal", "has no length");

  RowDefinition row;
  row.body_a = definition.body_a;
  row.body_b = definition.body_b;
  row.offset = definition.offset;
  row.restitution = definition.restitution;
  row.friction = definition.friction;
  row.stiffness = definition.stiffness;
  row.name = definition.name;
  row.gradient_a = contact_gradient(sides[0], definition.point, *normal, 1.0);
  if (sides.size() == 2) row.gradient_b = contact_gradient(sides[1], point_b, *normal, -1.0);
  for (const Numbers& direction : tangent_directions(*normal)) {
    RowDefinition::Tangent tangent;
    tangent.gradient_a = contact_gradient(sides[0], definition.point, direction, 1.0);
    if (sides.size() == 2) {
      tangent.gradient_b = contact_gradient(sides[1], point_b, direction, -1.0);
    }
    row.tangents.push_back(tangent);
  }
  if (definition.friction > 0.0 && row.tangents.empty()) {
    who.refuse("friction", "there is no tangent in 1D");
  }
  return add_row(row);
}

std::span<const double> ImpactProblem::mass_matrix(Index body) const {
  const Body& b = bodies_[body];
  if (b.scripted) return {};
  return {mass_.data() + b.inverse_mass_at, static_cast<std::size_t>(b.size) * b.size};
}

std::span<const double> ImpactProblem::inverse_mass(Index body) const {
  const Body& b = bodies_[body];
  if (b.scripted) return {};
  return {inverse_mass_.data() + b.inverse_mass_at, static_cast<std::size_t>(b.size) * b.size};
}

std::span<const double> ImpactProblem::gradient_a(Index row) const {
  return {gradients_.data() + rows_[row].values, bodies_[rows_[row].body_a].size};
}

std::span<const double> ImpactProblem::gradient_b(Index row) const {
  const Row& r = rows_[row];
  if (r.body_b == kNone) return {};
  return {gradients_.data() + r.values + bodies_[r.body_a].size, bodies_[r.body_b].size};
}

Index ImpactProblem::sides_size(const Row& row) const {
  return bodies_[row.body_a].size + (row.body_b == kNone ? 0 : bodies_[row.body_b].size);
}

std::span<const double> ImpactProblem::tangent_a(Index row, Index tangent) const {
  const Row& r = rows_[row];
  return {tangents_.data() + r.tangents + tangent * (sides_size(r) + 1), bodies_[r.body_a].size};
}

std::span<const double> ImpactProblem::tangent_b(Index row, Index tangent) const {
  const Row& r = rows_[row];
  if (r.body_b == kNone) return {};
  return {tangents_.data() + r.tangents + tangent * (sides_size(r) + 1) + bodies_[r.body_a].size,
          bodies_[r.body_b].size};
}

double ImpactProblem::tangent_offset(Index row, Index tangent) const {
  const Row& r = rows_[row];
  return tangents_[r.tangents + tangent * (sides_size(r) + 1) + sides_size(r)];
}

std::string ImpactProblem::describe_body(Index body) const {
  return subject("body", body, bodies_[body].name).text;
}

std::string ImpactProblem::describe_row(Index row) const {
  const Row& r = rows_[row];
  if (!r.name.empty()) return subject("row", row, r.name).text;
  const auto label = [&](Index body) {
    if (body == kNone) return std::string("fixed");
    return bodies_[body].name.empty() ? std::to_string(body) : bodies_[body].name;
  };
  return subject("row", row, label(r.body_a) + ", " + label(r.body_b)).text;
}

}  // namespace carom
