#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_parts.h"
#include "carom/impact/points.h"
#include "carom/solvers/tangent_solver.h"

namespace carom {

/// Friction of spheres after their normal impulses: the models, directions and bounds of
/// friction.h,
///     min 1/2 z' D'WD z + z'(D'v_n - w_t)   within   0 <= z <= mu l  or  |z| <= mu l,          (1)
/// found for each connected part of the rows that rub by itself, which is exact: D'WD is block
/// diagonal over them. Where redundant rows leave z a choice it is one of the possible answers;
/// what they do to the spheres is the same for all.
template <std::size_t D>
class SphereFriction {
 public:
  static constexpr std::size_t kTurns = solvers::TangentRows<D>::kTurns;
  using Spin = std::array<double, kTurns>;

  struct Task {
    PointFront<D>* front = nullptr;  ///< velocities after the normal impulses; then after friction
    const PointProblem* problem = nullptr;  ///< rubbing is given
    const ImpactSettings* settings = nullptr;
    std::span<const std::uint8_t> takes_part;   ///< per component
    std::span<const double> normal;             ///< impulses, per row
    std::span<Spin> spin;                       ///< per point; changed like the velocities
    std::span<std::array<double, 3>> friction;  ///< per row, 0 at first: impulse on a
  };

  /// Components with a part that could not be solved are returned.
  [[nodiscard]] const std::vector<Index>& run(const Task& task);
  /// Whether any impulse was found.
  [[nodiscard]] bool acted() const { return acted_; }
  [[nodiscard]] Index largest_part() const { return largest_part_; }

 private:
  using Vector = std::array<double, D>;
  /// Components along a row's tangents.
  using Pair = std::array<double, 2>;
  /// One direction along which a row rubs.
  struct Rub {
    Index row = 0;
    Vector along{};
    Spin turn{};         ///< along x normal: what the arms multiply
    double speed = 0.0;  ///< along it, after the normal impulses
    double lower = 0.0;
    double upper = 0.0;
  };
  struct Worker {
    solvers::TangentRows<D> system;
    solvers::TangentSolver<D> solver;
    std::vector<Index> number;  ///< per point: in the system; kNone between calls
    std::vector<double> c, lower, upper;
  };

  void add_directions(const Task& task, Index row);
  void add(const Task& task, const Rub& rub);
  void solve(const Task& task);
  [[nodiscard]] bool solve_part(const Task& task, std::size_t part, Worker& worker);
  [[nodiscard]] bool solve_lone(const Task& task, std::size_t part);
  void fill(const Task& task, std::size_t part, Worker& worker);
  void apply(const Task& task);

  PointParts<D> parts_;
  std::vector<Rub> rubs_;
  std::vector<Violation<D>> ends_;  ///< of each rub, in the order of parts
  std::vector<double> impulses_;    ///< of each of them
  std::vector<std::uint8_t> solved_;
  std::vector<std::size_t> first_part_;  ///< of each share of the work
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Index> failed_;
  bool acted_ = false;
  Index largest_part_ = 0;
};

extern template class SphereFriction<2>;
extern template class SphereFriction<3>;

}  // namespace carom
