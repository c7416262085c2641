// Writes the manual pages and the completion of `carom` into a directory, for installing them.

#include <cstdio>
#include <exception>

#include "manuals.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: carom_manuals DIRECTORY\n", stderr);
    return 2;
  }
  try {
    carom::cli::write_manuals(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "carom_manuals: %s\n", error.what());
    return 1;
  }
  return 0;
}
