#include "carom/core/error.h"
#include "carom/geometry/bytes.h"
#include "carom/stepping/detail/body_zones.h"
#include "carom/stepping/detail/free_flight.h"
#include "carom/stepping/detail/listener_clock.h"
#include "carom/stepping/detail/pair_events.h"
#include "carom/stepping/solid_events.h"

// The bytes of a checkpoint of the scheme "events" with bodies that turn: a mark, then
// little-endian 64-bit words: step, number of bodies; per body its clock, the 13 numbers of its
// moment there (position, velocity, orientation, angular velocity) and the centre of its zone; how
// many pairs of bodies are near; the pending time of every zone and of every body with every shape;
// per near pair its bodies and its pending time; and the 13 numbers of each body in the state that
// was reported last.
namespace carom {
namespace {

constexpr std::string_view kMark = "carom-solid-events-2\n";
constexpr std::size_t kHead = 2;
constexpr std::size_t kPerMoment = 13;
constexpr std::size_t kPerBody = 1 + kPerMoment + 3;

void put_moment(std::string& bytes, const BodyMoment& moment) {
  put_vector(bytes, moment.position);
  put_vector(bytes, moment.velocity);
  const Quaternion& q = moment.orientation;
  for (const double number : {q.w, q.x, q.y, q.z}) put_number(bytes, number);
  put_vector(bytes, moment.angular_velocity);
}

BodyMoment take_moment(std::string_view& bytes) {
  BodyMoment moment;
  moment.position = take_vector(bytes);
  moment.velocity = take_vector(bytes);
  Quaternion& q = moment.orientation;
  for (double* number : {&q.w, &q.x, &q.y, &q.z}) *number = take_number(bytes);
  moment.angular_velocity = take_vector(bytes);
  return moment;
}

}  // namespace

std::string SolidEventStepper::save() const {
  std::string bytes(kMark);
  put_word(bytes, state_.step);
  put_word(bytes, state_.position.size());
  for (Index i = 0; i < flight_->size(); ++i) {
    put_number(bytes, flight_->clock(i));
    put_moment(bytes, flight_->start(i));
    put_vector(bytes, zones_->center(i));
  }
  events_->save(bytes);
  for (std::size_t i = 0; i < state_.position.size(); ++i) {
    BodyMoment moment{state_.position[i], state_.velocity[i], {}, {}};
    if (!state_.orientation.empty()) {
      moment.orientation = state_.orientation[i];
      moment.angular_velocity = state_.angular_velocity[i];
    }
    put_moment(bytes, moment);
  }
  return bytes;
}

void SolidEventStepper::load(std::string_view bytes) {
  const std::size_t count = state_.position.size();
  const std::size_t least = kMark.size() + 8 * (kHead + count * kPerBody);
  if (!bytes.starts_with(kMark) || bytes.size() < least) {
    throw InputError({}, "the checkpoint does not belong to this scene: expected " +
                             std::to_string(count) + " bodies that turn, under events");
  }
  bytes.remove_prefix(kMark.size());
  const std::uint64_t step = take_word(bytes);
  if (take_word(bytes) != count) throw InputError({}, "the checkpoint's number of bodies is wrong");
  for (Index i = 0; i < count; ++i) {
    const double clock = take_number(bytes);
    flight_->set(i, clock, take_moment(bytes));
    zones_->move(i, take_vector(bytes));
  }
  if (!events_->load(bytes) || bytes.size() != 8 * kPerMoment * count) {
    throw InputError({}, "the checkpoint is damaged");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const BodyMoment moment = take_moment(bytes);
    state_.position[i] = moment.position;
    state_.velocity[i] = moment.velocity;
    if (state_.orientation.empty()) continue;
    state_.orientation[i] = moment.orientation;
    state_.angular_velocity[i] = moment.angular_velocity;
  }
  state_.step = step;
  state_.time = static_cast<double>(step) * simulation_->time.step;
  listener_->ask(state_.time);
}

}  // namespace carom
