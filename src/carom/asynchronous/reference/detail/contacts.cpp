// Layers of the pairs of primitives in the reference engine.
#include "carom/asynchronous/reference/detail/contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/assert.h"

namespace carom::asynchronous::reference {
namespace {

// Clocks that are restarted at the moment of contact need layers that wake at that moment.
constexpr double kPreciseMargin = 1e-6;

PairName name_of(const MadePair& made) {
  return {made.kind, made.vertex, made.kind == PairKind::vertex_wall ? made.number : kNone};
}

Vec3 relative_velocity(const Trajectories& all, const MadePair& made, const Stencil& stencil) {
  Vec3 sum;
  for (unsigned k = 0; k < made.size; ++k) {
    sum += stencil.coefficient[k] * all.velocity[made.vertex[k]];
  }
  return sum;
}

double inverse_mass(const Trajectories& all, const MadePair& made, const Stencil& stencil) {
  double sum = 0.0;
  for (unsigned k = 0; k < made.size; ++k) {
    const double c = stencil.coefficient[k];
    sum += c * c * all.inverse_mass[made.vertex[k]];
  }
  return sum;
}

std::array<Vec3, 4> places_in(const MadePair& made, const std::vector<Vec3>& position) {
  std::array<Vec3, 4> x;
  for (unsigned k = 0; k < made.size; ++k) x[k] = position[made.vertex[k]];
  return x;
}

// The way of the material points that are closest now, since a layer's last tick.
Vec3 slip_since(const std::array<Vec3, 4>& trail, const MadePair& made, const Stencil& stencil,
                const std::array<Vec3, 4>& x) {
  Vec3 slip;
  for (unsigned k = 0; k < made.size; ++k) slip += stencil.coefficient[k] * (x[k] - trail[k]);
  return slip - dot(slip, stencil.normal) * stencil.normal;
}

}  // namespace

Contacts::Contacts(const Problem& problem, const Settings& settings, const Mechanisms& mechanisms,
                   const PlantedFaults& faults, Trajectories& trajectories)
    : problem_(problem),
      laws_(detail::all_laws(problem)),
      layers_(LayerTable::of(settings.layers)),
      clocks_(mechanisms.clocks),
      margin_(clocks_ == Clocks::restarted ? kPreciseMargin : settings.activation_margin),
      faults_(faults),
      trajectories_(trajectories),
      of_(problem.mass.size()) {}

double Contacts::step_of(const MadePair& made, Index layer) const {
  if (clocks_ == Clocks::nested) return std::ldexp(made.first_step, -layers_.octave_of(layer));
  const double l = layer;
  return made.first_step / (l * std::sqrt(l));
}

Index Contacts::active_layers(const Pair& pair, double distance) const {
  return std::min(layers_.active_layers(distance), static_cast<Index>(pair.layers.size()));
}

double Contacts::tick_time(const MadePair& made, const Layer& layer, Index number) const {
  return layer.origin + static_cast<double>(layer.tick) * step_of(made, number);
}

PairName Contacts::name(Index pair) const {
  const MadePair& made = pairs_[pair].made;
  return name_of(made);
}

PairName Contacts::deepest() const {
  Index found = kNone;
  std::size_t most = 0;
  for (Index p = 0; p < pairs_.size(); ++p) {
    if (pairs_[p].slab_event == kNone || pairs_[p].layers.size() <= most) continue;
    most = pairs_[p].layers.size();
    found = p;
  }
  return found == kNone ? PairName{} : name(found);
}

void Contacts::note_gap(const Pair& pair, double distance) {
  if (is_length_limit(pair.made.kind)) {
    limit_used = std::max(limit_used, 1.0 - distance / pair.made.thickness);
    return;
  }
  if (!(distance < smallest_gap)) return;
  smallest_gap = distance;
  nearest = name_of(pair.made);
}

bool Contacts::add(const MadePair& made, double time, Agenda& agenda) {
  Index p = static_cast<Index>(pairs_.size());
  if (free_.empty()) {
    pairs_.emplace_back();
  } else {
    p = free_.back();
    free_.pop_back();
  }
  Pair& pair = pairs_[p];
  pair.made = made;
  pair.slab_event = agenda.add({Happening::slab, 0, made.key}, p);
  for (unsigned k = 0; k < made.size; ++k) {
    std::vector<Index>& list = of_[made.vertex[k]];
    pair.place[k] = static_cast<Index>(list.size());
    list.push_back(p);
  }
  last_added_ = p;
  return renew_slab(p, time, agenda);
}

void Contacts::remove(Index p, Agenda& agenda) {
  Pair& pair = pairs_[p];
  while (!pair.layers.empty()) forget_last(p, agenda);
  agenda.remove(pair.slab_event);
  pair.slab_event = kNone;
  for (unsigned k = 0; k < pair.made.size; ++k) {
    const Index vertex = pair.made.vertex[k];
    std::vector<Index>& list = of_[vertex];
    const Index last = list.back();
    list[pair.place[k]] = last;
    list.pop_back();
    Pair& mover = pairs_[last];
    for (unsigned m = 0; m < mover.made.size; ++m) {
      if (mover.made.vertex[m] == vertex) mover.place[m] = pair.place[k];
    }
  }
  free_.push_back(p);
}

// The next layer acts from its next tick on; at this moment it is still nothing.
void Contacts::wake(Index p, double time, Agenda& agenda) {
  Pair& pair = pairs_[p];
  const auto number = static_cast<Index>(pair.layers.size()) + 1;
  Layer layer;
  layer.event = agenda.add({Happening::layer, number, pair.made.key}, p);
  const double step = step_of(pair.made, number);
  if (clocks_ == Clocks::restarted) {
    layer.origin = time;
  } else {
    layer.tick = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(time / step)));
  }
  while (tick_time(pair.made, layer, number) <= time) ++layer.tick;
  agenda.set(layer.event, tick_time(pair.made, layer, number));
  pair.layers.push_back(layer);
  if (laws_[pair.made.law].friction > 0.0) pair.trail.emplace_back();
}

