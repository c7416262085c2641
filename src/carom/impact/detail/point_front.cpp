// Rows and points of an impact, their components, and what is looked at after an application.
#include "carom/impact/detail/point_front.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/joined_sets.h"

namespace carom {
namespace {

// w' I w of a point that turns.
double spin_energy(const PointProblem& problem, Index point) {
  if (problem.spin.empty() || !(problem.turn_weight[point] > 0.0)) return 0.0;
  const std::size_t turns = problem.turns();
  double square = 0.0;
  for (std::size_t k = 0; k < turns; ++k) {
    square += problem.spin[point * turns + k] * problem.spin[point * turns + k];
  }
  return square / problem.turn_weight[point];
}

}  // namespace

template <std::size_t D>
void PointFront<D>::load(const PointProblem& problem, double tolerance) {
  problem_ = &problem;
  point_count_ = problem.point_count();
  points_.resize(point_count_);
  for (Index i = 0; i < point_count_; ++i) {
    Point& point = points_[i];
    for (std::size_t k = 0; k < D; ++k)
      point.v[k] = problem.velocity[static_cast<std::size_t>(i) * D + k];
    point.weight = 1.0 / problem.mass[i];
    point.stamp = 0;
    point.violated = 0;
  }
  find_components();
  look_through_rows();
  place_rows();
  enter_frames(tolerance);
}

// Slots of each point, ascending by row; walls become points of their own.
template <std::size_t D>
void PointFront<D>::place_rows() {
  const std::vector<PointProblem::Row>& rows = problem_->rows;
  first_waiting_ = std::min(problem_->waiting_from, static_cast<Index>(rows.size()));
  awake_.assign(rows.size() - first_waiting_, 0);
  woken_.clear();
  for (Index i = 1; i <= point_count_; ++i) first_slot_[i + 1] += first_slot_[i];
  slots_.resize(first_slot_[point_count_ + 1]);
  Index* const next = first_slot_.data() + 1;
  const auto put = [&](Index at, Index other, std::size_t row, double sign) {
    Slot& slot = slots_[next[at]++];
    slot.other = other;
    slot.row = static_cast<Index>(row);
    for (std::size_t k = 0; k < D; ++k) slot.normal[k] = sign * rows[row].normal[k];
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == first_waiting_) end_slot_.assign(next, next + point_count_);
    const PointProblem::Row& row = rows[r];
    if (row.b == kNone) {
      put(row.a, surface_[r], r, 1.0);
      continue;
    }
    put(row.a, row.b, r, 1.0);
    put(row.b, row.a, r, -1.0);
  }
  if (!some_wait()) end_slot_.assign(next, next + point_count_);
}

// What rows say of their components and points, and the walls.
template <std::size_t D>
void PointFront<D>::look_through_rows() {
  const std::vector<PointProblem::Row>& rows = problem_->rows;
  opens_ = false;
  offsets_ = false;
  surface_.resize(rows.size());
  const double restitution = rows.empty() ? 1.0 : rows.front().restitution;
  // One place ahead, so that filling moves each start to where it belongs.
  first_slot_.assign(point_count_ + std::size_t{2}, 0);
  bool alike = true;  // nothing that would have to be said of one component and not of another
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const PointProblem::Row& row = rows[r];
    alike &= (row.restitution == restitution) & (row.offset == 0.0);
    surface_[r] = kNone;
    ++first_slot_[row.a + 2];
    if (row.b != kNone) {
      ++first_slot_[row.b + 2];
    } else {
      add_surface(static_cast<Index>(r));
    }
  }
  if (alike) {
    for (Component& component : components_) component.restitution = restitution;
    return;
  }
  for (Component& component : components_) component.restitution = -1.0;  // no row yet
  for (const PointProblem::Row& row : rows) {
    Component& component = components_[component_of_[row.a]];
    if (component.restitution < 0.0) component.restitution = row.restitution;
    component.mixed = component.mixed || component.restitution != row.restitution;
    component.moved = component.moved || row.offset != 0.0;
    offsets_ = offsets_ || row.offset != 0.0;
    opens_ = opens_ || (row.offset != 0.0 && row.b != kNone);
  }
}

