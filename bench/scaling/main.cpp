#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/core/error.h"
#include "carom/impact/operator.h"

#include "scaling/table.h"

namespace carom::bench {
namespace {

constexpr int kBadInput = 2;
constexpr int kCannotGoOn = 3;

int run(const ScalingOptions& options, bool csv) {
  try {
    static_cast<void>(make_operator(options.impact_operator));
  } catch (const InputError& error) {
    fmt::print(stderr, "bench {}: --operator: {}\n", options.scene, error.message());
    return kBadInput;
  }
  try {
    const ScalingResult result = run_scaling(options);
    fmt::print("{}", csv ? scaling_csv(options, result) : scaling_table(options, result));
    return 0;
  } catch (const InputError& error) {
    fmt::print(stderr, "bench {}: {}\n", options.scene, error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench {}: {}\n", options.scene, error.what());
    return kCannotGoOn;
  }
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
  app.add_option("--symmetry", options.symmetry, "What is kept to the last bit")
      ->check(CLI::IsMember(symmetry_names()))
      ->capture_default_str();
  app.add_flag("--csv", csv, "A header line and one row instead of the table");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadInput;
  }
  return run(options, csv);
}

}  // namespace carom::bench
