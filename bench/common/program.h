#pragma once

#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

namespace carom::bench {

/// Exit codes of a benchmark besides 0.
inline constexpr int kBadInput = 2;
inline constexpr int kCannotGoOn = 3;

/// Reads the options and runs; what cannot be read or done is told on the standard error. The exit
/// code.
template <typename Run>
int parse_and_run(CLI::App& app, int argc, char** argv, const Run& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadInput;
  }
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return kCannotGoOn;
  }
}

}  // namespace carom::bench
