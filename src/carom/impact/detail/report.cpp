// The laws measured from an outcome.
#include "carom/impact/detail/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "carom/impact/detail/explained.h"
#include "carom/impact/detail/momentum.h"

namespace carom {
namespace {

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
  if (angular_is_defined(system, outcome.tangential)) {
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
  const double speeds = std::sqrt(2.0 * before) + std::sqrt(2.0 * after);
  if (speeds > 0.0) {
    report.unexplained =
        unexplained_speed(system, {outcome.lambda, outcome.tangential}, outcome.velocity) / speeds;
  }
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
    report.unexplained = std::max(report.unexplained, each.unexplained);
  }
  report.components = std::move(components);
  return report;
}

}  // namespace carom
