// Ticks of contact: impulses of the penalty layers, with restitution.
#include "carom/asynchronous/detail/contact_kicks.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"

namespace carom::asynchronous::detail {

ContactKicks::ContactKicks(const Problem& problem, const Settings& settings)
    : problem_(problem), layers_(LayerTable::of(settings.layers)) {}

void ContactKicks::fire(Flights& flights, PairStore& pairs, Tick now, double share) {
  unit_ = flights.unit;
  firing_ = firing_level(now);
  for (int level = 0; level <= firing_; ++level) {
    for (const Index p : pairs.ticking(level)) tick(pairs[p], flights, now, share);
  }
}

void ContactKicks::tick(ContactPair& pair, Flights& flights, Tick now, double share) {
  ++ticks;
  for (unsigned k = 0; k < pair.size; ++k) flights.touch(pair.vertex[k], now);
  const Stencil stencil = measure(pair, flights.position, problem_.walls);
  pair.distance = stencil.distance;
  const ContactLaw& law = problem_.contact[pair.law];
  const double d = stencil.distance / pair.thickness;
  const Index n = layers_.active_layers(d);
  // What the certificate proved: no layer behind the octaves that tick is active.
  CAROM_DEMAND(n <= layers_.last_layer(pair.octave));
  if (stencil.distance < smallest_gap) {
    smallest_gap = stencil.distance;
    nearest = name_of(pair);
  }
  deepest_layer = std::max(deepest_layer, n);
  Impulse impulse;
  if (law.restitution < 1.0) {
    impulse = remembered_impulse(pair, n, now);
  } else {
    const int last = layers_.octave_of(n);
    for (int octave = std::max(0, pair.top_level - firing_); octave <= last; ++octave) {
      impulse.acts += std::ldexp(layers_.force(octave, n, d), pair.top_level - octave);
    }
  }
  const double scale = share * unit_ * law.stiffness * pair.thickness;
  impulse.acts *= scale;
  impulse.missing *= scale;
  if (impulse.acts > 0.0) push(pair, stencil, impulse.acts, flights);
  if (impulse.missing > 0.0) book_missing(pair, stencil, impulse, flights);
}

// Sums over the octaves of h_j F_j in units of r_1 eta_1 and of the lattice: what acts, and what the
// octaves that separate hold back.
ContactKicks::Impulse ContactKicks::remembered_impulse(ContactPair& pair, Index n, Tick now) {
  if (pair.memory == kNone) {
    if (free_memories.empty()) {
      pair.memory = static_cast<Index>(gaps.size());
      gaps.emplace_back();
    } else {
      pair.memory = free_memories.back();
      free_memories.pop_back();
    }
    gaps[pair.memory].seen.fill(-kNever);
  }
  const double d = pair.distance / pair.thickness;
  Impulse impulse;
  for (int octave = std::max(0, pair.top_level - firing_); octave <= pair.octave; ++octave) {
    const double whole = std::ldexp(layers_.force(octave, n, d), pair.top_level - octave);
    const double factor = restitution_factor(pair, octave, now);
    impulse.acts += factor * whole;
    impulse.missing += (1.0 - factor) * whole;
    GapMemory& gap = gaps[pair.memory];
    gap.distance[static_cast<std::size_t>(octave)] = pair.distance;
    gap.seen[static_cast<std::size_t>(octave)] = now;
  }
  return impulse;
}

// The work that the missing impulse would have done along the motion as it is, on the mean of the
// speeds before and after the impulse that acts: the energy that is not given back.
void ContactKicks::book_missing(const ContactPair& pair, const Stencil& stencil,
                                const Impulse& impulse, const Flights& flights) {
  double speed = 0.0;
  double inverse_mass = 0.0;
  for (unsigned k = 0; k < pair.size; ++k) {
    const double c = stencil.coefficient[k];
    speed += c * dot(stencil.normal, flights.velocity[pair.vertex[k]]);
    inverse_mass += c * c * flights.inverse_mass[pair.vertex[k]];
  }
  sums->lost_to_restitution += impulse.missing * (speed - 0.5 * inverse_mass * impulse.acts);
}

// restitution^2 if the pair has separated since the octave's last tick, else 1.
double ContactKicks::restitution_factor(const ContactPair& pair, int octave, Tick now) const {
  const ContactLaw& law = problem_.contact[pair.law];
  if (pair.memory == kNone) return 1.0;
  const GapMemory& gap = gaps[pair.memory];
  const auto j = static_cast<std::size_t>(octave);
  if (gap.seen[j] < now - period(pair.top_level - octave)) return 1.0;
  return pair.distance > gap.distance[j] ? law.restitution * law.restitution : 1.0;
}

void ContactKicks::push(const ContactPair& pair, const Stencil& stencil, double impulse,
                        Flights& flights) {
  for (unsigned k = 0; k < pair.size; ++k) {
    const double c = stencil.coefficient[k];
    if (c == 0.0) continue;
    const Index i = pair.vertex[k];
    const Vec3 on_vertex = (c * impulse) * stencil.normal;
    if (flights.is_held(i)) {
      book_held(*sums, on_vertex, flights.velocity[i]);
    } else {
      flights.velocity[i] += flights.inverse_mass[i] * on_vertex;
      moved.push_back(i);
    }
  }
  if (pair.kind == PairKind::vertex_wall) sums->wall_impulse += -impulse * stencil.normal;
}

double ContactKicks::synchronise(const Flights& flights, const PairStore& pairs, double time,
                                 const std::vector<Vec3>& position,
                                 std::vector<Vec3>& velocity) const {
  double energy = 0.0;
  for (ContactPair pair : pairs.all()) {
    if (pair.watch == Watch::far) continue;
    const Stencil stencil = measure(pair, position, problem_.walls);
    pair.distance = stencil.distance;
    const ContactLaw& law = problem_.contact[pair.law];
    const double d = stencil.distance / pair.thickness;
    const Index n = layers_.active_layers(d);
    double force = 0.0;
    for (int octave = 0; octave <= layers_.octave_of(n); ++octave) {
      const int level = pair.top_level - octave;
      const Tick fired = last_firing(static_cast<Tick>(time), std::max(level, 0));
      const Tick next = fired + period(std::max(level, 0));
      const double factor = restitution_factor(pair, octave, next);
      const double since = time - static_cast<double>(fired) - 0.5 * std::ldexp(1.0, level);
      force += factor * since * layers_.force(octave, n, d);
      energy += layers_.energy(octave, n, d) * law.stiffness * pair.thickness *
                pair.thickness;
    }
    const double impulse = force * flights.unit * law.stiffness * pair.thickness;
    for (unsigned k = 0; k < pair.size; ++k) {
      const Index i = pair.vertex[k];
      velocity[i] += (stencil.coefficient[k] * impulse * flights.inverse_mass[i]) * stencil.normal;
    }
  }
  return energy;
}

void ContactKicks::forget(const std::vector<Index>& memories) {
  free_memories.insert(free_memories.end(), memories.begin(), memories.end());
}

}  // namespace carom::asynchronous::detail
