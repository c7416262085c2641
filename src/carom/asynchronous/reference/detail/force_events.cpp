// Events of elements, prescribed forces and turns in the reference engine.
#include "carom/asynchronous/reference/detail/force_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "carom/asynchronous/detail/lattice.h"
#include "carom/asynchronous/detail/length_limits.h"
#include "carom/asynchronous/detail/lists.h"
#include "carom/core/error.h"
#include "carom/forces/shared_masses.h"

namespace carom::asynchronous::reference {

Trajectories::Trajectories(const Problem& problem)
    : mass(problem.mass),
      inverse_mass(problem.mass.size()),
      position(problem.position),
      velocity(problem.velocity),
      last(problem.mass.size(), 0.0),
      way_place(problem.position),
      way_begin(problem.mass.size(), 0.0),
      counted(problem.velocity),
      vagueness(problem.mass.size(), 0.0) {
  for (std::size_t i = 0; i < mass.size(); ++i) inverse_mass[i] = 1.0 / mass[i];
  for (const HeldVertex& held : problem.held) inverse_mass[held.vertex] = 0.0;
}

double lattice_unit(const Problem& problem, const Settings& settings) {
  return std::ldexp(detail::shortest_first_step(problem, settings), -detail::kBaseLevel);
}

double clock_step(double step, double unit, Clocks clocks) {
  if (clocks != Clocks::nested) return step;
  const int level = detail::level_of_step(step, unit);
  return level < 0 ? 0.0 : std::ldexp(unit, level);
}

ForceEvents::ForceEvents(const Problem& problem, const Settings& settings,
                         const Mechanisms& mechanisms, Trajectories& trajectories)
    : trajectories_(trajectories),
      families_(problem.forces),
      kick_inverse_mass_(trajectories.inverse_mass),
      unit_(lattice_unit(problem, settings)) {
  const std::vector<double> stiffness = detail::pressed_stiffness(problem);
  const double base = detail::shortest_first_step(problem, settings);
  for (Index i = 0; i < trajectories.size(); ++i) {
    const double first =
        settings.contact_step * std::sqrt(0.5 * trajectories.mass[i] / stiffness[i]);
    longest_.push_back(
        std::min(base, clock_step(settings.pressing_step * first, unit_, mechanisms.clocks)));
    if (trajectories.is_held(i)) kick_inverse_mass_[i] = 1.0 / trajectories.mass[i];
  }
  std::vector<const ForceFamily*> together;
  for (const auto& family : families_) together.push_back(family.get());
  const std::vector<double> shares = shared_inverse_mass(together, trajectories.inverse_mass);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    add_elements(f, shares, settings, mechanisms.clocks);
  }
  for (const PrescribedForce& force : problem.prescribed_forces) {
    pushes_.push_back({force, longest_[force.vertex]});
  }
  add_turns(problem);
}

void ForceEvents::add_elements(std::size_t f, const std::vector<double>& shares,
                               const Settings& settings, Clocks clocks) {
  const ForceFamily& family = *families_[f];
  memory_.emplace_back(static_cast<std::size_t>(family.size()) * family.memory_size());
  family.start(trajectories_.position, memory_.back());
  std::map<double, std::size_t> shared;  // of single vertices, by step
  for (Index e = 0; e < family.size(); ++e) {
    const std::span<const Index> stencil = family.stencil(e);
    const double stable = family.stable_step(e, shares);
    double step = clock_step(0.5 * settings.force_step * stable, unit_, clocks);
    bool holds = false;
    double longest = unit_ * std::ldexp(1.0, detail::kBaseLevel);
    for (const Index i : stencil) {
      if (trajectories_.is_held(i)) holds = true;
      if (!trajectories_.is_held(i)) longest = std::min(longest, longest_[i]);
    }
    step = std::min(step, longest);
    if (!(step >= unit_)) {
      throw InputError({"", 0, 0, std::string(family.name())},
                       "element " + std::to_string(e) +
                           " is too stiff for the lattice of times; soften it or stiffen contact");
    }
    std::size_t at = events_.size();
    if (stencil.size() == 1) at = shared.try_emplace(step, at).first->second;
    if (at == events_.size()) events_.emplace_back();
    Clocked& event = events_[at];
    event.family = f;
    event.step = step;
    event.elements.push_back(e);
    event.external = stencil.size() == 1;
    event.holds = event.holds || holds;
    event.vertices.insert(event.vertices.end(), stencil.begin(), stencil.end());
  }
}

void ForceEvents::add_turns(const Problem& problem) {
  for (const HeldVertex& held : problem.held) {
    const Index i = held.vertex;
    if (!held.path.empty()) trajectories_.velocity[i] = {};
    for (std::size_t k = 0; k < held.path.size(); ++k) {
      Turn turn{held.path[k].time, i, 0.0, {}};
      if (k + 1 < held.path.size()) {
        turn.until = held.path[k + 1].time;
        turn.target = held.path[k + 1].position;
      }
      turns_.push_back(turn);
    }
  }
  std::sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.at, a.vertex) < std::tie(b.at, b.vertex);
  });
  turn(0.0);
}

void ForceEvents::start(Agenda& agenda, detail::LedgerSums& sums) {
  for (std::size_t k = 0; k < events_.size(); ++k) {
    events_[k].event = agenda.add({Happening::force, 0, k}, static_cast<Index>(k));
    agenda.set(events_[k].event, events_[k].step);
    kick(events_[k], 0.0, 0.5, sums);
  }
  for (std::size_t k = 0; k < pushes_.size(); ++k) {
    pushes_[k].event = agenda.add({Happening::push, 0, k}, static_cast<Index>(k));
    agenda.set(pushes_[k].event, pushes_[k].step);
    push(pushes_[k], 0.0, 0.5, sums);
  }
  turn_event_ = agenda.add({Happening::turn, 0, 0}, 0);
  if (turn_ < turns_.size()) agenda.set(turn_event_, turns_[turn_].at);
}

