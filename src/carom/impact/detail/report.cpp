#include "carom/impact/detail/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "carom/impact/detail/vector3.h"

namespace carom {
namespace {

void add(Vector3& sum, const Vector3& term) {
  for (std::size_t k = 0; k < 3; ++k) sum[k] += term[k];
}

// Linear and angular impulse of a wrench given as the numbers of one body (a momentum, or the
// gradient of a row), about the component's centre.
struct Wrench {
  Vector3 linear{};
  Vector3 angular{};
};

Wrench wrench_of(const ImpactProblem::Body& body, std::span<const double> numbers,
                 const Vector3& centre) {
  Wrench wrench;
  std::copy_n(numbers.begin(), linear_size(body), wrench.linear.begin());
  Vector3 arm{};
  for (std::size_t k = 0; k < 3; ++k) arm[k] = body.position[k] - centre[k];
  wrench.angular = cross(arm, wrench.linear);
  if (body.kind == BodyKind::rigid_2d) wrench.angular[2] += numbers[2];
  if (body.kind == BodyKind::rigid_3d) {
    for (std::size_t k = 0; k < 3; ++k) wrench.angular[k] += numbers[3 + k];
  }
  return wrench;
}

// Momentum of a free component and what it is to be compared with.
struct Momentum {
  Vector3 linear{};
  Vector3 angular{};
  double linear_size = 0.0;
  double angular_size = 0.0;
};

Vector3 centre_of(const ComponentSystem& system) {
  Vector3 centre{};
  for (const Index body : system.bodies) add(centre, system.problem->body(body).position);
  for (double& x : centre) x /= static_cast<double>(system.bodies.size());
  return centre;
}

Momentum momentum_of(const ComponentSystem& system, std::span<const double> velocity) {
  Momentum sum;
  const Vector3 centre = centre_of(system);
  for (Index block = 0; block < system.bodies.size(); ++block) {
    const Index body = system.bodies[block];
    const ImpactProblem::Body& b = system.problem->body(body);
    const std::span<const double> mass = system.problem->mass_matrix(body);
    const double* v = velocity.data() + system.rows.block_dof(block);
    std::array<double, Numbers::kCapacity> p{};
    for (Index k = 0; k < b.size; ++k) {
      for (Index l = 0; l < b.size; ++l) p[k] += mass[k * b.size + l] / system.mass_unit * v[l];
    }
    const Wrench wrench = wrench_of(b, {p.data(), b.size}, centre);
    Vector3 arm = b.position;
    for (std::size_t k = 0; k < 3; ++k) arm[k] -= centre[k];
    add(sum.linear, wrench.linear);
    add(sum.angular, wrench.angular);
    sum.linear_size += length(wrench.linear);
    sum.angular_size += length(arm) * length(wrench.linear) + length(wrench.angular);
  }
  return sum;
}

// Angular momentum is judged where every position is known and every impulse that acted has no
// torque of its own: balls that do not turn cannot take the torque of friction, nor that of a
// normal that is not along the line of centres.
bool angular_is_defined(const ComponentSystem& system, const ComponentOutcome& outcome) {
  const ImpactProblem& problem = *system.problem;
  for (const Index body : system.bodies) {
    if (!problem.body(body).has_position || !problem.body(body).plain_mass) return false;
  }
  const Vector3 centre = centre_of(system);
  constexpr double kSame = 1e-9;
  const auto balanced = [&](Index row, std::span<const double> a, std::span<const double> b) {
    Wrench sum = wrench_of(problem.body(problem.row(row).body_a), a, centre);
    const double size = length(sum.angular) + length(sum.linear);
    const Wrench other = wrench_of(problem.body(problem.row(row).body_b), b, centre);
    add(sum.angular, other.angular);
    return length(sum.angular) <= kSame * size;
  };
  for (Index local = 0; local < system.row_ids.size(); ++local) {
    const Index row = system.row_ids[local];
    if (!balanced(row, problem.gradient_a(row), problem.gradient_b(row))) return false;
    for (Index t = 0; t < problem.row(row).tangent_count; ++t) {
      if (outcome.tangential.empty() || outcome.tangential[2 * local + t] == 0.0) continue;
      if (!balanced(row, problem.tangent_a(row, t), problem.tangent_b(row, t))) return false;
    }
  }
  return true;
}

double change(const Vector3& after, const Vector3& before, double size) {
  Vector3 difference = after;
  for (std::size_t k = 0; k < 3; ++k) difference[k] -= before[k];
  const double absolute = length(difference);
  return absolute == 0.0 ? 0.0 : absolute / size;
}

void measure_momentum(const ComponentSystem& system, const ComponentOutcome& outcome,
                      ComponentReport& report) {
  if (!system.free) return;
  const Index space = linear_size(system.problem->body(system.bodies.front()));
  for (const Index body : system.bodies) {
    if (linear_size(system.problem->body(body)) != space) return;
  }
  const Momentum before = momentum_of(system, system.velocity);
  const Momentum after = momentum_of(system, outcome.velocity);
  report.momentum_linear =
      change(after.linear, before.linear, std::max(before.linear_size, after.linear_size));
  if (angular_is_defined(system, outcome)) {
    report.momentum_angular =
        change(after.angular, before.angular, std::max(before.angular_size, after.angular_size));
  }
}

double larger_in_size(double a, double b) { return std::abs(b) > std::abs(a) ? b : a; }

}  // namespace

void measure_laws(const ComponentSystem& system, const ComponentOutcome& outcome,
                  ComponentReport& report) {
  report.free = system.free;
  report.speed_scale = system.speed_scale * system.velocity_unit * std::sqrt(system.mass_unit);
  measure_momentum(system, outcome, report);
  const double before = system.kinetic_energy(system.velocity);
  const double after = system.kinetic_energy(outcome.velocity);
  double work = 0.0;
  double work_size = 0.0;
  double largest = 0.0;
  double pull = 0.0;
  for (Index row = 0; row < system.row_ids.size(); ++row) {
    const double normal_work = system.offset[row] * outcome.lambda[row];
    work += normal_work;
    work_size += std::abs(normal_work);
    for (std::size_t t = 0; t < 2 && !outcome.tangential.empty(); ++t) {
      const double term = system.tangent_offset[2 * row + t] * outcome.tangential[2 * row + t];
      work += term;
      work_size += std::abs(term);
    }
    report.total_impulse += outcome.lambda[row];
    largest = std::max(largest, std::abs(outcome.lambda[row]));
    pull = std::max(pull, -outcome.lambda[row]);
    const double closing =
        system.offset[row] - system.rows.dot(row, outcome.velocity);  // > 0: still closing
    report.feasibility = std::max(report.feasibility, closing);
  }
  if (before > 0.0) report.total_impulse /= std::sqrt(2.0 * before);
  const double scale = before + work_size;
  if (scale > 0.0) {
    report.energy = (after - before - work + outcome.energy_removed) / scale;
    report.lineality_energy = outcome.energy_removed / scale;
  }
  report.one_sided = largest > 0.0 ? pull / largest : 0.0;
  if (system.speed_scale > 0.0) report.feasibility /= system.speed_scale;
}

ImpactReport summarise(std::vector<ComponentReport> components) {
  ImpactReport report;
  for (const ComponentReport& each : components) {
    // Statuses are declared from best to worst, but for `cancelled`, which ends everything.
    report.status = std::max(report.status, each.status);
    report.applications = std::max(report.applications, each.applications);
    report.applications_total += each.applications;
    report.momentum_linear = std::max(report.momentum_linear, each.momentum_linear);
    if (each.momentum_angular) {
      report.momentum_angular =
          std::max(report.momentum_angular.value_or(0.0), *each.momentum_angular);
    }
    report.energy = larger_in_size(report.energy, each.energy);
    report.lineality_energy = std::max(report.lineality_energy, each.lineality_energy);
    report.one_sided = std::max(report.one_sided, each.one_sided);
    report.feasibility = std::max(report.feasibility, each.feasibility);
  }
  report.components = std::move(components);
  return report;
}

}  // namespace carom
