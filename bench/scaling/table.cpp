#include "scaling/table.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace carom::bench {
namespace {

/// A row of Table 2: seconds of wall time per step with one thread of a Core i7-975, Ipopt inside.
struct PaperRow {
  std::string_view scene;
  Index n;
  double integration;
  double detection;
  double detection_most;
  double impact;
  double impact_most;
  double applications;
  double applications_most;
  double rows;
  double rows_most;
};

constexpr std::array<PaperRow, 6> kPaper = {{
    {"drop", 10000, 0.0005, 0.01, 0.03, 0.01, 3.08, 1, 291, 6914, 20238},
    {"drop", 100000, 0.0066, 0.23, 0.33, 1.30, 279.90, 7, 1629, 85381, 200346},
    {"drop", 1000000, 0.0930, 3.08, 4.33, 137.62, 7434.73, 76, 11181, 1242689, 2271061},
    {"gas", 10000, 0.0005, 0.01, 0.07, 0.00, 0.09, 1, 5, 147, 9720},
    {"gas", 100000, 0.0060, 0.20, 0.27, 0.05, 2.04, 1, 5, 4452, 96694},
    {"gas", 1000000, 0.0854, 2.61, 3.19, 1.67, 22.76, 2, 6, 135417, 968392},
}};

const PaperRow* paper_row(const ScalingOptions& options) {
  for (const PaperRow& row : kPaper) {
    if (row.scene == options.scene && row.n == options.n) return &row;
  }
  return nullptr;
}

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::string cell(double value, int digits) {
  return std::isnan(value) ? std::string("-") : fmt::format("{:.{}f}", value, digits);
}

std::string times_line(std::string_view name, const PhaseSeries& phase, double paper,
                       double paper_most) {
  return fmt::format("{:<14}{:>12.6f}{:>12.6f}{:>12.6f}{:>12.6f}{:>12}{:>12}\n", name,
                     phase.cpu.average(), phase.cpu.largest, phase.wall.average(),
                     phase.wall.largest, cell(paper, 4), cell(paper_most, 2));
}

std::string counts_line(std::string_view name, const Series& series, double paper,
                        double paper_most) {
  return fmt::format("{:<14}{:>12.1f}{:>12.0f}{:>12}{:>12}{:>12}{:>12}\n", name, series.average(),
                     series.largest, "", "", cell(paper, 0), cell(paper_most, 0));
}

std::string title(const ScalingOptions& options, const ScalingResult& result) {
  const Index side = grid_side(options.n);
  return fmt::format(
      "{} of {} balls ({} x {}) in a drum of radius {}; h = 0.01, {}\n"
      "{}, {} steps from {} on, {} thread{}, detection {}, symmetry {}\n\n",
      options.scene, result.balls, side, side, 1.5 * static_cast<double>(side),
      options.scene == "drop" ? "gravity 10" : "no gravity, unit velocities",
      options.impact_operator, result.steps,
      options.from.empty() ? "the first contact" : options.from, options.threads,
      options.threads == 1 ? "" : "s",
      options.redetect ? "by default (redetect, sweep, hold)"
                       : "as printed (no redetect, sweep, hold)",
      options.symmetry);
}

// Where the time of the impacts went, per step.
std::string solver_lines(const ScalingResult& result) {
  const SolverSeconds& s = result.solvers;
  const std::array<std::pair<std::string_view, double>, 8> lines = {{
      {"layout", s.layout},
      {"front", s.front},
      {"small parts", s.small_parts},
      {"linked parts", s.linked_parts},
      {"other parts", s.other_parts},
      {"inelastic", s.inelastic},
      {"friction", s.friction},
      {"general way", s.general},
  }};
  std::string text = "\nimpact by solver, wall seconds per step summed over the threads\n";
  for (const auto& [name, seconds] : lines) {
    if (seconds == 0.0) continue;
    text += fmt::format("  {:<12}{:>12.6f}\n", name, seconds / static_cast<double>(result.steps));
  }
  return text;
}

std::string footnotes(const ScalingOptions& options, const ScalingResult& result) {
  std::string text =
      fmt::format("\nenergy drift   {:.1e} of the largest kinetic energy\n", result.energy_drift);
  if (result.symmetry_error) {
    text += fmt::format("mirror error   {:.1e} radii\n", *result.symmetry_error);
  }
  text += fmt::format("overlap        {:.1e} radii at most\n", result.overlap);
  text += fmt::format("peak memory    {:.0f} MB\n", result.peak_megabytes);
  if (result.unresolved > 0) {
    text += fmt::format("unresolved     {} steps: the numbers above are not those of a whole run\n",
                        result.unresolved);
  }
  if (options.threads > 1) text += "CPU times are those of the calling thread alone.\n";
  return text;
}

}  // namespace

std::string scaling_table(const ScalingOptions& options, const ScalingResult& result) {
  constexpr PaperRow kNothing = {"",        0,         kNoNumber, kNoNumber, kNoNumber, kNoNumber,
                                 kNoNumber, kNoNumber, kNoNumber, kNoNumber, kNoNumber};
  const PaperRow* found = paper_row(options);
  const PaperRow& paper = found != nullptr ? *found : kNothing;
  std::string text = title(options, result);
  text += fmt::format("{:<14}{:>24}{:>24}{:>24}\n", "seconds", "CPU", "wall", "paper (wall)");
  text += fmt::format("{:<14}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "per step", "average",
                      "maximum", "average", "maximum", "average", "maximum");
  text += times_line("integration", result.integration, paper.integration, kNoNumber);
  text += times_line("detection", result.detection, paper.detection, paper.detection_most);
  text += times_line("impact", result.impact, paper.impact, paper.impact_most);
  text += times_line("whole step", result.whole, kNoNumber, kNoNumber);
  text +=
      counts_line("applications", result.applications, paper.applications, paper.applications_most);
  text += counts_line("rows", result.rows, paper.rows, paper.rows_most);
  text += counts_line("largest part", result.largest_part, kNoNumber, kNoNumber);
  return text + solver_lines(result) + footnotes(options, result);
}

std::string scaling_csv(const ScalingOptions& options, const ScalingResult& result) {
  const auto time = [&](const PhaseSeries& phase) -> const Series& {
    return options.threads > 1 ? phase.wall : phase.cpu;
  };
  return fmt::format(
      "scene,n,steps,threads,integration_avg,detection_avg,detection_max,impact_avg,impact_max,"
      "applications_avg,applications_max,rows_avg,rows_max,energy_drift,symmetry_error,peak_mb\n"
      "{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.0f},{:.6g},{:.0f},{:.3g},{:.3g},"
      "{:.1f}\n",
      options.scene, options.n, result.steps, options.threads, time(result.integration).average(),
      time(result.detection).average(), time(result.detection).largest,
      time(result.impact).average(), time(result.impact).largest, result.applications.average(),
      result.applications.largest, result.rows.average(), result.rows.largest, result.energy_drift,
      result.symmetry_error.value_or(kNoNumber), result.peak_megabytes);
}

}  // namespace carom::bench
