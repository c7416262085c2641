// Where bodies are at a time that fly freely from clocks of their own.
#include "carom/events/detail/free_flight.h"

#include <cmath>
#include <limits>
#include <map>

namespace carom::detail {

FreeFlight::FreeFlight(const Simulation& simulation) : simulation_(&simulation) {
  const BodySet& bodies = simulation.world.bodies;
  const State& state = simulation.start;
  std::map<double, std::shared_ptr<const Solid>> balls;  // by radius
  for (Index i = 0; i < bodies.size(); ++i) {
    if (bodies.turns(i)) {
      solid_.push_back(bodies.solids[bodies.solid[i]]);
    } else {
      std::shared_ptr<const Solid>& ball = balls[bodies.radius[i]];
      if (ball == nullptr) {
        ball = std::make_shared<const Solid>(SphereSolid{bodies.radius[i]},
                                             simulation.world.dimension);
      }
      solid_.push_back(ball);
    }
    BodyMoment moment{state.position[i], state.velocity[i], {}, {}};
    if (simulation.world.periodicity.any()) {
      moment.position = wrapped(simulation.world.periodicity, moment.position);
    }
    if (bodies.turns(i)) {
      moment.orientation = state.orientation[i];
      moment.angular_velocity = state.angular_velocity[i];
    }
    start_.push_back(moment);
  }
  clock_.assign(bodies.size(), state.time);
  rests_.assign(bodies.size(), 0);
  seen_ = start_;
  seen_time_ = clock_;
  for (Index i = 0; i < bodies.size(); ++i) turn_rate_.push_back(turn_rate(i));
}

double FreeFlight::turn_rate(Index body) const {
  if (!simulation_->world.bodies.turns(body)) return 0.0;
  const Vec3& w = start_[body].angular_velocity;
  if (simulation_->world.dimension == 2) return std::abs(w.z);
  return largest_turn_rate(simulation_->world.bodies.moments(body),
                           transposed_times(matrix_of(start_[body].orientation), w));
}

const BodyMoment& FreeFlight::at(Index body, double time) {
  BodyMoment& seen = seen_[body];
  if (seen_time_[body] == time) return seen;
  seen_time_[body] = time;
  const BodyMoment& start = start_[body];
  if (is_at_rest(body)) {
    seen = start;
    return seen;
  }
  const double t = time - clock_[body];
  const Vec3& gravity = simulation_->forces.gravity;
  seen.position = start.position + t * (start.velocity + (0.5 * t) * gravity);
  seen.velocity = start.velocity + t * gravity;
  if (!simulation_->world.bodies.turns(body)) return seen;
  const Turning turning{start.orientation, start.angular_velocity};
  const Turning turned = simulation_->world.dimension == 2
                             ? free_rotation_2d(turning, t)
                             : free_rotation(simulation_->world.bodies.moments(body), turning, t,
                                             simulation_->time.rotation);
  seen.orientation = turned.orientation;
  seen.angular_velocity = turned.angular_velocity;
  return seen;
}

void FreeFlight::rest(Index body, double time, const BodyMoment& moment) {
  set(body, time, {moment.position, {}, moment.orientation, {}});
  rests_[body] = 1;
}

void FreeFlight::set(Index body, double time, const BodyMoment& moment) {
  rests_[body] = 0;
  clock_[body] = time;
  start_[body] = moment;
  seen_[body] = moment;
  seen_time_[body] = time;
  turn_rate_[body] = turn_rate(body);
}

void FreeFlight::shift(Index body, const Vec3& by) {
  start_[body].position += by;
  seen_time_[body] = std::numeric_limits<double>::quiet_NaN();  // to be found anew
}

FlyingSolid FreeFlight::flying(Index body, double time) {
  const BodyMoment& now = at(body, time);
  return {{solid_[body].get(), {now.position, matrix_of(now.orientation)}},
          {now.velocity, acceleration(body), turn_rate_[body], 0.0}};
}

}  // namespace carom::detail
