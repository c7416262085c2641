#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/index_set.h"
#include "carom/core/types.h"
#include "carom/impact/detail/part_threads.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_locks.h"
#include "carom/impact/detail/point_parts.h"
#include "carom/impact/detail/waiting_rows.h"
#include "carom/impact/points.h"

namespace carom {

/// The elastic iteration of all components of a PointFront, side by side. As long as rows are
/// violated, with n_k their normals, b_k < 0 their closing speeds and W the weights of points,
///
///   (1)  lambda_k = -2 b_k / (n_k' W n_k)   of a row that shares no point with another one,
///   (2)  lambda   = the operator's answer   to each connected part of the others,
///   (3)  v       <- v + W N lambda
template <std::size_t D>
class PointLoop {
 public:
  /// What becomes of a component: it is iterated here, it needs no elastic response, or it is left
  /// to the general way; in the last two cases its numbers here mean nothing.
  enum class Leave : std::uint8_t { stays, waits, leaves };

  struct Task {
    PointFront<D>* front = nullptr;
    const PointProblem* problem = nullptr;
    const ImpactSettings* settings = nullptr;
    std::span<Leave> leave;      ///< per component; those that do not stay are marked
    std::span<double> impulses;  ///< per row of the problem, 0 at first
    const PointResolver::PartObserver* part_observer = nullptr;  ///< none, or an empty one
  };

  /// Runs until no row of a component that stays is violated, or its budget of
  /// settings.max_applications is used up: it is spent, and the answer false. So is it where more
  /// rows woke than may.
  bool run(const Task& task);
  [[nodiscard]] Index largest_part() const { return largest_part_; }
  /// Of the last run: front and parts.
  [[nodiscard]] const SolverSeconds& seconds() const { return seconds_; }

 private:
  [[nodiscard]] bool iterate_to_end(const Task& task);
  [[nodiscard]] static WorkerPool* pool_for(const Task& task, std::size_t jobs);
  [[nodiscard]] bool iterate(const Task& task);
  /// Answers the violated rows until there are none but those of components that are spent.
  void answer_all(const Task& task, Index& application);
  /// Takes the rows of components out whose budget is used up, so many applications after the last
  /// rows woke.
  void drop_spent(const Task& task, Index applications);
  [[nodiscard]] bool iterate_one_by_one(const Task& task);
  /// Answers the violated rows; fills touched_.
  void answer(const Task& task, Index application);
  void answer_parts(const Task& task, Index application);
  /// Reflects a row that shares no point with another violated one.
  void reflect(const Task& task, const Violation<D>& row, Index application);
  void push(const Task& task, const Violation<D>& row, double impulse, Index application);
  /// Of components that still have violated rows: those that may be locked leave.
  void let_locked_leave(const Task& task, std::span<const Violation<D>> violated);
  static void drop_leaving(const Task& task, std::vector<Violation<D>>& violated);
  void look_at_all(const Task& task);
  void look_around(const Task& task, Index application);
  void show_parts(const Task& task);
  /// look(number, found) for every stretch, shared out over the threads where there are many; what
  /// they found follows each other in violated_ in the order of the stretches.
  template <class Look>
  void gather(const Task& task, std::size_t stretches, const Look& look);

  PartThreads<D> threads_;
  std::unique_ptr<PartReflection<D>> shown_;  ///< makes programs for the observer
  PointParts<D> parts_;
  std::vector<Violation<D>> violated_;
  std::vector<Violation<D>> joined_;              ///< violated rows that share points with others
  std::vector<std::vector<Violation<D>>> found_;  ///< per stretch
  std::vector<double> part_impulses_;
  std::vector<ApplicationStatus> part_status_;
  std::vector<Index> touched_;
  WaitingRows<D> waiting_;
  PointLocks<D> locks_;
  IndexSet violated_rows_;
  Index largest_part_ = 0;
  bool some_part_failed_ = false;
  bool some_are_spent_ = false;
  SolverSeconds seconds_;
};

extern template class PointLoop<2>;
extern template class PointLoop<3>;

}  // namespace carom
