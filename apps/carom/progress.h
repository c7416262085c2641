#pragma once

#include <chrono>
#include <string>

#include "carom/core/long_work.h"
#include "carom/runs/scene_run.h"

namespace carom::cli {

/// Shows how a run goes: a bar at a terminal, a plain line now and then elsewhere. Ctrl-C (and
/// SIGTERM) stop the run after the step, or within one that takes long, once InterruptGuard stands.
class ProgressDisplay final : public RunObserver {
 public:
  struct Options {
    bool quiet = false;
    std::string label;  ///< before the numbers, e.g. the operator in a comparison
  };
  explicit ProgressDisplay(Options options);
  ~ProgressDisplay() override;

  bool on_step(const RunProgress& progress) override;
  bool on_work(const StepWork& work) override;
  bool within_step(const StepProgress& inside, const RunProgress& progress) override;
  /// Ends the line of the bar, so that other text can follow.
  void finish();

 private:
  void show(const std::string& line, double now);
  [[nodiscard]] std::string text(const RunProgress& progress) const;
  [[nodiscard]] std::string text(const StepProgress& inside, const RunProgress& progress);

  Options options_;
  bool terminal_;
  bool line_open_ = false;
  double last_shown_ = 0.0;
  /// Where the last picture within a step was taken, for what a second brings now.
  struct Seen {
    double wall = 0.0;  ///< s
    StepProgress inside;
  };
  Seen seen_;
  std::chrono::steady_clock::time_point start_;
};

/// Tells of an impact that takes longer than a second, and ends it on Ctrl-C.
class ImpactDisplay final : public WorkObserver {
 public:
  explicit ImpactDisplay(bool quiet);
  ~ImpactDisplay() override;
  bool on_work(const Work& work) override;

 private:
  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  double next_ = 1.0;  ///< s
};

/// While it lives SIGINT and SIGTERM ask for a stop instead of ending the process; a second SIGINT
/// ends it at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static bool requested();

 private:
  using Handler = void (*)(int);
  Handler interrupt_before_;
  Handler terminate_before_;
};

}  // namespace carom::cli
