#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/points.h"
#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"

namespace carom {

/// The components of a PointProblem that go the general way, as an ImpactProblem, and back.
class PointDetour {
 public:
  /// Takes the rows that `leaves` names.
  void build(const PointProblem& problem, const std::function<bool(Index)>& leaves);
  [[nodiscard]] const ImpactProblem& problem() const { return problem_; }

  struct Arrays {
    std::span<double> velocity;
    std::span<double> spin;
    std::span<double> impulses;
    std::span<std::array<double, 3>> friction;
  };
  /// Writes an outcome over those of the points and rows that took part.
  void read(const ImpactResult& result, const Arrays& to) const;
  /// Numbers of bodies and rows as the PointProblem counts them.
  void renumber(ComponentReport& component) const;

 private:
  Index body(Index point);
  [[nodiscard]] RowDefinition row(Index number);
  [[nodiscard]] bool turns(Index point) const;

  const PointProblem* from_ = nullptr;
  ImpactProblem problem_;
  std::vector<Index> body_of_;  ///< per point; kNone: not in it
  std::vector<Index> points_;   ///< of the problem's bodies
  std::vector<Index> rows_;     ///< of the problem's rows
};

}  // namespace carom
