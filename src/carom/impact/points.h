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

/// The impact problem of bodies that are points (balls that do not turn) as plain arrays, for as
/// many of them as memory holds. The caller answers for the numbers: nothing is checked here.
struct PointProblem {
  struct Row {
    Index a = 0;
    Index b = kNone;                 ///< kNone: a wall
    std::array<double, 3> normal{};  ///< unit length, from b (or the wall) to a
    double offset = 0.0;             ///< normal speed of the wall; 0 between points
    double restitution = 1.0;
  };

  int dimension = 2;             ///< 2 or 3
  std::vector<double> velocity;  ///< `dimension` numbers for each point
  std::vector<double> mass;
  std::vector<double>
      position;  ///< as velocity, or empty: then no component is known to be unlocked
  std::vector<Row> rows;

  [[nodiscard]] Index point_count() const { return static_cast<Index>(mass.size()); }
  void clear() {
    velocity.clear();
    mass.clear();
    position.clear();
    rows.clear();
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
///  - What is not made for it goes to resolve_impacts, component by component: different
///    coefficients of restitution in one component, and components that may be locked (see
///    anti_locking_after; a component that could blow up uniformly cannot be, and is not asked).
///
/// Working memory is kept from one call to the next. Same problem, same settings: same bits, for
/// any number of threads.
class PointResolver {
 public:
  PointResolver();
  ~PointResolver();
  PointResolver(const PointResolver&) = delete;
  PointResolver& operator=(const PointResolver&) = delete;

  /// Whether these settings can be met here: gr, qce or gauss_seidel, interpolated restitution,
  /// no friction, energy kept by scaling impulses, no observer.
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

 private:
  class Engine;
  PointReport report_;
  PartObserver part_observer_;
  std::vector<double> velocity_;
  std::vector<double> impulses_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace carom
