// The components of a problem, and their rows scaled in a frame of their own.
#include "carom/impact/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "carom/core/joined_sets.h"
#include "carom/impact/detail/vector3.h"

namespace carom {
namespace {

// The velocity field of a rigid body.
struct RigidMotion {
  Vector3 linear{};
  Vector3 angular{};
  Vector3 origin{};
};

// The rigid motion of a scripted body.
RigidMotion motion_of(const ImpactProblem& problem, Index body) {
  const ImpactProblem::Body& b = problem.body(body);
  const std::span<const double> v = problem.velocity(body);
  RigidMotion motion;
  std::copy_n(v.begin(), linear_size(b), motion.linear.begin());
  if (b.kind == BodyKind::rigid_2d) motion.angular[2] = v[2];
  if (b.kind == BodyKind::rigid_3d) std::copy_n(v.begin() + 3, 3, motion.angular.begin());
  motion.origin = b.position;
  return motion;
}

bool turns(const RigidMotion& motion) {
  return std::any_of(motion.angular.begin(), motion.angular.end(),
                     [](double x) { return x != 0.0; });
}

// What a rigid motion gives a body: its velocity numbers if it moved along.
Numbers field_at(const ImpactProblem::Body& body, const RigidMotion& motion) {
  Vector3 arm{};
  for (std::size_t k = 0; k < 3; ++k) arm[k] = body.position[k] - motion.origin[k];
  Vector3 linear = motion.linear;
  if (turns(motion)) {
    const Vector3 swing = cross(motion.angular, arm);
    for (std::size_t k = 0; k < 3; ++k) linear[k] += swing[k];
  }
  Numbers field = Numbers::zeros(body.size);
  std::copy_n(linear.begin(), linear_size(body), field.begin());
  if (body.kind == BodyKind::rigid_2d) field[2] = motion.angular[2];
  if (body.kind == BodyKind::rigid_3d) {
    std::copy_n(motion.angular.begin(), 3, field.begin() + 3);
  }
  return field;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double absolute_dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(a[k] * b[k]);
  return sum;
}

// The power of two next below a positive number, within what has an inverse; 1 for 0.
double power_of_two(double value) {
  if (!(value > 0.0)) return 1.0;
  constexpr int kLargest = 1000;
  return std::ldexp(1.0, std::clamp(std::ilogb(value), -kLargest, kLargest));
}

std::optional<RigidMotion> centre_of_mass_motion(const ImpactProblem& problem,
                                                 const ComponentSystem& component) {
  RigidMotion motion;
  double mass = 0.0;
  const Index space = linear_size(problem.body(component.bodies.front()));
  for (const Index body : component.bodies) {
    const ImpactProblem::Body& b = problem.body(body);
    if (!b.plain_mass || linear_size(b) != space) return std::nullopt;
    const double share = b.mass / component.mass_unit;
    mass += share;
    for (Index k = 0; k < space; ++k) motion.linear[k] += share * problem.velocity(body)[k];
  }
  for (double& x : motion.linear) x /= mass;
  return motion;
}

// The one motion that all scripted partners share, if there is one.
std::optional<RigidMotion> scripted_motion(const ImpactProblem& problem,
                                           const ComponentSystem& component) {
  std::optional<RigidMotion> shared;
  Index owner = kNone;
  for (const Index row : component.row_ids) {
    const ImpactProblem::Row& r = problem.row(row);
    if (r.body_b == kNone) return std::nullopt;  // something fixed in the lab
    for (const Index body : {r.body_a, r.body_b}) {
      if (!problem.body(body).scripted || body == owner) continue;
      const RigidMotion motion = motion_of(problem, body);
      if (!shared) {
        shared = motion;
        owner = body;
        continue;
      }
      if (turns(motion) || turns(*shared) || motion.linear != shared->linear) return std::nullopt;
    }
  }
  if (!shared) return std::nullopt;
  if (turns(*shared)) {
    if (!problem.body(owner).has_position) return std::nullopt;
    for (const Index body : component.bodies) {
      if (!problem.body(body).has_position) return std::nullopt;
    }
  }
  return shared;
}

// A frame may be used only if no closing speed changes with it.
bool rows_allow(const ImpactProblem& problem, const ComponentSystem& component,
                const RigidMotion& motion) {
  constexpr double kSame = 1e-9;  // far above round-off, far below a gradient of another kind
  for (const Index row : component.row_ids) {
    const ImpactProblem::Row& r = problem.row(row);
    const Numbers at_a = field_at(problem.body(r.body_a), motion);
    const std::span<const double> field_a(at_a.begin(), at_a.size());
    double change = dot(problem.gradient_a(row), field_a);
    double size = absolute_dot(problem.gradient_a(row), field_a);
    if (r.body_b != kNone) {
      const Numbers at_b = field_at(problem.body(r.body_b), motion);
      const std::span<const double> field_b(at_b.begin(), at_b.size());
      change += dot(problem.gradient_b(row), field_b);
      size += absolute_dot(problem.gradient_b(row), field_b);
    }
    if (std::abs(change) > kSame * size) return false;
  }
  return true;
}

// Whether the rows of a free component act and react: gradients that are no contact rows may not.
bool rows_keep_momentum(const ImpactProblem& problem, const ComponentSystem& component) {
  constexpr double kSame = 1e-9;
  return std::all_of(component.row_ids.begin(), component.row_ids.end(), [&](Index row) {
    const ImpactProblem::Row& r = problem.row(row);
    const Index space = linear_size(problem.body(r.body_a));
    double sum = 0.0;
    double size = 0.0;
    for (Index k = 0; k < space; ++k) {
      const double a = problem.gradient_a(row)[k];
      const double b = problem.gradient_b(row)[k];
      sum = std::max(sum, std::abs(a + b));
      size = std::max(size, std::abs(a) + std::abs(b));
    }
    return sum <= kSame * size;
  });
}

void build_rows(ComponentSystem& system) {
  const ImpactProblem& problem = *system.problem;
  double heaviest = 0.0;
  for (const Index body : system.bodies) {
    heaviest = std::max(heaviest, problem.mass_matrix(body).front());
  }
  // A power of four: scaled speeds are in units of its root.
  system.mass_unit = power_of_two(heaviest);
  if (std::ilogb(system.mass_unit) % 2 != 0) system.mass_unit *= 0.5;
  std::array<double, Numbers::kCapacity * Numbers::kCapacity> block{};
  for (const Index body : system.bodies) {
    const std::span<const double> inverse = problem.inverse_mass(body);
    for (std::size_t k = 0; k < inverse.size(); ++k) block[k] = inverse[k] * system.mass_unit;
    system.rows.add_block(problem.body(body).size, {block.data(), inverse.size()});
  }
  const auto movable = [&](Index body) { return body != kNone && !problem.body(body).scripted; };
  const auto block_of = [&](Index body) {
    return static_cast<Index>(std::lower_bound(system.bodies.begin(), system.bodies.end(), body) -
                              system.bodies.begin());
  };
  std::array<solvers::RowPart, 2> parts;
  for (const Index row : system.row_ids) {
    const ImpactProblem::Row& r = problem.row(row);
    std::size_t count = 0;
    if (movable(r.body_a)) parts[count++] = {block_of(r.body_a), problem.gradient_a(row)};
    if (movable(r.body_b)) parts[count++] = {block_of(r.body_b), problem.gradient_b(row)};
    if (count < 2) system.free = false;
    const Index local = system.rows.add_row({parts.data(), count});
    const double diagonal =
        r.own_diagonal > 0.0 ? r.own_diagonal * system.mass_unit : system.rows.diagonal(local);
    const double scale = 1.0 / std::sqrt(diagonal);
    system.rows.scale_row(local, scale);
    system.scale.push_back(scale);
    system.restitution.push_back(r.restitution);
    system.stiffness.push_back(r.stiffness);
  }
  system.rows.finish();
}

// Divides all speeds by their unit, scales the offsets with their rows and finds u.
void choose_units(ComponentSystem& system) {
  double fastest = 0.0;
  for (const std::vector<double>* speeds :
       {&system.velocity, &system.offset, &system.tangent_offset}) {
    for (const double speed : *speeds) fastest = std::max(fastest, std::abs(speed));
  }
  system.velocity_unit = power_of_two(fastest);
  for (std::vector<double>* speeds : {&system.velocity, &system.offset, &system.tangent_offset}) {
    for (double& speed : *speeds) speed /= system.velocity_unit;
  }
  for (const Index block : system.all_blocks) {
    system.speed_scale =
        std::max(system.speed_scale, std::sqrt(system.block_energy(block, system.velocity)));
  }
  for (const Index row : system.all_rows) {
    system.offset[row] *= system.scale[row];
    system.speed_scale = std::max(system.speed_scale, std::abs(system.offset[row]));
  }
}

void enter_frame(ComponentSystem& system) {
  const ImpactProblem& problem = *system.problem;
  std::optional<RigidMotion> motion =
      system.free ? centre_of_mass_motion(problem, system) : scripted_motion(problem, system);
  if (motion && !rows_allow(problem, system, *motion)) motion.reset();
  // Nothing changes with a frame that does not move, whatever the rows are.
  system.in_centre_of_mass =
      system.free && motion.has_value() && rows_keep_momentum(problem, system);
  const auto field_of = [&](Index body) {
    const ImpactProblem::Body& b = problem.body(body);
    return motion ? field_at(b, *motion) : Numbers::zeros(b.size);
  };
  for (Index block = 0; block < system.bodies.size(); ++block) {
    const Index body = system.bodies[block];
    const Numbers field = field_of(body);
    for (Index k = 0; k < field.size(); ++k) {
      system.field.push_back(field[k]);
      system.velocity.push_back(problem.velocity(body)[k] - field[k]);
    }
  }
  for (Index local = 0; local < system.row_ids.size(); ++local) {
    const Index row = system.row_ids[local];
    const ImpactProblem::Row& r = problem.row(row);
    // The speed that scripted sides give, as the frame sees it.
    const auto scripted = [&](Index body, std::span<const double> gradient) {
      if (body == kNone || !problem.body(body).scripted) return 0.0;
      const Numbers field = field_of(body);
      double speed = 0.0;
      for (Index k = 0; k < field.size(); ++k) {
        speed += gradient[k] * (problem.velocity(body)[k] - field[k]);
      }
      return speed;
    };
    const double offset = r.offset - scripted(r.body_a, problem.gradient_a(row)) -
                          scripted(r.body_b, problem.gradient_b(row));
    system.offset.push_back(offset);
    for (Index t = 0; t < r.tangent_count; ++t) {
      system.tangent_offset[2 * local + t] = problem.tangent_offset(row, t) -
                                             scripted(r.body_a, problem.tangent_a(row, t)) -
                                             scripted(r.body_b, problem.tangent_b(row, t));
    }
  }
}

}  // namespace

std::vector<Component> find_components(const ImpactProblem& problem) {
  std::vector<Index> parent(problem.body_count());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index body) { return smallest_joined(parent, body); };
  const auto movable = [&](Index body) { return body != kNone && !problem.body(body).scripted; };
  for (Index row = 0; row < problem.row_count(); ++row) {
    const ImpactProblem::Row& r = problem.row(row);
    if (!movable(r.body_a) || !movable(r.body_b)) continue;
    join_sets(parent, r.body_a, r.body_b);  // the smallest body leads
  }
  std::vector<Index> component_of(problem.body_count(), kNone);
  std::vector<Component> components;
  for (Index row = 0; row < problem.row_count(); ++row) {
    const ImpactProblem::Row& r = problem.row(row);
    const Index lead = root(movable(r.body_a) ? r.body_a : r.body_b);
    if (component_of[lead] == kNone) component_of[lead] = 0;  // numbered below, by body
  }
  for (Index body = 0; body < problem.body_count(); ++body) {
    if (!movable(body) || component_of[root(body)] == kNone) continue;
    if (root(body) == body) {
      component_of[body] = static_cast<Index>(components.size());
      components.emplace_back();
    }
    components[component_of[root(body)]].bodies.push_back(body);
  }
  for (Index row = 0; row < problem.row_count(); ++row) {
    const ImpactProblem::Row& r = problem.row(row);
    Component& component = components[component_of[root(movable(r.body_a) ? r.body_a : r.body_b)]];
    component.rows.push_back(row);
  }
  return components;
}

