// The numbers that a benchmark leaves for the tables of docs/benchmarks.md.

#include "common/results.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/core.h>

namespace carom::bench {

void record_result(std::string_view what, std::string_view measure, std::string_view unit,
                   double value) {
  const char* path = std::getenv("CAROM_BENCH_RESULTS");
  if (path == nullptr) return;
  for (const std::string_view name : {what, measure, unit}) {
    if (name.find_first_of(",\"\n") != std::string_view::npos) {
      throw std::logic_error(fmt::format("a name in the results has a comma: {}", name));
    }
  }
  const std::string line = fmt::format("{},{},{},{:.6g}\n", what, measure, unit, value);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "a"), &std::fclose);
  if (!file || std::fputs(line.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0) {
    throw std::runtime_error(fmt::format("cannot write the results to {}", path));
  }
}

}  // namespace carom::bench
