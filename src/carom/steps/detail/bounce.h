#pragma once

#include <string>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/impact/resolve.h"
#include "carom/steps/detail/rest_rows.h"

namespace carom::detail {

/// What the elastic stage did.
struct BounceSummary {
  ImpactStatus status = ImpactStatus::resolved;
  std::string message;  ///< why the run cannot go on
  Index rows = 0;
  std::uint64_t applications = 0;
  std::uint64_t applications_total = 0;
  double lineality_energy = 0.0;
};

/// The stage before the program at rest: rows whose contact has restitution and that close faster
/// than gravity makes them in a step bounce by the operator of the scene, until none does. A lone
/// contact is followed through with its friction (friction_model "collision"), several that meet
/// rub along their slip; neither raises the energy.
class Bounce {
 public:
  /// `settings` without a pool are given one by the caller.
  Bounce(const World& world, const ImpactSettings& settings, double activation);

  /// Changes velocities, and adds what the rows did to their `bounce`.
  [[nodiscard]] BounceSummary run(const RestMoment& moment, Index most_rounds,
                                  std::vector<RestRow>& rows, BodyVelocities& velocities);

 private:
  [[nodiscard]] bool closes_fast(const RestMoment& moment, const RestRow& row,
                                 const BodyVelocities& velocities,
                                 const BodyVelocities& middle) const;

  const World* world_;
  ImpactSettings settings_;
  double activation_;
  ContactAssembler assembler_;
};

}  // namespace carom::detail
