// Wakes the rows that wait beside an impact of points.
#include "carom/impact/detail/waiting_rows.h"

#include <algorithm>

namespace carom {

template <std::size_t D>
void WaitingRows<D>::begin(PointFront<D>& front, const PointProblem& problem) {
  front_ = &front;
  problem_ = &problem;
  changed_points_.clear();
  if (front.some_wait()) has_changed_.assign(front.point_count(), 0);
}

template <std::size_t D>
void WaitingRows<D>::note(std::span<const Index> touched) {
  for (const Index point : touched) {
    if (has_changed_[point] != 0) continue;
    has_changed_[point] = 1;
    changed_points_.push_back(point);
  }
}

template <std::size_t D>
void WaitingRows<D>::count_applications(Index first) {
  const auto component_of = [&](Index point) -> typename PointFront<D>::Component& {
    return front_->components()[front_->component_of(point)];
  };
  for (const Index point : changed_points_) {
    typename PointFront<D>::Component& component = component_of(point);
    const std::uint64_t since = front_->points()[point].stamp - first;
    component.applications =
        std::max(component.applications, component.applications_before + since);
  }
  for (const Index point : changed_points_) {
    typename PointFront<D>::Component& component = component_of(point);
    component.applications_before = component.applications;
  }
}

template <std::size_t D>
void WaitingRows<D>::wake(const std::function<bool(Index point)>& takes_part,
                          std::vector<Violation<D>>& violated) {
  const PointFront<D>& front = *front_;
  const std::size_t woken = front.woken().size();
  rows_to_wake_.clear();
  for (const Index self : changed_points_) {
    if (!takes_part(self)) continue;
    const typename PointFront<D>::Point& point = front.points()[self];
    for (const typename PointFront<D>::Slot& slot : front.waiting_slots(self)) {
      if (!(front.closing_speed(point, slot) < -front.waking_speed(slot.row))) continue;
      // Its other point asks, or has asked.
      const bool is_wall = front.is_wall(slot.other);
      if (!is_wall && has_changed_[slot.other] != 0 && slot.other < self) continue;
      const PointProblem::Row& row = problem_->rows[slot.row];
      const Index other = row.a == self ? slot.other : self;
      if (problem_->wakes(slot.row, front.lab_velocity(row.a), front.lab_velocity(other))) {
        rows_to_wake_.push_back(slot.row);
      }
    }
  }
  for (const Index point : changed_points_) has_changed_[point] = 0;
  changed_points_.clear();
  for (const Index row : rows_to_wake_) front_->wake(row);
  for (const Index row : front.woken().subspan(woken)) {
    const Violation<D> seen = front.look_at(row);
    if (front.is_violated(seen)) violated.push_back(seen);
  }
}

template class WaitingRows<2>;
template class WaitingRows<3>;

}  // namespace carom
