#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/resolve.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {

/// The impact problem of bodies that are points (balls that do not turn) or spheres as plain
/// arrays, for as many of them as memory holds. The caller answers for the numbers: nothing is
/// checked here.
///
/// A normal impulse does not turn a sphere, so that spheres are points until they rub.
struct PointProblem {
  struct Row {
    Index a = 0;
    Index b = kNone;                 ///< kNone: a wall
    std::array<double, 3> normal{};  ///< unit length, from b (or the wall) to a
    /// The row is closing when a moves away from the other side by less than this: the normal speed
    /// of a wall; between points 0, or the speed at which they are to part.
    double offset = 0.0;
    double restitution = 1.0;
  };
  /// What friction wants to know of a row.
  struct Rubbing {
    double friction = 0.0;            ///< Coulomb coefficient, >= 0
    double arm_a = 0.0;               ///< from the place of contact to a's centre, along the normal
    double arm_b = 0.0;               ///< from b's centre to the place of contact, likewise
    std::array<double, 3> surface{};  ///< velocity of the wall; 0 between points
  };

  int dimension = 2;             ///< 2 or 3
  std::vector<double> velocity;  ///< `dimension` numbers for each point
  std::vector<double> mass;
  /// As velocity. Where neither these nor place_of are given no component is known to be unlocked.
  std::vector<double> position;
  /// The same, one point at a time: only who has many applications behind it is asked for.
  std::function<std::array<double, 3>(Index point)> place_of;
  std::vector<Row> rows;
  /// Of each point, numbered in the order of their first points; or empty: found from the rows.
  std::vector<Index> component;
  /// Rows from this one on wait, kNone: there are none. They take part from when `wakes` says so,
  /// which is asked whenever no row that takes part is closing, about those whose points have other
  /// velocities than at the last time (at first: than given). Only with gr and qce, without
  /// friction and where every restitution is 1.
  Index waiting_from = kNone;
  using Velocity = std::array<double, 3>;  ///< in two dimensions the last is 0
  /// The velocities of a row's two sides; 0 for a wall.
  std::function<bool(Index row, const Velocity& a, const Velocity& b)> wakes;
  /// One for each row that waits: it need not be asked unless it closes faster than this.
  std::vector<double> waking_speed;
  /// Where more rows would take part the impact is not brought to its end: budget_exhausted.
  Index most_woken = kNone;
  /// Whether the points of a row do not touch yet; or nothing. Where a component with such a row
  /// would go the general way, which is where locks are found, the impact is not brought to its
  /// end: budget_exhausted and PointReport::open_lock.
  std::function<bool(Index row)> is_open;
  // Of spheres, where some turn; else empty.
  std::vector<double> spin;         ///< angular velocity, 1 number (2D) or 3 for each point
  std::vector<double> turn_weight;  ///< 1 / moment of inertia of each point; 0: it does not turn
  std::vector<Rubbing> rubbing;     ///< one for each row, or empty: nothing rubs

  [[nodiscard]] Index point_count() const { return static_cast<Index>(mass.size()); }
  [[nodiscard]] bool knows_places() const { return !position.empty() || place_of; }
  /// Of a point, if it is known; in two dimensions the last number is 0.
  [[nodiscard]] std::array<double, 3> place(Index point) const;
  /// How many numbers the angular velocity of a point has.
  [[nodiscard]] std::size_t turns() const { return dimension == 2 ? 1 : 3; }
  void clear() {
    velocity.clear();
    mass.clear();
    position.clear();
    place_of = nullptr;
    rows.clear();
    component.clear();
    waiting_from = kNone;
    wakes = nullptr;
    waking_speed.clear();
    most_woken = kNone;
    is_open = nullptr;
    spin.clear();
    turn_weight.clear();
    rubbing.clear();
  }
};

/// Where the time of an impact went: wall time, s, summed over the threads. Results do not depend
/// on it.
struct SolverSeconds {
  double layout = 0.0;       ///< rows and components into arrays and back, restitution, laws
  double front = 0.0;        ///< looking for violated rows, rows answered alone, sorting into parts
  double small_parts = 0.0;  ///< parts of a few rows, dense
  double linked_parts = 0.0;  ///< larger ones, pivoting on a factor of the contact graph
  double other_parts = 0.0;   ///< operators and parts that the general solvers took
  double inelastic = 0.0;     ///< the inelastic response, parts and all
  double friction = 0.0;      ///< tangential impulses and the closing pass
  double general = 0.0;       ///< whole components that went the general way

