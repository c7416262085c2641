#pragma once

namespace carom::cli {

/// The program `carom`: reads its arguments, runs a command and says what went wrong, if anything.
/// Returns the exit code. Programs that register a scheme or an operator of their own call it too.
int run_command_line(int argc, char** argv);

}  // namespace carom::cli
