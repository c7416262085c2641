// Which events bodies that turn have pending: their zones, their next pairs, moving shapes.
#include "carom/events/detail/pair_events.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/stepping/bytes.h"

namespace carom::detail {
namespace {

constexpr std::pair<Index, Index> kNobody = {kNone, kNone};

auto place_of(std::vector<PairEvents::Partner>& list, Index body) {
  return std::lower_bound(
      list.begin(), list.end(), body,
      [](const PairEvents::Partner& partner, Index other) { return partner.body < other; });
}

}  // namespace

PairEvents::PairEvents(Index bodies, Index shapes, EventScheduler& scheduler)
    : bodies_(bodies),
      shapes_(shapes),
      fixed_(bodies + shapes + bodies * shapes),
      scheduler_(&scheduler) {
  CAROM_DEMAND(bodies < (Index{1} << 28U));  // ranks of pairs
  reset();
}

// Of what comes at one time pairs of bodies go by the larger and then the smaller body, no matter
// how they are numbered.
void PairEvents::reset() {
  scheduler_->reset(fixed_);
  for (Index number = 0; number < fixed_; ++number) {
    scheduler_->queue().set_rank(number, event_rank(kind_of(number), number));
  }
  pairs_.clear();
  free_.clear();
  near_.assign(bodies_, {});
}

Index PairEvents::join(Index a, Index b) {
  Index number = number_count();
  if (free_.empty()) {
    pairs_.push_back(kNobody);
    scheduler_->grow(number_count());
  } else {
    number = free_.back();
    free_.pop_back();
  }
  const auto [first, second] = std::minmax(a, b);
  pairs_[number - fixed_] = {first, second};
  scheduler_->queue().set_rank(
      number, event_rank(EventKind::pair, (static_cast<std::uint64_t>(second) << 32U) + first));
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
  set(number, kInfinity);
  pairs_[number - fixed_] = kNobody;
  free_.push_back(number);
}

EventKind PairEvents::kind_of(Index number) const {
  if (number < bodies_) return EventKind::boundary;
  if (number < bodies_ + shapes_) return EventKind::motion;
  return number < fixed_ ? EventKind::shape : EventKind::pair;
}

std::pair<Index, Index> PairEvents::bodies_of(Index number) const {
  switch (kind_of(number)) {
    case EventKind::boundary:
      return {number, kNone};
    case EventKind::shape:
      return {(number - bodies_ - shapes_) / shapes_, kNone};
    case EventKind::pair:
      return pairs_[number - fixed_];
    default:
      return kNobody;
  }
}

Index PairEvents::shape_of(Index number) const {
  switch (kind_of(number)) {
    case EventKind::motion:
      return number - bodies_;
    case EventKind::shape:
      return (number - bodies_ - shapes_) % shapes_;
    default:
      return kNone;
  }
}

void PairEvents::save(std::string& bytes) const {
  const EventQueue& queue = scheduler_->queue();
  put_word(bytes, pairs_.size() - free_.size());
  for (Index number = 0; number < fixed_; ++number) put_number(bytes, queue.time(number));
  for (Index b = 0; b < bodies_; ++b) {
    for (const Partner& partner : near_[b]) {
      if (partner.body > b) break;
      put_word(bytes, partner.body);
      put_word(bytes, b);
      put_number(bytes, queue.time(partner.pair));
    }
  }
}

bool PairEvents::load(std::string_view& bytes) {
  if (bytes.size() < 8) return false;
  const std::uint64_t count = take_word(bytes);
  if (bytes.size() / 8 < fixed_ || (bytes.size() / 8 - fixed_) / 3 < count) return false;
  reset();
  const auto take_time = [&](Index number) {
    const double time = take_number(bytes);
    if (!std::isnan(time)) set(number, time);
    return !std::isnan(time);
  };
  for (Index number = 0; number < fixed_; ++number) {
    if (!take_time(number)) return false;
  }
  std::pair<std::uint64_t, std::uint64_t> before = {0, 0};  // the larger body first
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t a = take_word(bytes);
    const std::uint64_t b = take_word(bytes);
    // In their order, so that none comes twice.
    if (a >= b || b >= bodies_ || (k > 0 && std::pair(b, a) <= before)) return false;
    before = {b, a};
    if (!take_time(join(static_cast<Index>(a), static_cast<Index>(b)))) return false;
  }
  return true;
}

}  // namespace carom::detail