template <std::size_t D>
void PointFront<D>::add_surface(Index row) {
  const PointProblem::Row& r = problem_->rows[row];
  components_[component_of_[r.a]].free = false;
  Point surface{};
  for (std::size_t k = 0; k < D; ++k) surface.v[k] = r.offset * r.normal[k];
  surface_[row] = static_cast<Index>(points_.size());
  points_.push_back(surface);
}

template <std::size_t D>
void PointFront<D>::wake(Index row) {
  const PointProblem::Row& r = problem_->rows[row];
  for (const Index point : {r.a, r.b}) {
    if (point == kNone) continue;
    Slot* slot = slots_.data() + end_slot_[point];
    while (slot->row != row) ++slot;
    std::swap(*slot, slots_[end_slot_[point]++]);
  }
  awake_[row - first_waiting_] = 1;
  woken_.push_back(row);
}

template <std::size_t D>
PointProblem::Velocity PointFront<D>::lab_velocity(Index point) const {
  PointProblem::Velocity velocity{};
  if (is_wall(point)) return velocity;
  const std::array<double, D>& frame = components_[component_of_[point]].frame;
  for (std::size_t k = 0; k < D; ++k) velocity[k] = frame[k] + points_[point].v[k];
  return velocity;
}

template <std::size_t D>
template <class Joins>
void PointFront<D>::unite_points(const Joins& joins, std::vector<Index>& number_of) {
  parent_.resize(point_count_);
  for (Index i = 0; i < point_count_; ++i) parent_[i] = i;
  for (Index r = 0; r < problem_->rows.size(); ++r) {
    const PointProblem::Row& row = problem_->rows[r];
    if (row.b == kNone || !joins(r)) continue;
    join_sets(parent_, row.a, row.b);  // the smallest point leads
  }
  number_of.resize(point_count_);
  Index count = 0;
  for (Index i = 0; i < point_count_; ++i) {
    const Index lead = smallest_joined(parent_, i);
    number_of[i] = lead == i ? count++ : number_of[lead];
  }
}

template <std::size_t D>
void PointFront<D>::find_pieces(std::vector<Index>& piece_of) {
  unite_points([this](Index row) { return is_awake(row); }, piece_of);
}

template <std::size_t D>
void PointFront<D>::find_components() {
  if (problem_->component.empty()) {
    unite_points([](Index /*row*/) { return true; }, component_of_);
  } else {
    component_of_ = problem_->component;
  }
  Index count = 0;
  for (const Index number : component_of_) count = std::max(count, number + 1);
  components_.assign(count, Component());
}

// Free components are seen from their centre of mass, others from the lab.
template <std::size_t D>
void PointFront<D>::enter_frames(double tolerance) {
  mass_.assign(components_.size(), 0.0);
  for (Index i = 0; i < point_count_; ++i) {
    Component& component = components_[component_of_[i]];
    if (!component.free) continue;
    mass_[component_of_[i]] += problem_->mass[i];
    for (std::size_t k = 0; k < D; ++k) component.frame[k] += problem_->mass[i] * points_[i].v[k];
  }
  for (std::size_t c = 0; c < components_.size(); ++c) {
    if (!components_[c].free) continue;
    for (double& x : components_[c].frame) x /= mass_[c];
  }
  for (Index i = 0; i < point_count_; ++i) {
    Component& component = components_[component_of_[i]];
    double square = 0.0;
    for (std::size_t k = 0; k < D; ++k) {
      points_[i].v[k] -= component.frame[k];
      square += points_[i].v[k] * points_[i].v[k];
    }
    const double mass = problem_->mass[i];
    const double twice = mass * square + spin_energy(*problem_, i);
    component.energy += 0.5 * twice;
    component.speed_scale = std::max(component.speed_scale, twice);
    component.momentum += mass * std::sqrt(square);
  }
  if (offsets_) {
    for (const PointProblem::Row& row : problem_->rows) {
      if (row.offset == 0.0) continue;
      Component& component = components_[component_of_[row.a]];
      const double weight = points_[row.a].weight + (row.b == kNone ? 0.0 : points_[row.b].weight);
      component.speed_scale = std::max(component.speed_scale, row.offset * row.offset / weight);
    }
  }
  for (Component& component : components_) {
    component.threshold = tolerance * tolerance * component.speed_scale;
    component.speed_scale = std::sqrt(component.speed_scale);
  }
}

