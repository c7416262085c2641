#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "carom/core/assert.h"
#include "carom/stepping/event_queue.h"

namespace carom::detail {

/// A binary heap of events, by time and then by rank. `Owners` keeps where each owner's event
/// stands, void put(Index owner, Index place), and knows their ranks, bool outranks(Index a, Index
/// b).
template <typename Owners>
class EventHeap {
 public:
  explicit EventHeap(Owners owners) : owners_(std::move(owners)) {}

  [[nodiscard]] bool empty() const { return events_.empty(); }
  [[nodiscard]] const DueEvent& top() const { return events_.front(); }
  void clear() { events_.clear(); }

  void push(const DueEvent& event) {
    events_.push_back(event);
    raise(events_.size() - 1);
  }

  void remove(std::size_t place) {
    CAROM_ASSERT(place < events_.size());
    const DueEvent last = events_.back();
    events_.pop_back();
    if (place < events_.size()) replace(place, last);
  }

  /// Another event instead of the one at a place.
  void replace(std::size_t place, const DueEvent& event) {
    const bool earlier = before(event, events_[place]);
    events_[place] = event;
    if (earlier) {
      raise(place);
    } else {
      sink(place);
    }
  }

 private:
  [[nodiscard]] bool before(const DueEvent& a, const DueEvent& b) const {
    return a.time < b.time || (a.time == b.time && owners_.outranks(a.owner, b.owner));
  }

  void put(std::size_t place, const DueEvent& event) {
    events_[place] = event;
    owners_.put(event.owner, static_cast<Index>(place));
  }

  void raise(std::size_t place) {
    const DueEvent event = events_[place];
    while (place > 0) {
      const std::size_t parent = (place - 1) / 2;
      if (!before(event, events_[parent])) break;
      put(place, events_[parent]);
      place = parent;
    }
    put(place, event);
  }

  void sink(std::size_t place) {
    const DueEvent event = events_[place];
    for (;;) {
      std::size_t child = 2 * place + 1;
      if (child >= events_.size()) break;
      if (child + 1 < events_.size() && before(events_[child + 1], events_[child])) ++child;
      if (!before(events_[child], event)) break;
      put(place, events_[child]);
      place = child;
    }
    put(place, event);
  }

  std::vector<DueEvent> events_;
  Owners owners_;
};

}  // namespace carom::detail
