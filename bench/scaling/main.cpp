#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/impact/operator.h"

#include "common/program.h"
#include "common/results.h"
#include "scaling/table.h"

namespace carom::bench {
namespace {

void record_scaling(const ScalingOptions& options, const ScalingResult& result) {
  std::string what = fmt::format("{} of {}", options.scene, options.n);
  if (options.impact_operator != "gr") what += " under " + options.impact_operator;
  if (options.redetect) what += " by default";
  if (options.symmetry != "none") what += " with exact symmetry";
  if (options.threads > 1) what += fmt::format(" on {} threads", options.threads);
  const auto time = [&](const PhaseSeries& phase) -> const Series& {
    return options.threads > 1 ? phase.wall : phase.cpu;
  };
  record_result(what, "integration average", "s", time(result.integration).average());
  record_result(what, "detection average", "s", time(result.detection).average());
  record_result(what, "detection maximum", "s", time(result.detection).largest);
  record_result(what, "impact average", "s", time(result.impact).average());
  record_result(what, "impact maximum", "s", time(result.impact).largest);
  record_result(what, "applications average", "", result.applications.average());
  record_result(what, "rows maximum", "", result.rows.largest);
  record_result(what, "overlap", "radii", result.overlap);
  record_result(what, "energy drift", "ratio", result.energy_drift);
  record_result(what, "peak memory", "MB", result.peak_megabytes);
}

}  // namespace

int scaling_main(int argc, char** argv, const ScalingOptions& defaults) {
  ScalingOptions options = defaults;
  bool csv = false;
  CLI::App app("Seconds per step, applications and rows of the scene '" + options.scene +
               "' of Smith2012, Table 2");
  app.name("./dev bench " + options.scene);
  app.add_option("--n", options.n, "Balls: 10000, 100000, 1000000 as in the paper, or any number")
      ->check(CLI::Range(Index{1}, Index{10'000'000}))
      ->capture_default_str();
  app.add_option("--steps", options.steps, "Steps from the first contact on")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str();
  app.add_option("--operator", options.impact_operator,
                 "Impact operator: gr, qce, gauss_seidel, ...")
      ->capture_default_str();
  app.add_flag(
      "--redetect", options.redetect,
      "Detection as the library does it by default (redetect, sweep, hold), not as printed");
  app.add_flag("--shuffle", options.shuffle,
               "Number the balls at random, as a careless scene would");
  app.add_option("--symmetry", options.symmetry, "What is kept to the last bit")
      ->check(CLI::IsMember(symmetry_names()))
      ->capture_default_str();
  app.add_option("--log", options.log, "File for one line per step (CSV)");
  app.add_option("--save", options.save, "File for the state, every ten minutes and at the end");
  app.add_option(
      "--from", options.from,
      "Start from a state of the same scene that --save wrote; --steps counts from there");
  app.add_flag("--csv", csv, "A header line and one row instead of the table");
  return parse_and_run(app, argc, argv, [&] {
    static_cast<void>(make_operator(options.impact_operator));
    const ScalingResult result = run_scaling(options);
    record_scaling(options, result);
    fmt::print("{}", csv ? scaling_csv(options, result) : scaling_table(options, result));
  });
}

}  // namespace carom::bench
