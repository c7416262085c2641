// A recording compared with a new run of its scene.
#include "carom/runs/verify.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/runs/detail/run_sink.h"
#include "carom/runs/diagnostics.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

// The state that a frame was taken of, with the bodies that are there.
State state_of(const RecordingHeader& header, const RecordedFrame& frame) {
  State state;
  state.step = frame.step;
  const std::size_t count = header.body_count();
  const std::size_t turning = header.any_turns() ? count : 0;
  const bool is_whole =
      frame.positions.size() == 3 * count && frame.velocities.size() == 3 * count &&
      frame.orientations.size() == 4 * turning && frame.angular_velocities.size() == 3 * turning;
  if (!is_whole) return state;  // which is that of no run
  bool any_turns = false;
  for (std::size_t body = 0; body < count; ++body) {
    if (!header.is_there(body, frame.step)) continue;
    const double* x = &frame.positions[3 * body];
    const double* v = &frame.velocities[3 * body];
    state.position.push_back({x[0], x[1], x[2]});
    state.velocity.push_back({v[0], v[1], v[2]});
    if (!header.any_turns()) continue;
    any_turns = any_turns || header.solids[body] != kNoSolid;
    const double* q = &frame.orientations[4 * body];
    const double* w = &frame.angular_velocities[3 * body];
    state.orientation.push_back({q[0], q[1], q[2], q[3]});
    state.angular_velocity.push_back({w[0], w[1], w[2]});
  }
  if (!any_turns) {  // the arrays of what turns are empty then
    state.orientation.clear();
    state.angular_velocity.clear();
  }
  return state;
}

std::uint64_t bits_of(const DiagnosticValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return std::bit_cast<std::uint64_t>(*real);
  return std::get<std::uint64_t>(value);
}

// The diagnostics that the recording and this version have in common, as bits.
class RecordedDiagnostics {
 public:
  RecordedDiagnostics(const RunRecord& record, const SchemeInfo& scheme) : table_(scheme) {
    const std::vector<DiagnosticColumn>& known = table_.columns();
    for (std::size_t k = 0; k < known.size(); ++k) {
      for (const DiagnosticColumn& column : record.header().columns) {
        if (column.name != known[k].name || column.type != known[k].type) continue;
        columns_.push_back({k, column.name, bits_of_column(record, column)});
      }
    }
  }

  // The name of the first column that differs in a row; "" for none.
  [[nodiscard]] std::string first_difference(std::size_t row, const DiagnosticRow& made) const {
    const std::vector<DiagnosticValue> values = table_.values(made);
    for (const Column& column : columns_) {
      const bool same =
          row < column.bits.size() && column.bits[row] == bits_of(values[column.place]);
      if (!same) return column.name;
    }
    return "";
  }

 private:
  struct Column {
    std::size_t place;  ///< in the table
    std::string name;
    std::vector<std::uint64_t> bits;
  };

  static std::vector<std::uint64_t> bits_of_column(const RunRecord& record,
                                                   const DiagnosticColumn& column) {
    if (column.type == ColumnType::integer) return record.integer_column(column.name);
    std::vector<std::uint64_t> bits;
    for (const double value : record.real_column(column.name)) {
      bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return bits;
  }

  DiagnosticTable table_;
  std::vector<Column> columns_;
};

class Verifier {
 public:
  Verifier(const RunRecord& record, const RunOptions& options)
      : record_(record),
        options_(options),
        recorded_(scene_of(record.header())),
        diagnostics_(record, scheme_info(recorded_.scene.simulation.time.scheme)),
        steps_(record.integer_column("step")),
        hashes_(record.integer_column("state_hash")) {
    recorded_.scene.simulation.threads = options.threads;
    if (recorded_.scene.record.impulses) events_ = record.events();
    stepper_ = make_stepper(recorded_.scene.simulation);
    stepper_->note_impulses(recorded_.scene.record.impulses);
  }

  Verification run() {
    row_ = start_row(recorded_.scene.simulation, *stepper_);
    outcome_.driven_from = record_.header().driven_from;
    const std::uint64_t driven = outcome_.driven_from.value_or(kStays);
    for (std::size_t k = 0; k < steps_.size() && steps_[k] < driven; ++k) {
      if (!step_to(steps_[k])) return std::move(outcome_);
      ++outcome_.steps;
      if (!compare(k)) return std::move(outcome_);
    }
    if (outcome_.driven_from) {
      hold_against_hashes();
      return std::move(outcome_);
    }
    // Whatever is left over belongs to no step of the run.
    if (outcome_.frames < record_.frame_times().size()) {
      differ(record_.frame(outcome_.frames).step, "a frame that the run does not have");
    } else if (event_ < events_.size()) {
      differ(events_[event_].step, "contact events that the run does not have");
    }
    return std::move(outcome_);
  }

