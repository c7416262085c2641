// The lists of pairs: near ones by vertex, ticking ones by level, and when each is looked at.
#include "carom/asynchronous/detail/pairs.h"

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/assert.h"

namespace carom::asynchronous::detail {

PairName name_of(const ContactPair& pair) {
  return {pair.kind, pair.vertex, pair.kind == PairKind::vertex_wall ? pair.number : kNone};
}

Stencil gap_of(const Wall& wall, const Vec3& x) {
  Stencil result;
  result.distance = dot(wall.normal, x) - wall.offset;
  result.normal = wall.normal;
  result.coefficient[0] = 1.0;
  return result;
}

Stencil gap_of(const Wall& wall, const Vec3& x, const Vec3& x_c) {
  Stencil result = gap_of(wall, x - x_c);
  result.coefficient[1] = -1.0;
  return result;
}

Stencil measure(const ContactPair& pair, const std::vector<Vec3>& position,
                const Problem& problem) {
  const std::array<Index, 4>& v = pair.vertex;
  const Vec3* x = position.data();
  switch (pair.kind) {
    case PairKind::vertex_wall: {
      const Wall& wall = problem.walls[pair.number];
      return wall.carrier == kNone ? gap_of(wall, x[v[0]]) : gap_of(wall, x[v[0]], x[v[1]]);
    }
    case PairKind::vertex_vertex:
      return vertex_vertex(x[v[0]], x[v[1]]);
    case PairKind::vertex_edge:
      return vertex_edge(x[v[0]], x[v[1]], x[v[2]]);
    case PairKind::vertex_face:
      return vertex_face(x[v[0]], {x[v[1]], x[v[2]], x[v[3]]});
    case PairKind::longest_length:
    case PairKind::shortest_length:
      return gap_of(problem.limits[pair.number], x[v[0]], x[v[1]]);
    case PairKind::edge_edge:
      break;
  }
  return edge_edge({x[v[0]], x[v[1]]}, {x[v[2]], x[v[3]]});
}

void PairStore::reset(std::vector<ContactPair>& pairs, Index vertices) {
  pairs_.swap(pairs);
  near_.resize(vertices);
  for (std::vector<Index>& list : near_) list.clear();
  for (std::vector<Index>& list : ticking_) list.clear();
  ticking_levels_ = 0;
  wheel_.reset(size());
  for (ContactPair& pair : pairs_) {
    pair.watch = Watch::far;
    pair.octave = -1;
    pair.tick_place = kNone;
  }
}

void PairStore::set_watch(Index p, Watch watch) {
  ContactPair& pair = pairs_[p];
  if (pair.watch == watch) return;
  pair.watch = watch;
  for (unsigned k = 0; k < pair.size; ++k) {
    std::vector<Index>& list = near_[pair.vertex[k]];
    if (watch == Watch::near) {
      pair.near_place[k] = static_cast<Index>(list.size());
      list.push_back(p);
      continue;
    }
    const Index last = list.back();
    const Index place = pair.near_place[k];
    list[place] = last;
    list.pop_back();
    ContactPair& mover = pairs_[last];
    for (unsigned m = 0; m < mover.size; ++m) {
      if (mover.vertex[m] == pair.vertex[k]) mover.near_place[m] = place;
    }
  }
}

PairName PairStore::busiest() const {
  for (const std::vector<Index>& list : ticking_) {
    if (!list.empty()) return name_of(pairs_[list.front()]);
  }
  return {};
}

void PairStore::set_octave(Index p, int octave) {
  ContactPair& pair = pairs_[p];
  if (pair.octave == octave) return;
  if (pair.octave >= 0) {
    const int level = pair.tick_level();
    std::vector<Index>& list = ticking_[static_cast<std::size_t>(level)];
    const Index last = list.back();
    list[pair.tick_place] = last;
    pairs_[last].tick_place = pair.tick_place;
    list.pop_back();
    if (list.empty()) ticking_levels_ &= ~(std::uint64_t{1} << level);
  }
  pair.octave = static_cast<std::int8_t>(octave);
  pair.tick_place = kNone;
  if (octave < 0) return;
  const int level = pair.tick_level();
  CAROM_ASSERT(level >= 0);
  std::vector<Index>& list = ticking_[static_cast<std::size_t>(level)];
  pair.tick_place = static_cast<Index>(list.size());
  list.push_back(p);
  ticking_levels_ |= std::uint64_t{1} << level;
}

}  // namespace carom::asynchronous::detail
