// Every scene of the gallery and of examples/scenes comes to the same bits as when
// state_hashes.txt was written. A change that should keep all results is shown here to have done
// so; one that may change them writes the file anew (its header says how), and the difference of
// the file says which scenes it changed.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "carom/core/hash.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"

#include "support/directories.h"

namespace carom {
namespace {

// What is run of a scene: with each of its operators to the end, or with the first of them for
// some steps of which each is recorded.
struct Baseline {
  std::string scene;              // the file's name without .toml
  std::string size = "ordinary";  // or another, see kHeader
  std::uint64_t steps = 0;        // 0: as many as the scene has
  bool each_step = false;
};

void PrintTo(const Baseline& baseline, std::ostream* out) {
  *out << baseline.scene << ' ' << baseline.size;
}

// Hashed after each of their first steps: fifty, more where it takes longer until bodies touch.
// Balls in the plane, many at once, in exact symmetry; with friction; spheres that turn; solids in
// the plane and in space; a world that repeats itself; events of balls and of solids.
const std::map<std::string, std::uint64_t>& stepwise_scenes() {
  static const std::map<std::string, std::uint64_t> scenes = {
      {"G6-break", 50},       {"drop-1k", 150},        {"G13-drop", 150},  {"Q5-single-shake", 50},
      {"G15-patterns", 50},   {"U12-ramp-slides", 50}, {"G10-cubes", 175}, {"U19-cooling-gas", 50},
      {"U16-hard-discs", 50}, {"M2-ramp-critical", 50}};
  return scenes;
}

// Those that take more than a few seconds to their end, which slow runs see; ordinary ones see as
// many steps.
const std::map<std::string, std::uint64_t>& long_scenes() {
  static const std::map<std::string, std::uint64_t> scenes = {{"G11-teapot", 1000},
                                                              {"G15-patterns", 300},
                                                              {"Q6-patterns", 300},
                                                              {"Q8-rube-goldberg", 2400},
                                                              {"pile", 600}};
  return scenes;
}

// With the changes and the number of steps of the slow check; of the patterns as many steps as can
// be waited for.
const std::vector<Baseline>& full_sizes() {
  static const std::vector<Baseline> sizes = {
      {"A1-geyser", "full"},
      {"C1-spring", "full"},
      {"C12-particle", "full"},
      {"C2-points", "full"},
      {"C3-restitution", "full"},
      {"C6-sphere-on-plate", "full"},
      {"G12-bunnies", "full", 300},
      {"G15-patterns", "full-hexagons", 1000},
      {"G15-patterns", "full-squares", 1000},
      {"G15-patterns", "full-stripes", 1000},
      {"G5-box", "full"},
      {"Q5-single-shake", "full"},
      {"Q6-patterns", "full-hexagons", 1000},
      {"Q6-patterns", "full-squares", 1000},
      {"Q6-patterns", "full-stripes", 1000},
      {"Q9-bunnies-and-pawns", "full"},
  };
  return sizes;
}

struct NotRecorded {
  std::string scene;
  std::string size;
  std::string why;
};
const std::vector<NotRecorded>& not_recorded() {
  static const std::vector<NotRecorded> runs = {
      {"G15-patterns", "full",
       "its three patterns to their ends, more than six minutes each: the first 1000 steps only"},
      {"Q6-patterns", "full",
       "its three patterns to their ends, more than six minutes each: the first 1000 steps only"},
      {"C7-reef-knot", "full", "minutes: measured by the benchmark"},
      {"C7-reef-let-go", "full", "minutes"},
      {"C8-bowline", "full", "more than an hour"},
      {"C9-compactor", "full", "minutes"},
      {"C10-draped-sheets", "full", "more than an hour"},
      {"C10-pulled-sheet", "full", "more than an hour"},
      {"C15-projectiles", "full", "minutes"},
      {"a million balls", "bench/drop", "no scene file, and longer than a test may be"},
  };
  return runs;
}

// Where the scenes lie, by name. They are not read: every test of this program asks for them.
const std::map<std::string, std::filesystem::path>& scene_paths() {
  static const auto paths = [] {
    std::map<std::string, std::filesystem::path> found;
    for (const std::filesystem::path directory : {"gallery", "examples/scenes"}) {
      for (const auto& file : std::filesystem::recursive_directory_iterator(
               std::filesystem::path(test::source_directory()) / directory)) {
        const std::filesystem::path& path = file.path();
        if (path.extension() != ".toml" || file_kind_of(path) != "scene") continue;
        found[path.stem().string()] = path;
      }
    }
    return found;
  }();
  return paths;
}

// ---- the file -----------------------------------------------------------------------------------

std::filesystem::path hashes_path() {
  return std::filesystem::path(test::source_directory()) / "tests" / "gallery" / "state_hashes.txt";
}

struct Run {
  std::string scene;
  std::string impact_operator;
  std::string size;
  bool operator<(const Run& other) const {
    return std::tie(scene, impact_operator, size) <
           std::tie(other.scene, other.impact_operator, other.size);
  }
};
using StepHashes = std::map<std::uint64_t, std::uint64_t>;

struct HashFile {
  std::uint64_t mathematics = 0;
  std::map<Run, StepHashes> runs;
};

// Sine, power and their like may differ in the last bit from one mathematical library to the next,
// and from processor to processor; the results of scenes then do too.
std::uint64_t mathematics() {
  Hash64 hash;
  for (int i = 1; i <= 1000; ++i) {
    const volatile double known_when_run = 0.00137 * i;
    const double x = known_when_run;
    for (const double y :
         {std::sin(x), std::cos(x), std::tan(x), std::asin(x / 2.0), std::acos(x / 2.0),
          std::atan(x), std::atan2(x, 1.0 - x), std::exp(x), std::exp2(x), std::log(x),
          std::log2(x), std::pow(x, 0.2), std::cbrt(x), std::hypot(x, 1.0 - x)}) {
      hash.add(y);
    }
  }
  return hash.value();
}

HashFile read_hashes(std::istream& in) {
  HashFile file;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Run run;
    std::uint64_t step = 0;
    std::uint64_t hash = 0;
    words >> run.scene;
    const bool of_library = run.scene == "mathematics";
    if (!of_library) words >> run.impact_operator >> run.size >> step;
    words >> std::hex >> hash;
    if (!words) throw std::runtime_error("state_hashes.txt: cannot be read: " + line);
    if (of_library) {
      file.mathematics = hash;
    } else {
      file.runs[run][step] = hash;
    }
  }
  return file;
}

HashFile read_hashes() {
  std::ifstream in(hashes_path());
  return read_hashes(in);
}

constexpr std::string_view kHeader =
    R"(# The state hash (src/carom/stepping/stepper.h) at the end of every scene of gallery/ and
# examples/scenes, with each of its operators, and of ten scenes after each of their first steps.
# tests/gallery/state_hashes_test.cpp compares them, and writes this file anew with
#
#   CAROM_WRITE_STATE_HASHES=1 build/dev/tests/carom_gallery_tests --gtest_filter='*StateHashes*'
#
# '*StateHashes*-*Slow*' leaves out the slow ones; a filter replaces only the lines of what it runs.
#
# Any number of threads and every build have the same bits (-ffp-contract=off), but not every
# mathematical library: where its sine, power and their like are not those that the first line
# stands for, nothing is compared.
#
# The words of a line: scene, operator, size, step, hash. The sizes: "ordinary", as the file has it;
# "shortened", that without the end; "full", as the slow check has it; "each-step", the ordinary one
# with all of its first steps.
)";

