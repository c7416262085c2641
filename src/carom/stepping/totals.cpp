// Energies, momenta and hashes of a state.
#include "carom/core/hash.h"
#include "carom/core/stretches.h"
#include "carom/stepping/stepper.h"

namespace carom {
namespace {

void hash_vectors(Hash64& hash, const std::vector<Vec3>& vectors) {
  for (const Vec3& v : vectors) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
  }
}

}  // namespace

Totals& Totals::operator+=(const Totals& more) {
  kinetic += more.kinetic;
  potential += more.potential;
  momentum += more.momentum;
  angular_momentum += more.angular_momentum;
  return *this;
}

Totals totals(const Simulation& simulation, const State& state, WorkerPool* pool) {
  const BodySet& bodies = simulation.world.bodies;
  // What is led has the motion that it is given, whatever the energy.
  std::vector<char> is_led;
  if (!simulation.world.led.empty()) is_led.assign(bodies.size(), 0);
  for (const LedBody& led : simulation.world.led) is_led[led.body] = 1;
  Totals all = sum_over_stretches<Totals>(pool, bodies.size(), [&](const Stretch& stretch) {
    Totals sum;
    for (auto i = static_cast<Index>(stretch.first); i < stretch.last; ++i) {
      if (!is_led.empty() && is_led[i] != 0) continue;
      const double mass = bodies.mass[i];
      const Vec3& v = state.velocity[i];
      sum.kinetic += 0.5 * mass * norm_squared(v);
      sum.momentum += mass * v;
      sum.angular_momentum += mass * cross(state.position[i], v);
      if (!bodies.turns(i)) continue;
      const Vec3& w = state.angular_velocity[i];
      const Vec3 spin = world_inertia(bodies, i, state.orientation[i]) * w;
      sum.kinetic += 0.5 * dot(w, spin);
      sum.angular_momentum += spin;
    }
    return sum;
  });
  all.potential =
      potential_energy(simulation.forces, bodies, simulation.world.periodicity, state.position);
  return all;
}

Totals totals(const Simulation& simulation, const Stepper& stepper) {
  const std::optional<Totals> own = stepper.own_totals();
  return own ? *own : totals(simulation, stepper.state());
}

State shown_state(const Stepper& stepper) {
  State state = stepper.state();
  for (const VelocityChange& change : stepper.shown_changes()) {
    state.velocity[change.body] += change.linear;
    if (!state.angular_velocity.empty()) state.angular_velocity[change.body] += change.angular;
  }
  return state;
}

std::uint64_t state_hash(const State& state) {
  Hash64 hash;
  hash.add(state.step);
  hash_vectors(hash, state.position);
  hash_vectors(hash, state.velocity);
  for (const Quaternion& q : state.orientation) {
    for (const double number : {q.w, q.x, q.y, q.z}) hash.add(number);
  }
  hash_vectors(hash, state.angular_velocity);
  return hash.value();
}

}  // namespace carom
