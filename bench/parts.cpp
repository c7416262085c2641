// ./dev bench parts: which solver is the quickest for which size of part, on parts recorded from
// the scenes of Smith2012, Table 2. `--record DIR` records them anew.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "common/clock.h"
#include "common/program.h"
#include "common/results.h"
#include "parts/corpus.h"
#include "parts/methods.h"

namespace carom::bench {
namespace {

/// Median seconds of a call; none where it does not solve the part.
std::optional<double> seconds_of(PartMethod& method, const StoredPart& part) {
  constexpr double kLeast = 0.002;
  if (!method.prepare(part.problem)) return std::nullopt;
  if (!method.solve()) return std::nullopt;
  std::vector<double> times;
  const double begin = thread_seconds();
  while (times.size() < 5 || thread_seconds() - begin < kLeast) {
    // Calls of less than a clock's own time are counted in packs.
    constexpr int kPack = 8;
    const double start = wall_seconds();
    for (int k = 0; k < kPack; ++k) method.solve();
    times.push_back((wall_seconds() - start) / kPack);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

struct Cell {
  double sum = 0.0;
  std::size_t solved = 0;
  std::size_t tried = 0;

  [[nodiscard]] std::string text() const {
    if (tried == 0) return "-";
    if (solved == 0) return "none";
    std::string mean = fmt::format("{:.2f}", 1e6 * sum / static_cast<double>(solved));
    return solved < tried ? fmt::format("{} ({}/{})", mean, solved, tried) : mean;
  }
};

void measure(const std::filesystem::path& directory) {
  const std::vector<StoredPart> parts = read_parts(directory);
  const std::vector<std::unique_ptr<PartMethod>> methods = part_methods();
  std::map<std::size_t, std::vector<Cell>> table;
  std::map<std::size_t, std::size_t> count;
  for (const StoredPart& part : parts) {
    const std::size_t size = std::bit_width(part.problem.selection.size() - 1);
    std::vector<Cell>& line = table[size];
    line.resize(methods.size());
    ++count[size];
    for (std::size_t k = 0; k < methods.size(); ++k) {
      if (!methods[k]->prepare(part.problem)) continue;
      ++line[k].tried;
      const std::optional<double> seconds = seconds_of(*methods[k], part);
      if (!seconds) continue;
      line[k].sum += *seconds;
      ++line[k].solved;
    }
  }
  fmt::print(
      "Microseconds per part, mean over the parts of a size (solved/tried where not all)\n\n");
  fmt::print("{:<14}{:>6}", "rows", "parts");
  for (const auto& method : methods) fmt::print("{:>19}", method->name());
  fmt::print("\n");
  for (const auto& [size, line] : table) {
    const std::size_t low = size == 0 ? 1 : (std::size_t{1} << (size - 1)) + 1;
    const std::size_t high = std::size_t{1} << size;
    fmt::print("{:<14}{:>6}",
               low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high), count[size]);
    for (std::size_t k = 0; k < line.size(); ++k) {
      fmt::print("{:>19}", line[k].text());
      if (line[k].solved == 0) continue;
      record_result(fmt::format("parts of up to {} rows", high), std::string(methods[k]->name()),
                    "us", 1e6 * line[k].sum / static_cast<double>(line[k].solved));
    }
    fmt::print("\n");
  }
}

int parts_main(int argc, char** argv) {
  RecordOptions options;
  options.scene.steps = 600;
  std::string directory = CAROM_SOURCE_DIR "/tests/problems/parts";
  std::string record;
  CLI::App app("Which solver is the quickest for which size of part");
  app.name("./dev bench parts");
  app.add_option("--directory", directory, "Where the recorded parts are")->capture_default_str();
  app.add_option("--record", record, "Record parts into this directory instead of measuring");
  app.add_option("--scene", options.scene.scene, "drop or gas")->capture_default_str();
  app.add_option("--n", options.scene.n, "Balls")
      ->check(CLI::Range(Index{1}, Index{10'000'000}))
      ->capture_default_str();
  app.add_option("--steps", options.scene.steps, "Steps to run")->capture_default_str();
  app.add_option("--every", options.every, "Steps between two whose parts are looked at")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--of-a-size", options.of_a_size, "Parts kept for each power of two of rows")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--most-rows", options.most_rows, "Larger parts are not kept")
      ->capture_default_str();
  return parse_and_run(app, argc, argv, [&] {
    if (record.empty()) {
      measure(directory);
    } else {
      fmt::print("{} parts written to {}\n", record_parts(options, record), record);
    }
  });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::parts_main);
}
