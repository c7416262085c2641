#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "carom/core/index_set.h"
#include "carom/core/types.h"
#include "carom/impact/operator.h"
#include "carom/solvers/block_rows.h"

namespace carom {

class LongWork;

/// The rows of one component as the loop sees them: as given, or after anti-locking.
struct IterationRows {
  const solvers::BlockRows* rows = nullptr;  ///< n' W n = 1
  std::span<const Index> active;
  std::span<const double> scale;      ///< per row
  std::span<const double> offset;     ///< per row
  std::span<const double> stiffness;  ///< per row
  double threshold = 0.0;             ///< epsilon u
};

/// Before and after one application, for whoever watches.
struct IterationEvent {
  std::uint64_t application = 0;
  std::span<const Index> violated;  ///< before; any order
  const Impulses* impulses = nullptr;
  std::span<const double> velocity;  ///< after
};

struct IterationSettings {
  std::uint64_t budget = 0;  ///< applications; 0: none
  /// `is_locked` is asked once: after so many applications (0: never), or earlier when the impulses
  /// add up to more than impulse_limit, which proves a margin below the lineality threshold.
  std::uint64_t lineality_after = 0;
  double impulse_limit = kInfinity;
  std::function<bool()> is_locked = {};
  /// Where set (u): closing speeds that shrink for ever, far below round-off of u, or that stay
  /// although nothing changes any more, are an inelastic collapse.
  double collapse_scale = 0.0;
  /// A closing or opening speed above this is a divergence (operators that do not keep energy).
  double diverged_above = kInfinity;
  bool exact_energy = true;
  LongWork* work = nullptr;  ///< may stop the loop between two applications
  /// Where set: called after every application, may change the component's velocity (the printed
  /// renormalisation).
  std::function<void(std::span<double>)> correct_velocity = {};
  std::function<bool(const IterationEvent&)> observer = {};
};

enum class IterationEnd : std::uint8_t {
  feasible,  ///< no row is violated
  once,      ///< the operator has one application, and rows are still violated
  budget,
  locked,  ///< is_locked said so, or no finite impulse exists
  collapsed,
  diverged,
  inner_budget,  ///< the operator's own integration ran out of steps
  stalled,       ///< an application changed nothing although rows are violated
  cancelled,
};

/// The one loop of every operator: apply while a row is violated. Only rows that touch a body whose
/// velocity changed are looked at again.
class ImpactLoop {
 public:
  explicit ImpactLoop(const solvers::BlockRows& rows);

  struct Outcome {
    IterationEnd end = IterationEnd::feasible;
    std::uint64_t applications = 0;
    double total_impulse = 0.0;
    bool solver_failed = false;  ///< some QP stayed above its tolerance
  };

  /// `response` per row: 1 elastic .. 0 inelastic. Velocity and impulses are updated in place.
  Outcome run(ImpactOperator& impact_operator, const IterationRows& component,
              const IterationSettings& settings, std::span<const double> response,
              std::span<double> velocity, std::span<double> lambda);

 private:
  [[nodiscard]] double largest_violation() const;
  [[nodiscard]] double fastest_touched(const IterationRows& component) const;
  void look_at(const IterationRows& component, Index row, std::span<const double> velocity);
  /// Returns their sum.
  double apply_impulses(const IterationRows& component, std::span<double> velocity,
                        std::span<double> lambda);

  IndexSet violated_;
  std::vector<double> b_;
  Impulses impulses_;
  std::vector<Index> violated_before_;
  std::vector<Index> touched_;  // blocks
  std::vector<std::uint64_t> block_stamp_;
  std::uint64_t stamp_ = 0;
};

}  // namespace carom
