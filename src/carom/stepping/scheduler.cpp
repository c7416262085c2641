// What is due next, what happens then, and how far time has come.
#include "carom/stepping/scheduler.h"

#include <algorithm>
#include <cmath>

#include "carom/stepping/bytes.h"

namespace carom {
namespace {

void sort_and_unite(std::vector<Index>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

EventScheduler::EventScheduler(std::string_view queue) : queue_(make_event_queue(queue)) {}

void EventScheduler::reset(Index owners) {
  owners_ = owners;
  queue_->assign(std::vector<double>(owners, kInfinity));
}

void EventScheduler::grow(Index owners) {
  owners_ = owners;
  queue_->grow(owners);
}

void EventScheduler::begin_at(double time) {
  epoch_time_ =
      std::isfinite(epoch_length_) ? epoch_length_ * std::floor(time / epoch_length_) : 0.0;
  now_ = local(time);
  window_start_ = now_;
}

// At one time a call comes before a report.
EventScheduler::Appointment EventScheduler::next_appointment(double end) const {
  if (call_time_ <= end) return {EventKind::callback, call_time_};
  return {EventKind::report, end};
}

EventOutcome EventScheduler::run(double end, EventSource& source) {
  for (;;) {
    const DueEvent event = queue_->top();
    const Appointment appointment = next_appointment(end);
    if (event.owner == kNone || event.time > local(appointment.time)) {
      if (appointment.kind == EventKind::report)
        return {EventOutcome::Status::reached, end, {}, {}};
      call_time_ = kInfinity;
      call_(appointment.time);
      continue;
    }
    if (event.time >= epoch_length_) {
      begin_epoch(event.time, source);
      continue;
    }
    now_ = event.time;
    const bool is_stuck = runs_away(event, source);
    if (!is_stuck && source.handle(event)) continue;
    EventOutcome outcome = is_stuck ? involved_ : source.outcome();
    if (is_stuck) outcome.status = EventOutcome::Status::runaway;
    outcome.time = time();
    sort_and_unite(outcome.bodies);
    sort_and_unite(outcome.shapes);
    return outcome;
  }
}

void EventScheduler::come_to(double time, EventSource& source) {
  if (local(time) >= epoch_length_) begin_epoch(local(time), source);
  // Of the last event, round-off may say that it is over a little later.
  now_ = std::max(now_, local(time));
}

// Sets times back by whole epochs. Clocks come to a common time first; events lie beyond it, and
// subtracting a power of two that is smaller than they are is exact.
void EventScheduler::begin_epoch(double event_time, EventSource& source) {
  const double passed = epoch_length_ * std::floor(event_time / epoch_length_);
  now_ = passed;
  source.set_back(passed);
  std::vector<double> times(owners_);
  for (Index owner = 0; owner < owners_; ++owner) times[owner] = queue_->time(owner) - passed;
  queue_->assign(times);
  window_start_ -= passed;
  epoch_time_ += passed;
  now_ = 0.0;
}

// Time is looked at once in so many events; those to whom the last of them happen are noted.
bool EventScheduler::runs_away(const DueEvent& event, const EventSource& source) {
  constexpr std::uint64_t kNoted = 1000;
  ++window_events_;
  if (window_events_ + kNoted < most_events_) return false;
  source.add_involved(event.owner, involved_);
  if (window_events_ < most_events_) return false;
  if (now_ - window_start_ <= source.runaway_window(event)) return true;
  window_start_ = now_;
  window_events_ = 0;
  involved_ = EventOutcome();
  return false;
}

void EventScheduler::save(std::string& bytes) const {
  put_number(bytes, epoch_time_);
  put_number(bytes, now_);
  put_number(bytes, window_start_);
  put_word(bytes, window_events_);
}

bool EventScheduler::load(std::string_view& bytes) {
  if (bytes.size() < 4 * 8) return false;
  epoch_time_ = take_number(bytes);
  now_ = take_number(bytes);
  window_start_ = take_number(bytes);
  window_events_ = take_word(bytes);
  involved_ = EventOutcome();
  return std::isfinite(epoch_time_) && std::isfinite(now_) && std::isfinite(window_start_);
}

}  // namespace carom
