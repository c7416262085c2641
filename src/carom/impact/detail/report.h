#pragma once

#include <span>

#include "carom/impact/resolve.h"
#include "carom/impact/system.h"

namespace carom {

/// What the laws are measured from, in the component's frame.
struct ComponentOutcome {
  std::span<const double> velocity;    ///< after the impact
  std::span<const double> lambda;      ///< scaled normal impulses
  std::span<const double> tangential;  ///< two per row; empty without friction
  double energy_removed = 0.0;         ///< by anti-locking: not counted against KIN
};

/// Measures MOM, KIN, ONE and FEAS and writes them into the report.
void measure_laws(const ComponentSystem& system, const ComponentOutcome& outcome,
                  ComponentReport& report);

/// Worst of the components.
[[nodiscard]] ImpactReport summarise(std::vector<ComponentReport> components);

}  // namespace carom
