#include "carom/stepping/detail/pair_events.h"

#include <algorithm>

#include "carom/core/assert.h"
#include "carom/geometry/bytes.h"

namespace carom::detail {
namespace {

constexpr std::pair<Index, Index> kNobody = {kNone, kNone};

auto place_of(std::vector<PairEvents::Partner>& list, Index body) {
  return std::lower_bound(
      list.begin(), list.end(), body,
      [](const PairEvents::Partner& partner, Index other) { return partner.body < other; });
}

}  // namespace

PairEvents::PairEvents(Index bodies, Index shapes)
    : bodies_(bodies),
      shapes_(shapes),
      fixed_(bodies + bodies * shapes),
      time_(fixed_, kInfinity),
      near_(bodies) {}

Index PairEvents::join(Index a, Index b) {
  Index number = number_count();
  if (free_.empty()) {
    time_.push_back(kInfinity);
    pairs_.push_back(kNobody);
  } else {
    number = free_.back();
    free_.pop_back();
  }
  pairs_[number - fixed_] = std::minmax(a, b);
  near_[a].insert(place_of(near_[a], b), {b, number});
  near_[b].insert(place_of(near_[b], a), {a, number});
  return number;
}

void PairEvents::part(Index a, Index b) {
  const auto place = place_of(near_[a], b);
  CAROM_ASSERT(place != near_[a].end() && place->body == b);
  const Index number = place->pair;
  near_[a].erase(place);
  near_[b].erase(place_of(near_[b], a));
  time_[number] = kInfinity;
  pairs_[number - fixed_] = kNobody;
  free_.push_back(number);
}

std::pair<Index, Index> PairEvents::bodies_of(Index number) const {
  if (is_zone(number)) return {number, kNone};
  if (number < fixed_) return {(number - bodies_) / shapes_, kNone};
  return pairs_[number - fixed_];
}

Index PairEvents::shape_of(Index number) const {
  return is_zone(number) || number >= fixed_ ? kNone : (number - bodies_) % shapes_;
}

std::uint64_t PairEvents::order_of(Index number) const {
  if (number < bodies_) return number;
  constexpr std::uint64_t kOfShapes = std::uint64_t{1} << 63U;
  if (number < fixed_) return kOfShapes + (number - bodies_);
  const auto [a, b] = pairs_[number - fixed_];
  return (static_cast<std::uint64_t>(b) << 32U) + a;
}

void PairEvents::set(Index number, double time) {
  time_[number] = time;
  if (!(time < kInfinity)) return;
  heap_.push_back({time, order_of(number), number});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
  if (heap_.size() > 64 + 4 * time_.size()) rebuild();
}

void PairEvents::drop_stale() {
  while (!heap_.empty() && is_stale(heap_.front())) {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    heap_.pop_back();
  }
}

void PairEvents::rebuild() {
  heap_.clear();
  for (Index number = 0; number < time_.size(); ++number) {
    if (time_[number] < kInfinity) heap_.push_back({time_[number], order_of(number), number});
  }
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

double PairEvents::next_time() {
  drop_stale();
  return heap_.empty() ? kInfinity : heap_.front().time;
}

Index PairEvents::pop() {
  drop_stale();
  const Index number = heap_.front().number;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  heap_.pop_back();
  time_[number] = kInfinity;
  return number;
}

void PairEvents::save(std::string& bytes) const {
  put_word(bytes, pairs_.size() - free_.size());
  for (Index number = 0; number < fixed_; ++number) put_number(bytes, time_[number]);
  for (Index b = 0; b < bodies_; ++b) {
    for (const Partner& partner : near_[b]) {
      if (partner.body > b) break;
      put_word(bytes, partner.body);
      put_word(bytes, b);
      put_number(bytes, time_[partner.pair]);
    }
  }
}

bool PairEvents::load(std::string_view& bytes) {
  if (bytes.size() < 8) return false;
  const std::uint64_t count = take_word(bytes);
  if (bytes.size() / 8 < fixed_ || (bytes.size() / 8 - fixed_) / 3 < count) return false;
  time_.assign(fixed_, kInfinity);
  pairs_.clear();
  free_.clear();
  for (std::vector<Partner>& list : near_) list.clear();
  for (double& time : time_) time = take_number(bytes);
  std::pair<std::uint64_t, std::uint64_t> before = {0, 0};  // the larger body first
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t a = take_word(bytes);
    const std::uint64_t b = take_word(bytes);
    const double time = take_number(bytes);
    // In their order, so that none comes twice.
    if (a >= b || b >= bodies_ || (k > 0 && std::pair(b, a) <= before)) return false;
    before = {b, a};
    time_[join(static_cast<Index>(a), static_cast<Index>(b))] = time;
  }
  rebuild();
  return true;
}

}  // namespace carom::detail
