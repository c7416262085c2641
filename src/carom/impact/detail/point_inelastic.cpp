// The inelastic response of components of points.
#include "carom/impact/detail/point_inelastic.h"

#include <algorithm>

namespace carom {

template <std::size_t D>
const std::vector<Index>& PointInelastic<D>::run(const Task& task) {
  PointFront<D>& front = *task.front;
  failed_.clear();
  at_rest_.clear();
  const bool least_norm = !task.problem->rubbing.empty();
  reflection_.want_least_norm(least_norm);
  largest_part_ = 0;
  start_.resize(front.point_count());
  for (Index i = 0; i < front.point_count(); ++i) start_[i] = front.points()[i].v;
  joined_in_.assign(task.problem->rows.size(), 0);
  set_.clear();
  const auto is_out = [&](const Violation<D>& row) {
    return task.takes_part[front.component_of(row.self)] == 0;
  };
  front.look_at_all(violated_);
  std::erase_if(violated_, is_out);
  row_count_.assign(front.components().size(), 0);
  for (const PointProblem::Row& row : task.problem->rows) ++row_count_[front.component_of(row.a)];
  for (Index round = 1; !violated_.empty(); ++round) {
    join_whole_components(task, round);
    for (const Violation<D>& row : violated_) joined_in_[row.row] = round;
    join(task);
    touched_.clear();
    solve_changed_parts(task, round);
    violated_.clear();
    front.look_around(touched_, round, violated_);
    // A row that joined and yet is closing was beyond its solver.
    std::erase_if(violated_, [&](const Violation<D>& row) {
      if (joined_in_[row.row] == 0) return false;
      failed_.push_back(front.component_of(row.self));
      return true;
    });
    if (violated_.empty() && least_norm) find_rows_at_rest(task);
  }
  return failed_;
}

// Rows of points that were pushed which neither close nor open; they have joined with all others of
// their components after one such round.
template <std::size_t D>
void PointInelastic<D>::find_rows_at_rest(const Task& task) {
  constexpr double kAtRest = 1e-12;  // of the speed scale
  const PointFront<D>& front = *task.front;
  at_rest_.assign(row_count_.size(), 0);
  for (Index r = 0; r < task.problem->rows.size(); ++r) {
    if (joined_in_[r] != 0) continue;
    const Index component = front.component_of(task.problem->rows[r].a);
    if (task.takes_part[component] == 0) continue;
    const Violation<D> row = front.look_at(r);
    const auto& self = front.points()[row.self];
    const auto& other = front.points()[row.other];
    if (self.stamp == 0 && other.stamp == 0) continue;
    const double least = kAtRest * front.components()[component].speed_scale;
    if (row.b * row.b > least * least * (self.weight + other.weight)) continue;
    violated_.push_back(row);
    at_rest_[component] = 1;
  }
}

template <std::size_t D>
void PointInelastic<D>::join_whole_components(const Task& task, Index round) {
  constexpr Index kMany = 4;  // one row in so many
  constexpr Index kLate = 3;  // rounds
  const PointFront<D>& front = *task.front;
  violated_count_.assign(row_count_.size(), 0);
  for (const Violation<D>& row : violated_) ++violated_count_[front.component_of(row.self)];
  const auto is_whole = [&](Index component) {
    const Index violated = violated_count_[component];
    const bool at_rest = !at_rest_.empty() && at_rest_[component] != 0;
    return violated > 0 && (at_rest || kMany * violated > row_count_[component] || round >= kLate);
  };
  for (Index c = 0; c < row_count_.size(); ++c) {
    if (!is_whole(c)) violated_count_[c] = 0;
  }
  if (std::all_of(violated_count_.begin(), violated_count_.end(), [](Index n) { return n == 0; })) {
    return;
  }
  for (const Violation<D>& row : violated_) joined_in_[row.row] = round;
  for (Index r = 0; r < task.problem->rows.size(); ++r) {
    if (joined_in_[r] != 0) continue;
    if (violated_count_[front.component_of(task.problem->rows[r].a)] == 0) continue;
    violated_.push_back(front.look_at(r));
  }
}

// Adds the violated rows to the set, with the closing speed that they had at the start.
template <std::size_t D>
void PointInelastic<D>::join(const Task& task) {
  for (Violation<D> row : violated_) {
    const bool wall = task.front->is_wall(row.other);
    const std::array<double, D>& other =
        wall ? task.front->points()[row.other].v : start_[row.other];
    row.b = -task.front->opening_speed(row.row);
    for (std::size_t k = 0; k < D; ++k) row.b += row.normal[k] * (start_[row.self][k] - other[k]);
    set_.push_back(row);
  }
}

template <std::size_t D>
void PointInelastic<D>::solve_changed_parts(const Task& task, Index round) {
  parts_.split(set_, *task.front);
  for (std::size_t k = 0; k < parts_.count(); ++k) {
    const std::span<const Violation<D>> part{set_.data() + parts_.begin(k), parts_.size(k)};
    const bool changed = std::any_of(part.begin(), part.end(), [&](const Violation<D>& row) {
      return joined_in_[row.row] == round;
    });
    if (!changed) continue;
    largest_part_ = std::max(largest_part_, static_cast<Index>(part.size()));
    part_impulses_.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) part_impulses_[i] = task.impulses[part[i].row];
    // (1), of this part
    if (reflection_.absorb(part, *task.front, part_impulses_) != ApplicationStatus::applied) {
      failed_.push_back(task.front->component_of(part.front().self));
      std::fill(part_impulses_.begin(), part_impulses_.end(), 0.0);
    }
    for (std::size_t i = 0; i < part.size(); ++i) task.impulses[part[i].row] = part_impulses_[i];
    move(task, part, round);
  }
}

// The velocities of a part's points, from the start.
template <std::size_t D>
void PointInelastic<D>::move(const Task& task, std::span<const Violation<D>> part, Index round) {
  auto& points = task.front->points();
  for (const Violation<D>& row : part) {
    for (const Index i : {row.self, row.other}) {
      if (task.front->is_wall(i) || points[i].stamp == round) continue;
      points[i].stamp = round;
      points[i].v = start_[i];
      touched_.push_back(i);
    }
  }
  for (const Violation<D>& row : part) {
    const double impulse = task.impulses[row.row];
    if (impulse == 0.0) continue;
    auto& self = points[row.self];
    auto& other = points[row.other];
    const double to_self = impulse * self.weight;
    const double to_other = impulse * other.weight;
    for (std::size_t k = 0; k < D; ++k) {
      self.v[k] += to_self * row.normal[k];
      other.v[k] -= to_other * row.normal[k];
    }
  }
}

template class PointInelastic<2>;
template class PointInelastic<3>;

}  // namespace carom
