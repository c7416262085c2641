#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/stepping/stepper.h"
#include "carom/steps/detail/checkpoint.h"

namespace carom::detail {

/// Steps a simulation whose bodies lie in another order in memory (space_order.h), and shows them
/// in the order in which they were given.
class OrderedStepper final : public Stepper {
 public:
  /// Body k of what is stepped is body `order`[k] of the simulation, which must outlive it.
  OrderedStepper(const Simulation& simulation, std::vector<Index> order);

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::span<const VelocityChange> shown_changes() const override { return changes_; }
  [[nodiscard]] std::optional<Totals> own_totals() const override { return inner_->own_totals(); }
  [[nodiscard]] std::string save() const override { return write_checkpoint(state_); }
  void load(std::string_view bytes) override;
  void note_impulses(bool note) override { inner_->note_impulses(note); }
  [[nodiscard]] std::vector<ContactImpulse> impulses() const override;
  /// Its bodies are those of the impact, in the order in which they lie; they have their names.
  [[nodiscard]] ImpactProblem resolved_problem() const override {
    return inner_->resolved_problem();
  }

 private:
  void copy_state();

  const Simulation* given_;
  std::vector<Index> order_;
  Simulation simulation_;
  std::unique_ptr<Stepper> inner_;
  State state_;
  std::vector<VelocityChange> changes_;  ///< that are shown
};

}  // namespace carom::detail
