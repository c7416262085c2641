// The stages of a step of one size: impact, look, hold, join, finish.
#include "carom/steps/detail/step_attempt.h"

#include <algorithm>

#include "carom/contact/squeeze.h"
#include "carom/core/long_work.h"
#include "carom/core/stopwatch.h"
#include "carom/core/stretches.h"
#include "carom/steps/detail/hold.h"
#include "carom/steps/detail/symmetry_search.h"

namespace carom::detail {

StepAttempt::StepAttempt(const Simulation& simulation, State& state)
    : simulation_(&simulation),
      state_(&state),
      pool_(simulation.threads),
      symmetry_(simulation.symmetry == "exact"
                    ? std::make_unique<ExactSymmetry>(simulation.world, find_symmetry(simulation))
                    : nullptr),
      impact_(impact_scene(simulation), pool_, symmetry_.get()),
      path_(simulation, state, pool_),
      rounds_(simulation, {&path_, &impact_, &pool_, symmetry_.get()}) {
  const bool goes_the_way_of_points = impact_.points() != nullptr;
  path_.set_up(symmetry_.get(), goes_the_way_of_points ? StepPath::Turning::at_the_end
                                                       : StepPath::Turning::for_each_look);
}

bool StepAttempt::may_be_too_long() const {
  const DetectionSettings& detection = simulation_->detection;
  return detection.redetect && detection.halve && rounds_.lets_rows_wait();
}

void StepAttempt::begin_anew() {
  path_.stand();
  rounds_.forget();
}

StepAttempt::Outcome StepAttempt::run(const Task& task, StepReport& report) {
  path_.begin(task.size);
  {
    const Stopwatch watch(report.integration);
    path_.predict();  // (1)
  }
  rounds_.begin(task.too_long, report);  // (2)
  speeds_ = Speeds::as_assumed;
  for (Stage stage = Stage::impact;;) {
    stage = advance(stage, task, report);
    if (stage == Stage::arrived) return Outcome::arrived;
    if (stage == Stage::too_long) return Outcome::too_long;
    if (stage == Stage::failed) return Outcome::failed;
  }
}

StepAttempt::Stage StepAttempt::advance(Stage stage, const Task& task, StepReport& report) {
  switch (stage) {
    case Stage::impact:
      return resolve(report);
    case Stage::look:
      return look(task, report);
    case Stage::hold:
      return hold(task, report);
    case Stage::join:
      return join(report);
    case Stage::finish:
      return finish(task, report);
    case Stage::arrived:
    case Stage::too_long:
    case Stage::failed:
      break;
  }
  return stage;
}

// (3)
StepAttempt::Stage StepAttempt::resolve(StepReport& report) {
  rounds_.resolve(report);
  if (was_stopped(report)) return Stage::failed;
  if (rounds_.is_too_long()) return Stage::too_long;
  const bool differs = rounds_.learn_speeds();
  if (speeds_ != Speeds::learnt) speeds_ = differs ? Speeds::differ : Speeds::as_assumed;
  const ImpactStage::Summary& summary = impact_.summary();
  if (summary.status == ImpactStatus::infeasible) {
    report.status = summary.status;
    report.message = squeeze_text(summary.squeezed);
    return Stage::failed;
  }
  if (summary.status == ImpactStatus::diverged) {
    report.status = ImpactStatus::diverged;
    report.message = "the operator gains energy without end";
    return Stage::failed;
  }
  return Stage::look;
}

// Whether the motion that the path has come to makes further rows active. Where it does not the
// look measures the penetration, too.
bool StepAttempt::finds_further(const Task& task, StepReport& report) {
  if (simulation_->detection.redetect) return rounds_.look_further(report);
  if (task.notes_penetration) {
    const Stopwatch watch(report.measurement);
    rounds_.measure();
  }
  return false;
}

StepAttempt::Stage StepAttempt::look(const Task& task, StepReport& report) {
  {
    const Stopwatch watch(report.integration);
    path_.predict_round();
  }
  if (finds_further(task, report)) return Stage::join;
  if (speeds_ == Speeds::differ) {
    speeds_ = Speeds::learnt;
    rounds_.repeat();
    return Stage::impact;
  }
  return Stage::hold;
}

// Only once the impact has all its rows: what is held is held again with every row that joins.
StepAttempt::Stage StepAttempt::hold(const Task& task, StepReport& report) {
  if (!hold_rows(report)) return Stage::finish;
  return finds_further(task, report) ? Stage::join : Stage::finish;
}

StepAttempt::Stage StepAttempt::join(StepReport& report) {
  if (report.redetections == simulation_->detection.redetect_rounds) {
    report.redetect_exhausted = true;
    const Stopwatch watch(report.measurement);
    rounds_.measure();
    return Stage::finish;
  }
  if (rounds_.will_be_too_long()) return Stage::too_long;
  ++report.redetections;
  rounds_.join_found(report);
  return rounds_.is_too_long() ? Stage::too_long : Stage::impact;
}

StepAttempt::Stage StepAttempt::finish(const Task& task, StepReport& report) {
  if (was_stopped(report)) return Stage::failed;
  measure_impact(report);
  const bool is_measured = simulation_->detection.redetect || task.notes_penetration;
  report.penetration = is_measured ? rounds_.penetration() : Penetration::unknown();
  const Stopwatch watch(report.integration);
  if (!path_.arrive(report.external_work)) {  // (4)
    report.status = ImpactStatus::diverged;
    report.message = simulation_->forces.functions.empty()
                         ? "velocities grew without bound"
                         : "velocities grew without bound, or a force is not finite";
    return Stage::failed;
  }
  state_->step = report.step;
  state_->time = report.time;
  report.totals = path_.shown().shown(totals(*simulation_, *state_, &pool_));
  return Stage::arrived;
}

// Whether whoever watches long steps has asked for a stop: what an impact has come to then is not
// to be gone on from.
bool StepAttempt::was_stopped(StepReport& report) const {
  LongWork* const work = simulation_->impact.work;
  if (work == nullptr || work->go_on("contacts", rounds_.contacts().size())) return false;
  report.status = ImpactStatus::cancelled;
  report.message = "was stopped";
  return true;
}

// Whether anything moves otherwise than before.
bool StepAttempt::hold_rows(StepReport& report) {
  const Stopwatch watch(report.impact);
  // Holding is paid for with what the impact lost.
  if (rounds_.contacts().empty() || !simulation_->detection.hold || impact_.summary().lossless) {
    return false;
  }
  rounds_.update_ends();
  const HoldInput input{rounds_.contacts(),
                        path_.before(rounds_.places()),
                        path_.after(rounds_.places()),
                        impact_.impulses(),
                        impact_.friction(),
                        &simulation_->world.bodies,
                        &impact_.settings()};
  ContactAssembler& assembler = impact_.assembler();
  if (opening_speeds(input, assembler, opening_speed_) == 0) return false;
  const HoldResult held = detail::hold_rows(input, opening_speed_, {&assembler, impact_.points()});
  report.held_rows = held.rows;
  if (held.changes.empty()) return false;
  for (const HoldResult::Change& change : held.changes) {
    path_.velocity()[change.body] = change.velocity;
    if (simulation_->world.bodies.turns(change.body)) {
      path_.angular_velocity()[change.body] = change.angular_velocity;
    }
  }
  for (std::size_t k = 0; k < rounds_.contacts().size(); ++k) {
    impact_.impulses()[k] += held.impulses[k];
    impact_.friction()[k] += held.friction[k];
  }
  impact_.make_symmetric(rounds_.contacts(), path_.velocity());
  path_.predict();
  return true;
}

double StepAttempt::lost_energy() {
  const BodySet& bodies = simulation_->world.bodies;
  const std::vector<Vec3>& velocity = path_.velocity();
  const std::vector<Vec3>& angular = path_.angular_velocity();
  return sum_over_stretches<double>(&pool_, bodies.size(), [&](const Stretch& stretch) {
    double part = 0.0;
    for (auto i = static_cast<Index>(stretch.first); i < stretch.last; ++i) {
      if (velocity[i] != state_->velocity[i]) {
        const Vec3 change = velocity[i] - state_->velocity[i];
        part -= 0.5 * bodies.mass[i] * dot(change, velocity[i] + state_->velocity[i]);
      }
      if (!bodies.turns(i) || angular[i] == state_->angular_velocity[i]) continue;
      const Mat3 inertia = world_inertia(bodies, i, state_->orientation[i]);
      const Vec3 turned = angular[i] - state_->angular_velocity[i];
      part -= 0.5 * dot(turned, inertia * (angular[i] + state_->angular_velocity[i]));
    }
    return part;
  });
}

void StepAttempt::measure_impact(StepReport& report) {
  const std::vector<Contact>& contacts = rounds_.contacts();
  report.rows = static_cast<Index>(contacts.size());
  report.left_out = rounds_.left_out();
  const ImpactStage::Summary& summary = impact_.summary();
  const std::vector<double>& impulses = impact_.impulses();
  report.components = summary.components;
  report.status = summary.status;
  report.applications = summary.applications;
  report.applications_total = summary.applications_total;
  report.lineality_energy = summary.lineality_energy;
  report.largest_part = summary.largest_part;
  report.impulses = static_cast<Index>(
      std::count_if(impulses.begin(), impulses.end(), [](double p) { return p > 0.0; }));
  const double loss = lost_energy();
  const ImpactMoment before = path_.before(rounds_.places());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    if (contact.body_b != kNone) continue;
    const Vec3 surface = impact_.assembler().surface_velocity(contact, k, before);
    report.external_work += dot(surface, impulses[k] * contact.normal + impact_.friction()[k]);
  }
  report.dissipated = loss + report.external_work;
}

void StepAttempt::add_impulses(std::vector<ContactImpulse>& list) const {
  const ImpactMoment moment = path_.resolved_moment(rounds_.places());
  const std::vector<double>& radius = simulation_->world.bodies.radius;
  for (std::size_t k = 0; k < rounds_.contacts().size(); ++k) {
    const double normal = impact_.impulses()[k];
    const Vec3 tangential = impact_.friction()[k];
    if (normal == 0.0 && tangential == Vec3{}) continue;
    const Contact& contact = rounds_.contacts()[k];
    const Index a = contact.body_a;
    const Vec3 point =
        !moment.places.empty() ? moment.places[k] : moment.position[a] - radius[a] * contact.normal;
    list.push_back({contact, normal, tangential, point, state_->time});
  }
}

ImpactProblem StepAttempt::resolved_problem() const {
  ContactAssembler assembler(simulation_->world);
  ImpactMoment moment = path_.resolved_moment(rounds_.places());
  moment.restitution = rounds_.restitution();
  assembler.assemble(rounds_.contacts(), moment, {true, {}});
  return assembler.problem();
}

}  // namespace carom::detail
