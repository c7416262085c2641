// What a checkpoint of the scheme "events" holds of bodies that turn.
#include "carom/events/detail/body_zones.h"
#include "carom/events/detail/free_flight.h"
#include "carom/events/detail/pair_events.h"
#include "carom/events/solid_events.h"
#include "carom/stepping/bytes.h"

// What a checkpoint of the scheme "events" holds of bodies that turn (event_checkpoint.cpp): the
// work of shifts along periods, and all work along them up to the last report; per body its clock,
// the 13 numbers of its moment there (position, velocity, orientation, angular velocity), the
// centre of its zone and, if it rests, until when that is known (a moment before its clock: it does
// not); how many pairs of bodies are near; the pending time of every zone, of every
// shape's motion and of every body with every shape; per near pair its bodies and its pending time.
namespace carom {
namespace {

constexpr std::size_t kHead = 2;
constexpr std::size_t kPerMoment = 13;
constexpr std::size_t kPerBody = 1 + kPerMoment + 3 + 1;

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

void SolidEventStepper::save_bodies(std::string& bytes) const {
  put_number(bytes, period_work_);
  put_number(bytes, period_work_seen_);
  for (Index i = 0; i < flight_->size(); ++i) {
    put_number(bytes, flight_->clock(i));
    put_moment(bytes, flight_->start(i));
    put_vector(bytes, zones_->center(i));
    put_number(bytes, flight_->is_at_rest(i) ? rest_until_[i] : -kInfinity);
  }
  events_->save(bytes);
}

bool SolidEventStepper::load_bodies(std::string_view& bytes) {
  if (bytes.size() < 8 * (kHead + kPerBody * flight_->size())) return false;
  period_work_ = take_number(bytes);
  period_work_seen_ = take_number(bytes);
  for (Index i = 0; i < flight_->size(); ++i) {
    const double clock = take_number(bytes);
    const BodyMoment moment = take_moment(bytes);
    zones_->move(i, take_vector(bytes));
    rest_until_[i] = take_number(bytes);
    if (rest_until_[i] > clock) {
      flight_->rest(i, clock, moment);
    } else {
      flight_->set(i, clock, moment);
    }
  }
  return events_->load(bytes);
}

}  // namespace carom
