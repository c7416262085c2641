// The heap of events of the reference engine.
#include "carom/asynchronous/reference/detail/agenda.h"

#include "carom/core/assert.h"

namespace carom::asynchronous::reference {

Index Agenda::add(const EventName& name, Index subject) {
  Index event = static_cast<Index>(names_.size());
  if (free_.empty()) {
    names_.push_back(name);
    subjects_.push_back(subject);
    places_.push_back(kNone);
    return event;
  }
  event = free_.back();
  free_.pop_back();
  names_[event] = name;
  subjects_[event] = subject;
  return event;
}

void Agenda::remove(Index event) {
  set(event, kInfinity);
  free_.push_back(event);
}

void Agenda::set(Index event, double time) {
  const Index place = places_[event];
  if (time < kInfinity) {
    if (place == kNone) {
      heap_.push_back({event, time});
      raise(heap_.size() - 1);
      return;
    }
    const bool earlier = time < heap_[place].time;
    heap_[place].time = time;
    if (earlier) {
      raise(place);
    } else {
      sink(place);
    }
    return;
  }
  if (place == kNone) return;
  places_[event] = kNone;
  const Next last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  CAROM_ASSERT(place < heap_.size());
  const bool earlier = before(last, heap_[place]);
  put(place, last);
  if (earlier) {
    raise(place);
  } else {
    sink(place);
  }
}

void Agenda::raise(std::size_t place) {
  const Next entry = heap_[place];
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (!before(entry, heap_[parent])) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, entry);
}

void Agenda::sink(std::size_t place) {
  const Next entry = heap_[place];
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], entry)) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, entry);
}

}  // namespace carom::asynchronous::reference
