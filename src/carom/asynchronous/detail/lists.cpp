// The lists of pairs that may come near within a horizon.
#include "carom/asynchronous/detail/lists.h"

#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/assert.h"

namespace carom::asynchronous::detail {
namespace {

// Bounds on the radius of ranges, in units of the largest thickness, and where it starts.
constexpr double kLeastSkin = 0.02;
constexpr double kFirstSkin = 0.25;
constexpr double kMostSkin = 1.0;
// Work on each box of a list, in pairs looked at.
constexpr std::size_t kWorkOfLeaf = 4;
// Skins that a vertex of the usual speed crosses within a horizon.
constexpr double kSweep = 4.0;

}  // namespace

double shortest_first_step(const Problem& problem, const Settings& settings) {
  double mass = kInfinity;
  std::vector<char> held(problem.mass.size(), 0);
  for (const HeldVertex& vertex : problem.held) held[vertex.vertex] = 1;
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    if (held[i] == 0) mass = std::min(mass, problem.mass[i]);
  }
  if (!std::isfinite(mass)) mass = 1.0;
  double stiffness = 0.0;
  for (const ContactLaw& law : problem.contact) stiffness = std::max(stiffness, law.stiffness);
  double shortest = settings.contact_step * std::sqrt(0.5 * mass / stiffness);
  for (const double step : first_steps_of_limits(problem, settings)) {
    shortest = std::min(shortest, step);
  }
  return shortest;
}

Lists::Lists(const Problem& problem, const Settings& settings, const Topology& topology,
             double unit, Team& team)
    : problem_(problem),
      topology_(topology),
      team_(team),
      contact_step_(settings.contact_step),
      limit_steps_(first_steps_of_limits(problem, settings)),
      unit_(unit),
      search_(problem, topology) {
  for (const ContactLaw& law : problem.contact) reach_ = std::max(reach_, law.thickness);
  skin = kFirstSkin * reach_;
}

// Wide ranges last long but have many pairs near. The skin goes on, wider or narrower, as long as
// the work for a second gets less, and turns where it gets more. Work is counted, not timed, so
// that runs repeat.
void Lists::adapt_skin(Tick now, std::uint64_t certificates) {
  const double spent = static_cast<double>(certificates - certificates_then);
  certificates_then = certificates;
  if (now == 0 || now == made) return;
  const double work =
      spent + static_cast<double>(found_then + kWorkOfLeaf * topology_.leaves.size());
  const double rate = work / (static_cast<double>(now - made) * unit_);
  if (rate > rate_then) skin_factor = 1.0 / skin_factor;
  rate_then = rate;
  skin = std::clamp(skin * skin_factor, kLeastSkin * reach_, kMostSkin * reach_);
}

void Lists::adapt_horizon(Tick now, const Flights& flights) {
  if (now > 0) horizon = std::max<Tick>(1, 2 * (now - made));
  // Long sweeps meet everything: no more than a few skins at the usual relative speed.
  const double count = std::max<double>(1.0, flights.size());
  Vec3 mean;
  for (const Vec3& v : flights.velocity) mean += (1.0 / count) * v;
  double square = 0.0;
  for (const Vec3& v : flights.velocity) square += norm_squared(v - mean);
  const double speed = std::sqrt(square / count);
  const double longest = std::ldexp(1.0, kTopLevel - 4);
  const double crossing = speed > 0.0 ? kSweep * skin / (speed * flights.unit) : longest;
  horizon = std::min(horizon, static_cast<Tick>(std::min(crossing, longest)) + 1);
  made = now;
}

void Lists::make(Tick now, Flights& flights, PairStore& pairs, Certificates& certificates) {
  adapt_skin(now, certificates.certificates);
  adapt_horizon(now, flights);
  const Tick end = now + horizon;
  certificates.set_ranges(now, end, skin, team_);
  make_boxes(now, end, flights);
  search_.certificates = &certificates;
  search_.now = now;
  find_pairs(flights);
  gather();
  keep(now, flights, pairs, certificates);
}

