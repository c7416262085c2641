#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/collision_law.h"
#include "carom/impact/operator.h"
#include "carom/impact/problem.h"

namespace carom {

class LongWork;
class WorkerPool;

enum class ImpactStatus : std::uint8_t {  // from best to worst
  resolved,                               ///< ended; every promised law was checked, see the report
  still_closing,  ///< the operator ended but some row is closing (lcp, jacobi: not promised)
  collapsed,      ///< propagated restitution: closing speeds shrink for ever (inelastic collapse)
  diverged,       ///< the operator gains energy without end (jacobi on redundant rows)
  budget_exhausted,  ///< max_applications reached with rows still closing
  solver_failed,     ///< a quadratic program stayed above its tolerance
  infeasible,        ///< scripted surfaces squeeze a body: no velocity can satisfy the rows
  cancelled,         ///< the observer, or that of long work, asked to stop
};
[[nodiscard]] std::string_view to_string(ImpactStatus status);

/// How kinetic energy is kept exactly in spite of round-off and solver tolerance.
enum class EnergyCorrection : std::uint8_t {
  impulse_scaling,           ///< each connected part's impulse, t = -2 b'l / l'Al (default)
  velocity_renormalisation,  ///< the papers' (AWEW Alg. 3, 4): the component's velocity is rescaled
  none,
};

enum class AntiLocking : std::uint8_t {
  lazy,   ///< look for lineality once a component has used anti_locking_after applications
  eager,  ///< before the first application
  off,    ///< never: the printed algorithms; locked problems run into the budget
};

/// How rows with different coefficients of restitution inside one component are combined.
enum class MixedRestitution : std::uint8_t {
  layered,  ///< one solve per distinct coefficient, averaged (default; docs/restitution.md)
  direct,   ///< one blend, then projection and an energy clip; two solves for any number of levels
};

/// Sees every application; returning false stops the resolution with status `cancelled`.
class ImpactObserver {
 public:
  ImpactObserver() = default;
  ImpactObserver(const ImpactObserver&) = delete;
  ImpactObserver& operator=(const ImpactObserver&) = delete;
  virtual ~ImpactObserver() = default;