void ForceEvents::fire(Happening kind, Index subject, Agenda& agenda, detail::LedgerSums& sums) {
  if (kind == Happening::turn) {
    turn(turns_[turn_].at);
    agenda.set(turn_event_, turn_ < turns_.size() ? turns_[turn_].at : kInfinity);
    return;
  }
  if (kind == Happening::push) {
    Push& event = pushes_[subject];
    push(event, static_cast<double>(event.tick) * event.step, 1.0, sums);
    ++event.tick;
    agenda.set(event.event, static_cast<double>(event.tick) * event.step);
    return;
  }
  Clocked& event = events_[subject];
  kick(event, static_cast<double>(event.tick) * event.step, 1.0, sums);
  ++event.tick;
  agenda.set(event.event, static_cast<double>(event.tick) * event.step);
}

void ForceEvents::kick(const Clocked& event, double time, double share, detail::LedgerSums& sums) {
  for (const Index i : event.vertices) trajectories_.touch(i, time);
  const bool watched = event.external || event.holds;
  before_.clear();
  if (watched) {
    for (const Index i : event.vertices) before_.push_back(trajectories_.velocity[i]);
  }
  KickTask task;
  task.step = share * event.step;
  task.position = trajectories_.position;
  task.inverse_mass = event.holds ? kick_inverse_mass_ : trajectories_.inverse_mass;
  task.velocity = trajectories_.velocity;
  task.memory = memory_[event.family];
  double dissipated = 0.0;
  task.dissipated = &dissipated;
  families_[event.family]->kick(event.elements, task);
  sums.lost_to_damping += dissipated;
  kicks += event.elements.size();
  for (std::size_t k = 0; k < event.vertices.size(); ++k) {
    const Index i = event.vertices[k];
    if (!trajectories_.is_held(i)) moved.push_back(i);
    if (!watched) continue;
    const Vec3 impulse = trajectories_.mass[i] * (trajectories_.velocity[i] - before_[k]);
    if (trajectories_.is_held(i)) {
      trajectories_.velocity[i] = before_[k];
      detail::book_held(sums, impulse, before_[k]);
    }
    if (event.external) sums.external_impulse += impulse;
  }
}

void ForceEvents::push(const Push& push, double time, double share, detail::LedgerSums& sums) {
  const Index i = push.force.vertex;
  if (time < push.force.begin || time >= push.force.end || trajectories_.is_held(i)) return;
  trajectories_.touch(i, time);
  const Vec3 impulse = (share * push.step) * push.force.force;
  const Vec3 change = trajectories_.inverse_mass[i] * impulse;
  sums.work_of_forces += dot(impulse, trajectories_.velocity[i] + 0.5 * change);
  sums.external_impulse += impulse;
  trajectories_.velocity[i] += change;
  moved.push_back(i);
  ++kicks;
}

// All turns of this time.
void ForceEvents::turn(double time) {
  for (; turn_ < turns_.size() && turns_[turn_].at <= time; ++turn_) {
    const Turn& turn = turns_[turn_];
    trajectories_.touch(turn.vertex, time);
    Vec3 motion;
    if (turn.until > time) {
      motion = (1.0 / (turn.until - time)) * (turn.target - trajectories_.position[turn.vertex]);
    }
    trajectories_.turn(turn.vertex, time, motion);
    turned.push_back(turn.vertex);
  }
}

void ForceEvents::synchronise(double time, const std::vector<Vec3>& position,
                              std::vector<Vec3>& velocity) const {
  // The last kick was at (tick - 1) h, and its velocity is that of the middle of the step behind.
  const auto since_middle = [&](std::int64_t tick, double step) {
    return time - (static_cast<double>(tick) - 0.5) * step;
  };
  const std::vector<Vec3> none(velocity.size());
  std::array<std::vector<Vec3>, 2> change = {none, none};
  std::array<std::vector<std::vector<double>>, 2> scratch = {memory_, memory_};
  for (const Clocked& event : events_) {
    const double since = since_middle(event.tick, event.step);
    // Of the difference of two kicks damping drops out.
    for (std::size_t k = 0; k < 2; ++k) {
      for (const Index i : event.vertices) change[k][i] = {};
      KickTask task;
      task.step = static_cast<double>(k + 1);
      task.position = position;
      task.inverse_mass = trajectories_.inverse_mass;
      task.velocity = change[k];
      task.memory = scratch[k][event.family];
      families_[event.family]->kick(event.elements, task);
    }
    for (const Index i : event.vertices) velocity[i] += since * (change[1][i] - change[0][i]);
  }
  for (const Push& push : pushes_) {
    if (time < push.force.begin || time >= push.force.end) continue;
    const Index i = push.force.vertex;
    velocity[i] +=
        (since_middle(push.tick, push.step) * trajectories_.inverse_mass[i]) * push.force.force;
  }
}

std::vector<double> ForceEvents::potentials(const std::vector<Vec3>& position) const {
  std::vector<double> sums;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    double sum = 0.0;
    for (Index e = 0; e < families_[f]->size(); ++e) {
      sum += families_[f]->potential(e, position, memory_[f]);
    }
    sums.push_back(sum);
  }
  return sums;
}

void ForceEvents::shorten(std::vector<double>& steps) const {
  for (const Clocked& event : events_) {
    for (const Index i : event.vertices) steps[i] = std::min(steps[i], event.step);
  }
  for (const Push& push : pushes_) {
    double& step = steps[push.force.vertex];
    step = std::min(step, push.step);
  }
}

}  // namespace carom::asynchronous::reference
