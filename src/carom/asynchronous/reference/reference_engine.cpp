// The event loop of the reference engine.
#include "carom/asynchronous/reference/reference_engine.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "carom/asynchronous/detail/lists.h"
#include "carom/asynchronous/reference/detail/reference_parts.h"
#include "carom/core/error.h"

namespace carom::asynchronous::reference {
namespace {

// Events between two questions to the observer.
constexpr std::uint64_t kEventsPerLook = 20000;
// Vagueness at the start, in speeds of a vertex and in thicknesses per step of a first layer; and
// how it follows what happens: wider with every break (narrowed by slabs that fail).
constexpr double kFirstShare = 0.05;
constexpr double kFirstDrift = 1e-3;
constexpr double kWider = 1.25;

const Problem& checked(const Problem& problem, const Settings& settings) {
  check_problem(problem);
  check_settings(settings);
  check_reference(problem, settings);
  return problem;
}

}  // namespace

void check_reference(const Problem& problem, const Settings& settings) {
  for (const ContactLaw& law : problem.contact) {
    if (settings.friction == FrictionModel::printed || law.friction == 0.0) continue;
    throw InputError({"", 0, 0, "asynchronous.friction_model"},
                     "the reference engine knows the papers' friction alone: choose the friction "
                     "model \"printed\" or \"none\"");
  }
}

std::string_view to_string(Clocks clocks) {
  switch (clocks) {
    case Clocks::own:
      return "own";
    case Clocks::nested:
      return "nested";
    case Clocks::restarted:
      break;
  }
  return "restarted";
}

ReferenceEngine::Parts::Parts(const Problem& given, const Settings& chosen,
                              const Mechanisms& switches, const PlantedFaults& faults)
    : problem(checked(given, chosen)),
      settings(chosen),
      mechanisms(switches),
      topology(problem),
      trajectories(problem),
      forces(problem, settings, mechanisms, trajectories),
      maker(problem, settings, mechanisms, topology),
      contacts(problem, settings, mechanisms, faults, trajectories),
      tree(problem, topology, trajectories),
      separation({problem, mechanisms, faults, maker, tree, contacts, agenda},
                 detail::shortest_first_step(problem, settings)),
      cornered_(problem.mass.size(), -1.0) {
  start();
}

// Certificates are made from the velocities as they are given, and then all forces act with half
// their steps.
void ReferenceEngine::Parts::start() {
  double thickness = 0.0;
  for (const ContactLaw& law : problem.contact) thickness = std::max(thickness, law.thickness);
  const double drift = kFirstDrift * thickness / detail::shortest_first_step(problem, settings);
  for (Index i = 0; i < trajectories.size(); ++i) {
    if (trajectories.is_held(i)) trajectories.counted[i] = trajectories.velocity[i];
    if (trajectories.is_held(i) || !mechanisms.vague_trajectories) continue;
    trajectories.vagueness[i] = kFirstShare * norm(trajectories.velocity[i]) + drift;
  }
  add_pairs();
  if (!stuck) {
    contacts.start(agenda, sums);
    forces.start(agenda, sums);
    follow_up(0.0);
  }
  if (!stuck) return;
  std::string who(to_string(stuck->kind));
  for (const Index i : stuck->vertex) {
    if (i != kNone) who += " " + std::to_string(i);
  }
  if (is_length_limit(stuck->kind))
    throw InputError({}, "start: " + who + " is too near to its bound");
  throw InputError({}, "start: " + who +
                           " touch or lie too deep inside each other's thickness (distance " +
                           std::to_string(contacts.smallest_gap) + " m)");
}

void ReferenceEngine::Parts::add_pairs() {
  std::vector<MadePair> made;
  for (Index w = 0; w < problem.walls.size(); ++w) {
    for (Index i = 0; i < trajectories.size(); ++i) {
      if (!trajectories.is_held(i)) made.push_back(maker.of_wall(i, w));
    }
  }
  for (Index k = 0; k < problem.limits.size(); ++k) made.push_back(maker.of_limit(k));
  if (!mechanisms.hierarchy) {
    for (Index a = 0; a < topology.leaves.size(); ++a) {
      for (Index b = a + 1; b < topology.leaves.size(); ++b) maker.of_leaves(a, b, made);
    }
  }
  for (const MadePair& pair : made) {
    if (!contacts.add(pair, 0.0, agenda)) return stop(contacts.last_added());
  }
  if (mechanisms.hierarchy && !separation.start()) stop(contacts.last_added());
}

void ReferenceEngine::Parts::handle(const Agenda::Next& next) {
  ++work.events;
  const Happening kind = agenda.name(next.event).kind;
  const Index subject = agenda.subject(next.event);
  switch (kind) {
    case Happening::turn:
    case Happening::force:
    case Happening::push:
      forces.fire(kind, subject, agenda, sums);
      break;
    case Happening::layer:
      contacts.tick(subject, agenda.name(next.event).layer, 1.0, agenda, sums);
      break;
    case Happening::slab:
      if (!contacts.renew_slab(subject, next.time, agenda)) stop(subject);
      return;
    case Happening::boxes:
      if (!separation.look(subject, next.time)) stop(contacts.last_added());
      return;
  }
  follow_up(next.time);
}

// Lines 11 to 14 of Algorithm 1.
void ReferenceEngine::Parts::follow_up(double now) {
  for (std::vector<Index>* moved : {&forces.moved, &contacts.moved}) {
    for (const Index i : *moved) follow(i, now);
    moved->clear();
  }
  for (const Index i : forces.turned) {
    trajectories.counted[i] = trajectories.velocity[i];
    broken_.push_back(i);
    if (records_corners) corners.push_back({i, now, trajectories.position[i]});
  }
  forces.turned.clear();
  if (!mechanisms.supports || !broken_.empty()) reschedule(now);
  broken_.clear();
}

void ReferenceEngine::Parts::follow(Index i, double now) {
  if (trajectories.is_held(i)) return;
  if (records_corners && cornered_[i] != now) {
    cornered_[i] = now;
    corners.push_back({i, now, trajectories.position[i]});
  }
  const Vec3 off = trajectories.velocity[i] - trajectories.counted[i];
  double& vague = trajectories.vagueness[i];
  if (norm_squared(off) <= vague * vague) return;
  trajectories.counted[i] = trajectories.velocity[i];
  vague *= kWider;
  ++work.plans;
  broken_.push_back(i);
}

void ReferenceEngine::Parts::reschedule(double now) {
  if (!mechanisms.supports) {
    for (Index p = 0; p < contacts.size(); ++p) {
      if (contacts.is_used(p)) contacts.reschedule_slab(p, now, agenda);
    }
    // Extents that nobody left stay as they are, but are looked at.
    if (mechanisms.hierarchy) {
      separation.reschedule(broken_, now);
      separation.reschedule_all(now);
    }
    return;
  }
  seen_.resize(contacts.size(), 0);
  ++round_;
  for (const Index i : broken_) {
    for (const Index p : contacts.pairs_of(i)) {
      if (seen_[p] == round_) continue;
      seen_[p] = round_;
      contacts.reschedule_slab(p, now, agenda);
    }
  }
  if (mechanisms.hierarchy) separation.reschedule(broken_, now);
}

void ReferenceEngine::Parts::count_work() {
  work.force_kicks = forces.kicks;
  work.layer_ticks = contacts.ticks;
  work.slabs = contacts.slabs;
  work.slab_reschedules = contacts.reschedules;
  work.box_certificates = separation.certificates;
  work.box_reschedules = separation.reschedules;
  work.axis_looks = separation.axis_looks;
  work.corner_looks = tree.corner_looks;
}

EventCounts ReferenceEngine::Parts::counts() const {
  EventCounts result;
  result.moments = work.events;
  result.force_kicks = forces.kicks;
  result.contact_ticks = contacts.ticks;
  result.certificates =
      contacts.slabs + contacts.reschedules + separation.certificates + separation.reschedules;
  result.plans = work.plans;
  return result;
}

// Judged over a million events at a time, counted as the fast engine's.
bool ReferenceEngine::Parts::is_too_slow() {
  if (settings.least_progress == 0.0) return false;
  constexpr std::uint64_t kMillion = 1'000'000;
  const EventCounts now = counts();
  const std::uint64_t events = now.moments + now.force_kicks + now.contact_ticks + now.certificates;
  if (events < judged_events + kMillion) return false;
  const double millions = static_cast<double>(events - judged_events) / 1e6;
  const bool slow = time - judged_time < settings.least_progress * millions;
  judged_events = events;
  judged_time = time;
  return slow;
}

void ReferenceEngine::Parts::forget_work() {
  corners.clear();
  cornered_.assign(cornered_.size(), -1.0);
}

AdvanceReport ReferenceEngine::Parts::report(AdvanceStatus status, double reached) const {
  AdvanceReport result;
  result.status = status;
  result.time = reached;
  result.deepest_layer = contacts.deepest_layer;
  result.limit_used = contacts.limit_used;
  result.smallest_gap = contacts.smallest_gap;
  result.nearest = contacts.nearest;
  if (stuck) result.stuck = *stuck;
  if (status == AdvanceStatus::too_slow) result.stuck = contacts.deepest();
  result.counts = counts();
  return result;
}

ReferenceEngine::ReferenceEngine(const Problem& problem, const Settings& settings,
                                 const Mechanisms& mechanisms)
    : parts_(std::make_unique<Parts>(problem, settings, mechanisms)) {}

ReferenceEngine::ReferenceEngine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ReferenceEngine::ReferenceEngine(ReferenceEngine&&) noexcept = default;
ReferenceEngine& ReferenceEngine::operator=(ReferenceEngine&&) noexcept = default;
ReferenceEngine::~ReferenceEngine() = default;

AdvanceReport ReferenceEngine::advance(double time, const Observer& observer) {
  Parts& parts = *parts_;
  if (!(time >= parts.time)) {
    throw InputError({"", 0, 0, "time"}, "an engine does not go back in time");
  }
  // An event that the given time misses by its round-off only has come.
  const double until = time * (1.0 + 4.0 * kRoundOff);
  std::uint64_t look = parts.work.events + kEventsPerLook;
  while (!parts.stuck) {
    const Agenda::Next next = parts.agenda.next();
    if (next.event == kNone || next.time > until) {
      parts.time = time;
      return parts.report(AdvanceStatus::reached, time);
    }
    parts.handle(next);
    parts.time = std::min(time, next.time);
    if (parts.is_too_slow()) return parts.report(AdvanceStatus::too_slow, parts.time);
    if (!observer || parts.work.events < look) continue;
    look = parts.work.events + kEventsPerLook;
    const AdvanceReport so_far = parts.report(AdvanceStatus::interrupted, parts.time);
    if (!observer(so_far)) return so_far;
  }
  return parts.report(AdvanceStatus::no_progress, parts.time);
}

double ReferenceEngine::time() const { return parts_->time; }

const WorkCounts& ReferenceEngine::work() const {
  parts_->count_work();
  return parts_->work;
}

void ReferenceEngine::record_corners(bool on) {
  parts_->records_corners = on;
  parts_->corners.clear();
}

std::span<const PathCorner> ReferenceEngine::corners() const { return parts_->corners; }

void ReferenceEngine::forget_corners() { parts_->corners.clear(); }

Configuration ReferenceEngine::configuration() const {
  const Trajectories& all = parts_->trajectories;
  Configuration result;
  result.time = parts_->time;
  result.velocity = all.velocity;
  for (Index i = 0; i < all.size(); ++i) result.position.push_back(all.place(i, result.time));
  return result;
}

Ledger ReferenceEngine::ledger() const {
  const Parts& parts = *parts_;
  const Trajectories& all = parts.trajectories;
  const Configuration now = configuration();
  std::vector<Vec3> velocity = now.velocity;
  Ledger result;
  parts.forces.synchronise(now.time, now.position, velocity);
  const detail::StoredEnergy stored = parts.contacts.synchronise(now.time, now.position, velocity);
  result.contact = stored.contact;
  result.limits = stored.limits;
  result.potentials = parts.forces.potentials(now.position);
  for (Index i = 0; i < all.size(); ++i) {
    if (all.is_held(i)) continue;
    result.kinetic += 0.5 * all.mass[i] * norm_squared(velocity[i]);
    result.momentum += all.mass[i] * all.velocity[i];
  }
  const detail::LedgerSums& sums = parts.sums;
  result.work_of_held = sums.work_of_held.value;
  result.work_of_forces = sums.work_of_forces.value;
  result.lost_to_restitution = sums.lost_to_restitution.value;
  result.lost_to_friction = sums.lost_to_friction.value;
  result.lost_to_damping = sums.lost_to_damping.value;
  result.held_impulse = sums.held_impulse.value();
  result.wall_impulse = sums.wall_impulse.value();
  result.external_impulse = sums.external_impulse.value();
  return result;
}

VertexActivity ReferenceEngine::activity() const {
  const Parts& parts = *parts_;
  const std::vector<Vec3> position = configuration().position;
  VertexActivity result;
  result.layer.assign(position.size(), 0);
  result.step.assign(position.size(), detail::shortest_first_step(parts.problem, parts.settings));
  parts.forces.shorten(result.step);
  parts.contacts.note_activity(position, result);
  return result;
}

}  // namespace carom::asynchronous::reference