void Contacts::forget_last(Index p, Agenda& agenda) {
  Pair& pair = pairs_[p];
  agenda.remove(pair.layers.back().event);
  pair.layers.pop_back();
  if (pair.trail.size() > pair.layers.size()) pair.trail.pop_back();
}

// The deepest layer did nothing and its pair separates: asleep, if a slab can take its place.
void Contacts::sleep(Index p, Agenda& agenda) {
  Pair& pair = pairs_[p];
  const auto number = static_cast<Index>(pair.layers.size());
  const double time = tick_time(pair.made, pair.layers.back(), number);
  const Stencil stencil = measure(pair.made, places(pair.made, time), problem_);
  const double reach = layers_.thickness(number) * pair.made.thickness;
  if (!((1.0 - margin_) * stencil.distance > reach)) return;
  if (!(dot(relative_velocity(trajectories_, pair.made, stencil), stencil.normal) > 0.0)) return;
  const Layer kept = pair.layers.back();
  const Vec3 normal = pair.normal;
  pair.layers.pop_back();
  pair.normal = stencil.normal;
  const double until = slab_until(pair, time);
  pair.layers.push_back(kept);
  if (!(until > time)) {
    pair.normal = normal;
    return;
  }
  ++slabs;
  forget_last(p, agenda);
  agenda.set(pair.slab_event, until);
}

bool Contacts::tick(Index p, Index number, double share, Agenda& agenda, detail::LedgerSums& sums) {
  Pair& pair = pairs_[p];
  const MadePair& made = pair.made;
  Layer& layer = pair.layers[number - 1];
  const bool starts = share < 1.0;
  const double time = starts ? 0.0 : tick_time(made, layer, number);
  ++ticks;
  const std::array<Vec3, 4> x = places(made, time);
  const Stencil stencil = measure(made, x, problem_);
  note_gap(pair, stencil.distance);
  const Index active = layers_.active_layers(stencil.distance / made.thickness);
  // What the slab proved.
  CAROM_DEMAND(active <= pair.layers.size() || faults_.any());
  deepest_layer = std::max(deepest_layer, active);
  const ContactLaw& law = laws_[made.law];
  double impulse = 0.0;
  if (number <= active) {
    const double l = number;
    impulse = share * step_of(made, number) * law.stiffness * (l * l * l) *
              (layers_.thickness(number) * made.thickness - stencil.distance);
  }
  const std::int64_t now = starts ? 0 : layer.tick;
  const bool parts = layer.seen == now - 1 && stencil.distance > layer.distance;
  const double factor = parts ? law.restitution * law.restitution : 1.0;
  const double missing = (1.0 - factor) * impulse;
  if (missing > 0.0) {
    // What is held back would have done this work along the motion as it is.
    const double speed = dot(relative_velocity(trajectories_, made, stencil), stencil.normal);
    sums.lost_to_restitution +=
        missing * (speed + 0.5 * factor * impulse * inverse_mass(trajectories_, made, stencil));
  }
  if (law.friction > 0.0) {
    // A slip is known from the last tick on if the layer pressed then. Whether it was awake without
    // pressing is up to certificates, and must not count.
    const bool pressed_then =
        layer.seen == now - 1 && layer.distance < layers_.thickness(number) * made.thickness;
    const double pressed = pressed_then ? factor * impulse : 0.0;
    rub(pair, slip_since(pair.trail[number - 1], made, stencil, x), stencil, pressed, time, sums);
    pair.trail[number - 1] = x;
  }
  layer.seen = now;
  layer.distance = stencil.distance;
  if (factor * impulse > 0.0) {
    act(made, stencil, (factor * impulse) * stencil.normal, time, sums);
  }
  if (starts) return true;
  if (number > active && number == pair.layers.size()) {
    sleep(p, agenda);
    if (number > pair.layers.size()) return true;
  }
  Layer& next = pair.layers[number - 1];
  ++next.tick;
  agenda.set(next.event, tick_time(made, next, number));
  return true;
}

