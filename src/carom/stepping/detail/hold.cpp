#include "carom/stepping/detail/hold.h"

#include <algorithm>
#include <cmath>

namespace carom::detail {
namespace {

// Lengths below this fraction of a radius are not worth an impulse: a millionth of a radius in a
// million steps.
constexpr double kNegligibleDepth = 1e-12;
// Losses below this fraction of a component's energy are round-off: the impact was elastic.
constexpr double kNegligibleLoss = 1e-12;

double relative_normal_speed(const HoldInput& input, const Contact& contact,
                             const ContactAssembler& assembler) {
  const Vec3 other = contact.body_b != kNone
                         ? input.after[contact.body_b]
                         : assembler.surface_velocity(contact.shape, input.moment);
  return dot(contact.normal, input.after[contact.body_a] - other);
}

double smaller_radius(const HoldInput& input, const Contact& contact) {
  const double a = input.radius[contact.body_a];
  return contact.body_b == kNone ? a : std::min(a, input.radius[contact.body_b]);
}

// Work of the scripted surfaces on a component, for given normal impulses.
double scripted_work(const HoldInput& input, const ComponentReport& component,
                     std::span<const double> impulses, const ContactAssembler& assembler) {
  double work = 0.0;
  for (const Index row : component.rows) {
    const Contact& contact = input.contacts[row];
    if (contact.body_b != kNone) continue;
    work += impulses[row] *
            dot(contact.normal, assembler.surface_velocity(contact.shape, input.moment));
  }
  return work;
}

// Friction's impulse times the surface's velocity belongs to the work too.
double scripted_friction_work(const HoldInput& input, const ComponentReport& component,
                              const ContactAssembler& assembler) {
  double work = 0.0;
  for (const Index row : component.rows) {
    const Contact& contact = input.contacts[row];
    if (contact.body_b != kNone) continue;
    const Vec3 surface = assembler.surface_velocity(contact.shape, input.moment);
    for (Index k = 0; k < input.problem->row(row).tangent_count; ++k) {
      const std::span<const double> tangent = input.problem->tangent_a(row, k);
      const double z = tangent.size() > 2 ? tangent[2] * surface.z : 0.0;
      work += input.impact->friction_impulses[2 * row + k] *
              (tangent[0] * surface.x + tangent[1] * surface.y + z);
    }
  }
  return work;
}

Vec3 held_velocity(const ImpactResult& held, const ImpactProblem& problem, Index body) {
  const std::span<const double> v = held.velocity(problem, body);
  return {v[0], v[1], v.size() > 2 ? v[2] : 0.0};
}

// How far to go from v+ (0) to v++ (1) with the energy that the impact lost.
double affordable_part(double loss, double linear, double quadratic) {
  if (linear + quadratic <= loss) return 1.0;
  if (!(quadratic > 0.0)) return 0.0;
  const double root = std::sqrt(linear * linear + 4.0 * quadratic * loss);
  // the root without cancellation
  const double part =
      linear > 0.0 ? 2.0 * loss / (linear + root) : (root - linear) / (2.0 * quadratic);
  return std::clamp(part, 0.0, 1.0);
}

}  // namespace

Index opening_speeds(const HoldInput& input, ContactAssembler& assembler,
                     std::vector<double>& speeds) {
  speeds.resize(input.contacts.size());
  Index sinking = 0;
  for (std::size_t k = 0; k < input.contacts.size(); ++k) {
    const Contact& contact = input.contacts[k];
    const double speed = relative_normal_speed(input, contact, assembler);
    const double missing = std::min(contact.gap, 0.0) - contact.gap_end;
    if (missing > kNegligibleDepth * smaller_radius(input, contact)) {
      speeds[k] = speed + missing / input.moment.step;
      ++sinking;
    } else {
      speeds[k] = std::min(speed, 0.0);
    }
  }
  return sinking;
}

HoldResult hold_rows(const HoldInput& input, std::span<const double> opening_speeds,
                     ContactAssembler& assembler) {
  HoldResult result;
  // The problem of the impact is needed for its components only: they have the same numbers here,
  // because bodies and rows are added in the same order.
  ContactAssembler::Options options;
  options.opening_speed = opening_speeds;
  ImpactMoment moment = input.moment;
  moment.velocity = input.after;
  assembler.assemble(input.contacts, moment, options);
  ImpactSettings settings;
  settings.impact_operator = "lcp";
  const ImpactResult held = resolve_impacts(assembler.problem(), settings);
  result.impulses.assign(input.contacts.size(), 0.0);

  for (const ComponentReport& component : input.impact->report.components) {
    double before = 0.0;
    double after = 0.0;
    double linear = 0.0;
    double quadratic = 0.0;
    for (const Index body : component.bodies) {
      const Index scene = input.scene_bodies[body];
      if (scene == kNone) continue;
      const Vec3 change = held_velocity(held, assembler.problem(), body) - input.after[scene];
      before += 0.5 * input.mass[scene] * norm_squared(input.moment.velocity[scene]);
      after += 0.5 * input.mass[scene] * norm_squared(input.after[scene]);
      linear += input.mass[scene] * dot(input.after[scene], change);
      quadratic += 0.5 * input.mass[scene] * norm_squared(change);
    }
    if (!(quadratic > 0.0)) continue;
    const double loss = before - after +
                        scripted_work(input, component, input.impact->impulses, assembler) +
                        scripted_friction_work(input, component, assembler);
    if (!(loss > kNegligibleLoss * (before + after))) continue;
    linear -= scripted_work(input, component, held.impulses, assembler);
    const double part = affordable_part(loss, linear, quadratic);
    for (const Index body : component.bodies) {
      const Index scene = input.scene_bodies[body];
      if (scene == kNone) continue;
      const Vec3 target = held_velocity(held, assembler.problem(), body);
      const Vec3 velocity =
          part == 1.0 ? target : input.after[scene] + part * (target - input.after[scene]);
      result.changes.push_back({scene, velocity});
    }
    for (const Index row : component.rows) {
      result.impulses[row] = part * held.impulses[row];
      if (result.impulses[row] > 0.0) ++result.rows;
    }
  }
  return result;
}

}  // namespace carom::detail
