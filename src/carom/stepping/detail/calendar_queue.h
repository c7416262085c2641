#pragma once

#include <cstddef>
#include <vector>

#include "carom/core/large_memory.h"
#include "carom/stepping/detail/event_heap.h"
#include "carom/stepping/event_queue.h"

namespace carom::detail {

/// Events in buckets of equal width, as linked lists in no order. When the time of a bucket comes,
/// its events go into a small heap; what lies beyond the last bucket waits in a list of its own
/// until the buckets are used up and are laid out anew, as many as there are owners then.
class CalendarQueue final : public EventQueue {
 public:
  void assign(const std::vector<double>& times) override;
  void grow(Index owners) override;
  void set(Index owner, double time) override;
  DueEvent top() override;
  [[nodiscard]] double time(Index owner) const override { return nodes_[owner].time; }
  [[nodiscard]] Index group() const override { return current_; }
  [[nodiscard]] Index first_of(Index group) const override {
    return group < buckets_ ? heads_[group] : kNone;
  }
  [[nodiscard]] Index next_of(Index owner) const override { return nodes_[owner].next; }
  void prefetch(Index owner) const override { __builtin_prefetch(&nodes_[owner]); }

 private:
  /// Where an owner's event is: in the heap, or in the list of a bucket.
  struct Node {
    double time = kInfinity;
    Index next = kNone;    ///< in the list
    Index before = kNone;  ///< in the list; kNone: the first
    Index bucket = kNone;  ///< kInHeap, kNone: no event; the last bucket is that of far events
    Index place = 0;       ///< in the heap
  };
  static constexpr Index kInHeap = kNone - 1;
  struct Owners {
    CalendarQueue* queue;
    void put(Index owner, Index place) const { queue->nodes_[owner].place = place; }
    [[nodiscard]] bool outranks(Index a, Index b) const { return queue->outranks(a, b); }
  };

  void insert(Index owner);
  void take_out(Index owner);
  void open_bucket(Index bucket);
  void add_buckets();
  bool lay_out();

  LargeVector<Node> nodes_;
  LargeVector<Index> heads_;  ///< first event of each bucket; one more for those that are far
  std::vector<double> sample_;
  double origin_ = 0.0;  ///< time at the beginning of the first bucket
  double inverse_width_ = 1.0;
  Index buckets_ = 0;
  Index current_ = 0;  ///< the bucket whose events are in the heap
  EventHeap<Owners> heap_ = EventHeap<Owners>({this});
};

}  // namespace carom::detail
