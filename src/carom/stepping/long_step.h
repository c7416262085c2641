#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace carom {

/// Where a long step is.
struct StepProgress {
  double time = 0.0;         ///< s, simulated
  std::uint64_t events = 0;  ///< of whatever the scheme counts, since the run began
  std::uint64_t depth = 0;   ///< the deepest contact layer that acted
};

/// What StepReport::failure says of a step that the watch has stopped.
inline constexpr std::string_view kStoppedWithin = "interrupted";

/// A stepper whose steps may take long: it can be watched, and stopped, within one.
class LongStepper {
 public:
  /// False: stop here.
  using Watch = std::function<bool(const StepProgress&)>;

  LongStepper() = default;
  LongStepper(const LongStepper&) = delete;
  LongStepper& operator=(const LongStepper&) = delete;
  virtual ~LongStepper() = default;

  /// Asked many times a second. After a stop the report has the failure kStoppedWithin and the
  /// state is the one before the step, but nothing is lost: the next step(), also of a stepper that
  /// loaded what this one saves, goes on from there, to the same bits.
  virtual void watch_within(Watch watch) = 0;
};

}  // namespace carom
