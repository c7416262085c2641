// Rounds of re-detection: which rows join the impact of a step, and how it goes on with them.
#include "carom/steps/detail/impact_rounds.h"

#include <algorithm>
#include <array>

#include "carom/core/merge_tail.h"
#include "carom/core/stopwatch.h"
#include "carom/impact/operator.h"

namespace carom::detail {
namespace {

constexpr std::size_t kFewRows = 1000;  // a cascade of so many is over soon

bool comes_before(const Contact& a, const Contact& b) { return a.before(b); }

// What gravity makes of a pair at rest within one step if one of the two is held. Rows that near
// would join one layer of a pile after the other.
double resting_reach(const Simulation& simulation) {
  constexpr double kSafety = 2.3;
  constexpr double kFarthest = 0.1;  // in radii: beyond it nothing is nearly in touch
  if (!simulation.detection.redetect) return 0.0;
  const double step = simulation.time.step;
  double reach = kSafety * step * step * norm(simulation.forces.gravity);
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    reach = std::min(reach, kFarthest * simulation.world.bodies.extent(i));
  }
  return reach;
}

}  // namespace

// Whether an impact with more rows may go on from the outcome of one with fewer: the operator says
// so (OperatorInfo::may_go_on), and nothing is lost on the way.
ImpactRounds::NextRound ImpactRounds::next_round(const Simulation& simulation) {
  if (!find_operator(simulation.impact.impact_operator)->may_go_on) return NextRound::begins_again;
  const bool rubs = simulation.impact.friction_model != "none";
  const MaterialTable& materials = simulation.world.materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b <= a; ++b) {
      const PairCoefficients pair = materials.coefficients(a, b);
      if (pair.restitution != 1.0 || (rubs && pair.friction > 0.0)) return NextRound::begins_again;
    }
  }
  return NextRound::goes_on;
}

ImpactRounds::ImpactRounds(const Simulation& simulation, const Parts& parts)
    : simulation_(&simulation),
      path_(parts.path),
      impact_(parts.impact),
      pool_(parts.pool),
      symmetry_(parts.symmetry),
      next_round_(next_round(simulation)),
      detector_(simulation.world, simulation.detection, pool_, resting_reach(simulation)),
      speeds_(simulation.world, impact_->assembler(), symmetry_),
      waiting_(simulation, *path_, detector_, *pool_) {}

bool ImpactRounds::lets_rows_wait() const {
  return next_round_ == NextRound::goes_on && impact_->may_wait() && !speeds_.are_needed();
}

// How many rows may join before a step is too long.
std::size_t ImpactRounds::most_joining() const {
  return too_long_.when_many_join ? std::max(first_rows_, kFewRows) : kUnlimited;
}

bool ImpactRounds::is_too_long() const {
  if (impact_->summary().open_lock) return true;
  return contacts_.size() > first_rows_ && contacts_.size() - first_rows_ > most_joining();
}

bool ImpactRounds::will_be_too_long() const {
  return too_long_.when_many_join && found_.size() > std::max(first_rows_ / 2, kFewRows);
}

void ImpactRounds::begin(const TooLong& too_long, StepReport& report) {
  too_long_ = too_long;
  impact_->stop_at_open_locks(too_long.when_open_rows_lock);
  impact_->begin_step();
  speeds_.begin_step();
  waiting_.begin_step();
  left_out_.clear();
  const Stopwatch watch(report.detection);
  detector_.detect(path_->motion(), contacts_);             // (2)
  if (simulation_->detection.redetect) path_->note_look();  // otherwise nobody looks again
  first_rows_ = contacts_.size();
}

void ImpactRounds::find_places() {
  if (!simulation_->world.bodies.any_turns()) return;
  places_.clear();
  for (const Contact& contact : contacts_) {
    places_.push_back(detector_.place(path_->motion(), contact));
  }
}

void ImpactRounds::resolve(StepReport& report) {
  do {
    resolve_once(report);
  } while (!is_too_long() && leave_out_locked_gaps());
}

