#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/problem.h"
#include "carom/solvers/block_rows.h"

namespace carom {

/// Bodies joined by rows; fixed and scripted ones join nothing. Components are independent physical
/// systems: tolerance, restitution, iteration count and termination are their own.
struct Component {
  std::vector<Index> bodies;  ///< movable ones, ascending
  std::vector<Index> rows;    ///< ascending
};

/// By smallest body. Bodies that no row touches are in none.
[[nodiscard]] std::vector<Component> find_components(const ImpactProblem& problem);

/// One component compiled for the solvers: block k is its k-th body, row k its k-th row, scaled to
/// n' W n = 1; velocities and offsets in the component's frame.
///
/// Frame: velocities must not depend on the observer. A component that touches nothing fixed or
/// scripted is seen from its centre of mass; one whose scripted bodies all share one rigid motion,
/// from that motion; any other from the lab. Where the rows do not allow the change (gradients that
/// are no contact rows, positions unknown), it is the lab as well.
struct ComponentSystem {
  const ImpactProblem* problem = nullptr;
  std::vector<Index> bodies;       ///< as numbered in the problem
  std::vector<Index> row_ids;      ///< as numbered in the problem
  bool free = true;                ///< touches nothing fixed or scripted
  bool in_centre_of_mass = false;  ///< that is the frame
  /// Powers of two: velocities and masses here are the given ones divided by these, so that no
  /// square of them overflows or vanishes. Impulses are in units of both.
  double velocity_unit = 1.0;
  double mass_unit = 1.0;
  double speed_scale = 0.0;  ///< u: the largest |v_body|_M and scaled |w_i|, in the frame
  solvers::BlockRows rows;
  std::vector<Index> all_rows;    ///< 0, 1, 2, ...
  std::vector<Index> all_blocks;  ///< 0, 1, 2, ...
  std::vector<double> scale;      ///< scaled row = scale * given row
  std::vector<double> velocity;   ///< before the impact, in the frame
  std::vector<double> field;      ///< per dof: the frame's motion, to be added back
  std::vector<double> offset;     ///< w, scaled, in the frame
  std::vector<double>
      tangent_offset;  ///< two per row: w along its tangents, in the frame, unscaled
  std::vector<double> restitution;
  std::vector<double> stiffness;

  ComponentSystem(const ImpactProblem& from, const Component& component);

  /// Gives the component back the linear momentum it had, by a uniform velocity: for routes that
  /// keep momentum only to round-off times the root of the mass ratio. Does nothing where the
  /// component is not free or was not seen from its centre of mass.
  void restore_momentum(std::span<double> v) const;
  /// v' M v of one block.
  [[nodiscard]] double block_energy(Index block, std::span<const double> v) const;
  /// 1/2 v' M v
  [[nodiscard]] double kinetic_energy(std::span<const double> v) const;
  /// The same less what moving surfaces put in by these impulses, one per row.
  [[nodiscard]] double balance(std::span<const double> v, std::span<const double> impulses) const;
  /// Whether a surface moves along a normal, as the frame sees it.
  [[nodiscard]] bool some_surface_moves() const;
  /// Of the problem's units.
  [[nodiscard]] double impulse_unit() const { return mass_unit * velocity_unit; }
  /// A velocity as the problem has it, in place. A body whose velocity did not change keeps its
  /// bits.
  void write(std::span<const double> v, std::span<double> all) const;
};

}  // namespace carom