template <std::size_t D>
Violation<D> PointFront<D>::look_at(Index row) const {
  const PointProblem::Row& r = problem_->rows[row];
  Violation<D> seen{row, r.a, r.b == kNone ? surface_[row] : r.b, 0.0, {}};
  const Point& self = points_[seen.self];
  const Point& other = points_[seen.other];
  for (std::size_t k = 0; k < D; ++k) {
    seen.normal[k] = r.normal[k];
    seen.b += r.normal[k] * (self.v[k] - other.v[k]);
  }
  if (opens_) seen.b -= opening_speed(row);
  return seen;
}

template <std::size_t D>
void PointFront<D>::look_at_all(std::vector<Violation<D>>& violated) const {
  violated.clear();
  look_at_rows(0, static_cast<Index>(problem_->rows.size()), violated);
}

template <std::size_t D>
void PointFront<D>::look_at_rows(Index first, Index last,
                                 std::vector<Violation<D>>& violated) const {
  const PointProblem::Row* rows = problem_->rows.data();
  for (Index row = first; row < last; ++row) {
    const PointProblem::Row& r = rows[row];
    if (row >= first_waiting_ && !is_awake(row)) continue;
    const Point& self = points_[r.a];
    const Index beyond = r.b == kNone ? surface_[row] : r.b;
    const Point& other = points_[beyond];
    double b = 0.0;
    for (std::size_t k = 0; k < D; ++k) b += r.normal[k] * (self.v[k] - other.v[k]);
    if (opens_) b -= opening_speed(row);
    if (b >= 0.0) continue;
    const double threshold = components_[component_of_[r.a]].threshold;
    if (b * b > threshold * (self.weight + other.weight)) violated.push_back(look_at(row));
  }
}

// In three waves, as each wave's addresses are in what the one before asked for: where the slots of
// a point are, the slots, the points at their other ends.
template <std::size_t D>
void PointFront<D>::ask_for_coming(std::span<const Index> touched, std::size_t now) const {
  constexpr std::size_t kPlaces = 32;  // points ahead
  constexpr std::size_t kSlots = 16;
  constexpr std::size_t kOthers = 8;
  if (now + kPlaces < touched.size()) {
    const Index point = touched[now + kPlaces];
    __builtin_prefetch(&first_slot_[point]);
    __builtin_prefetch(&end_slot_[point]);
    __builtin_prefetch(&component_of_[point]);
  }
  if (now + kSlots < touched.size()) {
    const std::span<const Slot> coming = slots(touched[now + kSlots]);
    if (!coming.empty()) {
      __builtin_prefetch(&coming.front());
      __builtin_prefetch(&coming.back());
    }
  }
  if (now + kOthers < touched.size()) {
    for (const Slot& slot : slots(touched[now + kOthers])) {
      __builtin_prefetch(&points_[slot.other]);
    }
  }
}

template <std::size_t D>
void PointFront<D>::look_around(std::span<const Index> touched, Index stamp,
                                std::vector<Violation<D>>& violated) const {
  for (std::size_t k = 0; k < touched.size(); ++k) {
    ask_for_coming(touched, k);
    const Index self = touched[k];
    const Point& point = points_[self];
    for (const Slot& slot : slots(self)) {
      const Point& other = points_[slot.other];
      const double b = closing_speed(point, slot);
      if (b >= 0.0) continue;
      const double threshold = components_[component_of_[self]].threshold;
      if (!(b * b > threshold * (point.weight + other.weight))) continue;
      // Found from its other point already, or to be found.
      if (other.stamp == stamp && slot.other < self) continue;
      violated.push_back({slot.row, self, slot.other, b, slot.normal});
    }
  }
}

template class PointFront<2>;
template class PointFront<3>;

}  // namespace carom
