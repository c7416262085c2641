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

double relative_normal_speed(const HoldInput& input, std::size_t number,
                             const ContactAssembler& assembler) {
  const Contact& contact = input.contacts[number];
  const Vec3 place = input.moment.places.empty() ? Vec3{} : input.moment.places[number];
  const Vec3 other = contact.body_b != kNone
                         ? input.after.velocity_at(contact.body_b, place)
                         : assembler.surface_velocity(contact.shape, input.moment);
  return dot(contact.normal, input.after.velocity_at(contact.body_a, place) - other);
}

double smaller_extent(const HoldInput& input, const Contact& contact) {
  const double a = input.bodies->extent(contact.body_a);
  return contact.body_b == kNone ? a : std::min(a, input.bodies->extent(contact.body_b));
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

LinearAndAngular velocity_of(const ImpactMoment& moment, Index body) {
  return {moment.velocity[body],
          moment.angular_velocity.empty() ? Vec3{} : moment.angular_velocity[body]};
}

LinearAndAngular held_velocity(const ImpactResult& held, const ImpactProblem& problem, Index body) {
  return linear_and_angular(problem.body(body).kind, held.velocity(problem, body));
}

// a . M b of one body of the scene.
class MassProduct {
 public:
  MassProduct(const HoldInput& input, Index body)
      : mass_(input.bodies->mass[body]), turns_(input.bodies->turns(body)) {
    if (turns_) inertia_ = world_inertia(*input.bodies, body, input.moment.orientation[body]);
  }
  [[nodiscard]] double operator()(const LinearAndAngular& a, const LinearAndAngular& b) const {
    const double linear = mass_ * dot(a.linear, b.linear);
    return turns_ ? linear + dot(a.angular, inertia_ * b.angular) : linear;
  }

 private:
  double mass_;
  bool turns_;
  Mat3 inertia_;
};

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
    const double speed = relative_normal_speed(input, k, assembler);
    const double missing = std::min(contact.gap, 0.0) - contact.gap_end;
    if (missing > kNegligibleDepth * smaller_extent(input, contact)) {
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
  assembler.assemble(input.contacts, input.after, options);
  ImpactSettings settings;
  settings.impact_operator = "lcp";
  settings.friction_model = input.friction_model;
  settings.friction_passes = input.friction_passes;
  const ImpactResult held = resolve_impacts(assembler.problem(), settings);
  result.impulses.assign(input.contacts.size(), 0.0);
  result.friction.assign(input.contacts.size(), Vec3{});
  std::vector<Vec3> rubbed(input.contacts.size());
  for (Index row = 0; row < rubbed.size(); ++row) {
    rubbed[row] = friction_on_a(held, assembler.problem(), row);
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
      const MassProduct product(input, scene);
      const LinearAndAngular target = held_velocity(held, assembler.problem(), body);
      const LinearAndAngular from = velocity_of(input.after, scene);
      const LinearAndAngular first = velocity_of(input.moment, scene);
      const LinearAndAngular change = {target.linear - from.linear, target.angular - from.angular};
      before += 0.5 * product(first, first);
      after += 0.5 * product(from, from);
      linear += product(from, change);
      quadratic += 0.5 * product(change, change);
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
      const LinearAndAngular target = held_velocity(held, assembler.problem(), body);
      const LinearAndAngular from = velocity_of(input.after, scene);
      const auto between = [part](const Vec3& a, const Vec3& b) {
        return part == 1.0 ? b : a + part * (b - a);
      };
      result.changes.push_back(
          {scene, between(from.linear, target.linear), between(from.angular, target.angular)});
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
