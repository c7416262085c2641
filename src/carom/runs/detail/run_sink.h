#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/core/assert.h"
#include "carom/recording/recording.h"
#include "carom/recording/writer.h"
#include "carom/runs/diagnostics.h"
#include "carom/runs/run_record.h"
#include "carom/runs/scene_run.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {

/// Where a run leaves what it records.
class RunSink {
 public:
  RunSink() = default;
  RunSink(const RunSink&) = delete;
  RunSink& operator=(const RunSink&) = delete;
  virtual ~RunSink() = default;

  virtual void row(const DiagnosticRow& row) = 0;
  virtual void frame(const Stepper& stepper) = 0;
  virtual void events(const State& state, const std::vector<ContactImpulse>& impulses) = 0;
  virtual void checkpoint(const Stepper& stepper) = 0;
};

class FileSink final : public RunSink {
 public:
  FileSink(RecordingWriter writer, DiagnosticTable table)
      : writer_(std::move(writer)), table_(std::move(table)) {}

  void row(const DiagnosticRow& row) override;
  void frame(const Stepper& stepper) override;
  void events(const State& state, const std::vector<ContactImpulse>& impulses) override;
  void checkpoint(const Stepper& stepper) override;
  [[nodiscard]] RecordingWriter& writer() { return writer_; }

 private:
  RecordingWriter writer_;
  DiagnosticTable table_;
};

/// Keeps everything but checkpoints.
class MemoryRecord final : public RunRecord, public RunSink {
 public:
  MemoryRecord(RecordingHeader header, DiagnosticTable table)
      : header_(std::move(header)), table_(std::move(table)) {}

  void row(const DiagnosticRow& row) override {
    steps_.push_back(row.report.step);
    step_times_.push_back(row.report.time);
    rows_.push_back(table_.values(row));
  }
  void frame(const Stepper& stepper) override;
  void events(const State& state, const std::vector<ContactImpulse>& impulses) override;
  void checkpoint(const Stepper& /*stepper*/) override {}
  void set_end(const RunEnd& end) { end_ = end; }

  [[nodiscard]] const RecordingHeader& header() const override { return header_; }
  [[nodiscard]] const RunEnd& end() const override { return end_; }
  [[nodiscard]] const std::vector<double>& frame_times() const override { return times_; }
  [[nodiscard]] RecordedFrame frame(std::size_t number) const override {
    CAROM_DEMAND(number < frames_.size());
    return frames_[number];
  }
  [[nodiscard]] std::vector<double> real_column(std::string_view name) const override;
  [[nodiscard]] std::vector<std::uint64_t> integer_column(std::string_view name) const override;
  [[nodiscard]] bool has_column(std::string_view name) const override;
  [[nodiscard]] std::vector<ContactEvent> events() const override { return events_; }

 private:
  template <typename Number>
  [[nodiscard]] std::vector<Number> column(std::string_view name) const;

  RecordingHeader header_;
  RunEnd end_;
  DiagnosticTable table_;
  std::vector<std::uint64_t> steps_;
  std::vector<double> step_times_;
  std::vector<std::vector<DiagnosticValue>> rows_;
  std::vector<double> times_;
  std::vector<RecordedFrame> frames_;
  std::vector<ContactEvent> events_;
};

/// True when a run whose last step is `last` records a frame after `step`.
[[nodiscard]] inline bool has_frame(const Scene& scene, std::uint64_t step, std::uint64_t last) {
  return step % scene.record.every == 0 || step == last;
}

/// Why a run ended at a step that could not be made; `time` is that of the state, s.
[[nodiscard]] std::string failure_text(const StepReport& report, double time);

[[nodiscard]] std::vector<ContactEvent> contact_events(const State& state,
                                                       const std::vector<ContactImpulse>& impulses);

/// The surfaces of solids; "" where there are none.
[[nodiscard]] std::string solids_json(const std::vector<std::shared_ptr<const Solid>>& solids);
/// Deformable surfaces and chains (recording/surfaces.h); "" where there are none.
[[nodiscard]] std::string surfaces_json(const Simulation& simulation);
/// Shapes as viewers read them (page/page.h), scripted ones sampled at the frames' times.
[[nodiscard]] std::string shapes_json(const Simulation& simulation,
                                      const std::vector<double>& frame_times);

}  // namespace carom::detail
