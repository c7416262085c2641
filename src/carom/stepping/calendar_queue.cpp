// The queue of events in buckets of equal time.
#include "carom/stepping/detail/calendar_queue.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "carom/core/assert.h"

namespace carom::detail {

void CalendarQueue::assign(const std::vector<double>& times) {
  const auto count = static_cast<Index>(times.size());
  buckets_ = std::bit_ceil(std::max<Index>(count, 16));
  nodes_.assign(count, Node());
  heads_.assign(buckets_ + 1, kNone);
  heap_.clear();
  current_ = buckets_;  // all are far until the buckets are laid out
  for (Index owner = 0; owner < count; ++owner) {
    if (times[owner] == kInfinity) continue;
    Node& node = nodes_[owner];
    node.time = times[owner];
    node.bucket = buckets_;
    node.next = heads_[buckets_];
    if (node.next != kNone) nodes_[node.next].before = owner;
    heads_[buckets_] = owner;
  }
}

void CalendarQueue::grow(Index owners) { nodes_.resize(owners); }

void CalendarQueue::set(Index owner, double time) {
  Node& node = nodes_[owner];
  CAROM_ASSERT(!std::isnan(time));
  take_out(owner);
  node.time = time;
  if (time != kInfinity) insert(owner);
}

void CalendarQueue::insert(Index owner) {
  Node& node = nodes_[owner];
  const double where = (node.time - origin_) * inverse_width_;
  Index bucket = buckets_;
  if (current_ < buckets_ && where < static_cast<double>(buckets_)) {
    bucket = where > 0.0 ? static_cast<Index>(where) : 0;
    if (bucket <= current_) {
      node.bucket = kInHeap;
      heap_.push({owner, node.time});
      return;
    }
  }
  node.bucket = bucket;
  node.before = kNone;
  node.next = heads_[bucket];
  if (node.next != kNone) nodes_[node.next].before = owner;
  heads_[bucket] = owner;
}

void CalendarQueue::take_out(Index owner) {
  Node& node = nodes_[owner];
  if (node.bucket == kNone) return;
  if (node.bucket == kInHeap) {
    heap_.remove(node.place);
  } else {
    if (node.next != kNone) nodes_[node.next].before = node.before;
    (node.before != kNone ? nodes_[node.before].next : heads_[node.bucket]) = node.next;
  }
  node.bucket = kNone;
}

void CalendarQueue::open_bucket(Index bucket) {
  Index owner = heads_[bucket];
  heads_[bucket] = kNone;
  while (owner != kNone) {
    Node& node = nodes_[owner];
    node.bucket = kInHeap;
    heap_.push({owner, node.time});
    owner = node.next;
  }
}

// Owners have joined since the buckets were made. All events are far.
void CalendarQueue::add_buckets() {
  const Index before = buckets_;
  buckets_ = std::bit_ceil(static_cast<Index>(nodes_.size()));
  const Index far = heads_[before];
  heads_.assign(buckets_ + 1, kNone);
  heads_[buckets_] = far;
  for (Node& node : nodes_) {
    if (node.bucket == before) node.bucket = buckets_;
  }
  current_ = buckets_;
}

// All buckets are used up: the far events are spread over them. The width gives about one event to
// a bucket while the first eighth of the events is due. False if there are none.
bool CalendarQueue::lay_out() {
  if (nodes_.size() > buckets_) add_buckets();
  sample_.clear();
  for (const Node& node : nodes_) {
    if (node.bucket == buckets_) sample_.push_back(node.time);
  }
  if (sample_.empty()) return false;
  const auto part = static_cast<std::ptrdiff_t>(sample_.size() / 8);
  std::nth_element(sample_.begin(), sample_.begin() + part, sample_.end());
  const double later = sample_[static_cast<std::size_t>(part)];
  origin_ = *std::min_element(sample_.begin(), sample_.begin() + part + 1);
  double width = (later - origin_) / static_cast<double>(part + 1);
  // Few events, or many at one time: whatever moves on by more than round-off is wide enough.
  const double least = std::max(std::abs(origin_) * 1e-12, 1e-250);
  if (!(width > least)) {
    const double last = *std::max_element(sample_.begin(), sample_.end());
    width = std::max((last - origin_) / static_cast<double>(sample_.size()), least);
  }
  inverse_width_ = 1.0 / width;
  heads_[buckets_] = kNone;
  current_ = 0;
  for (Index owner = 0; owner < nodes_.size(); ++owner) {
    if (nodes_[owner].bucket == buckets_) insert(owner);
  }
  return true;
}

DueEvent CalendarQueue::top() {
  while (heap_.empty()) {
    if (current_ < buckets_) {
      ++current_;
      if (current_ < buckets_) open_bucket(current_);
    } else if (!lay_out()) {
      return {};
    }
  }
  return heap_.top();
}

}  // namespace carom::detail
