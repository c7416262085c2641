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

/// The body of main(): what escapes from the program, or from the making of its options, is told
/// and becomes an exit code.
template <typename Program>
int guarded_main(int argc, char** argv, const Program& program) noexcept {
  try {
    return program(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  } catch (...) {
    std::fprintf(stderr, "%s: an unknown exception\n", argv[0]);
  }
  return kCannotGoOn;
}

}  // namespace carom::bench
