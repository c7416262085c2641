// The loop of asynchronous contact mechanics: moments of the lattice at which anything fires.
#include "carom/asynchronous/engine.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <string>

#include "carom/asynchronous/detail/engine_parts.h"
#include "carom/core/error.h"

namespace carom::asynchronous {
namespace {

using detail::Certificates;
using detail::ContactPair;
using detail::Tick;

// Events between two questions to the observer.
constexpr std::uint64_t kEventsPerLook = 20000;

std::uint64_t events_of(const EventCounts& counts) {
  return counts.moments + counts.force_kicks + counts.contact_ticks + counts.certificates;
}

double unit_of(const Problem& problem, const Settings& settings) {
  check_problem(problem);
  check_settings(settings);
  return std::ldexp(detail::shortest_first_step(problem, settings), -detail::kBaseLevel);
}

detail::Flights flights_of(const Problem& problem, double unit) {
  detail::Flights flights(problem);
  flights.unit = unit;
  return flights;
}

std::string text_of(const PairName& name) {
  std::string text(to_string(name.kind));
  text += " of vertices";
  for (const Index i : name.vertex) {
    if (i != kNone) text += " " + std::to_string(i);
  }
  if (name.wall != kNone) text += " and wall " + std::to_string(name.wall);
  return text;
}

}  // namespace

std::string_view to_string(PairKind kind) {
  switch (kind) {
    case PairKind::vertex_wall:
      return "vertex_wall";
    case PairKind::vertex_vertex:
      return "vertex_vertex";
    case PairKind::vertex_edge:
      return "vertex_edge";
    case PairKind::vertex_face:
      return "vertex_face";
    case PairKind::longest_length:
      return "longest_length";
    case PairKind::shortest_length:
      return "shortest_length";
    case PairKind::edge_edge:
      break;
  }
  return "edge_edge";
}

std::string_view to_string(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::reached:
      return "reached";
    case AdvanceStatus::no_progress:
      return "no_progress";
    case AdvanceStatus::too_slow:
      return "too_slow";
    case AdvanceStatus::interrupted:
      break;
  }
  return "interrupted";
}

Engine::Parts::Parts(const Problem& given, const Settings& chosen)
    : problem(given),
      settings(chosen),
      team(settings.threads),
      parts((check_problem(problem), problem.position)),
      topology(problem),
      flights(flights_of(problem, unit_of(problem, settings))),
      leads(problem, flights),
      forces(problem, settings, flights, parts, team),
      certificates(flights, pairs, problem, settings),
      lists(problem, settings, topology, flights.unit, team),
      kicks(problem, settings) {
  kicks.book_in(sums);
}

// At time 0 the lists are made, all forces fire with half their steps, and plans follow.
void Engine::Parts::start() {
  leads.fire(flights, 0, turned_);
  turned_.clear();
  make_lists();
  refuse_stuck_start();
  kicks.fire(flights, pairs, 0, 0.5, team);
  forces.fire(flights, sums, 0, 0.5);
  kicks.book_after(flights);
  follow_up();
  refuse_stuck_start();
}

void Engine::Parts::refuse_stuck_start() const {
  if (stuck_pair == kNone) return;
  const ContactPair& stuck = pairs[stuck_pair];
  throw InputError({},
                   "start: " + text_of(name_of(stuck)) +
                       (is_length_limit(stuck.kind)
                            ? " is too near to its bound (left: "
                            : " touch or lie too deep inside each other's thickness (distance ") +
                       std::to_string(stuck.distance) + " m)");
}

Tick Engine::Parts::next_moment() const {
  const std::uint64_t busy = forces.busy() | pairs.busy();
  const Tick fires = detail::next_firing(now, std::countr_zero(busy));
  return std::min({fires, certificates.list_end, leads.next()});
}

void Engine::Parts::spent_on(double WorkSeconds::*kind) {
  if (!measures_work) return;
  const auto here = std::chrono::steady_clock::now();
  work.*kind += std::chrono::duration<double>(here - work_began_).count();
  work_began_ = here;
}

