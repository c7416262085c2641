#include <algorithm>
#include <array>
#include <cmath>

#include "carom/contact/exact_symmetry.h"
#include "carom/contact/impact_speeds.h"
#include "carom/contact/impact_stage.h"
#include "carom/core/merge_tail.h"
#include "carom/core/stopwatch.h"
#include "carom/core/stretches.h"
#include "carom/steps/synchronous.h"

// Rounds of re-detection: which rows join the impact of a step, and how it goes on with them.
namespace carom {
namespace {

bool comes_before(const Contact& a, const Contact& b) { return a.before(b); }

}  // namespace

// The rows that the motion with the new velocities makes active beyond those that are.
void SynchronousStepper::detect_further(StepReport& report) {
  found_.clear();
  if (simulation_->detection.redetect) {
    const Stopwatch watch(report.detection);
    const std::array<std::span<const Contact>, 2> known{contacts_, left_out_};
    detector_.detect_further(motion(), known, found_, knows_moved_ ? &moved_ : nullptr);
    looked_at_begin_ = false;
  } else if (notes_penetration()) {
    const Stopwatch watch(report.measurement);
    detector_.measure(motion());
  }
}

void SynchronousStepper::join_found() {
  const std::size_t known = contacts_.size();
  contacts_.insert(contacts_.end(), found_.begin(), found_.end());
  merge_tail(contacts_, known, merging_, comes_before);
  if (!symmetry_) return;
  // Orbits may have brought a row before it was found.
  const auto last = std::unique(contacts_.begin(), contacts_.end(),
                                [](const Contact& a, const Contact& b) { return a.same_pair(b); });
  contacts_.erase(last, contacts_.end());
}

// How far apart two balls may be that a pulse of this step drives together, in radii of the
// smallest ball; one of a few lengths, as lists are made for one of them.
double SynchronousStepper::waiting_reach() {
  constexpr double kWays = 6.0;  // of a ball that moves as most do: a pulse is faster
  constexpr double kFarthest = 2.0;
  const std::vector<Vec3>& velocity = state_.velocity;
  const auto count = static_cast<double>(velocity.size());
  const auto sum = sum_over_stretches<Vec3>(&pool_, velocity.size(), [&](const Stretch& stretch) {
    Vec3 part;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) part += velocity[i];
    return part;
  });
  const Vec3 mean = (1.0 / count) * sum;
  const auto square =
      sum_over_stretches<double>(&pool_, velocity.size(), [&](const Stretch& stretch) {
        double part = 0.0;
        for (std::size_t i = stretch.first; i < stretch.last; ++i) {
          part += norm_squared(velocity[i] - mean);
        }
        return part;
      });
  const std::vector<double>& radius = simulation_->world.bodies.radius;
  const double smallest = *std::min_element(radius.begin(), radius.end());
  const double way = kWays * step_size_ * std::sqrt(square / count) / smallest;
  double reach = kFarthest;
  while (reach > 0.25 && 0.5 * reach >= way) reach *= 0.5;
  return reach;
}

bool SynchronousStepper::lets_rows_wait() const {
  return can_go_on_ && impact_->may_wait() && !speeds_->are_needed();
}

// How many pairs are to be looked for around found rows, each counted from both sides and rows
// among them. A round whose found rows reach as far as those of the round before did makes so many
// bodies faster or slower, each with a few partners; and a few pairs more, beside the rows that it
// has, cost it little.
std::size_t SynchronousStepper::enough_waiting(const StepReport& report) const {
  const double partners = simulation_->world.dimension == 3 ? 18.0 : 6.0;
  constexpr double kFewest = 4096.0;
  constexpr double kMost = 1e15;
  constexpr int kPatience = 24;  // rounds, after which twice as many wait in each
  const double reached = static_cast<double>(last_moved_) * static_cast<double>(found_.size()) /
                         static_cast<double>(last_found_);
  const double most =
      std::max({kFewest, 0.125 * static_cast<double>(contacts_.size()), partners * reached});
  const int late = std::max(0, static_cast<int>(report.redetections) - kPatience);
  return static_cast<std::size_t>(std::min(std::ldexp(most, late), kMost));
}

// Pairs that a pulse of this step may drive together, around the rows that were found.
void SynchronousStepper::find_waiting(StepReport& report) {
  if (!lets_rows_wait() || report.redetections < 2) return;
  const Stopwatch watch(report.detection);
  if (!knows_reach_) {
    DetectionSettings settings = simulation_->detection;
    settings.activation = waiting_reach();
    settings.redetect = false;
    settings.sweep = false;
    if (!near_detector_ || near_reach_ != settings.activation) {
      near_reach_ = settings.activation;
      near_detector_ = std::make_unique<ContactDetector>(simulation_->world, settings, &pool_);
    }
    knows_reach_ = true;
  }
  around_.clear();
  for (const Contact& contact : found_) {
    around_.push_back(contact.body_a);
    if (contact.body_b != kNone) around_.push_back(contact.body_b);
  }
  near_detector_->detect_around({state_.time, state_.position}, around_, enough_waiting(report),
                                waiting_);
  take_out(contacts_, waiting_);
  take_out(left_out_, waiting_);
}