 private:
  bool differ(std::uint64_t step, std::string what) {
    outcome_.first_different = step;
    outcome_.what = std::move(what);
    return false;
  }

  // A run that was killed, or that is looked at while it goes on, ends between any two records.
  [[nodiscard]] bool ends_anywhere() const {
    return record_.end().status == RunStatus::crashed || record_.end().status == RunStatus::running;
  }

  // False when the run cannot come there or was cancelled.
  bool step_to(std::uint64_t step) {
    while (stepper_->state().step < step) {
      const StepReport report = stepper_->step();
      if (!report.can_go_on()) {
        outcome_.state_differs = true;
        return differ(step, "this step cannot be made now: " + report.message);
      }
      row_ = step_row(report, stepper_->state());
      statistics_.add(row_);
      RunProgress progress;
      progress.steps_total = steps_.back();
      progress.statistics = &statistics_;
      progress.report = &report;
      if (options_.observer != nullptr && !options_.observer->on_step(progress)) {
        outcome_.cancelled = true;
        return false;
      }
    }
    return true;
  }

  bool compare(std::size_t row) {
    const std::uint64_t step = steps_[row];
    if (state_hash(stepper_->state()) != hashes_[row]) {
      outcome_.state_differs = true;
      return differ(step, "the state");
    }
    const std::string column = diagnostics_.first_difference(row, row_);
    if (!column.empty()) return differ(step, "the diagnostics '" + column + "'");
    if (recorded_.scene.record.impulses && !compare_events(step)) return false;
    return !detail::has_frame(recorded_.scene, step, recorded_.steps) || compare_frame(row);
  }

  bool compare_events(std::uint64_t step) {
    if (step == 0) return true;
    for (const ContactEvent& made :
         detail::contact_events(stepper_->state(), stepper_->impulses())) {
      // Events are the last that a run that was killed writes of a step.
      const bool cut_off = event_ == events_.size() && step == steps_.back();
      if (cut_off && ends_anywhere()) return true;
      if (event_ == events_.size() || !(events_[event_] == made)) {
        return differ(step, "the contact events");
      }
      ++event_;
    }
    return true;
  }

  bool compare_frame(std::size_t row) {
    const std::uint64_t step = steps_[row];
    const std::size_t number = outcome_.frames;
    if (number >= record_.frame_times().size()) {
      const bool cut_off = row + 1 == steps_.size() && ends_anywhere();
      return cut_off || differ(step, "the frame, which is missing");
    }
    try {
      const RecordedFrame frame = record_.frame(number);
      const State state = shown_state(*stepper_);
      const State recorded = state_of(record_.header(), frame);
      const bool same = frame.step == step && same_bits(frame.time, state.time) &&
                        same_bits(recorded.position, state.position) &&
                        same_bits(recorded.velocity, state.velocity) &&
                        same_bits(recorded.orientation, state.orientation) &&
                        same_bits(recorded.angular_velocity, state.angular_velocity) &&
                        same_own_numbers(frame);
      if (!same) return differ(step, "the frame");
    } catch (const InputError& error) {
      return differ(step, "the frame, which cannot be read: " + error.message());
    }
    ++outcome_.frames;
    return true;
  }

  // Frames of steps that the scene alone does not give. Where contacts last a frame shows other
  // velocities than the state has whose hash is known.
  void hold_against_hashes() {
    for (std::size_t k = outcome_.frames; k < record_.frame_times().size(); ++k) {
      const RecordedFrame frame = record_.frame(k);
      const auto row = std::lower_bound(steps_.begin(), steps_.end(), frame.step);
      const auto number = static_cast<std::size_t>(row - steps_.begin());
      if (row == steps_.end() || *row != frame.step) {
        differ(frame.step, "a frame of a step that was not recorded");
        return;
      }
      const bool holds = state_hash(state_of(record_.header(), frame)) == hashes_[number];
      ++(holds ? outcome_.frames_held : outcome_.frames_not_held);
    }
  }

  // Recordings of older versions have none.
  [[nodiscard]] bool same_own_numbers(const RecordedFrame& frame) const {
    return record_.header().body_columns.empty() ||
           std::ranges::equal(frame.body_numbers, stepper_->body_numbers(),
                              [](double a, double b) { return same_bits(a, b); });
  }

  const RunRecord& record_;
  const RunOptions& options_;
  RecordedScene recorded_;
  RecordedDiagnostics diagnostics_;
  std::vector<std::uint64_t> steps_;
  std::vector<std::uint64_t> hashes_;
  std::vector<ContactEvent> events_;
  std::size_t event_ = 0;  ///< the next to compare
  std::unique_ptr<Stepper> stepper_;
  DiagnosticRow row_;
  RunStatistics statistics_;
  Verification outcome_;
};

}  // namespace

Verification verify_record(const RunRecord& record, const RunOptions& options) {
  return Verifier(record, options).run();
}

}  // namespace carom
