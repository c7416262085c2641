#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"

namespace carom {

/// The next event of one of many owners.
struct DueEvent {
  Index owner = kNone;  ///< kNone: nothing is due
  double time = kInfinity;
};

/// One pending event for each of a number of owners, the earliest first; of events at the same time
/// that of the owner of smaller rank, which is its number where it has been given no other. What
/// comes out depends on the pending times and ranks alone, not on how the queue keeps them.
class EventQueue {
 public:
  EventQueue() = default;
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;
  virtual ~EventQueue() = default;

  /// Begins anew with one time for each owner; infinity: no event.
  virtual void assign(const std::vector<double>& times) = 0;
  /// Makes room for more owners, without events.
  virtual void grow(Index owners) = 0;
  /// Who comes first at one time. All owners have such a rank or none has; ranks of events that are
  /// pending differ. Only for an owner without an event.
  void set_rank(Index owner, std::uint64_t rank);
  /// Replaces the event of an owner; infinity takes it away.
  virtual void set(Index owner, double time) = 0;
  /// The earliest event; it stays. Not const: events are put in order as they come near.
  virtual DueEvent top() = 0;
  [[nodiscard]] virtual double time(Index owner) const = 0;
  // For those who fetch memory before they need it: owners whose turn comes soon, in groups that
  // come one after the other.
  /// The group whose turn it is.
  [[nodiscard]] virtual Index group() const = 0;
  /// An owner of a later group, and another of the same; kNone: none (more) is known.
  [[nodiscard]] virtual Index first_of(Index group) const = 0;
  [[nodiscard]] virtual Index next_of(Index owner) const = 0;
  /// Asks for the memory that a later set() of this owner will look at.
  virtual void prefetch(Index owner) const = 0;

 protected:
  /// Of two events at the same time.
  [[nodiscard]] bool outranks(Index a, Index b) const {
    return ranks_.empty() ? a < b : ranks_[a] < ranks_[b];
  }

 private:
  std::vector<std::uint64_t> ranks_;  ///< by owner; empty: their numbers
};

/// "calendar": buckets of equal width that hold about one event each, and a small heap for the
/// bucket whose time has come; constant time per event. "heap": one binary heap; the reference.
[[nodiscard]] std::vector<std::string> event_queue_names();
/// Throws InputError on an unknown name.
[[nodiscard]] std::unique_ptr<EventQueue> make_event_queue(std::string_view name);

}  // namespace carom
