// Steps of one size in which all contacts at rest are one program with Coulomb's friction.
#include "carom/steps/resting.h"

#include <algorithm>
#include <cmath>

#include "carom/bodies/periods.h"
#include "carom/core/stopwatch.h"
#include "carom/integrators/free_rotation.h"

namespace carom {
namespace {

bool are_bounded(const std::vector<Vec3>& vectors) {
  constexpr double kLargest = 1e100;
  return std::all_of(vectors.begin(), vectors.end(), [](const Vec3& v) {
    return std::abs(v.x) < kLargest && std::abs(v.y) < kLargest && std::abs(v.z) < kLargest;
  });
}

}  // namespace

RestingStepper::RestingStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      flight_(simulation.forces, simulation.world.bodies, simulation.world.periodicity,
              simulation.time.step),
      near_(simulation.world, simulation.detection),
      bounce_(simulation.world, simulation.impact, simulation.detection.activation),
      settings_(simulation.settings.of<RestSettings>()),
      state_(simulation.start),
      reach_(simulation.world.bodies.size()),
      end_(simulation.world.bodies.size()),
      end_orientation_(state_.orientation) {
  flight_.share_out(pool_);
  flight_.start(state_.position);
  begin();
}

RestingStepper::~RestingStepper() = default;

detail::RestMoment RestingStepper::moment() const {
  return {&simulation_->world,
          state_.time,
          simulation_->time.step,
          state_.position,
          state_.orientation,
          &flight_,
          energy_};
}

StepMotion RestingStepper::motion() const {
  return {state_.time, simulation_->time.step, state_.position,
          end_,        state_.orientation,     end_orientation_};
}

// What rests at the start is stopped in the middle of the first step, as in all others, by half of
// the impulse of a step; what slides gets half of a step's friction.
void RestingStepper::begin() {
  before_ = {state_.velocity, state_.angular_velocity};
  energy_ = detail::RestEnergy::of_a_start;
  StepReport unused;
  Outcome outcome;
  meet(unused, outcome);
  energy_ = detail::RestEnergy::guarded;
  keep();
  stored_ = kinetic(after_) - kinetic({state_.velocity, state_.angular_velocity});
}

void RestingStepper::impact(Outcome& outcome) {
  make_rows();
  bounced_ = before_;
  outcome.bounce = bounce_.run(moment(), simulation_->detection.redetect_rounds, rows_, bounced_);
  if (!outcome.bounce.message.empty()) return;
  spread_patches();
  constexpr unsigned kMostCurves = 2;
  for (unsigned pass = 0;; ++pass) {
    after_ = bounced_;
    outcome.rest = detail::solve_rest(moment(), settings_, rows_, {before_, bounced_, after_});
    const bool rolls = follow_rolling();
    if (pass == kMostCurves || (!follow_curves() && !rolls)) return;
  }
}

void RestingStepper::meet(StepReport& report, Outcome& outcome) {
  met_.clear();
  static_cast<void>(grow_reach(before_, true));
  const Index most = simulation_->detection.redetect ? simulation_->detection.redetect_rounds : 0;
  after_ = before_;
  for (;;) {
    {
      const Stopwatch watch(report.detection);
      move_to_end(before_);
      near_.look(motion(), reach_);
      is_row_.assign(near_.pairs().size(), false);
      static_cast<void>(find_further(before_, true));
      for (std::size_t k = 0; k < is_row_.size(); ++k) {
        const NearPair& pair = near_.pairs()[k];
        is_row_[k] =
            is_row_[k] || std::any_of(met_.begin(), met_.end(), [&](const Contact& c) {
              return c.body_a == pair.body_a && c.body_b == pair.body_b && c.shape == pair.shape;
            });
      }
    }
    for (;;) {
      {
        const Stopwatch watch(report.impact);
        impact(outcome);
      }
      if (!outcome.bounce.message.empty()) return;
      const Stopwatch watch(report.detection);
      if (!find_further(after_, false)) break;
      if (++outcome.looks_again > most) {
        outcome.exhausted = true;
        break;
      }
    }
    if (outcome.exhausted || !grow_reach(after_, false)) return;
    if (++outcome.looks_again > most) {
      outcome.exhausted = true;
      return;
    }
  }
}

void RestingStepper::keep() {
  kept_.clear();
  for (std::size_t k = 0; k < rows_.size();) {
    // The corners of a patch follow on each other, and are one place of contact.
    const detail::RestRow& row = rows_[k];
    Vec3 found = rows_[k++].found;
    while (k < rows_.size() && rows_[k].number == row.number) found += rows_[k++].found;
    if (!(dot(found, row.contact.normal) > 0.0)) continue;
    const Index a = row.contact.body_a;
    const Mat3 turned = state_.orientation.empty() ? Mat3() : matrix_of(state_.orientation[a]);
    kept_.add({a, row.contact.body_b, row.contact.shape, near_.places()[row.number].feature,
               transposed_times(turned, row.arm_a - row.corner), found});
  }
}

double RestingStepper::kinetic(const Velocities& velocities) const {
  const BodySet& bodies = simulation_->world.bodies;
  double sum = 0.0;
  for (Index i = 0; i < bodies.size(); ++i) {
    sum += 0.5 * bodies.mass[i] * norm_squared(velocities.linear[i]);
    if (!bodies.turns(i)) continue;
    const Vec3& w = velocities.angular[i];
    sum += 0.5 * dot(w, world_inertia(bodies, i, state_.orientation[i]) * w);
  }
  return sum;
}

RestingStepper::Velocities RestingStepper::shown() const {
  Velocities mean = bounced_;
  for (Index i = 0; i < mean.linear.size(); ++i) {
    mean.linear[i] = 0.5 * (bounced_.linear[i] + after_.linear[i]);
  }
  for (Index i = 0; i < mean.angular.size(); ++i) {
    mean.angular[i] = 0.5 * (bounced_.angular[i] + after_.angular[i]);
  }
  return mean;
}

// Free flight from one node to the next: places, and the velocities before the next impact.
void RestingStepper::fly() {
  const World& world = simulation_->world;
  const double step = simulation_->time.step;
  flight_.positions(state_.position, after_.linear, end_);
  before_ = after_;
  for (Index i = 0; i < end_orientation_.size(); ++i) {
    if (!world.bodies.turns(i)) continue;
    const Turning start = {state_.orientation[i], after_.angular[i]};
    const Turning end = world.dimension == 2 ? free_rotation_2d(start, step)
                                             : free_rotation(world.bodies.moments(i), start, step,
                                                             simulation_->time.rotation);
    end_orientation_[i] = end.orientation;
    before_.angular[i] = end.angular_velocity;
  }
}

double RestingStepper::work_along_periods() const {
  const Vec3 along = along_periods(simulation_->world.periodicity, simulation_->forces.gravity);
  if (along == Vec3{}) return 0.0;
  double work = 0.0;
  for (Index i = 0; i < end_.size(); ++i) {
    work += simulation_->world.bodies.mass[i] * dot(along, end_[i] - state_.position[i]);
  }
  return work;
}

StepReport RestingStepper::step() {
  StepReport report;
  const double step = simulation_->time.step;
  report.step = state_.step + 1;
  report.time = static_cast<double>(report.step) * step;
  const State last = state_;
  const Velocities last_after = after_;
  {
    const Stopwatch watch(report.integration);
    fly();
    report.external_work = work_along_periods();
    if (simulation_->world.periodicity.any()) {
      for (Vec3& q : end_) q = wrapped(simulation_->world.periodicity, q);
    }
    flight_.velocities(end_, before_.linear);
    report.external_work += flight_.work();
  }
  state_.position = end_;
  state_.orientation = end_orientation_;
  state_.step = report.step;
  state_.time = report.time;
  Outcome outcome;
  if (!are_bounded(state_.position) || !are_bounded(before_.linear) ||
      !are_bounded(before_.angular)) {
    report.status = ImpactStatus::diverged;
    report.message = simulation_->forces.functions.empty()
                         ? "velocities grew without bound"
                         : "velocities grew without bound, or a force is not finite";
  } else {
    meet(report, outcome);
    report.message = outcome.bounce.message;
    report.status = outcome.bounce.status;
  }
  if (!report.message.empty()) {
    state_ = last;
    after_ = last_after;
    end_orientation_ = last.orientation;
    flight_.start(state_.position);
    rows_.clear();
    return report;
  }
  keep();
  const Velocities mean = shown();
  state_.velocity = mean.linear;
  state_.angular_velocity = mean.angular;
  report_impact(outcome, report);
  stored_ = kinetic(after_) - kinetic(mean);
  report.dissipated = kinetic(before_) - kinetic(after_);
  for (const detail::RestRow& row : rows_) {
    const double work = dot(row.surface, row.bounce + detail::world_impulse(row));
    report.external_work += work;
    report.dissipated += work;
  }
  report.totals = *own_totals();
  return report;
}

}  // namespace carom
