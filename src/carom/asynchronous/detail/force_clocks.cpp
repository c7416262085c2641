// Force families and prescribed forces on clocks in powers of two.
#include "carom/asynchronous/detail/force_clocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/core/error.h"
#include "carom/forces/shared_masses.h"

namespace carom::asynchronous::detail {
namespace {

// The longest level of a force on each vertex: the pressing step's share of the step that the first
// layer of two such vertices has, or a first layer of the vertex's length limits.
std::vector<int> longest_levels(const Problem& problem, const Settings& settings,
                                const Flights& flights) {
  const std::vector<double> stiffness = pressed_stiffness(problem);
  std::vector<int> levels;
  for (Index i = 0; i < flights.size(); ++i) {
    const double first = settings.contact_step * std::sqrt(0.5 * flights.mass[i] / stiffness[i]);
    levels.push_back(
        std::min(kBaseLevel, level_of_step(settings.pressing_step * first, flights.unit)));
  }
  return levels;
}

}  // namespace

ForceClocks::ForceClocks(const Problem& problem, const Settings& settings, Flights& flights)
    : families_(problem.forces), kick_inverse_mass_(flights.inverse_mass) {
  const std::vector<int> longest = longest_levels(problem, settings, flights);
  for (Index i = 0; i < flights.size(); ++i) {
    if (flights.is_held(i)) kick_inverse_mass_[i] = 1.0 / flights.mass[i];
  }
  std::vector<const ForceFamily*> together;
  for (const auto& family : families_) together.push_back(family.get());
  const std::vector<double> shares = shared_inverse_mass(together, flights.inverse_mass);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const ForceFamily& family = *families_[f];
    memory.emplace_back(static_cast<std::size_t>(family.size()) * family.memory_size());
    family.start(flights.position, memory.back());
    std::vector<std::vector<Index>> by_level(kBaseLevel + 1);
    for (Index e = 0; e < family.size(); ++e) {
      const double stable = family.stable_step(e, shares);
      // The stable step is 2 / omega.
      int level = level_of_step(0.5 * settings.force_step * stable, flights.unit);
      for (const Index i : family.stencil(e)) {
        if (!flights.is_held(i)) level = std::min(level, longest[i]);
      }
      level = std::min(level, kBaseLevel);
      if (level < 0 || !(stable > 0.0)) {
        throw InputError(
            {"", 0, 0, std::string(family.name())},
            "element " + std::to_string(e) +
                " is too stiff for the lattice of times; soften it or stiffen contact");
      }
      by_level[static_cast<std::size_t>(level)].push_back(e);
    }
    for (int level = 0; level <= kBaseLevel; ++level) {
      std::vector<Index>& elements = by_level[static_cast<std::size_t>(level)];
      if (elements.empty()) continue;
      Group group;
      group.family = f;
      group.level = level;
      group.elements = std::move(elements);
      for (const Index e : group.elements) {
        const std::span<const Index> stencil = family.stencil(e);
        if (stencil.size() == 1) group.external = true;
        group.vertices.insert(group.vertices.end(), stencil.begin(), stencil.end());
      }
      std::sort(group.vertices.begin(), group.vertices.end());
      group.vertices.erase(std::unique(group.vertices.begin(), group.vertices.end()),
                           group.vertices.end());
      for (const Index i : group.vertices) {
        flights.certain_level[i] = std::min(flights.certain_level[i], level);
        if (flights.is_held(i)) group.holds = true;
      }
      groups_.push_back(std::move(group));
    }
  }
  std::stable_sort(groups_.begin(), groups_.end(),
                   [](const Group& a, const Group& b) { return a.level < b.level; });
  for (const PrescribedForce& force : problem.prescribed_forces) {
    const auto tick = [&](double time) {
      const double units = std::round(time / flights.unit);
      return units < static_cast<double>(kNever) ? static_cast<Tick>(units) : kNever;
    };
    pushes_.push_back({force, tick(force.begin), tick(force.end)});
    push_level_ = std::min(push_level_, longest[force.vertex]);
  }
  for (const Push& push : pushes_) {
    int& level = flights.certain_level[push.force.vertex];
    level = std::min(level, push_level_);
  }
  for (const Group& group : groups_) busy_ |= std::uint64_t{1} << group.level;
  if (!pushes_.empty()) busy_ |= std::uint64_t{1} << push_level_;
  busy_ |= std::uint64_t{1} << kBaseLevel;  // every vertex is touched then
}

