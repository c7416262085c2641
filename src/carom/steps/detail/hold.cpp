// Velocities that keep what rests from sinking.
#include "carom/steps/detail/hold.h"

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

// The held velocity, whichever way it was found: components with their bodies and rows.
struct Held {
  struct Body {
    Index body = 0;  ///< of the scene
    LinearAndAngular target;
  };
  struct Part {
    ImpactStatus status = ImpactStatus::resolved;
    std::size_t first_body = 0;
    std::size_t first_row = 0;
  };

  std::vector<Body> bodies;  ///< component after component, as the rows
  std::vector<Index> rows;
  std::vector<Part> parts;  ///< and one more, where the last one ends
  std::vector<double> impulses;
  std::vector<Vec3> friction;

  [[nodiscard]] std::span<const Body> bodies_of(std::size_t part) const {
    return {bodies.data() + parts[part].first_body,
            parts[part + 1].first_body - parts[part].first_body};
  }
  [[nodiscard]] std::span<const Index> rows_of(std::size_t part) const {
    return {rows.data() + parts[part].first_row, parts[part + 1].first_row - parts[part].first_row};
  }
};

// Work of the scripted surfaces on a component.
double scripted_work(const HoldInput& input, std::span<const Index> rows,
                     const RowImpulses& impulses, const ContactAssembler& assembler) {
  double work = 0.0;
  for (const Index row : rows) {
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

Held hold_generally(const HoldInput& input, std::span<const double> opening_speeds,
                    ContactAssembler& assembler) {
  ContactAssembler::Options options;
  options.opening_speed = opening_speeds;
  assembler.assemble(input.contacts, input.after, options);
  ImpactSettings settings;
  settings.impact_operator = "lcp";
  settings.friction_model = several_rows_friction(*input.settings);
  settings.friction_passes = input.settings->friction_passes;
  const ImpactProblem& problem = assembler.problem();
  const ImpactResult result = resolve_impacts(problem, settings);
  Held held;
  held.impulses = result.impulses;
  for (Index row = 0; row < input.contacts.size(); ++row) {
    held.friction.push_back(friction_on_a(result, problem, row));
  }
  const std::span<const Index> scene_bodies = assembler.scene_bodies();
  for (const ComponentReport& component : result.report.components) {
    held.parts.push_back({component.status, held.bodies.size(), held.rows.size()});
    for (const Index body : component.bodies) {
      if (scene_bodies[body] == kNone) continue;
      held.bodies.push_back(
          {scene_bodies[body],
           linear_and_angular(problem.body(body).kind, result.velocity(problem, body))});
    }
    held.rows.insert(held.rows.end(), component.rows.begin(), component.rows.end());
  }
  held.parts.push_back({ImpactStatus::resolved, held.bodies.size(), held.rows.size()});
  return held;
}

Held held_by(const PointImpact::Group& whole, std::size_t contacts) {
  const PointResolver& resolver = whole.resolver();
  const std::span<const Index> component_of = resolver.component_of();
  const std::span<const Index> bodies = whole.bodies();
  const std::span<const Index> rows = whole.contacts();
  const auto component = [&](Index row) { return component_of[whole.first_point(row)]; };
  Held held;
  held.impulses.assign(contacts, 0.0);
  held.friction.assign(contacts, Vec3{});
  held.parts.resize(resolver.component_status().size() + 1);
  for (const Index number : component_of) ++held.parts[number + 1].first_body;
  for (Index row = 0; row < rows.size(); ++row) ++held.parts[component(row) + 1].first_row;
  for (std::size_t k = 0; k + 1 < held.parts.size(); ++k) {
    held.parts[k].status = resolver.component_status()[k];
    held.parts[k + 1].first_body += held.parts[k].first_body;
    held.parts[k + 1].first_row += held.parts[k].first_row;
  }
  std::vector<Held::Part> next = held.parts;
  held.bodies.resize(bodies.size());
  held.rows.resize(rows.size());
  for (Index k = 0; k < bodies.size(); ++k) {
    held.bodies[next[component_of[k]].first_body++] = {bodies[k], whole.velocity(k)};
  }
  for (Index row = 0; row < rows.size(); ++row) {
    const Index contact = rows[row];
    held.rows[next[component(row)].first_row++] = contact;
    held.impulses[contact] = resolver.impulses()[row];
    held.friction[contact] = whole.friction(row);
  }
  return held;
}

Held hold_points(const HoldInput& input, std::span<const double> opening_speeds,
                 PointImpact& points) {
  ImpactSettings settings;  // inelastic rows need no operator
  settings.friction_model = several_rows_friction(*input.settings);
  settings.pool = input.settings->pool;
  Held held;  // with opening speeds there is one group
  points.resolve(
      {input.contacts, &input.after, &settings, opening_speeds},
      [&](const PointImpact::Group& whole) { held = held_by(whole, input.contacts.size()); });
  return held;
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
                     const HoldWays& ways) {
  const Held held = ways.points != nullptr ? hold_points(input, opening_speeds, *ways.points)
                                           : hold_generally(input, opening_speeds, *ways.assembler);
  const ContactAssembler& assembler = *ways.assembler;
  HoldResult result;
  result.impulses.assign(input.contacts.size(), 0.0);
  result.friction.assign(input.contacts.size(), Vec3{});
  for (std::size_t number = 0; number + 1 < held.parts.size(); ++number) {
    // Rows that cannot all be held (a squeeze) are left as they are.
    if (held.parts[number].status > ImpactStatus::still_closing) continue;
    double before = 0.0;
    double after = 0.0;
    double linear = 0.0;
    double quadratic = 0.0;
    for (const Held::Body& body : held.bodies_of(number)) {
      const MassProduct product(input, body.body);
      const LinearAndAngular from = velocity_of(input.after, body.body);
      const LinearAndAngular first = velocity_of(input.moment, body.body);
      const LinearAndAngular change = {body.target.linear - from.linear,
                                       body.target.angular - from.angular};
      before += 0.5 * product(first, first);
      after += 0.5 * product(from, from);
      linear += product(from, change);
      quadratic += 0.5 * product(change, change);
    }
    if (!(quadratic > 0.0)) continue;
    const std::span<const Index> rows = held.rows_of(number);
    const double loss =
        before - after + scripted_work(input, rows, {input.impulses, input.friction}, assembler);
    if (!(loss > kNegligibleLoss * (before + after))) continue;
    linear -= scripted_work(input, rows, {held.impulses, held.friction}, assembler);
    const double part = affordable_part(loss, linear, quadratic);
    for (const Held::Body& body : held.bodies_of(number)) {
      const LinearAndAngular from = velocity_of(input.after, body.body);
      const auto between = [part](const Vec3& a, const Vec3& b) {
        return part == 1.0 ? b : a + part * (b - a);
      };
      result.changes.push_back({body.body, between(from.linear, body.target.linear),
                                between(from.angular, body.target.angular)});
    }
    for (const Index row : rows) {
      result.impulses[row] = part * held.impulses[row];
      result.friction[row] = part * held.friction[row];
      if (result.impulses[row] > 0.0) ++result.rows;
    }
  }
  return result;
}

}  // namespace carom::detail