// Only vertices that feel something are touched: that is what makes the outcome independent of
// layers that wake early.
void Contacts::act(const MadePair& made, const Stencil& stencil, const Vec3& impulse, double time,
                   detail::LedgerSums& sums) {
  for (unsigned k = 0; k < made.size; ++k) {
    const double c = stencil.coefficient[k];
    if (c == 0.0) continue;
    const Index i = made.vertex[k];
    if (trajectories_.is_held(i)) {
      detail::book_held(sums, c * impulse, trajectories_.velocity[i]);
      continue;
    }
    trajectories_.touch(i, time);
    trajectories_.velocity[i] += (c * trajectories_.inverse_mass[i]) * impulse;
    moved.push_back(i);
  }
  if (made.kind == PairKind::vertex_wall && made.size == 1) sums.wall_impulse += -1.0 * impulse;
}

void Contacts::rub(const Pair& pair, const Vec3& slip, const Stencil& stencil, double pressed,
                   double time, detail::LedgerSums& sums) {
  const MadePair& made = pair.made;
  const double length = norm(slip);
  if (!(length > 0.0) || pressed == 0.0) return;
  const double size = laws_[made.law].friction * pressed;
  const Vec3 direction = (1.0 / length) * slip;
  const double speed = dot(relative_velocity(trajectories_, made, stencil), direction);
  sums.lost_to_friction += size * (speed - 0.5 * size * inverse_mass(trajectories_, made, stencil));
  act(made, stencil, -size * direction, time, sums);
}

void Contacts::start(Agenda& agenda, detail::LedgerSums& sums) {
  for (Index p = 0; p < size(); ++p) {
    for (Index number = 1; number <= pairs_[p].layers.size(); ++number) {
      tick(p, number, 0.5, agenda, sums);
    }
  }
}

detail::StoredEnergy Contacts::synchronise(double time, const std::vector<Vec3>& position,
                                           std::vector<Vec3>& velocity) const {
  detail::StoredEnergy stored;
  for (const Pair& pair : pairs_) {
    if (pair.slab_event == kNone || pair.layers.empty()) continue;
    const MadePair& made = pair.made;
    const Stencil stencil = measure(made, places_in(made, position), problem_);
    const double d = stencil.distance / made.thickness;
    const Index active = active_layers(pair, d);
    if (active == 0) continue;
    const ContactLaw& law = laws_[made.law];
    double impulse = 0.0;
    for (Index number = 1; number <= active; ++number) {
      const Layer& layer = pair.layers[number - 1];
      const double l = number;
      const double force = law.stiffness * (l * l * l) *
                           (layers_.thickness(number) * made.thickness - stencil.distance);
      const bool parts = layer.seen == layer.tick - 1 && stencil.distance > layer.distance;
      const double factor = parts ? law.restitution * law.restitution : 1.0;
      const double since = time - tick_time(made, layer, number) + 0.5 * step_of(made, number);
      impulse += since * factor * force;
    }
    (is_length_limit(made.kind) ? stored.limits : stored.contact) +=
        law.stiffness * made.thickness * made.thickness * layers_.total_energy(d);
    for (unsigned k = 0; k < made.size; ++k) {
      const Index i = made.vertex[k];
      velocity[i] +=
          (stencil.coefficient[k] * impulse * trajectories_.inverse_mass[i]) * stencil.normal;
    }
  }
  return stored;
}

void Contacts::note_activity(const std::vector<Vec3>& position, VertexActivity& activity) const {
  for (const Pair& pair : pairs_) {
    if (pair.slab_event == kNone || pair.layers.empty()) continue;
    const MadePair& made = pair.made;
    const Stencil stencil = measure(made, places_in(made, position), problem_);
    const Index deepest = active_layers(pair, stencil.distance / made.thickness);
    if (deepest == 0) continue;
    for (unsigned k = 0; k < made.size; ++k) {
      if (stencil.coefficient[k] == 0.0) continue;
      const Index i = made.vertex[k];
      activity.layer[i] = std::max(activity.layer[i], deepest);
      activity.step[i] = std::min(activity.step[i], step_of(made, deepest));
    }
  }
}

}  // namespace carom::asynchronous::reference
