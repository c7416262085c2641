// carom_viewer_pages DIRECTORY: writes the pages that the tests open, and beside each NAME.html a
// NAME.json with positions that it must show.

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "carom/study/page.h"

#include "made_up_runs.h"
#include "viewer_template.h"

namespace carom::viewer_test {
namespace {

using nlohmann::json;

json expected_of(const PageRun& run) {
  json frames = json::array();
  const std::size_t last = run.times.size() - 1;
  for (const std::size_t frame : {std::size_t{0}, last / 3, last / 2, last}) {
    frames.push_back({{"time", run.times[frame]}, {"positions", run.positions[frame]}});
  }
  return {{"bodies", run.radii.size()}, {"frameCount", run.times.size()}, {"frames", frames}};
}

void write_page(const std::filesystem::path& directory, const std::string& name,
                const std::vector<PageRun>& runs) {
  const auto begin = std::chrono::steady_clock::now();
  const PageResult page = make_page(cli::viewer_template(), runs);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  std::ofstream(directory / (name + ".html"), std::ios::binary) << page.html;
  json expected = {{"positionError", page.position_error}, {"runs", json::array()}};
  for (const PageRun& run : runs) expected["runs"].push_back(expected_of(run));
  std::ofstream(directory / (name + ".json")) << expected.dump();
  std::cout << name << ".html: " << static_cast<double>(page.html.size()) / 1e6 << " MB, "
            << passed.count() << " s\n";
}

void write_all(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  write_page(directory, "break", {make_break(10, 1.0, 400)});
  write_page(directory, "space", {make_fall(150, 300)});
  write_page(directory, "many_flat", {make_gas(10000, 100, 2)});
  write_page(directory, "many_space", {make_gas(10000, 100, 3)});
  write_page(directory, "rest", {make_rest()});
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
