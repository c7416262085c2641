// The energy of a run: what there was, what came and what went.

#include "carom/runs/energy_ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

// Beside the kinetic energy: what an impact gains beyond it is no round-off.
constexpr double kRoundOffOfSteps = 1e-11;
// Beside all energy: what rests has no kinetic one, and its impacts are known to this only.
constexpr double kRoundOffOfAll = 16.0 * std::numeric_limits<double>::epsilon();

}  // namespace

void EnergyLedger::add(const StepReport& report) {
  const Totals& totals = report.totals;
  if (!started_) {
    started_ = true;
    start_ = totals.energy();
    start_kinetic_ = totals.kinetic;
    start_potential_ = totals.potential;
    least_potential_ = totals.potential;
  }
  now_ = totals.energy();
  least_potential_ = std::min(least_potential_, totals.potential);
  work_ += report.external_work;
  work_done_ += std::max(0.0, report.external_work);
  const double rounding =
      kRoundOffOfSteps * totals.kinetic + kRoundOffOfAll * std::abs(totals.energy());
  if (-report.dissipated > rounding) {
    gained_ -= report.dissipated;
  } else {
    lost_ += report.dissipated;
  }
}

double EnergyLedger::available() const {
  return start_kinetic_ + (start_potential_ - least_potential_) + work_done_;
}

double EnergyLedger::unaccounted() const {
  const double left = now_ - start_ - work_ + lost_ - gained_;
  return available() > 0.0 ? left / available() : 0.0;
}

}  // namespace carom
