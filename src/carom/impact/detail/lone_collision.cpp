// A component of one contact, by the law of a collision with friction.
#include "carom/impact/detail/lone_collision.h"

#include <array>
#include <span>

namespace carom {
namespace {

constexpr Index kNormal = 2;  // where it stands in a Collision

// Tangents and normal of the row, unscaled, over the component's blocks; kNone for a tangent that
// the row does not have.
struct ContactRows {
  solvers::BlockRows rows;
  std::array<Index, 3> number = {kNone, kNone, kNone};
};

ContactRows contact_rows(const ComponentSystem& system) {
  const ImpactProblem& problem = *system.problem;
  const Index id = system.row_ids.front();
  const ImpactProblem::Row& row = problem.row(id);
  ContactRows contact;
  for (const Index block : system.all_blocks) {
    contact.rows.add_block(system.rows.block_size(block), system.rows.inverse_mass(block));
  }
  const auto add = [&](std::span<const double> side_a, std::span<const double> side_b) {
    std::array<solvers::RowPart, 2> parts;
    std::size_t count = 0;
    for (const solvers::BlockRows::Entry& entry : system.rows.entries(0)) {
      const bool is_a = system.bodies[entry.block] == row.body_a;
      parts[count++] = {entry.block, is_a ? side_a : side_b};
    }
    return contact.rows.add_row({parts.data(), count});
  };
  for (Index t = 0; t < row.tangent_count; ++t) {
    contact.number[t] = add(problem.tangent_a(id, t), problem.tangent_b(id, t));
  }
  contact.number[kNormal] = add(problem.gradient_a(id), problem.gradient_b(id));
  contact.rows.finish();
  return contact;
}

}  // namespace

bool is_lone_collision(const ComponentSystem& system, const ImpactSettings& settings) {
  if (settings.friction_model != "collision" || system.row_ids.size() != 1) return false;
  const ImpactProblem::Row& row = system.problem->row(system.row_ids.front());
  return row.friction > 0.0 && row.tangent_count > 0 && row.own_diagonal == 0.0;
}

LoneCollision resolve_lone_collision(const ComponentSystem& system,
                                     const ImpactSettings& settings) {
  const ContactRows contact = contact_rows(system);
  const ImpactProblem::Row& row = system.problem->row(system.row_ids.front());
  Collision collision;
  collision.friction = row.friction;
  collision.restitution = row.restitution;
  collision.end = settings.restitution_end;
  const double scale = system.scale.front();
  const std::array<double, 3> surface = {system.tangent_offset[0], system.tangent_offset[1],
                                         system.offset.front() / scale};
  for (std::size_t i = 0; i < 3; ++i) {
    if (contact.number[i] == kNone) continue;
    collision.velocity[i] = contact.rows.dot(contact.number[i], system.velocity) - surface[i];
    for (std::size_t j = 0; j < 3; ++j) {
      if (contact.number[j] == kNone) continue;
      collision.mobility[3 * i + j] = contact.rows.product(contact.number[i], contact.number[j]);
    }
  }
  LoneCollision lone;
  lone.outcome = collide(collision);
  lone.velocity = system.velocity;
  for (std::size_t i = 0; i < 3; ++i) {
    if (contact.number[i] == kNone) continue;
    contact.rows.apply(contact.number[i], lone.outcome.impulse[i], lone.velocity);
  }
  lone.lambda = lone.outcome.impulse[kNormal] / scale;
  lone.tangential = {lone.outcome.impulse[0], lone.outcome.impulse[1]};
  return lone;
}

}  // namespace carom
