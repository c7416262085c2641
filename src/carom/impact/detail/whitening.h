#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "carom/impact/lineality.h"

namespace carom::detail {

/// Coordinates of a component in which its metric is the identity: z = L^-1 v and y = L' n, with
/// W = L L' for the inverse mass of each block.
struct Whitening {
  std::vector<Index> original_dof;    ///< per block: where it begins in the original layout
  std::vector<Index> local_dof;       ///< per block: where it begins here
  std::vector<Eigen::MatrixXd> root;  ///< L
  Index dof_count = 0;
};

[[nodiscard]] Whitening whiten(const ComponentRows& component);
/// y = L' n, all blocks of the component.
[[nodiscard]] Eigen::VectorXd whitened_row(const ComponentRows& component,
                                           const Whitening& whitening, Index row);
/// Where y has numbers.
[[nodiscard]] std::vector<Index> dofs_of(const ComponentRows& component, const Whitening& whitening,
                                         Index row);
/// z = L^-1 v
[[nodiscard]] Eigen::VectorXd whitened_velocity(const Whitening& whitening,
                                                std::span<const double> velocity);
[[nodiscard]] inline Eigen::VectorXd segment(std::span<const double> values, Index begin,
                                             Eigen::Index size) {
  return Eigen::Map<const Eigen::VectorXd>(values.data() + begin, size);
}

}  // namespace carom::detail
