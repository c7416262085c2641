#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "carom/impact/operator.h"
#include "carom/solvers/linked_pivoting.h"

namespace carom {

/// Violated rows of points that are connected through their points, two of them or more.
template <std::size_t D>
struct PointPart {
  /// Scaled to n' W n = 1; points are numbered inside the part, a wall is kNone.
  const solvers::LinkedRows<D>* system = nullptr;
  std::span<const double> b;  ///< closing speed of each row, scaled as the row: b < 0
};

/// An operator's form for points, for as many of them as memory holds: one application to one
/// connected part. The loop over applications, the looking for violated rows, the splitting into
/// parts, the reflection of rows that stand alone and the exact energy are those of every operator
/// and stand in points.h. An operator with such a form promises KIN, which leaves a row alone no
/// other answer than its reflection. Each thread has one of its own.
class PointOperator {
 public:
  PointOperator() = default;
  PointOperator(const PointOperator&) = delete;
  PointOperator& operator=(const PointOperator&) = delete;
  virtual ~PointOperator() = default;

  /// Impulses >= 0 on the scaled rows. They are multiplied by the one factor that keeps the energy
  /// (energy_scale.h). The answer may depend on nothing but the part.
  virtual ApplicationStatus apply(const PointPart<2>& part, std::span<double> impulses) = 0;
  virtual ApplicationStatus apply(const PointPart<3>& part, std::span<double> impulses) = 0;
};

/// The registered form of an operator whose info().point_form is PointForm::registered; the
/// specification as for make_operator, with the same errors.
[[nodiscard]] std::unique_ptr<PointOperator> make_point_operator(std::string_view specification);

}  // namespace carom
