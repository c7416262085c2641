#include "carom/core/error.h"
#include "carom/geometry/bytes.h"
#include "carom/stepping/detail/listener_clock.h"
#include "carom/stepping/event_driven.h"

// The bytes of a checkpoint of the scheme "events": a mark, then little-endian 64-bit words: step,
// number of bodies, whether the events are ahead of the state (a step that failed), the events'
// own, and, if they are ahead, six doubles per body (position, velocity).
namespace carom {
namespace {

constexpr std::string_view kMark = "carom-events-1\n";
constexpr std::size_t kHead = 3;
constexpr std::size_t kPerBody = 6;

}  // namespace

std::string EventDrivenStepper::save() const {
  std::string bytes(kMark);
  put_word(bytes, state_.step);
  put_word(bytes, state_.position.size());
  put_word(bytes, ahead_ ? 1 : 0);
  events_->save(bytes);
  if (!ahead_) return bytes;
  for (std::size_t i = 0; i < state_.position.size(); ++i) {
    put_vector(bytes, state_.position[i]);
    put_vector(bytes, state_.velocity[i]);
  }
  return bytes;
}

void EventDrivenStepper::load(std::string_view bytes) {
  const std::size_t count = state_.position.size();
  if (!bytes.starts_with(kMark) || bytes.size() < kMark.size() + 8 * kHead) {
    throw InputError({}, "the checkpoint does not belong to this scene: expected " +
                             std::to_string(count) + " bodies under events");
  }
  bytes.remove_prefix(kMark.size());
  const std::uint64_t step = take_word(bytes);
  if (take_word(bytes) != count) throw InputError({}, "the checkpoint's number of bodies is wrong");
  ahead_ = take_word(bytes) != 0;
  if (!events_->load(bytes) || bytes.size() != (ahead_ ? 8 * kPerBody * count : 0)) {
    throw InputError({}, "the checkpoint is damaged");
  }
  state_.step = step;
  state_.time = static_cast<double>(step) * simulation_->time.step;
  if (!ahead_) events_->evaluate(state_.time, state_);
  for (std::size_t i = 0; ahead_ && i < count; ++i) {
    state_.position[i] = take_vector(bytes);
    state_.velocity[i] = take_vector(bytes);
  }
  listener_->ask(state_.time);
}

}  // namespace carom
