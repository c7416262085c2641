// Ticks of contact: impulses of the penalty layers, with restitution and friction.
#include "carom/asynchronous/detail/contact_kicks.h"

#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/assert.h"

namespace carom::asynchronous::detail {
namespace {

// Pairs whose distances one job measures.
constexpr std::size_t kPairsOfStretch = 256;

}  // namespace

ContactKicks::ContactKicks(const Problem& problem, const Settings& settings)
    : friction(problem, settings),
      problem_(problem),
      laws_(all_laws(problem)),
      layers_(LayerTable::of(settings.layers)),
      is_printed_(settings.friction == FrictionModel::printed) {
  friction.impulses = &impulses_;
}

void ContactKicks::book_in(LedgerSums& sums) {
  sums_ = &sums;
  impulses_.book_in(sums);
  friction.sums = &sums;
}

// Distances of all pairs that tick, which a team shares out; then those act whose layers do, in
// the order of the pairs.
void ContactKicks::fire(Flights& flights, PairStore& pairs, Tick now, double share, Team& team) {
  firing_ = firing_level(now);
  ticking_.clear();
  for (int level = 0; level <= firing_; ++level) {
    const std::vector<Index>& list = pairs.ticking(level);
    ticking_.insert(ticking_.end(), list.begin(), list.end());
  }
  if (ticking_.empty()) return;
  ticks += ticking_.size();
  for (const Index p : ticking_) {
    const ContactPair& pair = pairs[p];
    for (unsigned k = 0; k < pair.size; ++k) flights.touch(pair.vertex[k], now);
  }
  found_.resize((ticking_.size() + kPairsOfStretch - 1) / kPairsOfStretch);
  team.run(found_.size(), ticking_.size(), [&](std::size_t stretch) {
    Found& found = found_[stretch];
    found = Found{std::move(found.acting)};
    found.acting.clear();
    const std::size_t behind = std::min(ticking_.size(), (stretch + 1) * kPairsOfStretch);
    for (std::size_t k = stretch * kPairsOfStretch; k < behind; ++k) {
      look(pairs, ticking_[k], flights, found);
    }
  });
  for (const Found& found : found_) {
    merge(found, pairs);
    for (const Found::Acting& acting : found.acting) {
      act({&pairs[acting.pair], &acting.stencil, now, share, 0.0}, acting.layers, flights);
    }
  }
  impulses_.act(flights, moved);
}

void ContactKicks::look(PairStore& pairs, Index p, const Flights& flights, Found& found) const {
  ContactPair& pair = pairs[p];
  const Stencil stencil = measure(pair, flights.position, problem_);
  pair.distance = stencil.distance;
  const double d = stencil.distance / pair.thickness;
  const Index n = layers_.active_layers(d);
  // What the certificate proved: no layer behind the octaves that tick is active.
  CAROM_DEMAND(n <= layers_.last_layer(pair.octave));
  if (is_length_limit(pair.kind)) {
    found.limit_used = std::max(found.limit_used, 1.0 - d);
  } else if (stencil.distance < found.smallest_gap) {
    found.smallest_gap = stencil.distance;
    found.nearest = p;
  }
  // Of a pair with no layer that acts there is nothing to remember, and its memory, which is seldom
  // in a cache, is not looked at; but friction sees that the contact is lost.
  if (n > 0 || (pair.memory != kNone && laws_[pair.law].friction > 0.0)) {
    found.acting.push_back({p, n, stencil});
  }
}

void ContactKicks::merge(const Found& found, const PairStore& pairs) {
  limit_used = std::max(limit_used, found.limit_used);
  if (found.smallest_gap < smallest_gap) {
    smallest_gap = found.smallest_gap;
    nearest = name_of(pairs[found.nearest]);
  }
  for (const Found::Acting& acting : found.acting) {
    deepest_layer = std::max(deepest_layer, acting.layers);
  }
}

void ContactKicks::act(Friction::Contact contact, Index n, Flights& flights) {
  const ContactPair& pair = *contact.pair;
  const ContactLaw& law = laws_[pair.law];
  if (law.restitution < 1.0 || law.friction > 0.0) {
    act_with_memory(contact, n, flights);
    return;
  }
  const double d = pair.distance / pair.thickness;
  double impulse = 0.0;
  const int last = layers_.octave_of(n);
  for (int octave = std::max(0, pair.top_level - firing_); octave <= last; ++octave) {
    impulse += std::ldexp(layers_.force(octave, n, d), pair.top_level - octave);
  }
  if (impulse == 0.0) return;
  push(pair, *contact.stencil,
       contact.share * flights.unit * law.stiffness * pair.thickness * impulse, flights);
}

void ContactKicks::remember(ContactPair& pair) {
  if (pair.memory != kNone) return;
  pair.memory = gaps.take();
  friction.begin(pair.memory);
}

// Octave by octave, with what each remembers of its own last tick.
void ContactKicks::act_with_memory(Friction::Contact contact, Index n, Flights& flights) {
  ContactPair& pair = *contact.pair;
  remember(pair);
  const ContactLaw& law = laws_[pair.law];
  const double d = pair.distance / pair.thickness;
  const double scale = contact.share * flights.unit * law.stiffness * pair.thickness;
  const double inverse_mass = inverse_mass_of(pair, *contact.stencil, flights);
  const bool is_rough = law.friction > 0.0;
  double acts = 0.0;
  double missing = 0.0;
  const int last = layers_.octave_of(n);
  for (int octave = std::max(0, pair.top_level - firing_); octave <= last; ++octave) {
    const double whole = scale * std::ldexp(layers_.force(octave, n, d), pair.top_level - octave);
    const double step = std::ldexp(flights.unit, pair.top_level - octave);
    const double carried = whole * inverse_mass * step / contact.share;
    const double factor = restitution_factor(pair, octave, contact.now, carried);
    contact.normal_force += factor * whole / (contact.share * step);
    acts += factor * whole;
    missing += (1.0 - factor) * whole;
    if (is_rough && is_printed_) friction.fire_printed(contact, octave, factor * whole, flights);
    gaps.see(pair.memory, octave, {pair.distance, contact.now});
  }
  if (acts > 0.0) push(pair, *contact.stencil, acts, flights);
  // What is held back would have done this work along the motion as it is.
  if (missing > 0.0) {
    impulses_.book_work(pair, *contact.stencil, missing * contact.stencil->normal,
                        sums_->lost_to_restitution);
  }
  if (is_rough && !is_printed_ && pair.top_level <= firing_) friction.fire_anchor(contact, flights);
}

double ContactKicks::inverse_mass_of(const ContactPair& pair, const Stencil& stencil,
                                     const Flights& flights) {
  double sum = 0.0;
  for (unsigned k = 0; k < pair.size; ++k) {
    const double c = stencil.coefficient[k];
    sum += c * c * flights.inverse_mass[pair.vertex[k]];
  }
  return sum;
}

// (1) of the header.
double ContactKicks::restitution_factor(const ContactPair& pair, int octave, Tick now,
                                        double carried) const {
  const double restitution = laws_[pair.law].restitution;
  if (pair.memory == kNone || restitution == 1.0) return 1.0;
  const GapMemories::Seen last = gaps.seen(pair.memory, octave);
  if (last.when != now - period(pair.top_level - octave)) return 1.0;
  const double parted = pair.distance - last.distance;
  if (!(parted > 0.0)) return 1.0;
  const double lost = 1.0 - restitution * restitution;
  return parted >= carried ? 1.0 - lost : 1.0 - lost * parted / carried;
}

void ContactKicks::push(const ContactPair& pair, const Stencil& stencil, double impulse,
                        const Flights& flights) {
  for (unsigned k = 0; k < pair.size; ++k) {
    const double c = stencil.coefficient[k];
    if (c != 0.0) impulses_.add(pair.vertex[k], (c * impulse) * stencil.normal, flights);
  }
  if (pair.kind == PairKind::vertex_wall && pair.size == 1) {
    sums_->wall_impulse += -impulse * stencil.normal;
  }
}

StoredEnergy ContactKicks::synchronise(const Flights& flights, const PairStore& pairs, double time,
                                       const std::vector<Vec3>& position,
                                       std::vector<Vec3>& velocity) const {
  StoredEnergy stored;
  for (ContactPair pair : pairs.all()) {
    if (pair.watch == Watch::far) continue;
    const Stencil stencil = measure(pair, position, problem_);
    pair.distance = stencil.distance;
    const double d = stencil.distance / pair.thickness;
    const Index n = layers_.active_layers(d);
    if (n == 0) continue;
    const ContactLaw& law = laws_[pair.law];
    const double scale = law.stiffness * pair.thickness;
    const double inverse_mass = inverse_mass_of(pair, stencil, flights);
    const auto since_middle = [&](int level) {
      const Tick fired = last_firing(static_cast<Tick>(time), level);
      return (time - static_cast<double>(fired) - 0.5 * std::ldexp(1.0, level)) * flights.unit;
    };
    double& energy = is_length_limit(pair.kind) ? stored.limits : stored.contact;
    double impulse = 0.0;
    double normal_force = 0.0;
    for (int octave = 0; octave <= layers_.octave_of(n); ++octave) {
      const int level = std::max(pair.top_level - octave, 0);
      const double force = scale * layers_.force(octave, n, d);
      const double step = std::ldexp(flights.unit, level);
      const Tick next = next_firing(static_cast<Tick>(time), level);
      const double carried = force * step * step * inverse_mass;
      const double acts = restitution_factor(pair, octave, next, carried) * force;
      impulse += since_middle(level) * acts;
      normal_force += acts;
      energy += scale * pair.thickness * layers_.energy(octave, n, d);
    }
    for (unsigned k = 0; k < pair.size; ++k) {
      const Index i = pair.vertex[k];
      velocity[i] += (stencil.coefficient[k] * impulse * flights.inverse_mass[i]) * stencil.normal;
    }
    if (is_length_limit(pair.kind)) continue;
    stored.contact +=
        friction.synchronise({&pair, &stencil, static_cast<Tick>(time), 1.0, normal_force},
                             since_middle(pair.top_level), flights, velocity, position);
  }
  return stored;
}

void ContactKicks::forget(const std::vector<Index>& memories) {
  for (const Index memory : memories) gaps.give_back(memory);
}

}  // namespace carom::asynchronous::detail
