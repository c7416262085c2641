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
// A pair's layers never get thinner than this share of eta_1, however near its rest distance.
constexpr double kLeastThickness = 1e-6;

std::uint64_t key_of(PairKind kind, Index a, Index b) {
  return static_cast<std::uint64_t>(kind) << 61 | static_cast<std::uint64_t>(a) << 30 | b;
}

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
             double unit)
    : problem_(problem),
      topology_(topology),
      contact_step_(settings.contact_step),
      limit_steps_(first_steps_of_limits(problem, settings)),
      unit_(unit) {
  for (const ContactLaw& law : problem.contact) reach_ = std::max(reach_, law.thickness);
  skin = kFirstSkin * reach_;
  held_.assign(problem.mass.size(), 0);
  for (const HeldVertex& vertex : problem.held) held_[vertex.vertex] = 1;
  while (static_cast<std::size_t>(materials_) * materials_ < problem.contact.size()) ++materials_;
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
  certificates.set_ranges(now, end, skin);
  make_boxes(now, end, flights);
  box_pairs_.find(leaf_box_, met_);
  found_.clear();
  for (const auto& [a, b] : met_) {
    offer_leaves(topology_.leaves[a], topology_.leaves[b]);
    offer_leaves(topology_.leaves[b], topology_.leaves[a]);
  }
  for (Index w = 0; w < problem_.walls.size(); ++w) {
    for (Index i = 0; i < flights.size(); ++i) {
      if (!flights.is_held(i)) offer_wall(i, w);
    }
  }
  for (Index k = 0; k < problem_.limits.size(); ++k) offer_limit(k);
  found_then = found_.size();
  keep(now, flights, pairs, certificates);
}

// Keeps the pairs that are not proven far until the end, and what they remember.
void Lists::keep(Tick now, Flights& flights, PairStore& pairs, Certificates& certificates) {
  kept_.clear();
  for (ContactPair& pair : found_) {
    // What is far with the thickness of its materials, as most are, is so with its own.
    const Certificates::Slab slab = certificates.range_slab(pair, now);
    pair.due = certificates.holds_until(pair, slab, pair.thickness, now);
    if (pair.due >= certificates.list_end) continue;
    const double widest = pair.thickness;
    set_thickness(pair);
    if (pair.thickness < widest) {
      pair.due = certificates.holds_until(pair, slab, pair.thickness, now);
    }
    if (pair.due < certificates.list_end) kept_.push_back(pair);
  }
  std::sort(kept_.begin(), kept_.end(),
            [](const ContactPair& a, const ContactPair& b) { return a.key < b.key; });
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
  vertex_box_.assign(flights.size(), Box{});
  for (Index i = 0; i < flights.size(); ++i) {
    const Tube& range = flights.range[i];
    Box& box = vertex_box_[i];
    box.add(range.at(now));
    box.add(range.at(end));
    double wide = range.radius + 0.5 * reach_;
    wide += 1e-12 * (wide + norm(box.low) + norm(box.high));
    box.low -= Vec3{wide, wide, wide};
    box.high += Vec3{wide, wide, wide};
  }
  leaf_box_.assign(topology_.leaves.size(), Box{});
  for (std::size_t k = 0; k < leaf_box_.size(); ++k) {
    const Leaf& leaf = topology_.leaves[k];
    for (unsigned m = 0; m < leaf.size; ++m) leaf_box_[k].add(vertex_box_[leaf.vertex[m]]);
  }
}

// The pairs of what leaf a stands for with leaf b itself; those of edges only from one side.
void Lists::offer_leaves(const Leaf& a, const Leaf& b) {
  if (b.size >= 2 && (problem_.dimension == 2 || b.size == 3 || a.size == 1)) {
    const PairKind kind = b.size == 3 ? PairKind::vertex_face : PairKind::vertex_edge;
    const Box box = leaf_box_[static_cast<std::size_t>(&b - topology_.leaves.data())];
    for (const Index v : a.own_vertices) {
      if (v == kNone || !vertex_box_[v].meets(box)) continue;
      offer(kind, key_of(kind, v, b.primitive), {v, b.vertex[0], b.vertex[1], b.vertex[2]});
    }
  }
  if (&a > &b) return;
  if (a.size == 1 && b.size == 1) {
    const PairKind kind = PairKind::vertex_vertex;
    offer(kind, key_of(kind, a.vertex[0], b.vertex[0]), {a.vertex[0], b.vertex[0], kNone, kNone});
  }
  if (problem_.dimension == 2) return;
  for (const Index edge_a : a.own_edges) {
    for (const Index edge_b : b.own_edges) {
      if (edge_a != kNone && edge_b != kNone) offer_edges(edge_a, edge_b);
    }
  }
}