void Engine::Parts::step(Tick moment) {
  if (measures_work) work_began_ = std::chrono::steady_clock::now();
  now = moment;
  ++moments;
  due_.clear();
  pairs.take_due(now, due_);
  for (const Index p : due_) {
    if (pairs[p].due > now) {
      pairs.look_again(p, now);
    } else {
      certificates.look_at(p);
    }
  }
  spent_on(&WorkSeconds::certificates);
  kicks.fire(flights, pairs, now, 1.0, team);
  spent_on(&WorkSeconds::contact_ticks);
  forces.fire(flights, sums, now, 1.0);
  spent_on(&WorkSeconds::force_kicks);
  kicks.book_after(flights);
  leads.fire(flights, now, turned_);
  follow_up();
  spent_on(&WorkSeconds::certificates);
}

// After all kicks of a moment: vertices that will leave their plans get new ones, and what rests on
// these is proven anew.
void Engine::Parts::follow_up() {
  check_plans();
  for (const Index i : turned_) {
    if (records_corners) add_corner(i);
    certificates.lead(i, now);
  }
  turned_.clear();
  if (now >= certificates.list_end) {
    make_lists();
    return;
  }
  settle();
}

void Engine::Parts::check_plans() {
  for (const Index i : kicks.moved) forces.moved[parts.part[i]].push_back(i);
  kicks.moved.clear();
  std::size_t count = 0;
  for (const std::vector<Index>& moved : forces.moved) count += moved.size();
  team.run(parts.count, count / 4, [&](std::size_t part) {
    Checked& checked = checked_[part];
    checked.seen.clear();
    checked.leaving.clear();
    for (const Index i : forces.moved[part]) {
      if (looked_at_[i] == now + 1 || flights.is_held(i)) continue;
      looked_at_[i] = now + 1;
      checked.seen.push_back(i);
      if (!flights.stays(i, now)) checked.leaving.push_back(i);
    }
    forces.moved[part].clear();
  });
  for (const Checked& checked : checked_) {
    for (const Index i : checked.leaving) certificates.break_plan(i);
    if (!records_corners) continue;
    for (const Index i : checked.seen) add_corner(i);
  }
}

void Engine::Parts::add_corner(Index vertex) {
  corners.push_back({vertex, static_cast<double>(now) * flights.unit, flights.position[vertex]});
}

void Engine::Parts::forget_work() {
  certificates.forget_work();
  looked_at_.assign(looked_at_.size(), 0);
  corners.clear();
}

void Engine::Parts::settle() {
  switch (certificates.settle(now)) {
    case Certificates::Outcome::settled:
      return;
    case Certificates::Outcome::range_left:
      make_lists();
      return;
    case Certificates::Outcome::stuck:
      stuck_pair = certificates.stuck_pair();
  }
}

void Engine::Parts::make_lists() {
  ++list_count;
  spent_on(&WorkSeconds::certificates);
  lists.make(now, flights, pairs, certificates);
  kicks.forget(lists.forgotten);
  // New ranges hold every plan, so this ends in a proof or stuck; a second time is our fault.
  const Certificates::Outcome outcome = certificates.settle(now);
  spent_on(&WorkSeconds::lists);
  CAROM_DEMAND(outcome != Certificates::Outcome::range_left);
  if (outcome == Certificates::Outcome::stuck) stuck_pair = certificates.stuck_pair();
}

AdvanceReport Engine::Parts::report(AdvanceStatus status, double reached) const {
  AdvanceReport result;
  result.status = status;
  result.time = reached;
  result.deepest_layer = kicks.deepest_layer;
  result.limit_used = std::max(kicks.limit_used, certificates.limit_used);
  const bool at_tick = kicks.smallest_gap <= certificates.smallest_gap;
  result.smallest_gap = at_tick ? kicks.smallest_gap : certificates.smallest_gap;
  result.nearest = at_tick ? kicks.nearest : certificates.nearest;
  if (stuck_pair != kNone) result.stuck = name_of(pairs[stuck_pair]);
  if (status == AdvanceStatus::too_slow) result.stuck = pairs.busiest();
  result.counts = counts();
  result.pairs = pairs.size();
  return result;
}

EventCounts Engine::Parts::counts() const {
  return {moments,   forces.kicks, kicks.ticks, certificates.certificates, certificates.plans,
          list_count};
}

