// Rows of resting contact as cone programs, one for each component, and the guard of their energy.
#include "carom/steps/detail/rest_rows.h"

#include <algorithm>
#include <cmath>

namespace carom::detail {
namespace {

using solvers::ConeVector;

// Bodies and rows that hang together.
struct Component {
  std::vector<Index> bodies;
  std::vector<std::uint32_t> rows;
};

Index root_of(std::vector<Index>& parent, Index body) {
  while (parent[body] != body) {
    parent[body] = parent[parent[body]];
    body = parent[body];
  }
  return body;
}

std::vector<Component> find_components(std::size_t bodies, std::vector<RestRow>& rows) {
  std::vector<Index> parent(bodies);
  for (Index i = 0; i < bodies; ++i) parent[i] = i;
  for (const RestRow& row : rows) {
    if (row.contact.body_b == kNone) continue;
    const Index a = root_of(parent, row.contact.body_a);
    const Index b = root_of(parent, row.contact.body_b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<Index> number(bodies, kNone);
  std::vector<Component> components;
  std::vector<bool> has(bodies, false);
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const Index root = root_of(parent, rows[k].contact.body_a);
    if (number[root] == kNone) {
      number[root] = static_cast<Index>(components.size());
      components.emplace_back();
    }
    Component& component = components[number[root]];
    component.rows.push_back(k);
    rows[k].component = number[root];
    for (const Index body : {rows[k].contact.body_a, rows[k].contact.body_b}) {
      if (body == kNone || has[body]) continue;
      has[body] = true;
      component.bodies.push_back(body);
    }
  }
  for (Component& component : components) {
    std::sort(component.bodies.begin(), component.bodies.end());
  }
  return components;
}

// The largest zero between 0 and 1 of the quadratic function with these values at 0, 1/2 and 1, the
// last one positive; negative: there is none.
double largest_root(double at_0, double at_half, double at_1) {
  const double q = 2.0 * (at_0 + at_1) - 4.0 * at_half;
  const double p = at_1 - at_0 - q;
  const double square = p * p - 4.0 * q * at_0;
  if (!(q > 0.0) || square < 0.0) return -1.0;
  const double root = std::sqrt(square);
  // Without cancellation: where p > 0 both zeros are negative or of two signs.
  const double zero = p <= 0.0 ? (root - p) / (2.0 * q) : -2.0 * at_0 / (p + root);
  return zero <= 1.0 ? zero : -1.0;
}

/// One component's program and what became of it.
class ComponentProgram {
 public:
  ComponentProgram(const RestMoment& moment, const RestSettings& settings,
                   const Component& component, std::vector<RestRow>& rows)
      : moment_(moment), settings_(settings), component_(component), rows_(rows) {}

  void solve(const std::vector<Index>& local, const RestVelocities& velocities,
             RestSummary& summary);

 private:
  void add_bodies(const BodyVelocities& velocities);
  void add_rows(const std::vector<Index>& local);
  void write_gradient(const RestRow& row, Index body, Index own, double sign,
                      solvers::ConeContact::Gradient& gradient) const;
  template <class Impulse>
  [[nodiscard]] double energy(const BodyVelocities& velocities, const Impulse& impulse_of) const;
  [[nodiscard]] double energy(const BodyVelocities& velocities, double normal,
                              double tangential) const;
  void guard(const RestVelocities& velocities, RestSummary& summary);

  const RestMoment& moment_;
  const RestSettings& settings_;
  const Component& component_;
  std::vector<RestRow>& rows_;
  solvers::ConeProgram program_;
  std::vector<TurningMass> turning_;
  double fastest_ = 0.0;
  double kick_ = 0.0;  ///< what gravity gives in a step
};

// x_0: the velocities of the middle of the step without impulses, in the root of the mass. Drag
// takes a share of what an impulse gives by then: a body is the heavier for it.
void ComponentProgram::add_bodies(const BodyVelocities& velocities) {
  const BodySet& bodies = moment_.world->bodies;
  program_.free_velocity.assign(6 * component_.bodies.size(), 0.0);
  turning_.resize(component_.bodies.size());
  for (std::size_t k = 0; k < component_.bodies.size(); ++k) {
    const Index body = component_.bodies[k];
    const Vec3 middle = moment_.flight->middle_of(body, velocities.linear[body]);
    const double root = std::sqrt(bodies.mass[body] / moment_.flight->decay_of(body));
    double* x = program_.free_velocity.data() + 6 * k;
    x[0] = root * middle.x;
    x[1] = root * middle.y;
    x[2] = root * middle.z;
    kick_ = std::max(kick_, 2.0 * norm(moment_.flight->middle_of(body, {})));
    fastest_ = std::max(fastest_, norm(velocities.linear[body]));
    if (!bodies.turns(body)) continue;
    turning_[k] = turning_mass(moment_, body);
    const Vec3& w = velocities.angular[body];
    const Vec3 turned =
        turning_[k].root * (world_inertia(bodies, body, moment_.orientation[body]) * w);
    x[3] = moment_.world->dimension == 2 ? 0.0 : turned.x;
    x[4] = moment_.world->dimension == 2 ? 0.0 : turned.y;
    x[5] = turned.z;
    fastest_ = std::max(fastest_, norm(w) * bodies.radius[body]);
  }
}

void ComponentProgram::write_gradient(const RestRow& row, Index body, Index own, double sign,
                                      solvers::ConeContact::Gradient& gradient) const {
  const BodySet& bodies = moment_.world->bodies;
  const double factor = sign / std::sqrt(bodies.mass[body] / moment_.flight->decay_of(body));
  const Vec3& arm = sign > 0.0 ? row.arm_a : row.arm_b;
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3 linear = factor * row.direction[d];
    gradient[6 * d] = linear.x;
    gradient[6 * d + 1] = linear.y;
    gradient[6 * d + 2] = linear.z;
    if (!bodies.turns(body)) continue;
    const Vec3 turn = sign * (turning_[own].root * cross(arm, row.direction[d]));
    gradient[6 * d + 3] = turn.x;
    gradient[6 * d + 4] = turn.y;
    gradient[6 * d + 5] = turn.z;
  }
}

void ComponentProgram::add_rows(const std::vector<Index>& local) {
  for (const std::uint32_t k : component_.rows) {
    const RestRow& row = rows_[k];
    solvers::ConeContact contact;
    contact.body_a = local[row.contact.body_a];
    write_gradient(row, row.contact.body_a, contact.body_a, 1.0, contact.gradient_a);
    if (row.contact.body_b != kNone) {
      contact.body_b = local[row.contact.body_b];
      write_gradient(row, row.contact.body_b, contact.body_b, -1.0, contact.gradient_b);
    }
    for (std::size_t d = 0; d < 3; ++d) contact.bias[d] = -dot(row.direction[d], row.surface);
    contact.bias[0] += row.opening + row.rolled;
    contact.friction = row.friction;
    program_.contacts.push_back(contact);
  }
}

// What impulses on the rows, in the world's directions, do to the kinetic energy as moving surfaces
// see it:  r . u + 1/2 r . W r,  u before them.
template <class Impulse>
double ComponentProgram::energy(const BodyVelocities& velocities, const Impulse& impulse_of) const {
  const BodySet& bodies = moment_.world->bodies;
  std::vector<Vec3> linear(component_.bodies.size());
  std::vector<Vec3> angular(component_.bodies.size());
  const auto own = [&](Index body) {
    return static_cast<std::size_t>(
        std::lower_bound(component_.bodies.begin(), component_.bodies.end(), body) -
        component_.bodies.begin());
  };
  double change = 0.0;
  for (const std::uint32_t k : component_.rows) {
    const RestRow& row = rows_[k];
    const Vec3 impulse = impulse_of(row);
    if (impulse == Vec3{}) continue;
    const ConeVector u = relative_velocity(row, velocities);
    for (std::size_t d = 0; d < 3; ++d) change += u[d] * dot(row.direction[d], impulse);
    linear[own(row.contact.body_a)] += impulse;
    angular[own(row.contact.body_a)] += cross(row.arm_a, impulse);
    if (row.contact.body_b == kNone) continue;
    linear[own(row.contact.body_b)] -= impulse;
    angular[own(row.contact.body_b)] -= cross(row.arm_b, impulse);
  }
  for (std::size_t k = 0; k < component_.bodies.size(); ++k) {
    const Index body = component_.bodies[k];
    change += 0.5 * norm_squared(linear[k]) / bodies.mass[body];
    if (bodies.turns(body)) change += 0.5 * dot(angular[k], turning_[k].inverse * angular[k]);
  }
  return change;
}

double ComponentProgram::energy(const BodyVelocities& velocities, double normal,
                                double tangential) const {
  return energy(velocities, [&](const RestRow& row) {
    return (normal * row.impulse[0]) * row.direction[0] +
           (tangential * row.impulse[1]) * row.direction[1] +
           (tangential * row.impulse[2]) * row.direction[2];
  });
}

// Energy never grows by an impact: tangential impulses are made smaller where that does, elsewhere
// all of them. The energy is a quadratic function of either factor, and the factor that leaves it
// as it was and is next to 1 is taken: what is a rounding too much costs a rounding.
void ComponentProgram::guard(const RestVelocities& velocities, RestSummary& summary) {
  if (moment_.energy == RestEnergy::of_a_start) return;
  const double lost = -energy(velocities.before, [](const RestRow& row) { return row.bounce; });
  const auto beyond = [&](double normal, double tangential) {
    return energy(velocities.bounced, normal, tangential) - std::max(0.0, lost);
  };
  const double whole = beyond(1.0, 1.0);
  double scale = 0.0;
  for (const double x : program_.free_velocity) scale += 0.5 * x * x;
  constexpr double kUnits = 256.0;
  if (!(whole > kUnits * kRoundOff * scale)) return;
  ++summary.guarded;
  double normal = 1.0;
  double tangential = largest_root(beyond(1.0, 0.0), beyond(1.0, 0.5), whole);
  if (!(tangential > 0.0)) {
    normal = std::max(0.0, largest_root(beyond(0.0, 0.0), beyond(0.5, 0.5), whole));
    tangential = normal;
    summary.given_up = std::max(summary.given_up, (1.0 - normal) * kick_ * moment_.step);
  }
  for (const std::uint32_t k : component_.rows) {
    ConeVector& r = rows_[k].impulse;
    r = {normal * r[0], tangential * r[1], tangential * r[2]};
  }
}

void ComponentProgram::solve(const std::vector<Index>& local, const RestVelocities& velocities,
                             RestSummary& summary) {
  add_bodies(velocities.bounced);
  add_rows(local);
  solvers::ConeSettings settings;
  settings.tolerance = settings_.rest_tolerance;
  constexpr double kMoves = 0.1;
  if (!settings_.exact && fastest_ > kMoves * kick_) {
    settings.max_iterations = static_cast<std::uint64_t>(settings_.rest_iterations);
    // What moves is not solved to the tolerance anyway, and a hundred gradients of many bodies cost
    // a tenth of a hundred factors and leave a smaller residual.
    constexpr std::size_t kFewBodies = 40;
    if (component_.bodies.size() > kFewBodies) settings.method = solvers::ConeMethod::gradient;
  }
  constexpr double kLeast = 1e-12;  // of the speeds there are, where nothing pulls
  program_.speed = std::max({kick_, kLeast * fastest_, 1e-300});
  if (!(kick_ > 0.0)) program_.speed = std::max(fastest_, 1e-300);
  std::vector<ConeVector> impulses;
  for (const std::uint32_t k : component_.rows) impulses.push_back(rows_[k].impulse);
  std::vector<double> x;
  const solvers::ConeResult result = solve_cone_program(program_, settings, impulses, x);
  summary.residual = std::max(summary.residual, result.residual);
  summary.iterations = std::max(summary.iterations, result.iterations);
  if (result.status != solvers::ConeStatus::solved) ++summary.unsolved;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    RestRow& row = rows_[component_.rows[k]];
    row.impulse = impulses[k];
    row.found = world_impulse(row);
  }
  guard(velocities, summary);
  for (const std::uint32_t k : component_.rows) {
    if (rows_[k].impulse == ConeVector{}) continue;
    push(moment_, rows_[k], world_impulse(rows_[k]), velocities.after);
  }
}

}  // namespace