void ImpactRounds::resolve_once(StepReport& report) {
  const Stopwatch watch(report.impact);
  if (path_->begins_before_step()) report.held_rows = 0;
  impact_->arrange(contacts_);
  find_places();
  ImpactMoment before = path_->before_round(places_);
  if (impact_->points() != nullptr) {  // the same numbers, where the new ones go: half the memory
    before.velocity = path_->velocity();
    before.angular_velocity = path_->angular_velocity();
  }
  if (speeds_.are_needed()) before.restitution = speeds_.restitution(contacts_, before);
  const ImpactStage::Velocities velocities{&path_->velocity(), &path_->angular_velocity()};
  if (!waiting_.any()) {
    impact_->resolve(contacts_, before, velocities);  // (3)
  } else {
    const bool any_number = most_joining() == kUnlimited;
    const auto most = static_cast<Index>(first_rows_ + most_joining() - contacts_.size());
    impact_->resolve(contacts_, waiting_.contacts(), waiting_.wakes(any_number ? kNone : most),
                     before, velocities);  // (3)
    find_places();
  }
  report.solvers += impact_->summary().seconds;
}

// Rows that lock each other although they are not touching yet.
bool ImpactRounds::leave_out_locked_gaps() {
  const BodySet& bodies = simulation_->world.bodies;
  std::vector<Index> open;
  for (const Index row : impact_->summary().lineality_rows) {
    const Contact& contact = contacts_[row];
    const Vec3 place = places_.empty() ? Vec3{} : places_[row];
    const ImpactMoment before = path_->before_round(places_);
    double radius = bodies.extent(contact.body_a);
    Vec3 motion = before.velocity_at(contact.body_a, place);
    if (contact.body_b != kNone) {
      radius = std::min(radius, bodies.extent(contact.body_b));
      motion -= before.velocity_at(contact.body_b, place);
    } else {
      motion -= impact_->assembler().surface_velocity(contact.shape, before);
    }
    // What moves further could be past its partner when it is looked at again.
    const bool slow = norm(motion) * path_->step_size() < radius;
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
  impact_->begin_step();
  path_->begin_round_again();
  std::sort(left_out_.begin(), left_out_.end(), comes_before);
  return true;
}

bool ImpactRounds::learn_speeds() {
  return speeds_.are_needed() && !contacts_.empty() &&
         speeds_.learn(contacts_, impact_->impulses());
}

bool ImpactRounds::look_further(StepReport& report) {
  found_.clear();
  const Stopwatch watch(report.detection);
  const std::array<std::span<const Contact>, 2> known{contacts_, left_out_};
  detector_.detect_further(path_->motion(), known, found_, path_->moved());
  return !found_.empty();
}

void ImpactRounds::join_found(StepReport& report) {
  if (speeds_.are_needed()) speeds_.meet(found_, path_->after(places_));
  if (next_round_ == NextRound::goes_on) {
    impact_->go_on(contacts_);
    last_moved_ = path_->begin_round_from_here();
  } else {
    path_->begin_round_again();
  }
  merge_found();
  if (!is_too_long() && lets_rows_wait() && report.redetections >= 2) {
    const Stopwatch watch(report.detection);
    const auto number = static_cast<int>(report.redetections);
    waiting_.find({contacts_, found_, left_out_, number, last_moved_, last_found_});
  }
  last_found_ = found_.size();
}

void ImpactRounds::merge_found() {
  const std::size_t known = contacts_.size();
  contacts_.insert(contacts_.end(), found_.begin(), found_.end());
  merge_tail(contacts_, known, merging_, comes_before);
  if (symmetry_ == nullptr) return;
  // Orbits may have brought a row before it was found.
  const auto last = std::unique(contacts_.begin(), contacts_.end(),
                                [](const Contact& a, const Contact& b) { return a.same_pair(b); });
  contacts_.erase(last, contacts_.end());
}

}  // namespace carom::detail