bool SynchronousStepper::wakes(const Contact& contact, const Vec3& velocity_a,
                               const Vec3& velocity_b) const {
  const auto end_of = [&](Index body, const Vec3& velocity) {
    return body == kNone ? Vec3{} : flight_.end_of(body, state_.position[body], velocity);
  };
  return detector_.would_be_active(motion(), contact, end_of(contact.body_a, velocity_a),
                                   end_of(contact.body_b, velocity_b));
}

// Seen along n, the normal at the beginning, two balls are no nearer than they are:
//   gap on the way >= min(gap, gap + h n.(v_a - v_b) + n.(s_a - s_b)),
// s where a body at rest ends. Without drag, which would have a say in what h v is.
double SynchronousStepper::waking_speed(const Contact& contact) const {
  if (contact.body_b == kNone || simulation_->forces.drag.coefficient != 0.0) return -kInfinity;
  const BodySet& bodies = simulation_->world.bodies;
  const auto at_rest = [&](Index body) { return flight_.end_of(body, Vec3{}, Vec3{}); };
  const double radius = std::min(bodies.radius[contact.body_a], bodies.radius[contact.body_b]);
  const double shift = dot(contact.normal, at_rest(contact.body_a) - at_rest(contact.body_b));
  constexpr double kSpare = 1e-6;  // for round-off, in radii
  const double way = contact.gap + shift - (simulation_->detection.activation + kSpare) * radius;
  return way / step_size_;
}

// The impact is that of the velocities at the beginning of the step.
void SynchronousStepper::start_over() {
  impact_->begin_step();
  went_on_ = false;
  looked_at_begin_ = false;
}

// Where bodies end after a round: a few of them elsewhere than where they were seen before it.
void SynchronousStepper::predict_round(StepReport& report) {
  const Stopwatch watch(report.integration);
  if (!looked_at_begin_ || symmetry_ != nullptr || impact_->points() == nullptr) {
    predict();
    return;
  }
  const std::vector<Vec3>& before = went_on_ ? round_velocity_ : state_.velocity;
  moved_in_.resize(stretch_count(before.size(), kLongStretch));
  for_each_stretch(&pool_, before.size(), kLongStretch, [&](const Stretch& stretch) {
    std::vector<Index>& moved = moved_in_[stretch.number];
    moved.clear();
    for (auto i = static_cast<Index>(stretch.first); i < stretch.last; ++i) {
      if (new_velocity_[i] == before[i]) continue;
      moved.push_back(i);
      end_[i] = flight_.end_of(i, state_.position[i], new_velocity_[i]);
    }
  });
  moved_.clear();
  for (const std::vector<Index>& moved : moved_in_) {
    moved_.insert(moved_.end(), moved.begin(), moved.end());
  }
  knows_moved_ = true;
}

// The next round is an impact of the velocities that this one left.
void SynchronousStepper::go_on() {
  impact_->go_on(contacts_);
  if (knows_moved_ && went_on_) {
    for (const Index i : moved_) round_velocity_[i] = new_velocity_[i];
  } else {
    copy_stretches(&pool_, new_velocity_, round_velocity_);
  }
  copy_stretches(&pool_, new_angular_, round_angular_);
  last_moved_ = knows_moved_ ? moved_.size() : new_velocity_.size();
  looked_at_begin_ = true;
  went_on_ = true;
  starts_fresh_ = true;
}

// Rows that lock each other although they are not touching yet.
bool SynchronousStepper::leave_out_locked_gaps() {
  const BodySet& bodies = simulation_->world.bodies;
  std::vector<Index> open;
  for (const Index row : impact_->summary().lineality_rows) {
    const Contact& contact = contacts_[row];
    const Vec3 place = places_.empty() ? Vec3{} : places_[row];
    double radius = bodies.extent(contact.body_a);
    Vec3 motion = moment_of_round().velocity_at(contact.body_a, place);
    if (contact.body_b != kNone) {
      radius = std::min(radius, bodies.extent(contact.body_b));
      motion -= moment_of_round().velocity_at(contact.body_b, place);
    } else {
      motion -= impact_->assembler().surface_velocity(contact.shape, moment());
    }
    // What moves further could be past its partner when it is looked at again.
    const bool slow = norm(motion) * step_size_ < radius;
    if (slow && PointImpact::is_open(contact, impact_scene(*simulation_))) open.push_back(row);
  }
  if (open.empty()) return false;
  std::sort(open.begin(), open.end());
  std::vector<Contact> kept;
  kept.reserve(contacts_.size());
  for (Index row = 0; row < contacts_.size(); ++row) {
    const bool out = std::binary_search(open.begin(), open.end(), row);
    (out ? left_out_ : kept).push_back(contacts_[row]);
  }
  contacts_.swap(kept);
  start_over();
  std::sort(left_out_.begin(), left_out_.end(), comes_before);
  return true;
}

void SynchronousStepper::resolve(StepReport& report) {
  do {
    resolve_once(report);
  } while (!is_too_long() && leave_out_locked_gaps());
}

void SynchronousStepper::meet_found() {
  if (!speeds_->are_needed()) return;
  ImpactMoment after = moment();
  after.velocity = new_velocity_;
  speeds_->meet(found_, after);
}

// Restitution that falls with the speed wants to know what the rows went through.
bool SynchronousStepper::learn_speeds() {
  return speeds_->are_needed() && !contacts_.empty() &&
         speeds_->learn(contacts_, impact_->impulses());
}

}  // namespace carom