TurningMass turning_mass(const RestMoment& moment, Index body) {
  const Vec3 moments = moment.world->bodies.moments(body);
  if (moment.world->dimension == 2) {
    return {Mat3::diagonal({0.0, 0.0, 1.0 / moments.z}),
            Mat3::diagonal({0.0, 0.0, 1.0 / std::sqrt(moments.z)})};
  }
  const Mat3 turned = matrix_of(moment.orientation[body]);
  const Mat3 back = transposed(turned);
  return {turned * (Mat3::diagonal({1.0 / moments.x, 1.0 / moments.y, 1.0 / moments.z}) * back),
          turned * (Mat3::diagonal({1.0 / std::sqrt(moments.x), 1.0 / std::sqrt(moments.y),
                                    1.0 / std::sqrt(moments.z)}) *
                    back)};
}

ConeVector relative_velocity(const RestRow& row, const BodyVelocities& velocities) {
  const auto at = [&](Index body, const Vec3& arm) {
    const Vec3& v = velocities.linear[body];
    return velocities.angular.empty() ? v : v + cross(velocities.angular[body], arm);
  };
  Vec3 relative = at(row.contact.body_a, row.arm_a) - row.surface;
  if (row.contact.body_b != kNone) relative -= at(row.contact.body_b, row.arm_b);
  return {dot(row.direction[0], relative), dot(row.direction[1], relative),
          dot(row.direction[2], relative)};
}

