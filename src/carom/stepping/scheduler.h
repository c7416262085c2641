#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/stepping/event_queue.h"

namespace carom {

/// What can happen. Of different kinds at one time those above come first, wherever events have
/// ranks (event_rank()).
enum class EventKind : std::uint8_t {
  none,      ///< nothing is pending
  boundary,  ///< a body comes to the end of its cell, list or zone: who is near is found anew
  pair,      ///< two bodies collide, or may do so: then the bound on their time is found again
  shape,     ///< the same of a body and a shape
  recheck,   ///< only a bound on a time of impact
  motion,    ///< a scripted motion goes on otherwise
  callback,  ///< a program that listens is called
  report,    ///< a report, recording or checkpoint is made
};

/// The rank of an event among those at one time: by its kind, then by a number below 2^60 that says
/// to whom it happens.
[[nodiscard]] constexpr std::uint64_t event_rank(EventKind kind, std::uint64_t number) {
  constexpr unsigned kNumberBits = 60;
  return (static_cast<std::uint64_t>(kind) << kNumberBits) + number;
}

/// How a run of events ended.
struct EventOutcome {
  enum class Status : std::uint8_t {
    reached,      ///< the end
    refused,      ///< an impact has no answer
    unconverged,  ///< an impact's answer leaves something closing, which nothing could stop
    runaway,      ///< time does not go on
  };
  Status status = Status::reached;
  double time = 0.0;          ///< where it stopped, s
  std::vector<Index> bodies;  ///< not reached: who is involved, rising
  std::vector<Index> shapes;  ///< and with which shapes
};

/// Bodies to which events happen.
class EventSource {
 public:
  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  virtual ~EventSource() = default;

  /// An event is due, at the scheduler's now(). Its owner must be given another, or infinity.
  /// False: the run cannot go on, and outcome() says why.
  virtual bool handle(const DueEvent& event) = 0;
  [[nodiscard]] virtual EventOutcome outcome() const = 0;
  /// Times are about to be counted from the scheduler's now(), which is `passed`: what has a clock
  /// comes to now, and all times that are kept become less by `passed`.
  virtual void set_back(double passed) = 0;
  /// If as many events as the scheduler allows happen within this time (s), the last of them this
  /// one, then time does not go on.
  [[nodiscard]] virtual double runaway_window(const DueEvent& event) const = 0;
  /// Adds the bodies and shapes of a pending event.
  virtual void add_involved(Index owner, EventOutcome& outcome) const = 0;
};

/// The one loop through events, for bodies of every kind: the queue, the clock, the order of what
/// comes at one time, calls of programs that listen, the ends of reports, and a guard that notices
/// when time does not go on.
///
/// Times are counted from the beginning of an epoch, so that their round-off need not grow with the
/// simulated time. When events pass its end all times are set back by a power of two that is
/// smaller than they are, which is exact. Without a length of epochs there is only one.
///
/// Of what comes at one time: events of bodies by their ranks, then a call, then the end of a
/// report. Nothing depends on where reports end.
class EventScheduler {
 public:
  /// "calendar" or "heap" (event_queue_names()). Throws InputError on another name.
  explicit EventScheduler(std::string_view queue);

  /// Begins anew with so many owners and no events.
  void reset(Index owners);
  /// More owners.
  void grow(Index owners);
  /// How many events within a short time (EventSource::runaway_window()) are too many.
  void set_most_events(std::uint64_t events) { most_events_ = events; }
  /// A power of two, s; infinity: one epoch for all time. Not after the first event.
  void set_epoch_length(double length) { epoch_length_ = length; }

  /// Time begins here, not at 0. After set_epoch_length() and before the first event.
  void begin_at(double time);

  /// Since the beginning of the epoch, s.
  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] double time() const { return epoch_time_ + now_; }
  [[nodiscard]] double local(double time) const { return time - epoch_time_; }
  [[nodiscard]] double epoch_time() const { return epoch_time_; }

  /// Pending events, in times of the epoch.
  [[nodiscard]] EventQueue& queue() { return *queue_; }
  [[nodiscard]] const EventQueue& queue() const { return *queue_; }

  /// `call` will be called at the moment (s) given by call_at(), once; it may ask for the next.
  void on_call(std::function<void(double)> call) { call_ = std::move(call); }
  void call_at(double time) { call_time_ = time; }

  /// All events and calls up to a time (s).
  EventOutcome run(double end, EventSource& source);
  /// Brings the clock to a time between the last event and the next.
  void come_to(double time, EventSource& source);

  // Four numbers: the epoch's beginning, now, and the guard's.
  void save(std::string& bytes) const;
  /// False if the bytes are not that; takes them off. The events themselves are their owners'.
  [[nodiscard]] bool load(std::string_view& bytes);

 private:
  void begin_epoch(double event_time, EventSource& source);
  /// What comes at a moment that is nobody's event.
  struct Appointment {
    EventKind kind = EventKind::report;
    double time = kInfinity;
  };
  [[nodiscard]] Appointment next_appointment(double end) const;
  bool runs_away(const DueEvent& event, const EventSource& source);

  std::unique_ptr<EventQueue> queue_;
  Index owners_ = 0;
  double epoch_length_ = kInfinity;
  double epoch_time_ = 0.0;  ///< when this epoch began, s
  double now_ = 0.0;
  std::function<void(double)> call_;
  double call_time_ = kInfinity;

  // Whether time still moves.
  std::uint64_t most_events_ = 1'000'000;
  double window_start_ = 0.0;
  std::uint64_t window_events_ = 0;
  EventOutcome involved_;
};

}  // namespace carom
