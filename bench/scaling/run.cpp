#include "scaling/run.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/resource.h>

#include <fmt/core.h>

#include "carom/core/error.h"
#include "carom/runs/diagnostics.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "common/clock.h"
#include "common/mirror.h"
#include "common/progress.h"

namespace carom::bench {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss) / 1e6;  // Linux counts KiB
}

void add(const PhaseTime& time, PhaseSeries& series) {
  series.cpu.add(time.cpu);
  series.wall.add(time.wall);
}

StepReport timed_step(Stepper& stepper, PhaseTime& whole) {
  const double wall = wall_seconds();
  const double cpu = thread_seconds();
  StepReport report = stepper.step();
  whole = {wall_seconds() - wall, thread_seconds() - cpu};
  if (!report.can_go_on()) {
    throw std::runtime_error("step " + std::to_string(report.step) + ": " + report.message);
  }
  return report;
}

void add(const StepReport& report, const PhaseTime& whole, ScalingResult& result) {
  add(report.integration, result.integration);
  add(report.detection, result.detection);
  add(report.impact, result.impact);
  add(whole, result.whole);
  result.applications.add(static_cast<double>(report.applications));
  result.rows.add(report.rows);
  result.largest_part.add(report.largest_part);
  result.solvers += report.solvers;
  ++result.steps;
}

/// One line per step, as it happens: what a long run does while it lasts.
class StepLog {
 public:
  explicit StepLog(const std::string& path) {
    if (path.empty()) return;
    file_.open(path);
    if (!file_) throw std::runtime_error(path + ": cannot be written");
    file_ << "step,integration_cpu,detection_cpu,impact_cpu,whole_wall,applications,substeps,"
             "redetections,"
             "rows,largest_part,layout,front,small_parts,linked_parts,other_parts,peak_mb\n";
  }

  void add(const StepReport& report, const PhaseTime& whole) {
    if (!file_.is_open()) return;
    const SolverSeconds& solvers = report.solvers;
    file_ << fmt::format(
        "{},{:.6f},{:.6f},{:.6f},{:.6f},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.0f}\n",
        report.step, report.integration.cpu, report.detection.cpu, report.impact.cpu, whole.wall,
        report.applications, report.substeps, report.redetections, report.rows, report.largest_part,
        solvers.layout, solvers.front, solvers.small_parts, solvers.linked_parts,
        solvers.other_parts, peak_megabytes());
    file_.flush();
  }

 private:
  std::ofstream file_;
};

/// The state of a run in a file, so that one of hours can be gone on with.
class StateFile {
 public:
  /// Throws where it could not be written later.
  explicit StateFile(std::string path) : path_(std::move(path)), saved_at_(wall_seconds()) {
    if (path_.empty()) return;
    if (!std::ofstream(beside())) throw std::runtime_error(path_ + ": cannot be written");
    std::remove(beside().c_str());
  }

  void save_now_and_then(const Stepper& stepper) {
    constexpr double kPause = 600.0;  // s
    if (wall_seconds() - saved_at_ > kPause) save(stepper);
  }
  /// What was there stays whole until the new state is.
  void save(const Stepper& stepper) {
    if (path_.empty()) return;
    const std::string bytes = stepper.save();
    std::ofstream file(beside(), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file || std::rename(beside().c_str(), path_.c_str()) != 0) {
      throw std::runtime_error(path_ + ": cannot be written");
    }
    saved_at_ = wall_seconds();
  }
  static void load(const std::string& path, Stepper& stepper) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw std::runtime_error(path + ": cannot be read");
    try {
      stepper.load(bytes);
    } catch (const InputError& error) {
      throw std::runtime_error(path + ": " + error.what());
    }
  }

 private:
  [[nodiscard]] std::string beside() const { return path_ + ".new"; }

  std::string path_;
  double saved_at_;  ///< wall time, s
};

}  // namespace

ScalingResult run_scaling(const ScalingOptions& options) {
  constexpr std::uint64_t kMostStepsBefore = 1000;
  const Simulation simulation = scaling_simulation(options);
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  if (!options.from.empty()) StateFile::load(options.from, *stepper);
  StateFile state_file(options.save);
  std::optional<MirrorPairs> mirror;
  if (options.scene == "drop") mirror.emplace(simulation.start.position);
  RunStatistics statistics;
  statistics.add(start_row(simulation, *stepper));
  ScalingResult result;
  result.balls = simulation.world.bodies.size();
  if (mirror) result.symmetry_error = 0.0;
  StepLog log(options.log);
  Progress progress(options.scene);
  while (result.steps < options.steps) {
    PhaseTime whole;
    const StepReport report = timed_step(*stepper, whole);
    statistics.add(step_row(report, stepper->state()));
    if (mirror) {
      result.symmetry_error =
          std::max(*result.symmetry_error, mirror->error(stepper->state().position));
    }
    const bool began = result.steps > 0 || report.applications > 0 || !options.from.empty();
    if (began) add(report, whole, result);
    log.add(report, whole);
    if (!began && report.step == kMostStepsBefore) {
      throw std::runtime_error("nothing touched in " + std::to_string(kMostStepsBefore) + " steps");
    }
    progress.show(result.steps, options.steps);
    state_file.save_now_and_then(*stepper);
  }
  state_file.save(*stepper);
  result.energy_drift = statistics.energy_drift();
  result.overlap = statistics.penetration_relative();
  result.unresolved = statistics.unresolved();
  result.peak_megabytes = peak_megabytes();
  return result;
}

}  // namespace carom::bench
