#pragma once

#include <functional>

namespace CLI {  // NOLINT(readability-identifier-naming): the library is called so
class App;
}

namespace carom::cli {

/// The program `carom`: reads its arguments, runs a command and says what went wrong, if anything.
/// Returns the exit code. Programs that register a scheme or an operator of their own call it too.
int run_command_line(int argc, char** argv);

/// Shows the whole command line as it is described, for manuals.
void with_command_line(const std::function<void(const CLI::App&)>& look);

}  // namespace carom::cli
