#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"

namespace carom {

class LongWork;

/// Rows of one component, scaled to n' W n = 1, and what is asked of them: n_i . v >= offset_i.
struct ComponentRows {
  const solvers::BlockRows* rows = nullptr;
  std::span<const Index> active;   ///< the component's rows
  std::span<const Index> blocks;   ///< the component's blocks, ascending
  std::span<const double> offset;  ///< per row of `rows`: scaled w
  double speed_scale = 0.0;        ///< u > 0
};

enum class LinealityStatus : std::uint8_t {
  none,        ///< strictly feasible: the margin is above the threshold
  equalities,  ///< some rows can only hold with equality
  infeasible,  ///< scripted surfaces close on a body: no velocity satisfies the rows
  stopped,     ///< by the observer of long work
};

/// The component after anti-locking: implicit equalities projected out of velocity and rows.
///
/// Reference: Vouga2017 section 4.1, Alg. 2; margin and support by Wolfe1976. With
///   rho = min |N l|_W over l >= 0, sum l = 1                                               (1)
/// the rows are strictly feasible iff rho > 0. Where rho is at most the threshold, the support of
/// the minimiser joins the set E of equalities, the other rows are projected,
///   n <- n - E (E' W E)^+ E' W n,                                                          (2)
/// rows that vanish are equalities too, the rest rescaled; again until the margin is above the
/// threshold. (Where a surface moves, a row that vanishes may also be one that stays open.)
/// The velocity becomes the nearest one with E' v = w_E, in the mass metric.
/// Scripted rows (some w != 0) are tested with (n_i, -w_i/u) and one extra row (0, 1): margin 0
/// with the extra row in the support is infeasible. Departs from the paper: its line 6 treats
/// gradients as velocities (M for M^-1); it finds E by linear programs (Support and Shave), we by
/// minimum-norm points. Everything here is done in coordinates z with v = L z, W = L L', where the
/// metric is the identity.
struct UnlockedComponent {
  solvers::BlockRows rows;  ///< identity metric; row k stands for original row row_of[k]
  std::vector<Index> row_of;
  std::vector<double> stretch;   ///< row k = stretch * (original row - its part in E)
  std::vector<double> offset;    ///< per row k
  std::vector<double> velocity;  ///< z after the projection
  /// E and every other row that can only hold with equality then, as original rows, ascending.
  std::vector<Index> equalities;

  /// v = L z on the component's blocks, in the dof layout of the original rows.
  void to_velocity(std::span<const double> z, std::span<double> v) const;

  /// Adds a row over the component's blocks (gradients in the original coordinates, numbered as in
  /// the component) to `to`, in these coordinates and away from E. `to` must have the same blocks
  /// as `rows`.
  Index add_row(std::span<const solvers::RowPart> parts, solvers::BlockRows& to) const;

  struct Geometry;
  std::shared_ptr<const Geometry> geometry;
};

struct Lineality {
  LinealityStatus status = LinealityStatus::none;
  double margin = 0.0;  ///< rho of all rows
  /// Where infeasible: the rows that contradict each other.
  std::vector<Index> contradiction;
  /// Where equalities were found.
  std::unique_ptr<UnlockedComponent> unlocked;
};

struct LinealitySettings {
  double threshold = 1e-6;  ///< margins at or below it are lineality
  /// Directions of E, and projected rows, shorter than this vanish. At the threshold itself, what
  /// is nearly locked keeps its motion along the near-lock; rows may then be left closing by up to
  /// the threshold. Far below it the near-lock jams, and every row is satisfied.
  double rank_threshold = 1e-6;
  LongWork* work = nullptr;  ///< may stop the search between two supports
};

/// `velocity`: dof layout of the rows; what is projected where equalities are found.
[[nodiscard]] Lineality find_lineality(const ComponentRows& component,
                                       std::span<const double> velocity,
                                       const LinealitySettings& settings);

/// rho alone, and the bound on the number of applications that follows from it: every application
/// of total impulse s raises <x, v>_M by at least rho s for a unit x, and moves at least
/// `least_impulse` (2 epsilon u; qce: epsilon u), so there are at most
/// 2 |v|_M / (rho least_impulse). Valid without scripted motion; the margin may be 0.
[[nodiscard]] double lineality_margin(const ComponentRows& component);
[[nodiscard]] double application_bound(double margin, double speed, double least_impulse);

}  // namespace carom
