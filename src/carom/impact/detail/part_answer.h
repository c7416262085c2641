#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/operator.h"

namespace carom {

class WorkerPool;

/// One application of an operator to one connected part of violated rows of points: what its
/// PointForm stands for.
template <std::size_t D>
class PartAnswer {
 public:
  PartAnswer() = default;
  PartAnswer(const PartAnswer&) = delete;
  PartAnswer& operator=(const PartAnswer&) = delete;
  virtual ~PartAnswer() = default;

  /// Impulses of a part, in its order and in units of the given rows, scaled so that the energy is
  /// kept. Threads of a pool, where one is given, share the work of large parts.
  virtual ApplicationStatus apply(std::span<const Violation<D>> part, const PointFront<D>& front,
                                  std::span<double> impulses, WorkerPool* pool) = 0;
  /// Among several answers the one of least norm, as resolve_impacts gives it, where the operator
  /// has several.
  virtual void want_least_norm(bool wanted) { static_cast<void>(wanted); }

  /// Time spent so far in parts too large for the small solver, s.
  struct Seconds {
    double linked = 0.0;
    double other = 0.0;
  };
  [[nodiscard]] const Seconds& seconds() const { return seconds_; }

 protected:
  Seconds seconds_;
};

/// By the operator's PointForm, which is one that has parts.
template <std::size_t D>
[[nodiscard]] std::unique_ptr<PartAnswer<D>> make_part_answer(const std::string& specification);

extern template std::unique_ptr<PartAnswer<2>> make_part_answer(const std::string&);
extern template std::unique_ptr<PartAnswer<3>> make_part_answer(const std::string&);

}  // namespace carom
