// Which near pairs wait beside the rows of an impact, how far around is looked for them, and what
// makes them join.
#include "carom/steps/detail/waiting_rows.h"

#include <algorithm>
#include <cmath>

#include "carom/core/stretches.h"

namespace carom::detail {

WaitingRows::WaitingRows(const Simulation& simulation, const StepPath& path,
                         const ContactDetector& detector, WorkerPool& pool)
    : simulation_(&simulation), path_(&path), detector_(&detector), pool_(&pool) {}

void WaitingRows::begin_step() {
  contacts_.clear();
  reach_is_ = Reach::not_of_this_step;
}

// How far apart two balls may be that a pulse of this step drives together, in radii of the
// smallest ball; one of a few lengths, as lists are made for one of them.
double WaitingRows::reach() const {
  constexpr double kWays = 6.0;  // of a ball that moves as most do: a pulse is faster
  constexpr double kFarthest = 2.0;
  const std::vector<Vec3>& velocity = path_->state().velocity;
  const auto count = static_cast<double>(velocity.size());
  const auto sum = sum_over_stretches<Vec3>(pool_, velocity.size(), [&](const Stretch& stretch) {
    Vec3 part;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) part += velocity[i];
    return part;
  });
  const Vec3 mean = (1.0 / count) * sum;
  const auto square =
      sum_over_stretches<double>(pool_, velocity.size(), [&](const Stretch& stretch) {
        double part = 0.0;
        for (std::size_t i = stretch.first; i < stretch.last; ++i) {
          part += norm_squared(velocity[i] - mean);
        }
        return part;
      });
  const std::vector<double>& radius = simulation_->world.bodies.radius;
  const double smallest = *std::min_element(radius.begin(), radius.end());
  const double way = kWays * path_->step_size() * std::sqrt(square / count) / smallest;
  double reach = kFarthest;
  while (reach > 0.25 && 0.5 * reach >= way) reach *= 0.5;
  return reach;
}

// Once in a step.
void WaitingRows::make_detector() {
  if (reach_is_ == Reach::of_this_step) return;
  reach_is_ = Reach::of_this_step;
  DetectionSettings settings = simulation_->detection;
  settings.activation = reach();
  settings.redetect = false;
  settings.sweep = false;
  if (near_ && near_reach_ == settings.activation) return;
  near_reach_ = settings.activation;
  near_ = std::make_unique<ContactDetector>(simulation_->world, settings, pool_);
}

// How many pairs are to be looked for around found rows, each counted from both sides and rows
// among them. A round whose found rows reach as far as those of the round before did makes so many
// bodies faster or slower, each with a few partners; and a few pairs more, beside the rows that it
// has, cost it little.
std::size_t WaitingRows::enough(const Round& round) const {
  const double partners = simulation_->world.dimension == 3 ? 18.0 : 6.0;
  constexpr double kFewest = 4096.0;
  constexpr double kMost = 1e15;
  constexpr int kPatience = 24;  // rounds, after which twice as many wait in each
  const double reached = static_cast<double>(round.moved) *
                         static_cast<double>(round.found.size()) /
                         static_cast<double>(round.before);
  const double most =
      std::max({kFewest, 0.125 * static_cast<double>(round.active.size()), partners * reached});
  const int late = std::max(0, round.number - kPatience);
  return static_cast<std::size_t>(std::min(std::ldexp(most, late), kMost));
}

void WaitingRows::find(const Round& round) {
  make_detector();
  around_.clear();
  for (const Contact& contact : round.found) {
    around_.push_back(contact.body_a);
    if (contact.body_b != kNone) around_.push_back(contact.body_b);
  }
  const State& state = path_->state();
  near_->detect_around({state.time, state.position}, around_, enough(round), contacts_);
  take_out(round.active, contacts_);
  take_out(round.left_out, contacts_);
}

ImpactStage::Wakes WaitingRows::wakes(Index most) const {
  ImpactStage::Wakes wakes;
  wakes.ask = [this](const Contact& contact, const Vec3& a, const Vec3& b) {
    return this->wakes(contact, a, b);
  };
  wakes.least_speed = [this](const Contact& contact) { return waking_speed(contact); };
  wakes.most = most;
  return wakes;
}

bool WaitingRows::wakes(const Contact& contact, const Vec3& velocity_a,
                        const Vec3& velocity_b) const {
  const auto end_of = [&](Index body, const Vec3& velocity) {
    return body == kNone ? Vec3{} : path_->end_of(body, path_->state().position[body], velocity);
  };
  return detector_->would_be_active(path_->motion(), contact, end_of(contact.body_a, velocity_a),
                                    end_of(contact.body_b, velocity_b));
}

// Seen along n, the normal at the beginning, two balls are no nearer than they are:
//   gap on the way >= min(gap, gap + h n.(v_a - v_b) + n.(s_a - s_b)),
// s where a body at rest ends. Without drag, which would have a say in what h v is.
double WaitingRows::waking_speed(const Contact& contact) const {
  if (contact.body_b == kNone || simulation_->forces.drag.coefficient != 0.0) return -kInfinity;
  const BodySet& bodies = simulation_->world.bodies;
  const auto at_rest = [&](Index body) { return path_->end_of(body, Vec3{}, Vec3{}); };
  const double radius = std::min(bodies.radius[contact.body_a], bodies.radius[contact.body_b]);
  const double shift = dot(contact.normal, at_rest(contact.body_a) - at_rest(contact.body_b));
  constexpr double kSpare = 1e-6;  // for round-off, in radii
  const double way = contact.gap + shift - (simulation_->detection.activation + kSpare) * radius;
  return way / path_->step_size();
}

}  // namespace carom::detail
