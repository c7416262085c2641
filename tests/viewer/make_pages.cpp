// carom_viewer_pages DIRECTORY: writes the pages that the tests open, and beside each NAME.html a
// NAME.json with positions that it must show.

#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "carom/page/page.h"
#include "carom/recording/export.h"
#include "carom/recording/reader.h"

#include "made_up_runs.h"
#include "made_up_solids.h"
#include "made_up_surfaces.h"
#include "viewer_template.h"

namespace carom::viewer_test {
namespace {

using nlohmann::json;

// Half-way from a frame to the next: for two quaternions of length 1 the sum of the one and of that
// sign of the other which is nearer has the direction of the rotation half-way, exactly.
json between(const PageRun& run, std::size_t frame) {
  const std::vector<double>& a = run.orientations[frame];
  const std::vector<double>& b = run.orientations[frame + 1];
  std::vector<double> middle(a.size());
  for (std::size_t body = 0; body < a.size(); body += 4) {
    double nearness = 0.0;
    for (std::size_t k = body; k < body + 4; ++k) nearness += a[k] * b[k];
    const double sign = nearness < 0.0 ? -1.0 : 1.0;
    const double length = std::sqrt(2.0 + 2.0 * sign * nearness);
    for (std::size_t k = body; k < body + 4; ++k) middle[k] = (a[k] + sign * b[k]) / length;
  }
  return {{"time", 0.5 * (run.times[frame] + run.times[frame + 1])}, {"orientations", middle}};
}

json expected_of(const PageRun& run) {
  json frames = json::array();
  const std::size_t last = run.times.size() - 1;
  for (const std::size_t frame : {std::size_t{0}, last / 3, last / 2, last}) {
    frames.push_back({{"time", run.times[frame]}, {"positions", run.positions[frame]}});
    if (!run.orientations.empty()) frames.back()["orientations"] = run.orientations[frame];
  }
  json expected = {
      {"bodies", run.radii.size()}, {"frameCount", run.times.size()}, {"frames", frames}};
  if (!run.orientations.empty()) {
    expected["between"] = between(run, last / 3);
    expected["names"] = run.names;
    expected["solids"] = run.solids;
    expected["forms"] = json::parse(run.solids_json);
    expected["shapes"] = json::parse(run.shapes_json);
  }
  if (!run.surfaces_json.empty()) expected["surfaces"] = json::parse(run.surfaces_json);
  if (!run.layers.empty()) expected["layers"] = run.layers[0];
  return expected;
}

void write_page(const std::filesystem::path& directory, const std::string& name,
                const std::vector<PageRun>& runs) {
  const auto begin = std::chrono::steady_clock::now();
  const PageResult page = make_page(cli::viewer_template(), runs);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  std::ofstream(directory / (name + ".html"), std::ios::binary) << page.html;
  json expected = {{"positionError", page.position_error},
                   {"orientationError", page.orientation_error},
                   {"runs", json::array()}};
  for (const PageRun& run : runs) expected["runs"].push_back(expected_of(run));
  std::ofstream(directory / (name + ".json")) << expected.dump();
  std::cout << name << ".html: " << static_cast<double>(page.html.size()) / 1e6 << " MB, "
            << passed.count() << " s\n";
}

void write_surfaces_pages(const std::filesystem::path& directory) {
  const PageRun flag = make_flag(30, 20, 101);
  write_page(directory, "flag", {flag});
  write_page(directory, "curtain", {make_curtain(24, 101)});
  write_page(directory, "large_flag", {make_flag(124, 79, 60)});  // 10,000 vertices
  record_surfaces(flag, directory / "flag.h5");
  ExportOptions options;
  options.directory = directory;
  options.prefix = "flag";
  options.up = flag.up;
  export_glb(open_recording(directory / "flag.h5"), options);
}

void write_all(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  write_page(directory, "break", {make_break(10, 1.0, 400)});
  write_page(directory, "space", {make_fall(150, 300)});
  write_page(directory, "many_flat", {make_gas(10000, 100, 2)});
  write_page(directory, "many_space", {make_gas(10000, 100, 3)});
  write_page(directory, "rest", {make_rest()});
  for (const int dimension : {2, 3}) {
    const std::string name = dimension == 2 ? "tumble_flat" : "tumble_space";
    const PageRun run = make_tumble(dimension, 101);
    write_page(directory, name, {run});
    record_tumble(run, directory / (name + ".h5"));
    ExportOptions options;
    options.directory = directory;
    options.prefix = name;
    options.up = run.up;
    export_glb(open_recording(directory / (name + ".h5")), options);
  }
  write_surfaces_pages(directory);
  write_page(directory, "springs_flat", {make_springs(2, true), make_springs(2, false)});
  write_page(directory, "springs_space", {make_springs(3, true)});
  std::vector<PageRun> runs;
  for (const double restitution : {1.0, 0.9, 0.5, 0.0}) {
    runs.push_back(make_break(5, restitution, 300));
    runs.back().impact_operator = "e = " + std::to_string(restitution).substr(0, 3);
  }
  write_page(directory, "four", runs);
  runs.resize(2);
  write_page(directory, "two", runs);
}

}  // namespace
}  // namespace carom::viewer_test

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::cerr << "usage: carom_viewer_pages DIRECTORY\n";
    return 2;
  }
  try {
    carom::viewer_test::write_all(arguments[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