void write_hashes(const HashFile& file) {
  const std::filesystem::path part = hashes_path().string() + ".part";
  std::ofstream out(part);
  out << kHeader;
  if (!not_recorded().empty()) out << "#\n# Not recorded:\n";
  for (const NotRecorded& run : not_recorded()) {
    out << "#   " << run.scene << ' ' << run.size << ": " << run.why << '\n';
  }
  out << fmt::format("mathematics {:016x}\n", file.mathematics);
  for (const auto& [run, steps] : file.runs) {
    for (const auto& [step, hash] : steps) {
      out << fmt::format("{} {} {} {} {:016x}\n", run.scene, run.impact_operator, run.size, step,
                         hash);
    }
  }
  out.close();
  if (!out) throw std::runtime_error("cannot write " + part.string());
  std::filesystem::rename(part, hashes_path());
}

bool is_writing() {
  const char* value = std::getenv("CAROM_WRITE_STATE_HASHES");
  return value != nullptr && std::string_view(value) == "1";
}

// In place of what the file said of this scene at this size; what is no scene any more goes, too.
void replace_in_file(const Baseline& baseline, const std::map<Run, StepHashes>& found) {
  HashFile file = read_hashes();
  if (file.mathematics != mathematics()) file = {mathematics(), {}};
  std::erase_if(file.runs, [&](const auto& entry) {
    const Run& run = entry.first;
    return (run.scene == baseline.scene && run.size == baseline.size) ||
           !scene_paths().contains(run.scene);
  });
  file.runs.insert(found.begin(), found.end());
  write_hashes(file);
}

