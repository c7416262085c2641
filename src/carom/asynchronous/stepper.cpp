// The asynchronous engine as a stepper: its state, its ledger as numbers of a step, its audit.
#include "carom/asynchronous/stepper.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/scheme_settings.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/stopwatch.h"
#include "carom/stepping/bytes.h"

namespace carom::asynchronous {
namespace {

constexpr std::string_view kMark = "carom-asynchronous-1\n";

// A window ends early when it has so many, some 100 bytes each.
constexpr std::size_t kMostCorners = 1'000'000;

double potential_of(const Ledger& ledger) {
  return std::accumulate(ledger.potentials.begin(), ledger.potentials.end(), ledger.contact);
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

void AsynchronousStepper::add_sums(const Ledger& ledger, StepReport& report) const {
  using Own = OwnNumber;
  report.totals = totals_of(ledger);
  report.own[Own::kContactEnergy] = ledger.contact;
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

void AsynchronousStepper::fail(StepReport& report, std::string_view word,
                               std::string message) const {
  report.failure = word;
  report.status = ImpactStatus::diverged;
  report.message = std::move(message);
}

// To the end of the step; with an audit of motion in parts that memory has room for, each audited.
AdvanceReport AsynchronousStepper::advance(StepReport& report) {
  Observer has_room;
  if (audits_motion_) {
    has_room = [&](const AdvanceReport&) { return engine_->corners().size() < kMostCorners; };
  }
  AdvanceReport advanced;
  do {
    {
      const Stopwatch watch(report.integration);
      advanced = engine_->advance(report.time - simulation_->start.time, has_room);
    }
    if (audits_motion_) audit_motion(report);
  } while (advanced.status == AdvanceStatus::interrupted && report.can_go_on());
  return advanced;
}

// All that moved since the last window, from the corners of the paths alone.
void AsynchronousStepper::audit_motion(StepReport& report) {
  const Stopwatch watch(report.measurement);
  const Configuration end = engine_->configuration();
  if (end.time <= window_.begin()) return;
  const MotionReport found = audit_.motion(window_.to(end, engine_->corners()));
  window_.begin_at(end);
  engine_->forget_corners();
  if (std::isfinite(found.smallest_gap)) {
    double& gap = report.own[OwnNumber::kAuditedGap];
    gap = gap > 0.0 ? std::min(gap, found.smallest_gap) : found.smallest_gap;
  }
  if (found.status == AuditStatus::passed) return;
  const std::optional<AuditFault>& fault = found.fault ? found.fault : found.undecided;
  fail(report, "audit", fault ? text_of(*fault, audit_, *simulation_) : "positions are not finite");
}

// Exactly, from positions alone.
void AsynchronousStepper::audit_state(StepReport& report) {
  const Stopwatch watch(report.measurement);
  const StateReport found = audit_.state(configuration_.position);
  if (found.status == AuditStatus::passed) return;
  fail(report, "audit",
       found.faults.empty() ? "positions are not finite"
                            : text_of(found.faults.front(), audit_, *simulation_) + " at time " +
                                  number_text(report.time));
}

StepReport AsynchronousStepper::step() {
  using Own = OwnNumber;
  StepReport report;
  const std::uint64_t number = state_.step + 1;
  report.step = number;
  report.time = static_cast<double>(number) * simulation_->time.step;
  const AdvanceReport advanced = advance(report);
  if (!report.can_go_on()) return report;
  if (advanced.status != AdvanceStatus::reached) {
    fail(report, to_string(advanced.status),
         "at time " + number_text(simulation_->start.time + advanced.time) + " " +
             text_of(advanced.stuck, *simulation_) +
             " are pressed together so hard that their layers act in steps shorter than the "
             "lattice of times has; nothing has crossed");
    return report;
  }
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
  const auto since = [](std::uint64_t now, std::uint64_t then) {
    return static_cast<double>(now - then);
  };
  report.own[Own::kForceKicks] = since(advanced.counts.force_kicks, counted_.force_kicks);
  report.own[Own::kContactTicks] = since(advanced.counts.contact_ticks, counted_.contact_ticks);
  report.own[Own::kCertificates] = since(advanced.counts.certificates, counted_.certificates);
  counted_ = advanced.counts;
  return report;
}

std::string AsynchronousStepper::save() const {
  std::string bytes(kMark);
  put_word(bytes, state_.step);
  for (const std::uint64_t count :
       {counted_.force_kicks, counted_.contact_ticks, counted_.certificates}) {
    put_word(bytes, count);
  }
  return bytes + engine_->save();
}

void AsynchronousStepper::load(std::string_view bytes) {
  if (!bytes.starts_with(kMark) || bytes.size() < kMark.size() + 32) {
    throw InputError({},
                     "the checkpoint does not belong to this scene: expected one of "
                     "asynchronous contact mechanics");
  }
  bytes.remove_prefix(kMark.size());
  const std::uint64_t step = take_word(bytes);
  EventCounts counted;
  for (std::uint64_t* count :
       {&counted.force_kicks, &counted.contact_ticks, &counted.certificates}) {
    *count = take_word(bytes);
  }
  engine_->load(bytes);
  counted_ = counted;
  take_state(step);
  before_ = engine_->ledger();
}

}  // namespace carom::asynchronous
