// Decomposition contact response of explicit finite elements, to which gallery C6 compares.
#include "carom/gallery/detail/decomposition_contact.h"

#include <algorithm>
#include <numeric>

#include "carom/forces/family.h"

namespace carom::detail {
namespace {

// How many steps a list of pairs serves, and how far its pairs may be apart, in thicknesses.
constexpr std::size_t kStepsPerList = 16;
constexpr double kReach = 2.0;

// Vertices that faces join, directly or through others, have the same number.
std::vector<Index> parts_of(const asynchronous::Problem& problem) {
  std::vector<Index> part(problem.mass.size());
  std::iota(part.begin(), part.end(), 0U);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::array<Index, 3>& face : problem.faces) {
      const Index least = std::min({part[face[0]], part[face[1]], part[face[2]]});
      for (const Index i : face) {
        changed = changed || part[i] != least;
        part[i] = least;
      }
    }
  }
  return part;
}

}  // namespace

DecompositionContact::DecompositionContact(const asynchronous::Problem& problem, double step)
    : problem_(problem),
      step_(step),
      thickness_(problem.contact.front().thickness),
      position_(problem.position),
      velocity_(problem.velocity),
      part_(parts_of(problem)) {
  for (const double mass : problem.mass) inverse_mass_.push_back(1.0 / mass);
  for (const auto& family : problem.forces) {
    memory_.emplace_back(static_cast<std::size_t>(family->size()) * family->memory_size());
    family->start(position_, memory_.back());
    std::vector<Index>& all = elements_.emplace_back(family->size());
    std::iota(all.begin(), all.end(), 0U);
  }
  kick(0.5 * step_);
}

void DecompositionContact::kick(double step) {
  for (std::size_t f = 0; f < problem_.forces.size(); ++f) {
    KickTask task;
    task.step = step;
    task.position = position_;
    task.inverse_mass = inverse_mass_;
    task.velocity = velocity_;
    task.memory = memory_[f];
    problem_.forces[f]->kick(elements_[f], task);
  }
}

void DecompositionContact::advance() {
  for (std::size_t i = 0; i < position_.size(); ++i) position_[i] += step_ * velocity_[i];
  if (taken_++ % kStepsPerList == 0) find_pairs();
  for (const Pair& pair : pairs_) respond(pair);
  kick(step_);
  time_ += step_;
}

void DecompositionContact::find_pairs() {
  pairs_.clear();
  for (Index f = 0; f < problem_.faces.size(); ++f) {
    const std::array<Vec3, 3> face = places_of(f);
    for (Index i = 0; i < position_.size(); ++i) {
      if (part_[i] == part_[problem_.faces[f][0]]) continue;
      const double reach = kReach * thickness_;
      const auto [low, high] = std::minmax({face[0].z, face[1].z, face[2].z});
      if (position_[i].z < low - reach || position_[i].z > high + reach) continue;
      if (vertex_face(position_[i], face).distance < reach) pairs_.push_back({i, f});
    }
  }
}

void DecompositionContact::respond(const Pair& pair) {
  const Stencil stencil = vertex_face(position_[pair.vertex], places_of(pair.face));
  const double gap = stencil.distance - thickness_;
  if (!(gap < 0.0)) return;
  const std::array<Index, 3>& face = problem_.faces[pair.face];
  const std::array<Index, 4> vertex = {pair.vertex, face[0], face[1], face[2]};
  double compliance = 0.0;
  double closing = 0.0;
  for (std::size_t k = 0; k < vertex.size(); ++k) {
    const double c = stencil.coefficient[k];
    compliance += c * c * inverse_mass_[vertex[k]];
    closing += c * dot(stencil.normal, velocity_[vertex[k]]);
  }
  for (std::size_t k = 0; k < vertex.size(); ++k) {
    const Index i = vertex[k];
    const Vec3 way = (stencil.coefficient[k] * inverse_mass_[i] / compliance) * stencil.normal;
    position_[i] -= gap * way;
    if (closing < 0.0) velocity_[i] -= 2.0 * closing * way;
  }
  if (closing < 0.0) ++impacts_;
}

std::array<Vec3, 3> DecompositionContact::places_of(Index face) const {
  const std::array<Index, 3>& corners = problem_.faces[face];
  return {position_[corners[0]], position_[corners[1]], position_[corners[2]]};
}

double DecompositionContact::kinetic() const {
  // Without half of the last kick velocities belong to the moment of the positions.
  DecompositionContact whole = *this;
  whole.kick(-0.5 * step_);
  double sum = 0.0;
  for (std::size_t i = 0; i < position_.size(); ++i) {
    sum += 0.5 * problem_.mass[i] * norm_squared(whole.velocity_[i]);
  }
  return sum;
}

double DecompositionContact::energy() const {
  double sum = kinetic();
  for (std::size_t f = 0; f < problem_.forces.size(); ++f) {
    for (const Index e : elements_[f]) {
      sum += problem_.forces[f]->potential(e, position_, memory_[f]);
    }
  }
  return sum;
}

}  // namespace carom::detail