// Those between leaves, of walls, of limits; each finder has some.
void Lists::find_pairs(const Flights& flights) {
  box_pairs_.find(search_.leaf_box, team_);
  const std::vector<BoxPairs::Part>& parts = box_pairs_.parts();
  finders_.resize(parts.size() + 1);
  std::size_t count = 0;
  for (const BoxPairs::Part& part : parts) count += part.pairs.size();
  team_.run(parts.size(), 10 * count, [&](std::size_t part) {
    PairFinder& finder = finders_[part];
    finder.begin();
    for (const auto& [a, b] : parts[part].pairs) {
      finder.offer_leaves(search_, topology_.leaves[a], topology_.leaves[b]);
    }
  });
  PairFinder& others = finders_.back();
  others.begin();
  for (Index w = 0; w < problem_.walls.size(); ++w) {
    for (Index i = 0; i < flights.size(); ++i) {
      if (!flights.is_held(i)) others.offer_wall(search_, i, w);
    }
  }
  for (Index k = 0; k < problem_.limits.size(); ++k) others.offer_limit(search_, k);
}

// What the finders kept, in the order of keys.
void Lists::gather() {
  places_.clear();
  found_then = 0;
  for (const PairFinder& finder : finders_) {
    found_then += finder.looked_at;
    for (const ContactPair& pair : finder.kept) places_.push_back({pair.key, &pair});
  }
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return a.key < b.key; });
  kept_.clear();
  kept_.reserve(places_.size());
  for (const Place& place : places_) kept_.push_back(*place.pair);
  // Lists are made seldom, and room for a second copy of all pairs would stay unused.
  for (PairFinder& finder : finders_) finder.kept = {};
}

// Replaces the pairs of the store; what they remember is kept.
void Lists::keep(Tick now, Flights& flights, PairStore& pairs, Certificates& certificates) {
  forgotten.clear();
  const std::vector<ContactPair>& old = pairs.all();
  std::size_t k = 0;
  for (ContactPair& pair : kept_) {
    set_clock(pair, flights);
    for (; k < old.size() && old[k].key < pair.key; ++k) forget(old[k]);
    if (k < old.size() && old[k].key == pair.key) pair.memory = old[k++].memory;
  }
  for (; k < old.size(); ++k) forget(old[k]);
  pairs.reset(kept_, flights.size());
  kept_ = {};
  certificates.forget_work();
  for (Index p = 0; p < pairs.size(); ++p) {
    if (pairs[p].due > now) {
      pairs.look_again(p, now);
    } else {
      certificates.look_at(p);
    }
  }
}

void Lists::forget(const ContactPair& pair) {
  if (pair.memory != kNone) forgotten.push_back(pair.memory);
}

void Lists::make_boxes(Tick now, Tick end, const Flights& flights) {
  std::vector<Box>& vertex_box = search_.vertex_box;
  vertex_box.resize(flights.size());
  team_.for_stretches(vertex_box.size(), vertex_box.size() / 2, [&](Index begin, Index behind) {
    for (Index i = begin; i < behind; ++i) {
      const Tube& range = flights.range[i];
      Box box;
      box.add(range.at(now));
      box.add(range.at(end));
      double wide = range.radius + 0.5 * reach_;
      wide += 1e-12 * (wide + norm(box.low) + norm(box.high));
      box.low -= Vec3{wide, wide, wide};
      box.high += Vec3{wide, wide, wide};
      vertex_box[i] = box;
    }
  });
  std::vector<Box>& leaf_box = search_.leaf_box;
  leaf_box.resize(topology_.leaves.size());
  team_.for_stretches(leaf_box.size(), leaf_box.size() / 2, [&](Index begin, Index behind) {
    for (Index k = begin; k < behind; ++k) {
      const Leaf& leaf = topology_.leaves[k];
      leaf_box[k] = Box{};
      for (unsigned m = 0; m < leaf.size; ++m) leaf_box[k].add(vertex_box[leaf.vertex[m]]);
    }
  });
}

// The clock of a pair's layers follows from masses and stiffness alone: the same in all lists.
void Lists::set_clock(ContactPair& pair, const Flights& flights) const {
  if (is_length_limit(pair.kind)) {
    pair.top_level = static_cast<std::int8_t>(level_of_step(limit_steps_[pair.number], unit_));
    CAROM_DEMAND(pair.top_level >= 0);
    return;
  }
  // The largest inverse effective mass over all weights of the closest points.
  double inverse_a = 0.0;
  double inverse_b = 0.0;
  for (unsigned k = 0; k < pair.size; ++k) {
    double& inverse = k < pair.size_a ? inverse_a : inverse_b;
    inverse = std::max(inverse, flights.inverse_mass[pair.vertex[k]]);
  }
  const double stiffness = problem_.contact[pair.law].stiffness;
  const double step = contact_step_ / std::sqrt((inverse_a + inverse_b) * stiffness);
  pair.top_level = static_cast<std::int8_t>(level_of_step(step, unit_));
  CAROM_DEMAND(pair.top_level >= 0);
}

}  // namespace carom::asynchronous::detail
