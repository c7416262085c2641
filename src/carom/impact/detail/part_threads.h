#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/core/worker_pool.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_parts.h"
#include "carom/impact/resolve.h"

namespace carom {

/// Asks for the memory of the points of a row soon after `rows[now]`. Inlined, as
/// PointFront::ask_for_coming.
template <std::size_t D>
[[gnu::always_inline]] inline void ask_for_points(PointFront<D>& front,
                                                  std::span<const Violation<D>> rows,
                                                  std::size_t now) {
  constexpr std::size_t kAhead = 12;
  if (now + kAhead >= rows.size()) return;
  const Violation<D>& row = rows[now + kAhead];
  __builtin_prefetch(&front.points()[row.self], 1);
  __builtin_prefetch(&front.points()[row.other], 1);
}

/// Answers the connected parts of violated rows: each on its own, so that it does not matter which
/// thread does it, and all threads together where a part is so large that they have more than one
/// part's worth of work in it.
template <std::size_t D>
class PartThreads {
 public:
  /// By the operator of the settings, on the threads of their pool.
  void choose_operator(const ImpactSettings& settings);
  [[nodiscard]] PointForm form() const { return form_; }

  /// A run of the loop begins; where its rows rub, impulses are to be those of least norm.
  void begin(bool rubs);
  /// It ends: adds the time of its parts, and takes it from that of the front.
  void end(SolverSeconds& seconds) const;

  /// Rows of all parts, one part after the other, and what becomes of them.
  struct Task {
    const PointParts<D>* parts = nullptr;
    std::span<const Violation<D>> rows;
    PointFront<D>* front = nullptr;
    std::span<double> impulses;           ///< by row
    std::span<ApplicationStatus> status;  ///< by part
    WorkerPool* pool = nullptr;           ///< none: this thread alone
  };
  void solve(const Task& task);

 private:
  [[nodiscard]] typename PartAnswer<D>::Seconds large_part_seconds() const;

  std::string operator_name_;  ///< with its options
  PointForm form_ = PointForm::none;
  std::vector<std::unique_ptr<PartAnswer<D>>> answers_;  ///< one for each thread
  std::size_t thread_count_ = 0;
  std::vector<std::size_t> first_part_;  ///< of each share of work
  std::vector<double> share_seconds_;    ///< in parts, by thread
  double wall_ = 0.0;                    ///< from the first part of an application to its last
  typename PartAnswer<D>::Seconds before_ = {};  ///< the run
};

extern template class PartThreads<2>;
extern template class PartThreads<3>;

}  // namespace carom
