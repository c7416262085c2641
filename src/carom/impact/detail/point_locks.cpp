// Which components of points may be locked.
#include "carom/impact/detail/point_locks.h"

#include <algorithm>

#include "carom/impact/detail/point_expansion.h"

namespace carom {

template <std::size_t D>
void PointLocks<D>::begin(PointFront<D>& front, const PointProblem& problem) {
  front_ = &front;
  problem_ = &problem;
  some_wait_in_.clear();
  rows_have_joined();
}

template <std::size_t D>
void PointLocks<D>::rows_have_joined() {
  piece_of_.clear();
  expanding_pieces_.clear();
}

template <std::size_t D>
bool PointLocks<D>::may_be_locked(Index point) {
  const Index number = front_->component_of(point);
  typename PointFront<D>::Component& component = front_->components()[number];
  if (component.strictly_feasible) return false;
  if (some_wait_in(number)) return !piece_can_expand(point);
  component.strictly_feasible = can_expand<D>(
      *problem_, [&](Index row) { return front_->component_of(problem_->rows[row].a) == number; });
  return !component.strictly_feasible;
}

template <std::size_t D>
bool PointLocks<D>::some_wait_in(Index component) {
  if (!front_->some_wait()) return false;
  if (some_wait_in_.empty()) {
    some_wait_in_.assign(front_->components().size(), 0);
    for (std::size_t r = problem_->waiting_from; r < problem_->rows.size(); ++r) {
      some_wait_in_[front_->component_of(problem_->rows[r].a)] = 1;
    }
  }
  return some_wait_in_[component] != 0;
}

template <std::size_t D>
bool PointLocks<D>::piece_can_expand(Index point) {
  if (piece_of_.empty()) front_->find_pieces(piece_of_);
  const Index piece = piece_of_[point];
  if (std::find(expanding_pieces_.begin(), expanding_pieces_.end(), piece) !=
      expanding_pieces_.end()) {
    return true;
  }
  const bool expands = can_expand<D>(*problem_, [&](Index row) {
    return piece_of_[problem_->rows[row].a] == piece && front_->is_awake(row);
  });
  if (expands) expanding_pieces_.push_back(piece);
  return expands;
}

template class PointLocks<2>;
template class PointLocks<3>;

}  // namespace carom
