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

void keep_once(std::vector<Index>& vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

}  // namespace

ForceClocks::ForceClocks(const Problem& problem, const Settings& settings, Flights& flights,
                         const VertexParts& parts, Team& team)
    : moved(parts.count),
      parts_(parts),
      team_(team),
      families_(problem.forces),
      kick_inverse_mass_(flights.inverse_mass),
      desks_(parts.count + 1) {
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
      const std::vector<Index>& elements = by_level[static_cast<std::size_t>(level)];
      if (!elements.empty()) groups_.push_back(group_of(f, level, elements, flights));
    }
  }
  std::stable_sort(groups_.begin(), groups_.end(),
                   [](const Group& a, const Group& b) { return a.level < b.level; });
  for (const Group& group : groups_) {
    busy_ |= std::uint64_t{1} << group.level;
    for (const std::vector<Index>& vertices : group.vertices) {
      for (const Index i : vertices) {
        flights.certain_level[i] = std::min(flights.certain_level[i], group.level);
      }
    }
  }
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
  if (!pushes_.empty()) busy_ |= std::uint64_t{1} << push_level_;
  busy_ |= std::uint64_t{1} << kBaseLevel;  // every vertex is touched then
}

ForceClocks::Group ForceClocks::group_of(std::size_t family, int level,
                                         const std::vector<Index>& elements,
                                         const Flights& flights) const {
  const std::size_t joining = parts_.count;
  Group group;
  group.family = family;
  group.level = level;
  group.size = elements.size();
  group.shares.resize(joining + 1);
  group.vertices.resize(joining);
  for (const Index e : elements) {
    const std::span<const Index> stencil = families_[family]->stencil(e);
    if (stencil.size() == 1) group.external = true;
    std::size_t part = parts_.part[stencil.front()];
    for (const Index i : stencil) {
      if (flights.is_held(i)) group.holds = true;
      group.vertices[parts_.part[i]].push_back(i);
      if (parts_.part[i] != parts_.part[stencil.front()]) part = joining;
    }
    group.shares[part].elements.push_back(e);
    if (part != joining) continue;
    std::vector<Index>& watched = group.shares[joining].watched;
    watched.insert(watched.end(), stencil.begin(), stencil.end());
  }
  for (std::vector<Index>& vertices : group.vertices) keep_once(vertices);
  keep_once(group.shares[joining].watched);
  for (std::size_t part = 0; part < joining; ++part) {
    group.shares[part].watched = group.vertices[part];
  }
  if (!group.external && !group.holds) {
    for (Share& share : group.shares) share.watched.clear();
  }
  return group;
}

void ForceClocks::fire(Flights& flights, LedgerSums& sums, Tick now, double share) {
  const int firing = firing_level(now);
  std::size_t groups = 0;
  std::size_t elements = 0;
  for (; groups < groups_.size() && groups_[groups].level <= firing; ++groups) {
    elements += groups_[groups].size;
  }
  kicks += elements;
  if (elements > 0 || firing >= kBaseLevel) {
    team_.run(parts_.count, elements,
              [&](std::size_t part) { fire_part(part, groups, flights, now, share); });
    for (std::size_t part = 0; part < parts_.count; ++part) {
      sums.add(desks_[part].sums);
      desks_[part].sums = LedgerSums{};
    }
  }
  for (std::size_t g = 0; g < groups; ++g) {
    const Group& group = groups_[g];
    kick(group, group.shares.back(), flights, sums, desks_.back().before,
         share * std::ldexp(flights.unit, group.level));
  }
  if (!pushes_.empty() && push_level_ <= firing) {
    push(flights, sums, now, share * std::ldexp(flights.unit, push_level_));
  }
}

// The vertices of a part, and the elements that join none but them.
void ForceClocks::fire_part(std::size_t part, std::size_t groups, Flights& flights, Tick now,
                            double share) {
  std::vector<Index>& moves = moved[part];
  for (std::size_t g = 0; g < groups; ++g) {
    for (const Index i : groups_[g].vertices[part]) flights.touch(i, now);
  }
  // Positions stand still from here, so the order of the kicks does not matter.
  for (std::size_t g = 0; g < groups; ++g) {
    const Group& group = groups_[g];
    Desk& desk = desks_[part];
    kick(group, group.shares[part], flights, desk.sums, desk.before,
         share * std::ldexp(flights.unit, group.level));
    moves.insert(moves.end(), group.vertices[part].begin(), group.vertices[part].end());
  }
  if (firing_level(now) < kBaseLevel) return;
  for (const Index i : parts_.members[part]) {
    flights.touch(i, now);
    moves.push_back(i);
  }
}

void ForceClocks::kick(const Group& group, const Share& chosen, Flights& flights, LedgerSums& sums,
                       std::vector<Vec3>& before, double step) {
  if (chosen.elements.empty()) return;
  before.clear();
  for (const Index i : chosen.watched) before.push_back(flights.velocity[i]);
  KickTask task;
  task.step = step;
  task.position = flights.position;
  task.inverse_mass = group.holds ? kick_inverse_mass_ : flights.inverse_mass;
  task.velocity = flights.velocity;
  task.memory = memory[group.family];
  double dissipated = 0.0;
  task.dissipated = &dissipated;
  families_[group.family]->kick(chosen.elements, task);
  sums.lost_to_damping += dissipated;
  for (std::size_t k = 0; k < chosen.watched.size(); ++k) {
    const Index i = chosen.watched[k];
    const Vec3 impulse = flights.mass[i] * (flights.velocity[i] - before[k]);
    if (flights.is_held(i)) {
      flights.velocity[i] = before[k];
      book_held(sums, impulse, before[k]);
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
    moved[parts_.part[i]].push_back(i);
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
      for (const Share& share : group.shares) families_[group.family]->kick(share.elements, task);
    }
    for (const std::vector<Index>& vertices : group.vertices) {
      for (const Index i : vertices) velocity[i] += since * (change[1][i] - change[0][i]);
    }
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
