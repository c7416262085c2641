// Checkpoints of the scheme "events".
#include "carom/core/error.h"
#include "carom/events/event_stepper.h"
#include "carom/stepping/bytes.h"

// The bytes of a checkpoint of the scheme "events": a mark, then little-endian 64-bit words: step,
// number of bodies, whether the events are ahead of the state (a step that failed), the scheduler's
// four, those of the bodies and their events, and, if they are ahead, six doubles per body
// (position, velocity), with seven more (orientation, angular velocity) where bodies turn.
namespace carom {
namespace {

constexpr std::size_t kHead = 3;
constexpr std::size_t kPerBall = 6;
constexpr std::size_t kPerTurning = 13;

}  // namespace

std::string EventStepper::save() const {
  std::string bytes(mark());
  put_word(bytes, state_.step);
  put_word(bytes, state_.position.size());
  put_word(bytes, ahead_ ? 1 : 0);
  scheduler_.save(bytes);
  save_bodies(bytes);
  if (!ahead_) return bytes;
  for (std::size_t i = 0; i < state_.position.size(); ++i) {
    put_vector(bytes, state_.position[i]);
    put_vector(bytes, state_.velocity[i]);
    if (state_.orientation.empty()) continue;
    const Quaternion& q = state_.orientation[i];
    for (const double number : {q.w, q.x, q.y, q.z}) put_number(bytes, number);
    put_vector(bytes, state_.angular_velocity[i]);
  }
  return bytes;
}

void EventStepper::load(std::string_view bytes) {
  const std::size_t count = state_.position.size();
  if (!bytes.starts_with(mark()) || bytes.size() < mark().size() + 8 * kHead) {
    throw InputError({}, "the checkpoint does not belong to this scene: expected " +
                             std::to_string(count) + " bodies under events");
  }
  bytes.remove_prefix(mark().size());
  const std::uint64_t step = take_word(bytes);
  if (take_word(bytes) != count) throw InputError({}, "the checkpoint's number of bodies is wrong");
  ahead_ = take_word(bytes) != 0;
  const bool turning = !state_.orientation.empty();
  const std::size_t left = ahead_ ? 8 * (turning ? kPerTurning : kPerBall) * count : 0;
  if (!scheduler_.load(bytes) || !load_bodies(bytes) || bytes.size() != left) {
    throw InputError({}, "the checkpoint is damaged");
  }
  state_.step = step;
  state_.time = static_cast<double>(step) * simulation_->time.step;
  if (!ahead_) evaluate(state_.time, state_);
  for (std::size_t i = 0; ahead_ && i < count; ++i) {
    state_.position[i] = take_vector(bytes);
    state_.velocity[i] = take_vector(bytes);
    if (!turning) continue;
    Quaternion& q = state_.orientation[i];
    for (double* number : {&q.w, &q.x, &q.y, &q.z}) *number = take_number(bytes);
    state_.angular_velocity[i] = take_vector(bytes);
  }
  ask_listener(state_.time);
}

}  // namespace carom