// ---- the runs -----------------------------------------------------------------------------------

// The key of [check.slow] under which a larger size stands; empty for the file's own.
std::string overrides_key(const std::string& size) {
  constexpr std::string_view kFull = "full";
  if (!size.starts_with(kFull)) return "";
  std::string key = "set" + size.substr(kFull.size());
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

Scene read_baseline_scene(const Baseline& baseline) {
  Scene scene = read_scene_file(scene_paths().at(baseline.scene));
  const std::string key = overrides_key(baseline.size);
  if (key.empty()) return scene;
  return read_scene(scene.text, scene.file, scene.slow_parameters.texts(key));
}

StepHashes run_hashes(const Scene& scene, const std::string& impact_operator,
                      const Baseline& baseline) {
  RunOptions options;
  options.impact_operator = impact_operator;
  if (baseline.steps > 0) options.steps = baseline.steps;
  const MemoryRun run = run_in_memory(scene, options);
  const std::vector<std::uint64_t> steps = run.record->integer_column("step");
  const std::vector<std::uint64_t> hashes = run.record->integer_column("state_hash");
  StepHashes found;
  for (std::size_t k = baseline.each_step ? 1 : steps.size() - 1; k < steps.size(); ++k) {
    found[steps[k]] = hashes[k];
  }
  return found;
}

// The first step at which two runs are not the same; empty where they are.
std::string first_difference(const StepHashes& expected, const StepHashes& found) {
  auto a = expected.begin();
  auto b = found.begin();
  const auto text = [](auto place, const StepHashes& steps) {
    return place == steps.end() ? std::string("nothing")
                                : fmt::format("{:016x} at step {}", place->second, place->first);
  };
  while (a != expected.end() && b != found.end() && *a == *b) {
    ++a;
    ++b;
  }
  if (a == expected.end() && b == found.end()) return "";
  return fmt::format("expected {}, found {}", text(a, expected), text(b, found));
}

void expect_the_recorded_hashes(const Baseline& baseline) {
  const HashFile file = read_hashes();
  if (!is_writing() && file.mathematics != mathematics()) {
    GTEST_SKIP() << "state_hashes.txt was written with another mathematical library";
  }
  const Scene scene = read_baseline_scene(baseline);
  std::map<Run, StepHashes> found;
  for (const std::string& name : scene.operators) {
    found[{baseline.scene, name, baseline.size}] = run_hashes(scene, name, baseline);
    if (baseline.each_step) break;
  }
  if (is_writing()) {
    replace_in_file(baseline, found);
    GTEST_SKIP() << "state_hashes.txt was written anew, nothing was compared";
  }
  for (const auto& [run, steps] : found) {
    const auto expected = file.runs.find(run);
    const std::string difference =
        first_difference(expected == file.runs.end() ? StepHashes{} : expected->second, steps);
    EXPECT_EQ(difference, "") << run.scene << ", " << run.impact_operator << ", " << run.size;
  }
}

// ---- the cases ----------------------------------------------------------------------------------

std::vector<Baseline> ends() {
  std::vector<Baseline> baselines;
  for (const auto& [name, path] : scene_paths()) {
    const auto found = long_scenes().find(name);
    const bool is_long = found != long_scenes().end();
    baselines.push_back(is_long ? Baseline{name, "shortened", found->second} : Baseline{name});
  }
  return baselines;
}

std::vector<Baseline> long_ends() {
  std::vector<Baseline> baselines;
  for (const auto& [name, steps] : long_scenes()) baselines.push_back({name});
  return baselines;
}

std::vector<Baseline> first_steps() {
  std::vector<Baseline> baselines;
  for (const auto& [name, steps] : stepwise_scenes()) {
    baselines.push_back({.scene = name, .size = "each-step", .steps = steps, .each_step = true});
  }
  return baselines;
}

std::string test_name(const testing::TestParamInfo<Baseline>& test) {
  std::string name = test.param.scene;
  if (test.param.size != "ordinary") name += "_" + test.param.size;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class StateHashes : public testing::TestWithParam<Baseline> {};
TEST_P(StateHashes, AreAsRecorded) { expect_the_recorded_hashes(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Ends, StateHashes, testing::ValuesIn(ends()), test_name);
INSTANTIATE_TEST_SUITE_P(FirstSteps, StateHashes, testing::ValuesIn(first_steps()), test_name);

class SlowStateHashes : public testing::TestWithParam<Baseline> {};
TEST_P(SlowStateHashes, AreAsRecorded) { expect_the_recorded_hashes(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Ends, SlowStateHashes, testing::ValuesIn(long_ends()), test_name);
INSTANTIATE_TEST_SUITE_P(FullSizes, SlowStateHashes, testing::ValuesIn(full_sizes()), test_name);

// A scene that is added joins by itself; its lines must be, too.
TEST(StateHashFile, HasEverySceneWithEachOfItsOperators) {
  const HashFile file = read_hashes();
  const auto is_left_out = [](const std::string& scene, const std::string& size) {
    return std::any_of(not_recorded().begin(), not_recorded().end(), [&](const NotRecorded& run) {
      return run.scene == scene && run.size == size;
    });
  };
  const auto expect = [&](const std::string& scene, const std::string& size,
                          const std::vector<std::string>& operators) {
    if (is_left_out(scene, size)) return;
    for (const std::string& name : operators) {
      EXPECT_TRUE(file.runs.contains({scene, name, size})) << scene << ", " << name << ", " << size;
    }
  };
  for (const auto& [name, path] : scene_paths()) {
    const Scene scene = read_scene_file(path);
    expect(name, "ordinary", scene.operators);
    if (long_scenes().contains(name)) expect(name, "shortened", scene.operators);
    if (scene.slow_parameters.has("set")) expect(name, "full", scene.operators);
  }
  for (const Baseline& baseline : full_sizes()) {
    expect(baseline.scene, baseline.size, read_baseline_scene(baseline).operators);
  }
  for (const auto& [name, steps] : stepwise_scenes()) {
    const std::string first = read_baseline_scene({.scene = name}).operators.front();
    const auto run = file.runs.find({name, first, "each-step"});
    ASSERT_NE(run, file.runs.end()) << name;
    EXPECT_EQ(run->second.size(), steps) << name;
  }
  for (const auto& [run, steps] : file.runs) {
    EXPECT_TRUE(scene_paths().contains(run.scene)) << run.scene;
  }
}

TEST(StateHashFile, NamesTheFirstStepThatDiffers) {
  const StepHashes recorded = {{1, 10}, {2, 20}, {3, 30}};
  EXPECT_EQ(first_difference(recorded, recorded), "");
  EXPECT_EQ(first_difference(recorded, {{1, 10}, {2, 21}, {3, 31}}),
            "expected 0000000000000014 at step 2, found 0000000000000015 at step 2");
  EXPECT_EQ(first_difference(recorded, {{1, 10}, {2, 20}}),
            "expected 000000000000001e at step 3, found nothing");
  EXPECT_EQ(first_difference({}, {{7, 10}}), "expected nothing, found 000000000000000a at step 7");
}

// A change of one bit at the start is not overlooked.
TEST(StateHashFile, SeesOneBit) {
  const Baseline baseline = {
      .scene = "G6-break", .size = "each-step", .steps = 3, .each_step = true};
  Scene scene = read_baseline_scene(baseline);
  const std::string name = scene.operators.front();
  const StepHashes before = run_hashes(scene, name, baseline);
  EXPECT_EQ(first_difference(before, run_hashes(scene, name, baseline)), "");
  double& x = scene.simulation.start.position[0].x;
  x = std::nextafter(x, 2.0 * x);
  EXPECT_NE(first_difference(before, run_hashes(scene, name, baseline)), "");
}

}  // namespace
}  // namespace carom
