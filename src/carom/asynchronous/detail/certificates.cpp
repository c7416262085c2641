// Flight plans of vertices and the slabs that prove layers inactive.
#include "carom/asynchronous/detail/certificates.h"

#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/assert.h"

namespace carom::asynchronous::detail {
namespace {

// A plan's radius is a share of the distance to the nearest pair; the share follows how long plans
// last, within these bounds. Above kThick of a pair's distance a plan is replaced for that pair.
constexpr double kLeastShare = 0.002;
constexpr double kMostShare = 0.03;
constexpr double kThick = 0.06;
// Where no layer of a pair is near to acting, a radius may be this share of the way to its first.
constexpr double kSpareShare = 0.15;
constexpr double kSpareThick = 0.25;
// Certain touches that a plan should last: shorter ones get wider, longer ones narrower.
constexpr Tick kFewTouches = 12;
constexpr Tick kManyTouches = 100;
// Round-off of a coordinate, in the computation of a slab.
constexpr double kSlabRoundOff = 64.0 * kRoundOff;

// now + span units, at most end.
Tick later(Tick now, double span, Tick end) {
  if (!(span < static_cast<double>(end - now))) return end;
  return now + static_cast<Tick>(span);
}

double size_of(const Vec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

}  // namespace

Certificates::Certificates(Flights& flights, PairStore& pairs, const Problem& problem,
                           const Settings& settings)
    : flights_(flights),
      pairs_(pairs),
      problem_(problem),
      layers_(LayerTable::of(settings.layers)),
      margin_(settings.activation_margin) {}

void Certificates::look_at(Index pair) {
  if (queued_[pair] != 0) return;
  queued_[pair] = 1;
  queue_.push_back(pair);
}

Certificates::Outcome Certificates::settle(Tick now) {
  for (const Index i : broken_) {
    adapt_share(i, now);
    if (!replan(i, now, next_radius(i))) return Outcome::range_left;
  }
  broken_.clear();
  // Certificates may ask for new plans, and these for other pairs' certificates.
  std::size_t done = 0;
  while (done < queue_.size()) {
    const Index p = queue_[done++];
    const Outcome outcome = certify(p, now);
    queued_[p] = 0;
    if (outcome != Outcome::settled) return outcome;
  }
  queue_.clear();
  return Outcome::settled;
}

void Certificates::adapt_share(Index i, Tick now) {
  const Tick touches = (now - flights_.plan[i].begin) >> flights_.certain_level[i];
  double& share = flights_.plan_share[i];
  if (touches < kFewTouches) share = std::min(1.3 * share, kMostShare);
  if (touches > kManyTouches) share = std::max(0.8 * share, kLeastShare);
}

double Certificates::next_radius(Index i) const {
  double least = kInfinity;
  const double share = flights_.plan_share[i];
  for (const Index p : pairs_.near(i)) {
    const ContactPair& pair = pairs_[p];
    const double spare = kSpareShare * (pair.distance - pair.thickness);
    least = std::min(least, std::max(spare, share * pair.distance));
  }
  return std::min(0.25 * skin, least);
}

// The axis follows the mean motion of the last plan if that lasted, which vibrations do not turn
// aside, else the motion now.
void Certificates::make_plan(Index i, Tick now, double radius) {
  flights_.touch(i, now);
  const Tube& old = flights_.plan[i];
  const Tick elapsed = now - old.begin;
  const Vec3 flight = flights_.unit * flights_.velocity[i];
  Vec3 motion = flight;
  if (elapsed == 0) motion = old.motion;
  if (elapsed >= 4 * period(flights_.certain_level[i])) {
    motion = (1.0 / static_cast<double>(elapsed)) * (flights_.position[i] - old.place);
  }
  const auto ahead = static_cast<double>(next_firing(now, flights_.certain_level[i]) - now);
  if (norm_squared(flight - motion) * (ahead * ahead) > 0.25 * radius * radius) motion = flight;
  flights_.plan[i] = {flights_.position[i], motion, now, radius};
}

bool Certificates::replan(Index i, Tick now, double radius) {
  ++plans;
  make_plan(i, now, radius);
  const Tick end = range_holds_until(i, now);
  flights_.plan_end[i] = end;
  if (end < next_firing(now, flights_.certain_level[i])) return false;
  for (const Index p : pairs_.near(i)) look_at(p);
  return true;
}

// Until when the plan lies in the range; kNever: until the lists are made anew.
Tick Certificates::range_holds_until(Index i, Tick now) const {
  const Tube& range = flights_.range[i];
  const Tube& plan = flights_.plan[i];
  const double room = range.radius - plan.radius - norm(plan.at(now) - range.at(now));
  const double drift = norm(plan.motion - range.motion);
  if (!(room >= 0.0)) return now;
  const Tick end = drift > 0.0 ? later(now, (1.0 - 1e-9) * room / drift, list_end) : list_end;
  return end < list_end ? end : kNever;
}

void Certificates::lead(Index i, Tick now) {
  const Tick end = range_holds_until(i, now);
  if (end < list_end) list_end = std::max(end, now + 1);
  for (const Index p : pairs_.near(i)) look_at(p);
}

void Certificates::set_ranges(Tick now, Tick end, double radius, Team& team) {
  list_end = end;
  skin = radius;
  team.for_stretches(flights_.size(), flights_.size(), [&](Index begin, Index behind) {
    for (Index i = begin; i < behind; ++i) {
      flights_.touch(i, now);
      if (!flights_.is_held(i)) make_plan(i, now, 0.25 * skin);
      flights_.plan_end[i] = kNever;
      flights_.range[i] = flights_.plan[i];
      flights_.range[i].radius = flights_.is_held(i) && flights_.turns[i] == 0 ? 0.0 : skin;
    }
  });
  for (Index i = 0; i < flights_.size(); ++i) plans += flights_.is_held(i) ? 0U : 1U;
}

double Certificates::guard(const ContactPair& pair) const {
  double size = size_of(flights_.position[pair.vertex[0]]);
  if (pair.kind == PairKind::vertex_wall) size += std::abs(problem_.walls[pair.number].offset);
  if (pair.size > 1) size += size_of(flights_.position[pair.vertex[pair.size_a]]);
  return kSlabRoundOff * (size + pair.distance);
}

Certificates::Slab Certificates::slab_of(const ContactPair& pair, const Vec3& normal,
                                         const std::vector<Tube>& tubes, Tick now) const {
  if (pair.kind == PairKind::longest_length) return length_slab_of(pair, tubes, now);
  Slab slab;
  double least_a = kInfinity;
  double most_b = -kInfinity;
  for (unsigned k = 0; k < pair.size; ++k) {
    const Tube& tube = tubes[pair.vertex[k]];
    slab.speed[k] = dot(normal, tube.motion);
    const double place =
        dot(normal, tube.place) + static_cast<double>(now - tube.begin) * slab.speed[k];
    if (k < pair.size_a) {
      slab.place[k] = place - tube.radius;
      least_a = std::min(least_a, slab.place[k]);
    } else {
      slab.place[k] = place + tube.radius;
      most_b = std::max(most_b, slab.place[k]);
    }
  }
  // slab.place[1] is that of the wall's carrier, or 0.
  if (pair.kind == PairKind::vertex_wall) {
    slab.place[1] += problem_.walls[pair.number].offset;
    most_b = slab.place[1];
  }
  slab.least = least_a - most_b - guard(pair);
  if (pair.kind == PairKind::shortest_length) slab.least -= problem_.limits[pair.number].length;
  return slab;
}

Certificates::Slab Certificates::length_slab_of(const ContactPair& pair,
                                                const std::vector<Tube>& tubes, Tick now) const {
  const Tube& a = tubes[pair.vertex[0]];
  const Tube& b = tubes[pair.vertex[1]];
  Slab slab;
  slab.apart = a.at(now) - b.at(now);
  slab.parting = a.motion - b.motion;
  slab.radii = a.radius + b.radius;
  slab.least = problem_.limits[pair.number].length - norm(slab.apart) - slab.radii - guard(pair);
  return slab;
}

Tick Certificates::holds_until(const ContactPair& pair, const Slab& slab, double reach,
                               Tick now) const {
  double room = guard(pair) + reach;
  if (pair.kind == PairKind::longest_length) {
    const double bound = problem_.limits[pair.number].length - room - slab.radii;
    const double time = time_within(slab.apart, slab.parting, 0.0, bound);
    return later(now, (1.0 - 1e-9) * time, list_end);
  }
  if (pair.kind == PairKind::shortest_length) room += problem_.limits[pair.number].length;
  Tick until = list_end;
  const auto meet = [&](unsigned a, double place_b, double speed_b) {
    const double spare = slab.place[a] - place_b - room;
    if (!(spare >= 0.0)) {
      until = now;
      return;
    }
    const double closing = speed_b - slab.speed[a];
    if (closing > 0.0)
      until = std::min(until, later(now, (1.0 - 1e-9) * spare / closing, list_end));
  };
  if (pair.kind == PairKind::vertex_wall) {
    meet(0, slab.place[1], slab.speed[1]);
    return until;
  }
  for (unsigned a = 0; a < pair.size_a; ++a) {
    for (unsigned b = pair.size_a; b < pair.size; ++b) meet(a, slab.place[b], slab.speed[b]);
  }
  return until;
}

Certificates::Slab Certificates::range_slab(const ContactPair& pair, Tick now) const {
  const Stencil stencil = measure(pair, flights_.position, problem_);
  return slab_of(pair, stencil.normal, flights_.range, now);
}

// Plans too thick for this pair are replaced; false: a range was left.
bool Certificates::thin_tubes(Index p, double distance, Tick now) {
  const ContactPair& pair = pairs_[p];
  const double spare = distance - pair.thickness;
  const double thick = std::max(kThick * distance, kSpareThick * spare);
  for (unsigned k = 0; k < pair.size; ++k) {
    const Index i = pair.vertex[k];
    if (flights_.is_held(i) || flights_.plan[i].radius <= thick) continue;
    const double radius = std::max(flights_.plan_share[i] * distance, kSpareShare * spare);
    if (!replan(i, now, radius)) return false;
  }
  return true;
}

void Certificates::note_gap(const ContactPair& pair) {
  if (is_length_limit(pair.kind)) {
    limit_used = std::max(limit_used, 1.0 - pair.distance / pair.thickness);
  } else if (pair.distance < smallest_gap) {
    smallest_gap = pair.distance;
    nearest = name_of(pair);
  }
}

Certificates::Outcome Certificates::certify(Index p, Tick now) {
  ++certificates;
  ContactPair& pair = pairs_[p];
  for (unsigned k = 0; k < pair.size; ++k) flights_.touch(pair.vertex[k], now);
  const Stencil stencil = measure(pair, flights_.position, problem_);
  pair.distance = stencil.distance;
  note_gap(pair);
  if (stencil.distance > 1.5 * pair.thickness) {
    const Slab wide = slab_of(pair, stencil.normal, flights_.range, now);
    const Tick until = holds_until(pair, wide, pair.thickness, now);
    const Tick worth = now + 16 * period(flights_.certain_level[pair.vertex[0]]);
    if (until >= std::min(worth, list_end) && until > now) {
      pairs_.set_watch(p, Watch::far);
      pairs_.set_octave(p, -1);
      pair.due = until;
      if (until < list_end) pairs_.look_again(p, now);
      return Outcome::settled;
    }
  }
  pairs_.set_watch(p, Watch::near);
  if (!thin_tubes(p, stencil.distance, now)) return Outcome::range_left;
  return set_depth(p, slab_of(pair, stencil.normal, flights_.plan, now), now);
}

Certificates::Outcome Certificates::set_depth(Index p, const Slab& slab, Tick now) {
  ContactPair& pair = pairs_[p];
  // The shallowest octave that leaves the margin, or deeper until there is a proof at all.
  const double wanted = (slab.least - margin_ * pair.distance) / pair.thickness;
  int octave = -1;
  if (wanted < 1.0) octave = layers_.octave_of(layers_.active_layers(std::max(wanted, 1e-3)));
  const int deepest = std::min<int>(pair.top_level, kOctaves - 1);
  octave = std::min(octave, deepest);
  Tick until = now;
  for (;; ++octave) {
    if (octave > deepest) {
      stuck_pair_ = p;
      return Outcome::stuck;
    }
    until = holds_until(pair, slab, layers_.reach_behind(octave) * pair.thickness, now);
    if (until > now) break;
  }
  pairs_.set_octave(p, octave);
  pair.due = until;
  if (until < list_end) pairs_.look_again(p, now);
  return Outcome::settled;
}

}  // namespace carom::asynchronous::detail
