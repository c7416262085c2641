// What every registered scheme promises, those of Carom and one of the tests alone. A new scheme
// joins by being registered.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/runs/diagnostics.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"

#include "schemes/toy_scheme.h"

namespace carom::test {
namespace {

std::vector<std::string> names_with_toy() {
  register_toy_scheme();
  return scheme_names();
}

struct ContractScene {
  const char* name;
  const char* text;  // but for the line of the scheme
};

// Scenes of what schemes may or may not run.
const ContractScene kScenes[] = {
    {"elastic balls", R"(
[[body]]
name = "a"
radius = 1
position = [0, 0]
velocity = [1, 0.1]
[[body]]
name = "b"
radius = 1
position = [2.5, 0.4]
[[body]]
name = "c"
radius = 1
position = [5, 0]
velocity = [-1.5, 0]
[[shape]]
name = "walls"
type = "box_inside"
lower = [-4, -4]
upper = [9, 4]
)"},
    {"lossy balls under gravity", R"(
[world]
gravity = 9.81
[[material]]
name = "default"
restitution = 0.6
[[body]]
name = "a"
radius = 1
position = [0, 2]
velocity = [1, 0]
[[body]]
name = "b"
radius = 1
position = [2.5, 1.5]
[[shape]]
name = "floor"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
)"},
    {"two springs", R"(
[[body]]
name = "a"
radius = 1
position = [0, 0]
[[body]]
name = "b"
radius = 1
position = [3, 0]
velocity = [0, 0.5]
[[spring]]
bodies = ["a", "b"]
stiffness = 5
length = 3
)"},
    {"a box that turns", R"(
[[solid]]
name = "crate"
type = "box"
size = [1, 2]
[[body]]
name = "crate"
solid = "crate"
position = [0, 0]
velocity = [1, 0]
angular_velocity = 2
[[body]]
name = "other"
solid = "crate"
position = [4, 0.3]
)"},
    {"a periodic world", R"(
[world]
periodic = { x = 8, y = 8 }
[[body]]
name = "a"
position = [1, 1]
velocity = [1, 0.3]
radius = 0.5
[[body]]
name = "b"
position = [4, 1.2]
radius = 0.5
)"},
};

Scene scene_of(const ContractScene& scene, const std::string& scheme) {
  return read_scene("kind = \"scene\"\n[time]\nscheme = \"" + scheme +
                        "\"\nstep = 0.01\nduration = 3\n" + scene.text,
                    std::string(scene.name) + ".toml");
}

// The scenes that a scheme runs; of the others the refusal must say why.
std::vector<Scene> runnable(const std::string& scheme) {
  std::vector<Scene> scenes;
  for (const ContractScene& scene : kScenes) {
    try {
      scenes.push_back(scene_of(scene, scheme));
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(scheme), std::string::npos)
          << scene.name << ": " << error.what();
    }
  }
  return scenes;
}

class SchemeContract : public testing::TestWithParam<std::string> {};

TEST_P(SchemeContract, RunsSomethingAndRefusesTheRestWithTheReason) {
  EXPECT_FALSE(runnable(GetParam()).empty());
}

TEST_P(SchemeContract, AResumedRunHasTheSameBits) {
  for (const Scene& scene : runnable(GetParam())) {
    const auto whole = make_stepper(scene.simulation);
    std::string saved;
    for (int k = 1; k <= 250; ++k) {
      ASSERT_TRUE(whole->step().can_go_on()) << scene.file;
      if (k == 120) saved = whole->save();
    }
    const auto resumed = make_stepper(scene.simulation);
    resumed->load(saved);
    EXPECT_EQ(resumed->state().step, 120U);
    for (int k = 121; k <= 250; ++k) ASSERT_TRUE(resumed->step().can_go_on());
    EXPECT_EQ(state_hash(resumed->state()), state_hash(whole->state())) << scene.file;
    EXPECT_EQ(resumed->save(), whole->save()) << scene.file;
  }
}

TEST_P(SchemeContract, ThreadsAndWhoLooksChangeNothing) {
  for (const Scene& scene : runnable(GetParam())) {
    const auto hash_after = [&](unsigned threads, bool notes) {
      Simulation simulation = scene.simulation;
      simulation.threads = threads;
      const auto stepper = make_stepper(simulation);
      stepper->note_impulses(notes);
      stepper->note_penetration(notes);
      for (int k = 0; k < 200; ++k) {
        static_cast<void>(stepper->step());
        if (notes) static_cast<void>(stepper->impulses());
        if (notes && k % 7 == 0) static_cast<void>(stepper->save());
        if (notes && k % 11 == 0) static_cast<void>(stepper->resolved_problem());
      }
      return state_hash(stepper->state());
    };
    const std::uint64_t quiet = hash_after(1, false);
    EXPECT_EQ(hash_after(2, false), quiet) << scene.file;
    EXPECT_EQ(hash_after(3, true), quiet) << scene.file;
  }
}

// E - E0 - work + loss, where there is an account of losses: to round-off with a uniform force, to
// the error of the integrator with springs.
TEST_P(SchemeContract, TheEnergyThatAStepAccountsForCloses) {
  for (const Scene& scene : runnable(GetParam())) {
    const auto stepper = make_stepper(scene.simulation);
    const Totals start = totals(scene.simulation, *stepper);
    double account = start.energy();
    double largest = start.kinetic;
    double off = 0.0;
    for (int k = 0; k < 300; ++k) {
      const StepReport report = stepper->step();
      account += report.external_work - report.dissipated;
      largest = std::max(largest, report.totals.kinetic);
      off = std::max(off, std::abs(report.totals.energy() - account));
    }
    const double band = scheme_info(GetParam()).energy_band;
    const double bound = scene.simulation.forces.springs.empty() ? band : std::max(band, 1e-3);
    EXPECT_LT(off, bound * largest) << scene.file;
  }
}

TEST_P(SchemeContract, ADamagedCheckpointIsRefusedAndASceneReadsBackAsWritten) {
  for (const Scene& scene : runnable(GetParam())) {
    const auto stepper = make_stepper(scene.simulation);
    static_cast<void>(stepper->step());
    const std::string bytes = stepper->save();
    const Scene again = read_scene(write_scene(scene), "again.toml");
    EXPECT_EQ(again.simulation.time.scheme, GetParam());
    const auto other = make_stepper(again.simulation);
    static_cast<void>(other->step());
    EXPECT_EQ(state_hash(other->state()), state_hash(stepper->state())) << scene.file;
    EXPECT_THROW(stepper->load(bytes.substr(0, bytes.size() / 2)), InputError) << scene.file;
    EXPECT_THROW(stepper->load("nothing of the kind"), InputError) << scene.file;
  }
}

TEST_P(SchemeContract, ItsColumnsHaveNamesOfTheirOwnAndComeBack) {
  const DiagnosticTable table(scheme_info(GetParam()));
  std::vector<std::string> names = {"step", "time"};
  for (const DiagnosticColumn& column : table.columns()) {
    EXPECT_FALSE(column.description.empty()) << column.name;
    names.push_back(column.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  DiagnosticRow row;
  for (std::size_t k = 0; k + 1 < table.columns().size(); ++k) {
    const bool whole = table.columns()[k].type == ColumnType::integer;
    const DiagnosticValue value = whole ? DiagnosticValue(std::uint64_t{1}) : DiagnosticValue(0.5);
    table.set(k, value, row);
    EXPECT_EQ(table.values(row)[k], value) << table.columns()[k].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, SchemeContract, testing::ValuesIn(names_with_toy()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace carom::test
