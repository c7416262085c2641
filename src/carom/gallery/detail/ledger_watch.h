#pragma once

#include <functional>

#include "carom/gallery/gallery.h"
#include "carom/plots/plot.h"
#include "carom/runs/claim.h"
#include "carom/scene/scene.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {

/// A run under "asynchronous", step by step: whether energies, work and losses add up and momentum
/// is kept. Every state is audited exactly by the run itself, or all motion where its scene says
/// so, and a run in which something crosses ends there.
class LedgerWatch {
 public:
  /// Told after each step; what it does is its own affair.
  using OnStep = std::function<void(const Stepper& stepper, const StepReport& report)>;

  /// Runs the scene to its end, or as far as it goes.
  LedgerWatch(const Scene& scene, const CheckWatch& watch, const OnStep& on_step = {});

  [[nodiscard]] const DataTable& table() const { return table_; }
  [[nodiscard]] bool went_on() const { return failure_.empty(); }
  [[nodiscard]] double kinetic_at_end() const { return kinetic_; }
  [[nodiscard]] double kinetic_at_most() const { return most_kinetic_; }

  /// The claims that every such run makes: it went on to its end, E - work + losses stays within
  /// `band` of the largest of them, momentum with what others took within `momentum_tolerance`.
  void add_claims(const Parameters& parameters, CheckOutcome& outcome) const;
  /// The curves, and the table.
  void add_figure(const std::string& title, CheckOutcome& outcome) const;

 private:
  void run(const Scene& scene, const CheckWatch& watch, const OnStep& on_step);

  DataTable table_{"ledger", {"time", "kinetic", "energy", "account", "smallest_gap"}, {}};
  std::string failure_;
  double kinetic_ = 0.0;
  double most_kinetic_ = 0.0;
  double largest_ = 0.0;  ///< kinetic energy or sum of work and losses
  double off_ = 0.0;
  double momentum_ = 0.0;
  double momentum_scale_ = 0.0;
  double gap_ = 0.0;
};

}  // namespace carom::detail