  SolverSeconds& operator+=(const SolverSeconds& more);
};

/// What happened, summed up over the components.
struct PointReport {
  ImpactStatus status = ImpactStatus::resolved;
  Index components = 0;
  std::uint64_t applications = 0;  ///< the most of any component
  std::uint64_t applications_total = 0;
  double momentum_linear = 0.0;  ///< the worst component, as in ComponentReport
  double energy = 0.0;           ///< the one with the largest absolute value
  double lineality_energy = 0.0;
  Index largest_part = 0;                ///< rows of the largest part solved at once
  bool open_lock = false;                ///< see PointProblem::is_open
  Index handed_over = 0;                 ///< components that went the general way ...
  std::vector<ComponentReport> general;  ///< ... and what happened there, numbered as here
  SolverSeconds seconds;
};

/// Resolves the impacts of points: the same laws, operators and components as resolve_impacts, on a
/// path made for size.
///
///  - Front: after an application only the rows of points whose velocity changed are looked at, and
///    what is violated there is all that is violated.
///  - Parts: violated rows that share no point with another are answered at once; the others are
///    split into their connected parts, which is exact (A is block diagonal over them).
///  - All components advance side by side; each has its own frame, speed scale and end.
///  - Friction follows the normal impulses, part by part (detail/sphere_friction.h), and an
///    inelastic pass follows friction. Where there is friction the normal impulses of redundant
///    rows are those of least norm, as its bounds depend on them; else they are one of the possible
///    answers.
///  - What is not made for it goes to resolve_impacts, component by component: different
///    coefficients of restitution in one component (unless mixed_restitution is direct), and
///    components that may be locked (see anti_locking_after; a component that could blow up
///    uniformly cannot be, and is not asked).
///
/// Working memory is kept from one call to the next. Same problem, same settings: same bits, for
/// any number of threads.
class PointResolver {
 public:
  PointResolver();
  ~PointResolver();
  PointResolver(const PointResolver&) = delete;
  PointResolver& operator=(const PointResolver&) = delete;

  /// Whether these settings can be met here: gr, qce or gauss_seidel, interpolated restitution, at
  /// most one pass of friction, energy kept by scaling impulses, no observer.
  [[nodiscard]] static bool supports(const ImpactSettings& settings);

  /// The settings must be supported and valid (resolve_impacts of an empty problem checks that).
  void resolve(const PointProblem& problem, const ImpactSettings& settings);

  /// Shows every connected part of the elastic iteration (two rows and more) before it is solved:
  /// min 1/2 x'Ax + 2 b'x, x >= 0, on rows scaled to A_ii = 1. What it points to is valid during
  /// the call. For recording; an empty function ends it.
  using PartObserver = std::function<void(const solvers::QuadraticProgram& part)>;
  void observe_parts(PartObserver observer);

  [[nodiscard]] const PointReport& report() const { return report_; }
  [[nodiscard]] std::span<const double> velocity() const { return velocity_; }
  [[nodiscard]] std::span<const double> impulses() const { return impulses_; }
  /// Angular velocities, as PointProblem::spin.
  [[nodiscard]] std::span<const double> spin() const { return spin_; }
  /// Of each row, on a; empty where nothing rubs.
  [[nodiscard]] std::span<const std::array<double, 3>> friction() const { return friction_; }
  /// Rows that waited and woke, in the order in which they did.
  [[nodiscard]] std::span<const Index> woken() const { return woken_; }
  /// The component of each point, and how each component ended.
  [[nodiscard]] std::span<const Index> component_of() const { return component_of_; }
  [[nodiscard]] std::span<const ImpactStatus> component_status() const { return status_; }

 private:
  class Engine;
  PointReport report_;
  PartObserver part_observer_;
  std::vector<double> velocity_;
  std::vector<double> impulses_;
  std::vector<double> spin_;
  std::vector<std::array<double, 3>> friction_;
  std::vector<Index> woken_;
  std::vector<Index> component_of_;
  std::vector<ImpactStatus> status_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace carom
