#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/contact_engine.h"
#include "carom/asynchronous/detail/window_path.h"
#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem.h"
#include "carom/stepping/long_step.h"
#include "carom/stepping/stepper.h"

namespace carom::asynchronous {

/// Where the numbers of this scheme stand in StepReport::own.
struct OwnNumber {
  static constexpr std::size_t kContactEnergy = 0;
  static constexpr std::size_t kLostToRestitution = 1;
  static constexpr std::size_t kLostToFriction = 2;
  static constexpr std::size_t kLostToDamping = 3;
  static constexpr std::size_t kWorkOfLed = 4;
  static constexpr std::size_t kWorkOfForces = 5;
  static constexpr std::size_t kDeepestLayer = 6;
  static constexpr std::size_t kSmallestGap = 7;
  static constexpr std::size_t kForceKicks = 8;
  static constexpr std::size_t kContactTicks = 9;
  static constexpr std::size_t kCertificates = 10;
  static constexpr std::size_t kTakenX = 11;
  static constexpr std::size_t kTakenY = 12;
  static constexpr std::size_t kTakenZ = 13;
  static constexpr std::size_t kAuditedGap = 14;
  static constexpr std::size_t kLimitEnergy = 15;
  static constexpr std::size_t kLimitUsed = 16;
};

/// The scheme "asynchronous": a step lets the engine run up to the next multiple of `time.step` and
/// says what happened; nothing depends on it. The state of every step is audited, and where the
/// setting `audit` wants it all motion between: exactly, and without any knowledge of what the
/// engine believes.
///
/// Energies are those of velocities and positions at one moment (half kicks), and momentum is that
/// of free bodies; the potential energy includes what contact stores.
class AsynchronousStepper final : public Stepper, public LongStepper {
 public:
  explicit AsynchronousStepper(const Simulation& simulation);
  /// With another mesh for the audit than that of the simulation: to see it find something.
  AsynchronousStepper(const Simulation& simulation, const AuditMesh& audited);

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::optional<Totals> own_totals() const override;
  [[nodiscard]] std::vector<double> body_numbers() const override;
  [[nodiscard]] std::string save() const override;
  void load(std::string_view bytes) override;
  void watch_within(Watch watch) override { watch_ = std::move(watch); }

 private:
  void take_state(std::uint64_t step);
  [[nodiscard]] Totals totals_of(const Ledger& ledger) const;
  void add_sums(const Ledger& ledger, StepReport& report) const;
  [[nodiscard]] std::string text_of(const AdvanceReport& advanced) const;
  void fail(StepReport& report, std::string_view word, std::string message) const;
  [[nodiscard]] AdvanceReport advance(StepReport& report);
  void audit_motion(StepReport& report);
  void audit_state(StepReport& report);
  [[nodiscard]] bool goes_on(const AdvanceReport& so_far);

  const Simulation* simulation_;
  Problem problem_;
  std::unique_ptr<ContactEngine> engine_;
  Audit audit_;
  detail::WindowPath window_;
  bool audits_states_ = true;
  bool audits_motion_ = false;
  Ledger before_;        ///< at the end of the last step
  EventCounts counted_;  ///< likewise
  State state_;
  Configuration configuration_;
  Watch watch_;
  enum class Interruption : std::uint8_t { none, full_window, by_watch };
  Interruption interruption_ = Interruption::none;
  double gap_so_far_ = 0.0;  ///< audited in this step before it was stopped; 0: none
};

}  // namespace carom::asynchronous
