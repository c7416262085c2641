// The loop over applications for points: the front, its parts, who answers them and what is near.
#include "carom/impact/detail/point_loop.h"

#include <algorithm>
#include <utility>

#include "carom/core/long_work.h"
#include "carom/core/stopwatch.h"
#include "carom/core/worker_pool.h"

namespace carom {

// Nothing where one thread is as good.
template <std::size_t D>
WorkerPool* PointLoop<D>::pool_for(const Task& task, std::size_t jobs) {
  WorkerPool* pool = task.settings->pool;
  return jobs > 1 && pool != nullptr && pool->size() > 1 ? pool : nullptr;
}

template <std::size_t D>
template <class Look>
void PointLoop<D>::gather(const Task& task, std::size_t stretches, const Look& look) {
  violated_.clear();
  WorkerPool* pool = pool_for(task, stretches);
  if (pool == nullptr) {
    for (std::size_t number = 0; number < stretches; ++number) look(number, violated_);
    return;
  }
  if (found_.size() < stretches) found_.resize(stretches);
  pool->run(stretches, [&](std::size_t number, unsigned /*worker*/) {
    found_[number].clear();
    look(number, found_[number]);
  });
  for (std::size_t number = 0; number < stretches; ++number) {
    violated_.insert(violated_.end(), found_[number].begin(), found_[number].end());
  }
}

template <std::size_t D>
void PointLoop<D>::look_at_all(const Task& task) {
  constexpr std::size_t kStretch = 16384;
  const std::size_t rows = task.problem->rows.size();
  gather(task, (rows + kStretch - 1) / kStretch,
         [&](std::size_t number, std::vector<Violation<D>>& found) {
           const std::size_t first = number * kStretch;
           task.front->look_at_rows(static_cast<Index>(first),
                                    static_cast<Index>(std::min(first + kStretch, rows)), found);
         });
}

template <std::size_t D>
void PointLoop<D>::look_around(const Task& task, Index application) {
  constexpr std::size_t kStretch = 2048;
  gather(task, (touched_.size() + kStretch - 1) / kStretch,
         [&](std::size_t number, std::vector<Violation<D>>& found) {
           const std::size_t first = number * kStretch;
           const std::size_t count = std::min(kStretch, touched_.size() - first);
           task.front->look_around({touched_.data() + first, count}, application, found);
         });
}

template <std::size_t D>
bool PointLoop<D>::run(const Task& task) {
  threads_.choose_operator(*task.settings);
  threads_.begin(!task.problem->rubbing.empty());
  largest_part_ = 0;
  seconds_ = SolverSeconds();
  bool ended = false;
  {
    const WallStopwatch watch(seconds_.front);
    ended = iterate_to_end(task);
  }
  threads_.end(seconds_);
  return ended;
}

template <std::size_t D>
bool PointLoop<D>::iterate_to_end(const Task& task) {
  const bool one_by_one = threads_.form() == PointForm::one_row;
  some_part_failed_ = false;
  some_are_spent_ = false;
  const bool ended = one_by_one ? iterate_one_by_one(task) : iterate(task);
  if (!one_by_one && !task.front->some_wait()) {
    for (Index i = 0; i < task.front->point_count(); ++i) {
      std::uint64_t& applications =
          task.front->components()[task.front->component_of(i)].applications;
      applications = std::max<std::uint64_t>(applications, task.front->points()[i].stamp);
    }
  }
  const bool too_many_woke = !ended && !some_are_spent_;
  if (!some_part_failed_ || too_many_woke) return ended;
  // A part that a solver could not finish is left to the general way; its last violated rows would
  // be lost to a front that only follows changes. Hence the look at everything.
  look_at_all(task);
  drop_leaving(task, violated_);
  for (const Violation<D>& row : violated_) {
    const Index number = task.front->component_of(row.self);
    if (!task.front->components()[number].spent) task.leave[number] = Leave::leaves;
  }
  return ended;
}

template <std::size_t D>
void PointLoop<D>::drop_leaving(const Task& task, std::vector<Violation<D>>& violated) {
  std::erase_if(violated, [&](const Violation<D>& row) {
    return task.leave[task.front->component_of(row.self)] != Leave::stays;
  });
}

template <std::size_t D>
bool PointLoop<D>::iterate(const Task& task) {
  look_at_all(task);
  drop_leaving(task, violated_);
  locks_.begin(*task.front, *task.problem);
  waiting_.begin(*task.front, *task.problem);
  Index application = 0;
  do {
    const Index first = application;
    answer_all(task, application);
    if (!task.front->some_wait()) break;
    waiting_.count_applications(first);
    waiting_.wake(
        [&](Index point) { return task.leave[task.front->component_of(point)] == Leave::stays; },
        violated_);
    if (task.front->woken().size() > task.problem->most_woken) return false;
  } while (!violated_.empty());
  return !some_are_spent_;
}

template <std::size_t D>
void PointLoop<D>::drop_spent(const Task& task, Index applications) {
  std::erase_if(violated_, [&](const Violation<D>& row) {
    typename PointFront<D>::Component& component =
        task.front->components()[task.front->component_of(row.self)];
    const std::uint64_t all = component.applications_before + applications;
    component.spent = component.spent || all >= task.settings->max_applications;
    some_are_spent_ = some_are_spent_ || component.spent;
    return component.spent;
  });
}

template <std::size_t D>
void PointLoop<D>::answer_all(const Task& task, Index& application) {
  const Index first = application;
  locks_.rows_have_joined();
  while (!violated_.empty()) {
    if (application > first && (application - first) % task.settings->anti_locking_after == 0 &&
        task.settings->anti_locking != AntiLocking::off) {
      let_locked_leave(task, violated_);
      drop_leaving(task, violated_);
    }
    const std::uint64_t budget = task.settings->max_applications;
    if (budget > 0 && application >= budget) drop_spent(task, application - first);
    if (violated_.empty()) break;
    LongWork* const work = task.settings->work;
    if (work != nullptr && !work->go_on("applications", application)) {
      violated_.clear();
      break;
    }
    ++application;
    touched_.clear();
    answer(task, application);
    look_around(task, application);
    if (task.front->some_wait()) waiting_.note(touched_);
  }
}

template <std::size_t D>
void PointLoop<D>::reflect(const Task& task, const Violation<D>& row, Index application) {
  const std::vector<typename PointFront<D>::Point>& points = task.front->points();
  double square = 0.0;
  for (const double x : row.normal) square += x * x;
  // (1)
  push(task, row, -2.0 * row.b / (square * (points[row.self].weight + points[row.other].weight)),
       application);
}

template <std::size_t D>
void PointLoop<D>::push(const Task& task, const Violation<D>& row, double impulse,
                        Index application) {
  typename PointFront<D>::Point& self = task.front->points()[row.self];
  typename PointFront<D>::Point& other = task.front->points()[row.other];
  task.impulses[row.row] += impulse;
  const double to_self = impulse * self.weight;
  const double to_other = impulse * other.weight;
  // (3)
  for (std::size_t k = 0; k < D; ++k) {
    self.v[k] += to_self * row.normal[k];
    other.v[k] -= to_other * row.normal[k];
  }
  if (self.stamp != application) {
    self.stamp = application;
    touched_.push_back(row.self);
  }
  if (other.stamp != application && !task.front->is_wall(row.other)) {
    other.stamp = application;
    touched_.push_back(row.other);
  }
}

template <std::size_t D>
void PointLoop<D>::answer(const Task& task, Index application) {
  std::vector<typename PointFront<D>::Point>& points = task.front->points();
  for (const Violation<D>& row : violated_) {
    __builtin_prefetch(&task.impulses[row.row], 1);
    ++points[row.self].violated;
    ++points[row.other].violated;
  }
  joined_.clear();
  parts_.clear();
  for (const Violation<D>& row : violated_) {
    typename PointFront<D>::Point& self = points[row.self];
    typename PointFront<D>::Point& other = points[row.other];
    if (self.violated != 1 || other.violated != 1) {
      joined_.push_back(row);
      parts_.add(self.violated, other.violated);
      continue;
    }
    self.violated = 0;
    other.violated = 0;
    reflect(task, row, application);
  }
  if (!joined_.empty()) answer_parts(task, application);
}

template <std::size_t D>
void PointLoop<D>::answer_parts(const Task& task, Index application) {
  std::vector<typename PointFront<D>::Point>& points = task.front->points();
  for (const Violation<D>& row : joined_) {
    points[row.self].violated = points[row.other].violated = 0;
  }
  parts_.sort(joined_);
  part_impulses_.resize(joined_.size());
  part_status_.resize(parts_.count());
  if (task.part_observer != nullptr && *task.part_observer) show_parts(task);
  // (2)
  threads_.solve({&parts_, joined_, task.front, part_impulses_, part_status_, task.settings->pool});
  for (std::size_t k = 0; k < parts_.count(); ++k) {
    largest_part_ = std::max(largest_part_, static_cast<Index>(parts_.size(k)));
    if (part_status_[k] == ApplicationStatus::applied) continue;
    some_part_failed_ = true;
    task.leave[task.front->component_of(joined_[parts_.begin(k)].self)] = Leave::leaves;
    std::fill_n(part_impulses_.begin() + static_cast<std::ptrdiff_t>(parts_.begin(k)),
                parts_.size(k), 0.0);
  }
  for (std::size_t k = 0; k < joined_.size(); ++k) {
    ask_for_points<D>(*task.front, joined_, k);
    if (part_impulses_[k] != 0.0) push(task, joined_[k], part_impulses_[k], application);
  }
}

template <std::size_t D>
void PointLoop<D>::show_parts(const Task& task) {
  if (!shown_) shown_ = std::make_unique<PartReflection<D>>();
  for (std::size_t k = 0; k < parts_.count(); ++k) {
    (*task.part_observer)(
        shown_->program({joined_.data() + parts_.begin(k), parts_.size(k)}, *task.front));
  }
}

template <std::size_t D>
bool PointLoop<D>::iterate_one_by_one(const Task& task) {
  PointFront<D>& front = *task.front;
  locks_.begin(front, *task.problem);
  violated_rows_.reset(static_cast<Index>(task.problem->rows.size()));
  look_at_all(task);
  drop_leaving(task, violated_);
  for (const Violation<D>& row : violated_) violated_rows_.insert(row.row);
  Index stamp = 0;
  LongWork* const work = task.settings->work;
  while (!violated_rows_.empty()) {
    if (work != nullptr && !work->go_on("applications", stamp)) break;
    const Violation<D> row = front.look_at(violated_rows_.smallest());
    typename PointFront<D>::Component& component = front.components()[front.component_of(row.self)];
    if (component.applications == task.settings->anti_locking_after &&
        task.settings->anti_locking != AntiLocking::off) {
      let_locked_leave(task, {&row, 1});
      if (task.leave[front.component_of(row.self)] == Leave::leaves) {
        violated_.clear();
        for (const Index r : violated_rows_.members()) violated_.push_back(front.look_at(r));
        drop_leaving(task, violated_);
        violated_rows_.clear();
        for (const Violation<D>& kept : violated_) violated_rows_.insert(kept.row);
        continue;
      }
    }
    const std::uint64_t budget = task.settings->max_applications;
    if (budget > 0 && component.applications >= budget) {
      component.spent = some_are_spent_ = true;
      violated_rows_.erase(row.row);
      continue;
    }
    ++component.applications;
    touched_.clear();
    reflect(task, row, ++stamp);
    for (const Index self : touched_) {
      const typename PointFront<D>::Point& point = front.points()[self];
      const double threshold = component.threshold;
      for (const typename PointFront<D>::Slot& slot : front.slots(self)) {
        const typename PointFront<D>::Point& other = front.points()[slot.other];
        const double b = front.closing_speed(point, slot);
        if (b < 0.0 && b * b > threshold * (point.weight + other.weight)) {
          violated_rows_.insert(slot.row);
        } else {
          violated_rows_.erase(slot.row);
        }
      }
    }
  }
  return !some_are_spent_;
}

template <std::size_t D>
void PointLoop<D>::let_locked_leave(const Task& task, std::span<const Violation<D>> violated) {
  for (const Violation<D>& row : violated) {
    Leave& leave = task.leave[task.front->component_of(row.self)];
    if (leave != Leave::leaves && locks_.may_be_locked(row.self)) leave = Leave::leaves;
  }
}

template class PointLoop<2>;
template class PointLoop<3>;

}  // namespace carom
