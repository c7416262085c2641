#pragma once

#include <vector>

#include <Eigen/Core>

#include "carom/impact/detail/whitening.h"
#include "carom/impact/lineality.h"

namespace carom::detail {

/// The span of implicit equalities E. Rows that share no block, not even through others, span
/// directions of their own.
struct SpanPart {
  std::vector<Index> dofs;  ///< empty: all
  Eigen::MatrixXd basis;    ///< orthonormal; empty: every direction of these dofs
};
struct EqualitySpan {
  std::vector<SpanPart> parts;
  std::vector<Index> part_of;  ///< of a dof, kNone: none; empty where there is one part at most

  [[nodiscard]] bool empty() const { return parts.empty(); }
};

struct EqualityRows {
  const ComponentRows& component;
  const Whitening& whitening;
  const std::vector<Index>& equalities;  ///< positions in component.active
  const LinealitySettings& settings;
};
/// The span of E, and the smallest z with E' z = w_E. False: it was stopped.
[[nodiscard]] bool span_equalities(const EqualityRows& rows, EqualitySpan& span,
                                   Eigen::VectorXd& particular);

/// Away from the span of E, in coordinates where the metric is the identity.
void project_away(const EqualitySpan& span, Eigen::VectorXd& y);

}  // namespace carom::detail
