#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "carom/asynchronous/detail/archive.h"
#include "carom/core/types.h"

namespace carom::asynchronous::reference {

enum class Happening : std::uint8_t { turn, force, push, layer, slab, boxes };

/// What an event is, by numbers that do not depend on how often certificates were made: of events
/// at one time the smaller comes first.
struct EventName {
  Happening kind = Happening::force;
  Index layer = 0;
  std::uint64_t key = 0;

  [[nodiscard]] bool before(const EventName& other) const {
    return std::tie(kind, key, layer) < std::tie(other.kind, other.key, other.layer);
  }
};

/// All events in one binary heap, by time and name. Each has a number that stays its own until it
/// is removed; an event without a time (infinity) is not in the heap.
class Agenda {
 public:
  struct Next {
    Index event = kNone;
    double time = kInfinity;
  };

  /// `subject` is what the event is about: given back by subject().
  Index add(const EventName& name, Index subject);
  void remove(Index event);
  void set(Index event, double time);

  [[nodiscard]] Next next() const { return heap_.empty() ? Next{} : heap_.front(); }
  [[nodiscard]] const EventName& name(Index event) const { return names_[event]; }
  [[nodiscard]] Index subject(Index event) const { return subjects_[event]; }

  template <class Archive>
  void transfer_state(Archive& archive);

 private:
  [[nodiscard]] bool before(const Next& a, const Next& b) const {
    return a.time < b.time || (a.time == b.time && names_[a.event].before(names_[b.event]));
  }
  void put(std::size_t place, const Next& entry) {
    heap_[place] = entry;
    places_[entry.event] = static_cast<Index>(place);
  }
  void raise(std::size_t place);
  void sink(std::size_t place);

  std::vector<EventName> names_;
  std::vector<Index> subjects_;
  std::vector<Index> places_;  ///< in the heap; kNone: not there
  std::vector<Index> free_;
  std::vector<Next> heap_;
};

template <class Archive>
void transfer(Archive& archive, EventName& name) {
  detail::transfer_all(archive, name.kind, name.layer, name.key);
}
template <class Archive>
void transfer(Archive& archive, Agenda::Next& next) {
  detail::transfer_all(archive, next.event, next.time);
}
template <class Archive>
void Agenda::transfer_state(Archive& archive) {
  detail::transfer_all(archive, names_, subjects_, places_, free_, heap_);
}

}  // namespace carom::asynchronous::reference
