// Connected parts of violated rows, shared out over threads.
#include "carom/impact/detail/part_threads.h"

#include <algorithm>

#include "carom/core/stopwatch.h"

namespace carom {

template <std::size_t D>
void PartThreads<D>::choose_operator(const ImpactSettings& settings) {
  const std::size_t threads = settings.pool != nullptr ? settings.pool->size() : 1;
  if (settings.impact_operator == operator_name_ && thread_count_ == threads) return;
  operator_name_ = settings.impact_operator;
  thread_count_ = threads;
  form_ = find_operator(operator_name_)->point_form;
  answers_.clear();
  if (form_ == PointForm::one_row) return;
  for (std::size_t k = 0; k < threads; ++k) answers_.push_back(make_part_answer<D>(operator_name_));
}

template <std::size_t D>
typename PartAnswer<D>::Seconds PartThreads<D>::large_part_seconds() const {
  typename PartAnswer<D>::Seconds sum;
  for (const auto& answer : answers_) {
    sum.linked += answer->seconds().linked;
    sum.other += answer->seconds().other;
  }
  return sum;
}

template <std::size_t D>
void PartThreads<D>::begin(bool rubs) {
  for (const auto& answer : answers_) answer->want_least_norm(rubs);
  share_seconds_.assign(thread_count_, 0.0);
  wall_ = 0.0;
  before_ = large_part_seconds();
}

template <std::size_t D>
void PartThreads<D>::end(SolverSeconds& seconds) const {
  const typename PartAnswer<D>::Seconds after = large_part_seconds();
  seconds.front -= wall_;
  seconds.linked_parts = after.linked - before_.linked;
  seconds.other_parts = after.other - before_.other;
  for (const double share : share_seconds_) seconds.small_parts += share;
  seconds.small_parts -= seconds.linked_parts + seconds.other_parts;
}

template <std::size_t D>
void PartThreads<D>::solve(const Task& task) {
  constexpr std::size_t kShare = 512;  // rows
  constexpr std::size_t kFewRows = 16;
  const PointParts<D>& parts = *task.parts;
  const auto is_large = [&](std::size_t k) {
    return parts.size(k) >= solvers::LinkedPivoting<D>::kThreadedRows;
  };
  const auto solve_part = [&](std::size_t k, PartAnswer<D>& answer, WorkerPool* pool) {
    const std::size_t begin = parts.begin(k);
    const std::size_t size = parts.size(k);
    task.status[k] = answer.apply(task.rows.subspan(begin, size), *task.front,
                                  task.impulses.subspan(begin, size), pool);
  };
  const WallStopwatch watch(wall_);
  first_part_.clear();
  std::size_t rows = kShare;
  for (std::size_t k = 0; k < parts.count(); ++k) {
    if (rows >= kShare) {
      first_part_.push_back(k);
      rows = 0;
    }
    rows += parts.size(k);
    if (!is_large(k)) continue;
    const WallStopwatch share_watch(share_seconds_.front());
    solve_part(k, *answers_.front(), task.pool);
  }
  const std::size_t shares = first_part_.size();
  first_part_.push_back(parts.count());
  const auto solve_share = [&](std::size_t share, unsigned worker) {
    const WallStopwatch share_watch(share_seconds_[worker]);
    for (std::size_t k = first_part_[share]; k < first_part_[share + 1]; ++k) {
      for (std::size_t r = 0; r < std::min(parts.size(k), kFewRows); ++r) {
        ask_for_points<D>(*task.front, task.rows, parts.begin(k) + r);
      }
      if (!is_large(k)) solve_part(k, *answers_[worker], nullptr);
    }
  };
  if (shares > 1 && task.pool != nullptr && task.pool->size() > 1) {
    task.pool->run(shares, solve_share);
  } else {
    for (std::size_t share = 0; share < shares; ++share) solve_share(share, 0);
  }
}

template class PartThreads<2>;
template class PartThreads<3>;

}  // namespace carom
