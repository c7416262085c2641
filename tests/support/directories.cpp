// Where the sources and the build are, for tests that read files of the project or run its program.
#include "support/directories.h"

namespace carom::test {

std::string source_directory() { return CAROM_SOURCE_DIR; }

std::string build_directory() { return CAROM_BINARY_DIR; }

}  // namespace carom::test
