// Pairs proven apart over a window: in one piece where that does, else by bisection, earlier part
// first.

#include "carom/asynchronous/detail/motion_proof.h"

#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/exact_meeting.h"
#include "carom/asynchronous/detail/nearest_points.h"

namespace carom::asynchronous::detail {
namespace {

// Along the vector between nearest points in the middle of the interval, then along others.
double best_gap(const PrimitivePair& pair, const PairPieces& pieces) {
  const std::array<Vec3, 4> middles = pieces.middles();
  double best = gap_along(nearest_difference(pair, middles), pair, pieces);
  if (best > 0.0) return best;
  const Directions others = other_directions(pair, middles);
  for (std::size_t k = 0; k < others.count; ++k) {
    best = std::max(best, gap_along(others.all[k], pair, pieces));
  }
  return best;
}

bool stands_still(const PrimitivePair& pair, const PairPieces& pieces) {
  const auto stands = [](const PathPiece& p) { return p.begin == p.end && p.slack == 0.0; };
  return std::all_of(pieces.of.begin(), pieces.of.begin() + pair.count, stands);
}

bool is_earlier(const AuditFault& fault, const std::optional<AuditFault>& than) {
  return !than || *fault.time < *than->time;
}

}  // namespace

double MotionProof::Moment::slack() const {
  return std::max({at[0].slack, at[1].slack, at[2].slack, at[3].slack});
}

MotionProof::Moment MotionProof::moment(const PrimitivePair& pair, double t) const {
  Moment result = {t, {}};
  for (std::size_t i = 0; i < pair.count; ++i) result.at[i] = path_.at(pair.vertices[i], t);
  return result;
}

void MotionProof::examine(const PrimitivePair& pair) {
  ++report_.pairs;
  PairPieces pieces;
  for (std::size_t i = 0; i < pair.count; ++i) pieces.of[i] = pieces_[pair.vertices[i]];
  const double gap = gap_along(nearest_difference(pair, pieces.middles()), pair, pieces);
  if (gap > 0.0) {
    keep_gap(pair, gap);
    return;
  }
  ++report_.bisected;
  left_ = settings_.most_intervals;
  const Moment begin = moment(pair, path_.begin());
  const Moment end = moment(pair, path_.end());
  keep_touch(pair, begin);
  keep_touch(pair, end);
  prove(pair, begin, end, 0);
}

// False where nothing more needs to be known about the pair: it is not apart, or not surely.
bool MotionProof::prove(const PrimitivePair& pair, const Moment& s, const Moment& e, int depth) {
  if (report_.fault && s.t >= *report_.fault->time) return true;  // an earlier one is known
  ++report_.intervals;
  report_.deepest = std::max(report_.deepest, depth);
  PairPieces pieces;
  for (std::size_t i = 0; i < pair.count; ++i) {
    pieces.of[i] = path_.piece(pair.vertices[i], s.at[i], e.at[i], {s.t, e.t});
  }
  const double gap = best_gap(pair, pieces);
  if (gap > 0.0) {
    keep_gap(pair, gap);
    return true;
  }
  if (stands_still(pair, pieces) && !exact_meeting(pair, s.places())) {
    keep_gap(pair, 0.0);
    return true;
  }
  if (crosses(pair, pieces, {&s, &e})) {
    keep_crossing(pair, s, e, depth);
    return false;
  }
  const double t = cut(pair, s.t, e.t);
  const bool is_smallest = depth >= settings_.deepest || !(s.t < t && t < e.t);
  if (is_smallest || left_ < 2) {
    keep(pair, AuditFault::Kind::undecided, s);
    return false;
  }
  left_ -= 2;
  const Moment middle = moment(pair, t);
  keep_touch(pair, middle);
  return prove(pair, s, middle, depth + 1) && prove(pair, middle, e, depth + 1);
}

bool MotionProof::crosses(const PrimitivePair& pair, const PairPieces& pieces,
                          const std::array<const Moment*, 2>& ends) const {
  const int before = side_of_pair(pair, ends[0]->places(), ends[0]->slack(), in_space_);
  if (before == 0) return false;
  const int after = side_of_pair(pair, ends[1]->places(), ends[1]->slack(), in_space_);
  return before * after < 0 && shadows_cross(pair, pieces, in_space_);
}

// The knot nearest to the middle, or the middle.
double MotionProof::cut(const PrimitivePair& pair, double s, double e) const {
  const double middle = s + 0.5 * (e - s);
  double best = kInfinity;
  for (std::size_t i = 0; i < pair.count; ++i) {
    for (const PathKnot& knot : path_.knots_between(pair.vertices[i], s, e)) {
      if (std::abs(knot.t - middle) < std::abs(best - middle)) best = knot.t;
    }
  }
  return best < kInfinity ? best : middle;
}

void MotionProof::keep_gap(const PrimitivePair& pair, double gap) {
  if (!(gap < report_.smallest_gap)) return;
  report_.smallest_gap = gap;
  const std::array<AuditPrimitive, 2> primitives = primitives_of(pair);
  report_.smallest_first = primitives[0];
  report_.smallest_second = primitives[1];
}

// The side changes between s and e, but perhaps more than once: the first time, up to rounding.
// What lies before the half with the change is proven like any other interval.
void MotionProof::keep_crossing(const PrimitivePair& pair, const Moment& s, const Moment& e,
                                int depth) {
  constexpr int kStepsWithProof = 30;  // after them the pair is nearer than can be told
  const int before = side_of_pair(pair, s.places(), 0.0, in_space_);
  Moment earlier = s;
  Moment later = e;
  for (int step = 0; step < 60; ++step) {
    const double t = earlier.t + 0.5 * (later.t - earlier.t);
    if (!(earlier.t < t && t < later.t)) break;
    const Moment middle = moment(pair, t);
    if (side_of_pair(pair, middle.places(), 0.0, in_space_) != before) {
      later = middle;
      continue;
    }
    const std::optional<AuditFault> undecided = report_.undecided;
    if (step < kStepsWithProof && !prove(pair, earlier, middle, depth + 1 + step)) {
      if (report_.fault && *report_.fault->time <= t) return;
      report_.undecided = undecided;  // too near to the crossing to tell
    }
    earlier = middle;
  }
  keep(pair, AuditFault::Kind::crossing, later);
}

void MotionProof::keep_touch(const PrimitivePair& pair, const Moment& at) {
  if (exact_meeting(pair, at.places())) keep(pair, AuditFault::Kind::touch, at);
}

void MotionProof::keep(const PrimitivePair& pair, AuditFault::Kind kind, const Moment& at) {
  const std::array<AuditPrimitive, 2> primitives = primitives_of(pair);
  const std::array<Vec3, 4> places = at.places();
  AuditFault fault = {kind, primitives[0], primitives[1], at.t, nearest_place(pair, places), 0.0};
  if (kind == AuditFault::Kind::undecided) {
    fault.gap = norm(nearest_difference(pair, places));
    if (is_earlier(fault, report_.undecided)) report_.undecided = fault;
    return;
  }
  if (is_earlier(fault, report_.fault)) report_.fault = fault;
}

}  // namespace carom::asynchronous::detail
