#pragma once

#include <vector>

#include "carom/stepping/detail/event_heap.h"
#include "carom/stepping/event_queue.h"

namespace carom::detail {

/// All events in one binary heap: the reference of the calendar.
class HeapQueue final : public EventQueue {
 public:
  void assign(const std::vector<double>& times) override {
    times_.assign(times.size(), kInfinity);
    places_.assign(times.size(), kNone);
    heap_.clear();
    for (Index owner = 0; owner < times.size(); ++owner) set(owner, times[owner]);
  }

  void grow(Index owners) override {
    times_.resize(owners, kInfinity);
    places_.resize(owners, kNone);
  }

  void set(Index owner, double time) override {
    times_[owner] = time;
    const Index place = places_[owner];
    if (time == kInfinity) {
      if (place == kNone) return;
      heap_.remove(place);
      places_[owner] = kNone;
    } else if (place == kNone) {
      heap_.push({owner, time});
    } else {
      heap_.replace(place, {owner, time});
    }
  }

  DueEvent top() override { return heap_.empty() ? DueEvent{} : heap_.top(); }
  [[nodiscard]] double time(Index owner) const override { return times_[owner]; }
  [[nodiscard]] Index group() const override { return 0; }
  [[nodiscard]] Index first_of(Index /*group*/) const override { return kNone; }
  [[nodiscard]] Index next_of(Index /*owner*/) const override { return kNone; }
  void prefetch(Index owner) const override { __builtin_prefetch(&places_[owner]); }

 private:
  struct Owners {
    HeapQueue* queue;
    void put(Index owner, Index place) const { queue->places_[owner] = place; }
    [[nodiscard]] bool outranks(Index a, Index b) const { return queue->outranks(a, b); }
  };

  std::vector<double> times_;
  std::vector<Index> places_;  ///< in the heap, by owner
  EventHeap<Owners> heap_ = EventHeap<Owners>({this});
};

}  // namespace carom::detail