ComponentSystem::ComponentSystem(const ImpactProblem& from, const Component& component)
    : problem(&from),
      bodies(component.bodies),
      row_ids(component.rows),
      all_rows(component.rows.size()),
      all_blocks(component.bodies.size()),
      tangent_offset(2 * component.rows.size(), 0.0) {
  std::iota(all_rows.begin(), all_rows.end(), Index{0});
  std::iota(all_blocks.begin(), all_blocks.end(), Index{0});
  build_rows(*this);
  enter_frame(*this);
  choose_units(*this);
}

void ComponentSystem::restore_momentum(std::span<double> v) const {
  if (!in_centre_of_mass) return;
  const Index space = linear_size(problem->body(bodies.front()));
  for (Index k = 0; k < space; ++k) {
    double excess = 0.0;
    double mass = 0.0;
    for (Index block = 0; block < bodies.size(); ++block) {
      const Index at = rows.block_dof(block) + k;
      const double share = problem->body(bodies[block]).mass / mass_unit;
      excess += share * (v[at] - velocity[at]);
      mass += share;
    }
    for (Index block = 0; block < bodies.size(); ++block) {
      v[rows.block_dof(block) + k] -= excess / mass;
    }
  }
}

double ComponentSystem::block_energy(Index block, std::span<const double> v) const {
  const std::span<const double> mass = problem->mass_matrix(bodies[block]);
  const Index size = rows.block_size(block);
  const double* u = v.data() + rows.block_dof(block);
  double sum = 0.0;
  for (Index k = 0; k < size; ++k) {
    double line = 0.0;
    for (Index l = 0; l < size; ++l) line += mass[k * size + l] / mass_unit * u[l];
    sum += u[k] * line;
  }
  return sum;
}

double ComponentSystem::kinetic_energy(std::span<const double> v) const {
  double sum = 0.0;
  for (const Index block : all_blocks) sum += block_energy(block, v);
  return 0.5 * sum;
}

double ComponentSystem::balance(std::span<const double> v, std::span<const double> impulses) const {
  double sum = kinetic_energy(v);
  for (const Index row : all_rows) sum -= offset[row] * impulses[row];
  return sum;
}

bool ComponentSystem::some_surface_moves() const {
  return std::any_of(offset.begin(), offset.end(), [](double w) { return w != 0.0; });
}

void ComponentSystem::write(std::span<const double> v, std::span<double> all) const {
  for (Index block = 0; block < bodies.size(); ++block) {
    const Index from = rows.block_dof(block);
    const Index to = problem->body(bodies[block]).dof;
    for (Index k = 0; k < rows.block_size(block); ++k) {
      if (v[from + k] == velocity[from + k]) continue;
      all[to + k] = field[from + k] + v[from + k] * velocity_unit;
    }
  }
}

}  // namespace carom
