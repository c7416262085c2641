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

// Friction's impulse on body a of one row.
Vec3 friction_of(const ImpactResult& result, const ImpactProblem& problem, Index row) {
  Vec3 sum;
  for (Index k = 0; k < problem.row(row).tangent_count; ++k) {
    const std::span<const double> tangent = problem.tangent_a(row, k);
    const Vec3 direction = {tangent[0], tangent[1], tangent.size() > 2 ? tangent[2] : 0.0};
    sum += result.friction_impulses[2 * row + k] * direction;
  }
  return sum;
}

// Impulses of all rows.
struct RowImpulses {
  std::span<const double> normal;
  std::span<const Vec3> friction;
};

// Work of the scripted surfaces on a component.
double scripted_work(const HoldInput& input, const ComponentReport& component,
                     const RowImpulses& impulses, const ContactAssembler& assembler) {
  double work = 0.0;
  for (const Index row : component.rows) {
    const Contact& contact = input.contacts[row];
    if (contact.body_b != kNone) continue;
    const Vec3 impulse = impulses.normal[row] * contact.normal + impulses.friction[row];
    work += dot(impulse, assembler.surface_velocity(contact.shape, input.moment));
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
  ContactAssembler::Options options;
  options.opening_speed = opening_speeds;
  ImpactMoment moment = input.moment;
  moment.velocity = input.after;
  assembler.assemble(input.contacts, moment, options);
  ImpactSettings settings;
  settings.impact_operator = "lcp";
  settings.friction_model = input.friction_model;
  const ImpactResult held = resolve_impacts(assembler.problem(), settings);
  result.impulses.assign(input.contacts.size(), 0.0);
  result.friction.assign(input.contacts.size(), Vec3{});
  std::vector<Vec3> rubbed(input.contacts.size());
  for (Index row = 0; row < rubbed.size(); ++row) {
    rubbed[row] = friction_of(held, assembler.problem(), row);
  }
  const std::span<const Index> scene_bodies = assembler.scene_bodies();

  for (std::size_t number = 0; number < held.report.components.size(); ++number) {
    const ComponentReport& component = held.report.components[number];
    // Rows that cannot all be held (a squeeze) are left as they are.
    if (component.status > ImpactStatus::still_closing) continue;
    double before = 0.0;
    double after = 0.0;
    double linear = 0.0;
    double quadratic = 0.0;
    for (const Index body : component.bodies) {
      const Index scene = scene_bodies[body];
      if (scene == kNone) continue;
      const Vec3 change = held_velocity(held, assembler.problem(), body) - input.after[scene];
      before += 0.5 * input.mass[scene] * norm_squared(input.moment.velocity[scene]);
      after += 0.5 * input.mass[scene] * norm_squared(input.after[scene]);
      linear += input.mass[scene] * dot(input.after[scene], change);
      quadratic += 0.5 * input.mass[scene] * norm_squared(change);
    }
    if (!(quadratic > 0.0)) continue;
    const double loss =
        before - after +
        scripted_work(input, component, {input.impulses, input.friction}, assembler);
    if (!(loss > kNegligibleLoss * (before + after))) continue;
    linear -= scripted_work(input, component, {held.impulses, rubbed}, assembler);
    const double part = affordable_part(loss, linear, quadratic);
    for (const Index body : component.bodies) {
      const Index scene = scene_bodies[body];
      if (scene == kNone) continue;
      const Vec3 target = held_velocity(held, assembler.problem(), body);
      const Vec3 velocity =
          part == 1.0 ? target : input.after[scene] + part * (target - input.after[scene]);
      result.changes.push_back({scene, velocity});
    }
    for (const Index row : component.rows) {
      result.impulses[row] = part * held.impulses[row];
      result.friction[row] = part * rubbed[row];
      if (result.impulses[row] > 0.0) ++result.rows;
    }
  }
  return result;
}

}  // namespace carom::detail
