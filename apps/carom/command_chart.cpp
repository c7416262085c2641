#include <algorithm>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/gallery/gallery.h"
#include "carom/runs/instant_run.h"
#include "carom/study/operator_chart.h"

#include "commands.h"
#include "gallery_directory.h"
#include "instant_text.h"
#include "text_table.h"

namespace carom::cli {
namespace {

std::string cell_text(const ChartCell& cell) {
  if (cell.tried == 0) return "-";
  if (cell.held()) return "yes";
  return fmt::format("NO {:.0f}%",
                     100.0 * static_cast<double>(cell.broken) / static_cast<double>(cell.tried));
}

void print_chart(const OperatorChart& chart) {
  TextTable table;
  std::vector<std::string> heading = {""};
  for (const Law law : chart.laws) heading.emplace_back(to_string(law));
  table.add(std::move(heading));
  for (const ChartRow& row : chart.rows) {
    std::vector<std::string> cells = {row.impact_operator};
    for (const ChartCell& cell : row.cells) cells.push_back(cell_text(cell));
    table.add(std::move(cells));
  }
  fmt::print("{}\n", table.text());
  for (const Law law : chart.laws) fmt::print("  {:<4}  {}\n", to_string(law), describe(law));
}

void print_velocities(const GalleryEntry& entry) {
  std::vector<InstantRun> runs;
  for (const std::string& name : entry.instant->operators) {
    ImpactSettings settings = entry.instant->settings;
    settings.impact_operator = name;
    runs.push_back(run_instant(*entry.instant, settings));
  }
  fmt::print("\n{} ({})\n\n{}", entry.instant->title, entry.instant->figure,
             velocities_text(*entry.instant, runs));
}

}  // namespace

int run_gallery_chart(const GalleryOptions& options) {
  // Random problems need no files; only the exact velocities at the end do.
  std::vector<GalleryEntry> entries;
  std::string missing;
  try {
    entries = read_gallery(find_gallery(options.directory));
  } catch (const InputError& error) {
    if (!options.directory.empty()) throw;
    missing = error.message();
  }
  ChartSettings settings;
  if (options.slow) settings.problems = 1000;
  fmt::print(
      "Impact operators against physical laws, each measured on {} random problems\n"
      "(NO: share of them in which the law broke)\n\n",
      5 * settings.problems);
  print_chart(compute_operator_chart(settings));
  for (const GalleryEntry& entry : entries) {
    if (entry.name == "G4-bernoulli" || entry.name == "G4-cradle") print_velocities(entry);
  }
  if (!missing.empty()) {
    fmt::print("\nThe exact velocities of G4 are left out: {}\n", missing);
    return kExitFine;
  }
  fmt::print(
      "\nSeen above: jacobi makes energy (in Bernoulli's problem 7/4 of what there was), "
      "gauss_seidel\n"
      "favours the contact it looks at first, lcp lets touching balls stick together. Only gr, qce "
      "and\n"
      "lzb keep the symmetry and the energy and let the last ball of the cradle fly off.\n");
  return kExitFine;
}

}  // namespace carom::cli
