// Places on recorded piecewise linear paths, with a bound for the rounding of each.

#include "carom/asynchronous/detail/recorded_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "carom/core/error.h"

namespace carom::asynchronous::detail {
namespace {

double largest_coordinate(const Vec3& x) {
  return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
}

// from + f (to - from) with a rounded f: in each coordinate five roundings of the product and one
// of the sum, each half a round-off of at most |from| + |to|, so less than 6 round-offs of the
// larger; the length of three such errors is below 12.
PathPlace between(const PathKnot& from, const PathKnot& to, double t) {
  if (from.x == to.x || t == from.t) return {from.x, 0.0};
  if (t == to.t) return {to.x, 0.0};
  const double fraction = (t - from.t) / (to.t - from.t);
  const Vec3 x = from.x + fraction * (to.x - from.x);
  const double size = std::max(largest_coordinate(from.x), largest_coordinate(to.x));
  return {x, 12.0 * kRoundOff * size + std::numeric_limits<double>::min()};
}

struct Earlier {
  bool operator()(const PathKnot& knot, double t) const { return knot.t < t; }
  bool operator()(double t, const PathKnot& knot) const { return t < knot.t; }
};

[[noreturn]] void fail(const std::string& key, const std::string& message) {
  throw InputError({{}, 0, 0, key}, message);
}

}  // namespace

void RecordedPath::check(std::size_t vertex_count) const {
  if (!(path_.begin < path_.end)) fail("path", "its end must be later than its begin");
  if (path_.first_knot.empty()) {
    if (path_.from.size() != vertex_count || path_.to.size() != vertex_count) {
      fail("path", "one place for each of " + std::to_string(vertex_count) + " vertices, found " +
                       std::to_string(path_.from.size()) + " and " +
                       std::to_string(path_.to.size()));
    }
    return;
  }
  if (path_.first_knot.size() != vertex_count + 1 || path_.first_knot.back() > path_.knots.size() ||
      !std::is_sorted(path_.first_knot.begin(), path_.first_knot.end())) {
    fail("path.first_knot", "must rise and have one number more than vertices");
  }
  for (Index v = 0; v < vertex_count; ++v) {
    const std::string key = "path of vertex " + std::to_string(v);
    const std::span<const PathKnot> knots = knots_of(v);
    if (knots.empty()) fail(key, "has no knots");
    if (knots.size() == 1) continue;
    if (knots.front().t > path_.begin || knots.back().t < path_.end) {
      fail(key, "does not cover the window");
    }
    const auto out_of_order = [](const PathKnot& a, const PathKnot& b) { return a.t >= b.t; };
    if (std::adjacent_find(knots.begin(), knots.end(), out_of_order) != knots.end()) {
      fail(key, "its times must rise");
    }
  }
}

bool RecordedPath::is_usable(bool in_space) const {
  const auto is_number = [](double x) { return std::abs(x) <= 1e90; };
  const auto is_place = [&](const Vec3& x) {
    return is_number(x.x) && is_number(x.y) && (in_space ? is_number(x.z) : x.z == 0.0);
  };
  const auto is_knot = [&](const PathKnot& knot) { return is_number(knot.t) && is_place(knot.x); };
  return is_number(path_.begin) && is_number(path_.end) &&
         std::all_of(path_.from.begin(), path_.from.end(), is_place) &&
         std::all_of(path_.to.begin(), path_.to.end(), is_place) &&
         std::all_of(path_.knots.begin(), path_.knots.end(), is_knot);
}

PathPlace RecordedPath::at(Index vertex, double t) const {
  if (path_.first_knot.empty()) {
    return between({path_.begin, path_.from[vertex]}, {path_.end, path_.to[vertex]}, t);
  }
  const std::span<const PathKnot> knots = knots_of(vertex);
  if (knots.size() == 1) return {knots.front().x, 0.0};
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, t, Earlier{});
  return between(*(after - 1), *after, t);
}

std::span<const PathKnot> RecordedPath::knots_between(Index vertex, double s, double e) const {
  if (path_.first_knot.empty()) return {};
  const std::span<const PathKnot> knots = knots_of(vertex);
  if (knots.size() == 1) return {};
  const auto first = std::upper_bound(knots.begin(), knots.end(), s, Earlier{});
  const auto last = std::lower_bound(first, knots.end(), e, Earlier{});
  return {first, last};
}

PathPiece RecordedPath::piece(Index vertex, const PathPlace& begin, const PathPlace& end,
                              const std::array<double, 2>& interval) const {
  PathPiece piece = {begin.x, end.x, std::max(begin.slack, end.slack)};
  // A place between knots is nowhere farther from the chord than at one of them.
  double deviation = 0.0;
  const PathKnot from = {interval[0], begin.x};
  const PathKnot to = {interval[1], end.x};
  for (const PathKnot& knot : knots_between(vertex, interval[0], interval[1])) {
    const PathPlace chord = between(from, to, knot.t);
    const double rounding = chord.slack + 4.0 * kRoundOff * largest_coordinate(knot.x);
    const Vec3 aside = knot.x - chord.x;
    const double length = std::hypot(aside.x, aside.y, aside.z);  // nothing underflows
    deviation = std::max(deviation, length * (1.0 + 8.0 * kRoundOff) + rounding);
  }
  piece.slack += deviation;
  return piece;
}

AxisBox RecordedPath::swept_box(Index vertex) const {
  AxisBox box;
  for (const double t : {path_.begin, path_.end}) {
    const PathPlace place = at(vertex, t);
    // Rounding the sum may lose less than a round-off of the place, which slack has room for.
    const Vec3 slack = {place.slack, place.slack, place.slack};
    box.include(place.x - slack);
    box.include(place.x + slack);
  }
  for (const PathKnot& knot : knots_between(vertex, path_.begin, path_.end)) box.include(knot.x);
  return box;
}

}  // namespace carom::asynchronous::detail