void ForceClocks::fire(Flights& flights, LedgerSums& sums, Tick now, double share) {
  const int firing = firing_level(now);
  for (const Group& group : groups_) {
    if (group.level > firing) break;
    for (const Index i : group.vertices) flights.touch(i, now);
  }
  // Positions stand still from here, so the order of the kicks does not matter.
  for (const Group& group : groups_) {
    if (group.level > firing) break;
    kick(group, flights, sums, share * std::ldexp(flights.unit, group.level));
    moved.insert(moved.end(), group.vertices.begin(), group.vertices.end());
  }
  if (!pushes_.empty() && push_level_ <= firing) {
    push(flights, sums, now, share * std::ldexp(flights.unit, push_level_));
  }
  if (firing >= kBaseLevel) {
    for (Index i = 0; i < flights.size(); ++i) {
      flights.touch(i, now);
      moved.push_back(i);
    }
  }
}

void ForceClocks::kick(const Group& group, Flights& flights, LedgerSums& sums, double step) {
  const bool watched = group.external || group.holds;
  if (watched) {
    before_.clear();
    for (const Index i : group.vertices) before_.push_back(flights.velocity[i]);
  }
  KickTask task;
  task.step = step;
  task.position = flights.position;
  task.inverse_mass = group.holds ? kick_inverse_mass_ : flights.inverse_mass;
  task.velocity = flights.velocity;
  task.memory = memory[group.family];
  double dissipated = 0.0;
  task.dissipated = &dissipated;
  families_[group.family]->kick(group.elements, task);
  sums.lost_to_damping += dissipated;
  kicks += group.elements.size();
  if (!watched) return;
  for (std::size_t k = 0; k < group.vertices.size(); ++k) {
    const Index i = group.vertices[k];
    const Vec3 impulse = flights.mass[i] * (flights.velocity[i] - before_[k]);
    if (flights.is_held(i)) {
      flights.velocity[i] = before_[k];
      book_held(sums, impulse, before_[k]);
    }
    if (group.external) sums.external_impulse += impulse;
  }
}

void ForceClocks::push(Flights& flights, LedgerSums& sums, Tick now, double step) {
  for (const Push& push : pushes_) {
    const Index i = push.force.vertex;
    if (now < push.begin || now >= push.end || flights.is_held(i)) continue;
    flights.touch(i, now);
    const Vec3 impulse = step * push.force.force;
    const Vec3 change = flights.inverse_mass[i] * impulse;
    sums.work_of_forces += dot(impulse, flights.velocity[i] + 0.5 * change);
    sums.external_impulse += impulse;
    flights.velocity[i] += change;
    moved.push_back(i);
    ++kicks;
  }
}

void ForceClocks::synchronise(const Flights& flights, double time,
                              const std::vector<Vec3>& position,
                              std::vector<Vec3>& velocity) const {
  const Tick now = static_cast<Tick>(time);
  const auto since_middle = [&](int level) {
    const Tick fired = last_firing(now, level);
    return (time - static_cast<double>(fired) - 0.5 * static_cast<double>(period(level))) *
           flights.unit;
  };
  // What a kick of two seconds does more than one of one second is a second of the potential's
  // force: damping acts by the way since the last kick and drops out.
  const std::vector<Vec3> none(velocity.size());
  for (const Group& group : groups_) {
    const double since = since_middle(group.level);
    std::array<std::vector<Vec3>, 2> change = {none, none};
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<double> scratch = memory[group.family];
      KickTask task;
      task.step = static_cast<double>(k + 1);
      task.position = position;
      task.inverse_mass = flights.inverse_mass;
      task.velocity = change[k];
      task.memory = scratch;
      families_[group.family]->kick(group.elements, task);
    }
    for (const Index i : group.vertices) velocity[i] += since * (change[1][i] - change[0][i]);
  }
  for (const Push& push : pushes_) {
    if (now < push.begin || now >= push.end) continue;
    const double factor = since_middle(push_level_) * flights.inverse_mass[push.force.vertex];
    velocity[push.force.vertex] += factor * push.force.force;
  }
}

std::vector<double> ForceClocks::potentials(const std::vector<Vec3>& position) const {
  std::vector<double> sums;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    double sum = 0.0;
    for (Index e = 0; e < families_[f]->size(); ++e) {
      sum += families_[f]->potential(e, position, memory[f]);
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace carom::asynchronous::detail