  struct Event {
    Index component = 0;
    std::uint64_t application = 0;  ///< from 1 within this component's run
    bool restarted_without_lineality = false;
    std::span<const Index> violated_rows;  ///< before this application
    std::span<const Index> impulse_rows;   ///< rows that got an impulse ...
    std::span<const double> impulses;      ///< ... in the units of the given rows
    std::span<const Index> bodies;         ///< bodies of the component
    std::span<const double> velocities;    ///< of all bodies afterwards (problem layout)
  };
  virtual bool on_application(const Event& event) = 0;
};

struct ImpactSettings {
  std::string impact_operator = "gr";              ///< see make_operator
  std::string restitution_model = "interpolated";  ///< interpolated | propagated | qce_lcp
  std::string friction_model = "none";             ///< none | slip | box | collision
  /// Under `collision`: what ends a lone collision, and the model of components with several rows
  /// (none | slip | box).
  RestitutionEnd restitution_end = RestitutionEnd::stronge;
  std::string several_rows_friction = "slip";
  /// Row i is violated when its scaled closing speed is below -tolerance * u, u the speed scale of
  /// its component (root of energy). Dimensionless.
  double tolerance = 1e-10;
  /// Applications per component. 0: no limit for operators that promise FIN (anti-locking makes
  /// the promise true); 10,000 for those that do not, for `propagated` and without anti-locking.
  std::uint64_t max_applications = 0;
  EnergyCorrection energy_correction = EnergyCorrection::impulse_scaling;
  AntiLocking anti_locking = AntiLocking::lazy;
  std::uint64_t anti_locking_after = 1000;  ///< 0 is eager
  /// Margins rho (dimensionless, between 0 and 1) at or below this count as lineality. Near-locked
  /// rows above it are iterated, at a cost of the order of 1/rho applications.
  double lineality_threshold = 1e-6;
  MixedRestitution mixed_restitution = MixedRestitution::layered;
  std::uint64_t layer_applications =
      1000;                            ///< per mixed layer, before it is finished inelastically
  unsigned friction_passes = 1;        ///< more than 1: staggered repetitions
  bool certificate = false;            ///< compute margin and bound for the report
  ImpactObserver* observer = nullptr;  ///< not owned
  /// Is asked from time to time while impacts take long, and may stop them with status `cancelled`;
  /// unlike an observer it changes nothing about how the work is shared out. Not owned.
  LongWork* work = nullptr;
  /// Components are shared out over its threads, to the same bits; none: one after the other, as
  /// always with an observer. Not owned.
  WorkerPool* pool = nullptr;
};

/// What happened in one connected component. Relative residuals; 0 is perfect.
struct ComponentReport {
  ImpactStatus status = ImpactStatus::resolved;
  std::vector<Index> bodies;
  std::vector<Index> rows;
  std::uint64_t applications = 0;
  bool free = false;             ///< touches no fixed or scripted body: momentum is judged
  double speed_scale = 0.0;      ///< u
  double momentum_linear = 0.0;  ///< |change| / sum of the bodies' |m v| in the component's frame
  std::optional<double> momentum_angular;  ///< where every position is known
  /// W / (kinetic energy before + |work of scripted surfaces|), in the component's frame and
  /// without the loss of anti-locking; 0 for an elastic impact, negative when energy was lost.
  double energy = 0.0;
  double total_impulse = 0.0;  ///< sum of the scaled impulses over |v|_M; at most 2 / margin
  double one_sided = 0.0;      ///< largest pull, relative to the largest impulse; 0 is none
  double feasibility = 0.0;    ///< largest closing speed left, in units of u; 0 is none
  /// |v_plus - v - M^-1 (N lambda + friction)|_M over |v|_M + |v_plus|_M; 0: the impulses explain
  /// the velocities.
  double unexplained = 0.0;
  bool lineality_checked = false;
  std::vector<Index> lineality_rows;        ///< rows found to be implicit equalities
  double lineality_energy = 0.0;            ///< relative energy that they took
  std::optional<double> margin;             ///< rho, where it was computed
  std::optional<double> application_bound;  ///< a priori, from the margin
  std::uint64_t layers = 1;                 ///< solves made for different coefficients
  std::uint64_t layers_finished_inelastically = 0;
  bool friction_fell_back = false;  ///< staggered passes would have gained energy: one was kept
  bool energy_clipped = false;      ///< a restitution rule had to give energy back
  /// What `friction_model = "collision"` did with a lone contact; `none` elsewhere.
  SlipCourse slip_course = SlipCourse::none;
  bool closes_faster = false;  ///< likewise: for a while the impulse raised the closing speed
};

struct ImpactReport {
  ImpactStatus status = ImpactStatus::resolved;  ///< the worst of the components
  std::uint64_t applications = 0;                ///< the largest of the components
  std::uint64_t applications_total = 0;
  double momentum_linear = 0.0;  ///< worst of the components, as the fields below
  std::optional<double> momentum_angular;
  double energy = 0.0;            ///< the one with the largest absolute value
  double lineality_energy = 0.0;  ///< the largest relative energy removed by anti-locking
  double one_sided = 0.0;
  double feasibility = 0.0;
  double unexplained = 0.0;
  std::vector<ComponentReport> components;
  double seconds = 0.0;  ///< wall time
};

struct ImpactResult {
  ImpactStatus status = ImpactStatus::resolved;
  std::vector<double> velocities;         ///< layout of ImpactProblem::velocities()
  std::vector<double> impulses;           ///< normal impulse of each given row
  std::vector<double> friction_impulses;  ///< two per row: along its first and second tangent
  ImpactReport report;

  [[nodiscard]] std::span<const double> velocity(const ImpactProblem& problem, Index body) const {
    return {velocities.data() + problem.body(body).dof, problem.body(body).size};
  }
};

[[nodiscard]] std::vector<std::string> restitution_model_names();
[[nodiscard]] std::vector<std::string> friction_model_names();
/// Those that components with several rows may have.
[[nodiscard]] std::vector<std::string> several_rows_friction_names();
/// The model of components with several rows: that of the settings, or under `collision` its
/// second.
[[nodiscard]] const std::string& several_rows_friction(const ImpactSettings& settings);

/// Resolves all impacts of one instant. Throws InputError on unusable settings; every numerical
/// outcome is a status. Same problem, same settings: same bits.
[[nodiscard]] ImpactResult resolve_impacts(const ImpactProblem& problem,
                                           const ImpactSettings& settings = {});

}  // namespace carom