void push(const RestMoment& moment, const RestRow& row, const Vec3& impulse,
          BodyVelocities& velocities) {
  const BodySet& bodies = moment.world->bodies;
  const auto act = [&](Index body, const Vec3& arm, const Vec3& with) {
    velocities.linear[body] += (1.0 / bodies.mass[body]) * with;
    if (bodies.turns(body)) {
      velocities.angular[body] += turning_mass(moment, body).inverse * cross(arm, with);
    }
  };
  act(row.contact.body_a, row.arm_a, impulse);
  if (row.contact.body_b != kNone) act(row.contact.body_b, row.arm_b, -impulse);
}

void middle_velocities(const RestMoment& moment, const BodyVelocities& velocities,
                       BodyVelocities& middle) {
  middle.linear.resize(velocities.linear.size());
  for (std::size_t i = 0; i < velocities.linear.size(); ++i) {
    middle.linear[i] = moment.flight->middle_of(i, velocities.linear[i]);
  }
  middle.angular = velocities.angular;
}

RestSummary solve_rest(const RestMoment& moment, const RestSettings& settings,
                       std::vector<RestRow>& rows, const RestVelocities& velocities) {
  RestSummary summary;
  const std::size_t bodies = velocities.before.linear.size();
  const std::vector<Component> components = find_components(bodies, rows);
  summary.components = static_cast<Index>(components.size());
  std::vector<Index> local(bodies, kNone);
  for (const Component& component : components) {
    for (Index k = 0; k < component.bodies.size(); ++k) local[component.bodies[k]] = k;
    ComponentProgram program(moment, settings, component, rows);
    program.solve(local, velocities, summary);
  }
  return summary;
}

}  // namespace carom::detail
