// The command line of Carom: `carom --help`.

#include "command_line.h"

int main(int argc, char** argv) { return carom::cli::run_command_line(argc, argv); }
