// The asynchronous engine as a stepper: its state, its ledger as numbers of a step, its audit.
#include "carom/asynchronous/stepper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "carom/asynchronous/length_audit.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/scheme_settings.h"
#include "carom/asynchronous/wall_audit.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/stopwatch.h"
#include "carom/stepping/bytes.h"

namespace carom::asynchronous {
namespace {

constexpr std::string_view kMark = "carom-asynchronous-2\n";

// A window ends early when it has so many, some 100 bytes each.
constexpr std::size_t kMostCorners = 1'000'000;

double potential_of(const Ledger& ledger) {
  return std::accumulate(ledger.potentials.begin(), ledger.potentials.end(),
                         ledger.contact + ledger.limits);
}

// The sums of a ledger of which a step reports the change.
using KeptSums = std::array<double, 14>;

KeptSums kept_sums(const Ledger& l) {
  return {l.work_of_held,       l.work_of_forces,    l.lost_to_restitution, l.lost_to_friction,
          l.lost_to_damping,    l.held_impulse.x,    l.held_impulse.y,      l.held_impulse.z,
          l.wall_impulse.x,     l.wall_impulse.y,    l.wall_impulse.z,      l.external_impulse.x,
          l.external_impulse.y, l.external_impulse.z};
}

Ledger ledger_of(const KeptSums& sums) {
  Ledger l;
  l.work_of_held = sums[0];
  l.work_of_forces = sums[1];
  l.lost_to_restitution = sums[2];
  l.lost_to_friction = sums[3];
  l.lost_to_damping = sums[4];
  l.held_impulse = {sums[5], sums[6], sums[7]};
  l.wall_impulse = {sums[8], sums[9], sums[10]};
  l.external_impulse = {sums[11], sums[12], sums[13]};
  return l;
}

// What free bodies have given away: with their momentum it is a constant.
Vec3 taken_impulse(const Ledger& ledger) {
  return (ledger.held_impulse + ledger.wall_impulse) - ledger.external_impulse;
}

}  // namespace

AsynchronousStepper::AsynchronousStepper(const Simulation& simulation)
    : AsynchronousStepper(simulation, audit_mesh_of(problem_of(simulation))) {}

AsynchronousStepper::AsynchronousStepper(const Simulation& simulation, const AuditMesh& audited)
    : simulation_(&simulation),
      problem_(problem_of(simulation)),
      engine_(make_contact_engine(problem_, simulation)),
      audit_(audited),
      before_(engine_->ledger()),
      state_(simulation.start) {
  const std::string& mode = simulation.settings.of<AsynchronousSettings>().audit;
  audits_states_ = mode != "none";
  audits_motion_ = mode == "motion";
  engine_->record_corners(audits_motion_);
  take_state(simulation.start.step);
}

void AsynchronousStepper::take_state(std::uint64_t step) {
  configuration_ = engine_->configuration();
  const std::size_t count = state_.position.size();
  for (std::size_t i = 0; i < count; ++i) {
    state_.position[i] = configuration_.position[i];
    state_.velocity[i] = configuration_.velocity[i];
  }
  state_.step = step;
  state_.time = static_cast<double>(step) * simulation_->time.step;
  if (audits_motion_) window_.begin_at(configuration_);
}

Totals AsynchronousStepper::totals_of(const Ledger& ledger) const {
  Totals result = totals(*simulation_, state_);
  result.kinetic = ledger.kinetic;
  result.potential = potential_of(ledger);
  result.momentum = ledger.momentum;
  return result;
}

std::optional<Totals> AsynchronousStepper::own_totals() const {
  return totals_of(engine_->ledger());
}

std::vector<double> AsynchronousStepper::body_numbers() const {
  const VertexActivity activity = engine_->activity();
  const auto bodies = static_cast<std::ptrdiff_t>(state_.position.size());
  std::vector<double> numbers(activity.layer.begin(), activity.layer.begin() + bodies);
  numbers.insert(numbers.end(), activity.step.begin(), activity.step.begin() + bodies);
  return numbers;
}

void AsynchronousStepper::add_sums(const Ledger& ledger, StepReport& report) const {
  using Own = OwnNumber;
  report.totals = totals_of(ledger);
  report.own[Own::kContactEnergy] = ledger.contact;
  report.own[Own::kLimitEnergy] = ledger.limits;
  report.own[Own::kLostToRestitution] = ledger.lost_to_restitution - before_.lost_to_restitution;
  report.own[Own::kLostToFriction] = ledger.lost_to_friction - before_.lost_to_friction;
  report.own[Own::kLostToDamping] = ledger.lost_to_damping - before_.lost_to_damping;
  report.own[Own::kWorkOfLed] = ledger.work_of_held - before_.work_of_held;
  report.own[Own::kWorkOfForces] = ledger.work_of_forces - before_.work_of_forces;
  const Vec3 taken = taken_impulse(ledger) - taken_impulse(before_);
  report.own[Own::kTakenX] = taken.x;
  report.own[Own::kTakenY] = taken.y;
  report.own[Own::kTakenZ] = taken.z;
  report.external_work = report.own[Own::kWorkOfLed] + report.own[Own::kWorkOfForces];
  report.dissipated = report.own[Own::kLostToRestitution] + report.own[Own::kLostToFriction] +
                      report.own[Own::kLostToDamping];
}

std::string AsynchronousStepper::text_of(const AdvanceReport& advanced) const {
  const std::string when = "at time " + number_text(simulation_->start.time + advanced.time) + " ";
  if (advanced.status == AdvanceStatus::no_progress) {
    if (is_length_limit(advanced.stuck.kind)) {
      return when + asynchronous::text_of(advanced.stuck, *simulation_) +
             " are forced so hard towards the limit of its length that its layers act in steps "
             "shorter than the lattice of times has; no limit was passed, and nothing has crossed";
    }
    return when + asynchronous::text_of(advanced.stuck, *simulation_) +
           " are pressed together so hard that their layers act in steps shorter than the lattice "
           "of times has; nothing has crossed";
  }
  const double least = simulation_->settings.of<AsynchronousSettings>().least_progress;
  const std::string slow =
      "a million events bring less than least_progress = " + number_text(least) + " s";
  if (advanced.stuck.vertex[0] == kNone) return when + slow + "; nothing has crossed";
  return when + slow + "; " + asynchronous::text_of(advanced.stuck, *simulation_) +
         " tick most often; nothing has crossed";
}

void AsynchronousStepper::fail(StepReport& report, std::string_view word,
                               std::string message) const {
  report.failure = word;
  report.status = ImpactStatus::diverged;
  report.message = std::move(message);
}

// To the end of the step; with an audit of motion in parts that memory has room for, each audited.
AdvanceReport AsynchronousStepper::advance(StepReport& report) {
  Observer observer;
  if (audits_motion_ || watch_) {
    observer = [&](const AdvanceReport& so_far) { return goes_on(so_far); };
  }
  report.own[OwnNumber::kAuditedGap] = gap_so_far_;
  AdvanceReport advanced;
  do {
    interruption_ = Interruption::none;
    {
      const Stopwatch watch(report.integration);
      advanced = engine_->advance(report.time - simulation_->start.time, observer);
    }
    if (audits_motion_) audit_motion(report);
  } while (interruption_ == Interruption::full_window && report.can_go_on());
  return advanced;
}

bool AsynchronousStepper::goes_on(const AdvanceReport& so_far) {
  if (watch_ &&
      !watch_({simulation_->start.time + so_far.time,
               so_far.counts.force_kicks + so_far.counts.contact_ticks + so_far.counts.certificates,
               so_far.deepest_layer})) {
    interruption_ = Interruption::by_watch;
  } else if (audits_motion_ && engine_->corners().size() >= kMostCorners) {
    interruption_ = Interruption::full_window;
  }
  return interruption_ == Interruption::none;
}

// All that moved since the last window, from the corners of the paths alone.
void AsynchronousStepper::audit_motion(StepReport& report) {
  const Stopwatch watch(report.measurement);
  const Configuration end = engine_->configuration();
  if (end.time <= window_.begin()) return;
  const AuditPath path = window_.to(end, engine_->corners());
  const MotionReport found = audit_.motion(path);
  const std::optional<LengthFault> too_long = audit_lengths(problem_, path);
  const std::optional<WallFault> behind = audit_walls(problem_, path);
  window_.begin_at(end);
  engine_->forget_corners();
  if (std::isfinite(found.smallest_gap)) {
    double& gap = report.own[OwnNumber::kAuditedGap];
    gap = gap > 0.0 ? std::min(gap, found.smallest_gap) : found.smallest_gap;
  }
  if (behind) fail(report, "audit", asynchronous::text_of(*behind, *simulation_));
  if (too_long) fail(report, "audit", asynchronous::text_of(*too_long, problem_, *simulation_));
  if (found.status == AuditStatus::passed) return;
  const std::optional<AuditFault>& fault = found.fault ? found.fault : found.undecided;
  fail(report, "audit",
       fault ? asynchronous::text_of(*fault, audit_, *simulation_) : "positions are not finite");
}

// Exactly, from positions alone.
void AsynchronousStepper::audit_state(StepReport& report) {
  const Stopwatch watch(report.measurement);
  if (const auto fault = audit_walls(problem_, configuration_.position)) {
    fail(report, "audit",
         asynchronous::text_of(*fault, *simulation_) + " at time " + number_text(report.time));
  }
  if (const auto fault = audit_lengths(problem_, configuration_.position)) {
    fail(report, "audit",
         asynchronous::text_of(*fault, problem_, *simulation_) + " at time " +
             number_text(report.time));
  }
  const StateReport found = audit_.state(configuration_.position);
  if (found.status == AuditStatus::passed) return;
  fail(report, "audit",
       found.faults.empty() ? "positions are not finite"
                            : asynchronous::text_of(found.faults.front(), audit_, *simulation_) +
                                  " at time " + number_text(report.time));
}

StepReport AsynchronousStepper::step() {
  using Own = OwnNumber;
  StepReport report;
  const std::uint64_t number = state_.step + 1;
  report.step = number;
  report.time = static_cast<double>(number) * simulation_->time.step;
  const AdvanceReport advanced = advance(report);
  if (!report.can_go_on()) return report;
  if (advanced.status == AdvanceStatus::interrupted) {
    gap_so_far_ = report.own[Own::kAuditedGap];
    fail(report, kStoppedWithin,
         "stopped at time " + number_text(simulation_->start.time + advanced.time));
    return report;
  }
  if (advanced.status != AdvanceStatus::reached) {
    fail(report, to_string(AdvanceStatus::no_progress), text_of(advanced));
    return report;
  }
  gap_so_far_ = 0.0;
  const State last = state_;
  take_state(number);
  if (audits_states_) audit_state(report);
  if (!report.can_go_on()) {
    state_ = last;
    return report;
  }
  const Ledger ledger = engine_->ledger();
  add_sums(ledger, report);
  before_ = ledger;
  report.own[Own::kDeepestLayer] = advanced.deepest_layer;
  report.own[Own::kSmallestGap] = advanced.smallest_gap;
  report.own[Own::kLimitUsed] = advanced.limit_used;
  const auto since = [](std::uint64_t now, std::uint64_t then) {
    return static_cast<double>(now - then);
  };
  report.own[Own::kForceKicks] = since(advanced.counts.force_kicks, counted_.force_kicks);
  report.own[Own::kContactTicks] = since(advanced.counts.contact_ticks, counted_.contact_ticks);
  report.own[Own::kCertificates] = since(advanced.counts.certificates, counted_.certificates);
  counted_ = advanced.counts;
  return report;
}

// Within a step, what was at its beginning beside the engine as it is now.
std::string AsynchronousStepper::save() const {
  std::string bytes(kMark);
  put_word(bytes, state_.step);
  for (const std::uint64_t count :
       {counted_.force_kicks, counted_.contact_ticks, counted_.certificates}) {
    put_word(bytes, count);
  }
  const bool is_within = engine_->configuration().time > state_.time - simulation_->start.time;
  put_word(bytes, is_within ? 1 : 0);
  if (is_within) {
    for (const double sum : kept_sums(before_)) put_number(bytes, sum);
    put_number(bytes, gap_so_far_);
    for (std::size_t i = 0; i < state_.position.size(); ++i) {
      put_vector(bytes, state_.position[i]);
      put_vector(bytes, state_.velocity[i]);
    }
  }
  return bytes + engine_->save();
}

void AsynchronousStepper::load(std::string_view bytes) {
  const auto refuse = [] {
    throw InputError({},
                     "the checkpoint does not belong to this scene: expected one of "
                     "asynchronous contact mechanics");
  };
  constexpr std::size_t kWords = 5;
  if (!bytes.starts_with(kMark) || bytes.size() < kMark.size() + 8 * kWords) refuse();
  bytes.remove_prefix(kMark.size());
  const std::uint64_t step = take_word(bytes);
  EventCounts counted;
  for (std::uint64_t* count :
       {&counted.force_kicks, &counted.contact_ticks, &counted.certificates}) {
    *count = take_word(bytes);
  }
  const bool is_within = take_word(bytes) != 0;
  Ledger before;
  State state = state_;
  double gap = 0.0;
  if (is_within) {
    KeptSums sums{};
    if (bytes.size() < 8 * (sums.size() + 1 + 6 * state.position.size())) refuse();
    for (double& sum : sums) sum = take_number(bytes);
    before = ledger_of(sums);
    gap = take_number(bytes);
    for (std::size_t i = 0; i < state.position.size(); ++i) {
      state.position[i] = take_vector(bytes);
      state.velocity[i] = take_vector(bytes);
    }
  }
  engine_->load(bytes);
  counted_ = counted;
  gap_so_far_ = gap;
  take_state(step);
  before_ = is_within ? before : engine_->ledger();
  if (!is_within) return;
  state_.position = state.position;
  state_.velocity = state.velocity;
}

}  // namespace carom::asynchronous
