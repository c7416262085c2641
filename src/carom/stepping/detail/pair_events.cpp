#include "carom/stepping/detail/pair_events.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/bytes.h"

namespace carom::detail {
namespace {

Index triangle(Index n) { return n * (n - 1) / 2; }

}  // namespace

PairEvents::PairEvents(Index bodies, Index shapes)
    : bodies_(bodies), shapes_(shapes), time_(triangle(bodies) + bodies * shapes, kInfinity) {}

Index PairEvents::pair_of(Index a, Index b) const {
  return a < b ? triangle(b) + a : triangle(a) + b;
}

Index PairEvents::pair_with_shape(Index body, Index shape) const {
  return triangle(bodies_) + body * shapes_ + shape;
}

std::pair<Index, Index> PairEvents::bodies_of(Index pair) const {
  const Index ball_pairs = triangle(bodies_);
  if (pair >= ball_pairs) return {(pair - ball_pairs) / shapes_, kNone};
  auto b = static_cast<Index>(0.5 * (1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(pair))));
  while (triangle(b) > pair) --b;
  while (triangle(b + 1) <= pair) ++b;
  return {pair - triangle(b), b};
}

Index PairEvents::shape_of(Index pair) const {
  const Index ball_pairs = triangle(bodies_);
  return pair < ball_pairs ? kNone : (pair - ball_pairs) % shapes_;
}

void PairEvents::set(Index pair, double time) {
  time_[pair] = time;
  if (!(time < kInfinity)) return;
  heap_.push_back({time, pair});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
  if (heap_.size() > 64 + 4 * time_.size()) rebuild();
}

void PairEvents::drop_stale() {
  while (!heap_.empty() && time_[heap_.front().pair] != heap_.front().time) {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    heap_.pop_back();
  }
}

void PairEvents::rebuild() {
  heap_.clear();
  for (Index pair = 0; pair < time_.size(); ++pair) {
    if (time_[pair] < kInfinity) heap_.push_back({time_[pair], pair});
  }
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

double PairEvents::next_time() {
  drop_stale();
  return heap_.empty() ? kInfinity : heap_.front().time;
}

Index PairEvents::pop() {
  drop_stale();
  const Index pair = heap_.front().pair;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  heap_.pop_back();
  time_[pair] = kInfinity;
  return pair;
}

void PairEvents::save(std::string& bytes) const {
  for (const double time : time_) put_number(bytes, time);
}

bool PairEvents::load(std::string_view& bytes) {
  if (bytes.size() < 8 * time_.size()) return false;
  for (double& time : time_) time = take_number(bytes);
  rebuild();
  return true;
}

}  // namespace carom::detail
