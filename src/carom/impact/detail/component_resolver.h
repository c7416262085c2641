#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/restitution.h"
#include "carom/impact/detail/unlocked_work.h"
#include "carom/impact/iterate.h"
#include "carom/impact/lineality.h"
#include "carom/impact/operator.h"
#include "carom/impact/resolve.h"
#include "carom/impact/system.h"

namespace carom {

/// Where the outcome of a component is written, in the layout of the problem.
struct ResolvedArrays {
  std::span<double> velocities;
  std::span<double> impulses;
  std::span<double> friction_impulses;
};

/// Resolves one component, in its own frame and numbering: normal impulses with restitution, anti-
/// locking where it is needed, friction, and the measurement of the laws.
///
/// A component passes through at most three attempts. As given; without its implicit equalities,
/// with what is nearly locked free to move along the near-lock; and, where that leaves rows
/// closing, with the near-lock taken as a jam. Each starts again from the first velocity.
class ComponentResolver {
 public:
  ComponentResolver(const ComponentSystem& system, Index number, ImpactOperator& impact_operator,
                    const ImpactSettings& settings);

  [[nodiscard]] ComponentReport run(const ResolvedArrays& result);

 private:
  [[nodiscard]] bool any_violated() const;
  [[nodiscard]] std::uint64_t budget() const;
  [[nodiscard]] IterationSettings iteration_settings(std::uint64_t lineality_after);
  [[nodiscard]] bool renormalises() const;

  void resolve_normal();
  void resolve_lone();
  void resolve_with_friction();
  bool jam();
  bool unlock_after_friction();
  bool look_for_lineality(double rank_threshold);
  void iterate_given(std::uint64_t lineality_after);
  void iterate_unlocked();
  void leave_unlocked();
  void close_gaps();
  void account_for_lineality();
  void rub();
  void certify();
  void conclude();
  void note(const RestitutionOutcome& outcome);
  void note(solvers::QpStatus status);

  bool show(const IterationEvent& event);
  void write(const ResolvedArrays& result) const;

  const ComponentSystem& system_;
  Index number_;
  ImpactOperator& operator_;
  const ImpactSettings& settings_;
  std::vector<double> velocity_;
  std::vector<double> lambda_;
  std::vector<double> tangential_;
  IterationRows given_rows_;
  std::unique_ptr<UnlockedComponent> unlocked_;
  UnlockedWork work_;
  double energy_removed_ = 0.0;
  bool locked_ = false;
  bool solver_failed_ = false;
  ComponentReport report_;
};

}  // namespace carom
