#pragma once

#include <string>

namespace carom::test {

/// The directory of the sources, without a slash at its end. It is a function rather than a macro
/// of every test, so that the objects of two clones are the same to a compiler cache.
[[nodiscard]] std::string source_directory();

/// The directory of the build, without a slash at its end.
[[nodiscard]] std::string build_directory();

}  // namespace carom::test