// Judged over a million events at a time.
bool Engine::Parts::is_too_slow(std::uint64_t events) {
  constexpr std::uint64_t kMillion = 1'000'000;
  if (settings.least_progress == 0.0 || events < pace.events + kMillion) return false;
  const double millions = static_cast<double>(events - pace.events) / 1e6;
  const bool slow = time - pace.time < settings.least_progress * millions;
  pace = {events, time};
  return slow;
}

Engine::Engine(const Problem& problem, const Settings& settings)
    : parts_(std::make_unique<Parts>(problem, settings)) {
  parts_->start();
}

Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

AdvanceReport Engine::advance(double time, const Observer& observer) {
  Parts& parts = *parts_;
  const double unit = parts.flights.unit;
  if (!(time >= parts.time)) {
    throw InputError({"", 0, 0, "time"}, "an engine does not go back in time");
  }
  // A moment that the given time misses by its round-off only has come.
  const Tick until = static_cast<Tick>(std::min(time / unit, 0x1p61) * (1.0 + 4.0 * kRoundOff));
  std::uint64_t look = events_of(parts.counts()) + kEventsPerLook;
  while (parts.stuck_pair == kNone) {
    const Tick moment = parts.next_moment();
    if (moment > until) {
      parts.time = time;
      return parts.report(AdvanceStatus::reached, time);
    }
    parts.step(moment);
    parts.time = std::min(time, static_cast<double>(moment) * unit);
    const std::uint64_t events = events_of(parts.counts());
    if (parts.is_too_slow(events)) return parts.report(AdvanceStatus::too_slow, parts.time);
    if (!observer || events < look) continue;
    look = events + kEventsPerLook;
    const AdvanceReport so_far = parts.report(AdvanceStatus::interrupted, parts.time);
    if (!observer(so_far)) return so_far;
  }
  return parts.report(AdvanceStatus::no_progress, parts.time);
}

double Engine::time() const { return parts_->time; }

double Engine::time_unit() const { return parts_->flights.unit; }

void Engine::measure_work(bool on) { parts_->measures_work = on; }

WorkSeconds Engine::work_seconds() const { return parts_->work; }

void Engine::record_corners(bool on) {
  parts_->records_corners = on;
  parts_->corners.clear();
}

std::span<const PathCorner> Engine::corners() const { return parts_->corners; }

void Engine::forget_corners() { parts_->corners.clear(); }

Configuration Engine::configuration() const {
  const detail::Flights& flights = parts_->flights;
  Configuration result;
  result.time = parts_->time;
  result.velocity = flights.velocity;
  const double units = result.time / flights.unit;
  for (Index i = 0; i < flights.size(); ++i) {
    const detail::Tube& plan = flights.plan[i];
    const double elapsed = units - static_cast<double>(flights.last[i]);
    result.position.push_back(
        flights.is_held(i) ? plan.place + (units - static_cast<double>(plan.begin)) * plan.motion
                           : flights.position[i] + (elapsed * flights.unit) * flights.velocity[i]);
  }
  return result;
}

double Ledger::balance() const {
  double sum = kinetic + contact + limits - work_of_held - work_of_forces;
  for (const double potential : potentials) sum += potential;
  return sum + lost_to_restitution + lost_to_friction + lost_to_damping;
}

Ledger Engine::ledger() const {
  const Parts& parts = *parts_;
  const detail::Flights& flights = parts.flights;
  const Configuration now = configuration();
  const double units = now.time / flights.unit;
  std::vector<Vec3> velocity = now.velocity;
  Ledger result;
  parts.forces.synchronise(flights, units, now.position, velocity);
  const detail::StoredEnergy stored =
      parts.kicks.synchronise(flights, parts.pairs, units, now.position, velocity);
  result.contact = stored.contact;
  result.limits = stored.limits;
  result.potentials = parts.forces.potentials(now.position);
  for (Index i = 0; i < flights.size(); ++i) {
    if (flights.is_held(i)) continue;
    result.kinetic += 0.5 * flights.mass[i] * norm_squared(velocity[i]);
    result.momentum += flights.mass[i] * flights.velocity[i];
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

}  // namespace carom::asynchronous