void Lists::offer_edges(Index a, Index b) {
  const std::array<Index, 2>& edge_a = topology_.edges[std::min(a, b)];
  const std::array<Index, 2>& edge_b = topology_.edges[std::max(a, b)];
  Box box_a = vertex_box_[edge_a[0]];
  box_a.add(vertex_box_[edge_a[1]]);
  Box box_b = vertex_box_[edge_b[0]];
  box_b.add(vertex_box_[edge_b[1]]);
  if (!box_a.meets(box_b)) return;
  offer(PairKind::edge_edge, key_of(PairKind::edge_edge, std::min(a, b), std::max(a, b)),
        {edge_a[0], edge_a[1], edge_b[0], edge_b[1]});
}

void Lists::offer(PairKind kind, std::uint64_t key, const std::array<Index, 4>& vertices) {
  ContactPair pair;
  pair.key = key;
  pair.kind = kind;
  pair.vertex = vertices;
  pair.size_a = kind == PairKind::edge_edge ? 2 : 1;
  pair.size = kind == PairKind::vertex_vertex ? 2 : kind == PairKind::vertex_edge ? 3 : 4;
  if (shares_vertex(pair)) return;
  bool all_held = true;
  for (unsigned k = 0; k < pair.size; ++k) all_held = all_held && held_[vertices[k]] != 0;
  if (all_held) return;
  const auto material = [&](Index i) {
    return problem_.material.empty() ? 0 : problem_.material[i];
  };
  pair.law = material(vertices[0]) * materials_ + material(vertices[pair.size_a]);
  pair.thickness = problem_.contact[pair.law].thickness;
  found_.push_back(pair);
}

void Lists::offer_wall(Index vertex, Index wall) {
  ContactPair pair;
  pair.kind = PairKind::vertex_wall;
  pair.vertex[0] = vertex;
  pair.vertex[1] = problem_.walls[wall].carrier;
  pair.number = wall;
  pair.size = pair.vertex[1] == kNone ? 1 : 2;
  pair.size_a = 1;
  pair.key = key_of(pair.kind, vertex, wall);
  const Index material = problem_.material.empty() ? 0 : problem_.material[vertex];
  pair.law = material * materials_ + problem_.walls[wall].material;
  pair.thickness = problem_.contact[pair.law].thickness;
  found_.push_back(pair);
}

void Lists::offer_limit(Index limit) {
  const LengthLimit& given = problem_.limits[limit];
  ContactPair pair;
  pair.kind = given.side == LengthLimit::Side::longest ? PairKind::longest_length
                                                       : PairKind::shortest_length;
  pair.vertex = {given.vertex[0], given.vertex[1], kNone, kNone};
  pair.number = limit;
  pair.size = 2;
  pair.size_a = 1;
  pair.key = key_of(pair.kind, limit, 0);
  pair.law = static_cast<Index>(problem_.contact.size()) + limit;
  pair.thickness = given.thickness;
  found_.push_back(pair);
}

bool Lists::shares_vertex(const ContactPair& pair) const {
  for (unsigned a = 0; a < pair.size_a; ++a) {
    for (unsigned b = pair.size_a; b < pair.size; ++b) {
      if (pair.vertex[a] == pair.vertex[b]) return true;
    }
  }
  return false;
}

// Of two primitives of one mesh the layers are no thicker than half their distance at rest.
void Lists::set_thickness(ContactPair& pair) const {
  const Index b = pair.vertex[pair.size_a % 4];
  if (pair.kind == PairKind::vertex_wall || is_length_limit(pair.kind) ||
      topology_.component[pair.vertex[0]] != topology_.component[b]) {
    return;
  }
  const std::vector<Vec3>& rest =
      problem_.rest_position.empty() ? problem_.position : problem_.rest_position;
  const double apart = measure(pair, rest, problem_).distance;
  pair.thickness =
      std::max(std::min(pair.thickness, 0.5 * apart), kLeastThickness * pair.thickness);
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
