#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "common/mirror.h"
#include "scaling/run.h"
#include "scaling/scene.h"
#include "scaling/table.h"

namespace carom::bench {
namespace {

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::stringstream in(line);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

TEST(ScalingScene, GridsAreThoseOfThePaper) {
  // Smith2012, Table 2: 20,402, 200,978 and 2,004,002 degrees of freedom.
  EXPECT_EQ(2 * grid_side(10'000) * grid_side(10'000), 20'402);
  EXPECT_EQ(2 * grid_side(100'000) * grid_side(100'000), 200'978);
  EXPECT_EQ(2 * grid_side(1'000'000) * grid_side(1'000'000), 2'004'002);
  EXPECT_EQ(grid_side(1), 1);
}

TEST(ScalingScene, NeighboursOfTheDropTouchExactlyAndFallTogether) {
  const Simulation drop = scaling_simulation({.scene = "drop", .n = 10'000});
  const Index side = grid_side(10'000);
  for (Index i = 0; i + side < side * side; ++i) {
    EXPECT_EQ(drop.start.position[i + side].y - drop.start.position[i].y, 2.0);
    EXPECT_EQ(drop.start.velocity[i], drop.start.velocity[0]);
  }
  EXPECT_LT(drop.start.velocity[0].y, 0.0);
}

TEST(ScalingScene, TheDropStartsOneStepBeforeItsCornersTouch) {
  const Simulation drop = scaling_simulation({.scene = "drop", .n = 1000});
  const auto gap_after = [&](double time) {
    const Vec3 corner = drop.start.position[0] + time * drop.start.velocity[0] +
                        (0.5 * time * time) * drop.forces.gravity;
    return std::get<SphereInside>(drop.world.shapes[0].shape).radius - 1.0 - norm(corner);
  };
  EXPECT_GT(gap_after(0.0), 0.0);
  EXPECT_LT(gap_after(drop.time.step), 0.0);
}

TEST(ScalingScene, TheGasHasUnitVelocitiesInAllDirections) {
  const Simulation gas = scaling_simulation({.scene = "gas", .n = 1000});
  Vec3 sum;
  for (const Vec3& v : gas.start.velocity) {
    EXPECT_NEAR(norm(v), 1.0, 4 * kRoundOff);
    sum += v;
  }
  // The sum of m random unit vectors has a length of about sqrt(m).
  const auto count = static_cast<double>(gas.world.bodies.size());
  EXPECT_LT(norm(sum), 4.0 * std::sqrt(count));
  EXPECT_EQ(gas.forces.gravity, Vec3{});
}

TEST(ScalingScene, UnknownScenesAreRefused) {
  EXPECT_THROW(static_cast<void>(scaling_simulation({.scene = "dorp"})), InputError);
}

TEST(ScalingRun, CountsStepsFromTheFirstContactAndKeepsEnergy) {
  const ScalingResult drop = run_scaling({.scene = "drop", .n = 100, .steps = 20});
  EXPECT_EQ(drop.balls, 121);
  EXPECT_EQ(drop.steps, 20);
  EXPECT_EQ(drop.rows.count, 20);
  EXPECT_GE(drop.applications.average(), 1.0 / 20);
  // All bonds of the grid and the two corners: the first step that counts has them.
  EXPECT_GE(drop.rows.largest, 2 * 11 * 10 + 2);
  EXPECT_LT(drop.energy_drift, 1e-12);
  EXPECT_EQ(drop.unresolved, 0);
  ASSERT_TRUE(drop.symmetry_error.has_value());
  EXPECT_LT(*drop.symmetry_error, 1e-9);
  EXPECT_GT(drop.peak_megabytes, 1.0);
  EXPECT_GE(drop.whole.wall.sum, drop.impact.wall.sum + drop.detection.wall.sum);
}

TEST(ScalingRun, GoesOnFromASavedStateToTheSameBits) {
  const std::string directory = testing::TempDir();
  const auto saved = [&](const char* name) { return directory + "carom-scaling-" + name; };
  const auto bytes = [&](const char* name) {
    std::ifstream file(saved(name), std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const ScalingOptions drop{.scene = "drop", .n = 100};
  const auto run = [&](std::uint64_t steps, const std::string& from, const std::string& save) {
    ScalingOptions options = drop;
    options.steps = steps;
    options.from = from;
    options.save = save;
    return run_scaling(options);
  };
  EXPECT_EQ(run(7, {}, saved("whole")).steps, 7U);
  EXPECT_EQ(run(4, {}, saved("begun")).steps, 4U);
  EXPECT_EQ(run(3, saved("begun"), saved("ended")).steps, 3U);
  EXPECT_FALSE(bytes("whole").empty());
  EXPECT_NE(bytes("begun"), bytes("whole"));
  EXPECT_EQ(bytes("ended"), bytes("whole"));
  EXPECT_THROW(run(1, saved("missing"), {}), std::runtime_error);
  EXPECT_THROW(run(1, {}, saved("missing/state")), std::runtime_error);
  std::ofstream(saved("ended")) << "no state";
  try {
    run(1, saved("ended"), {});
    ADD_FAILURE() << "a file that is no state was read";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(saved("ended")), std::string::npos) << error.what();
  }
  for (const char* name : {"whole", "begun", "ended"}) std::remove(saved(name).c_str());
}

TEST(ScalingRun, TheGasHasNoMirror) {
  const ScalingResult gas = run_scaling({.scene = "gas", .n = 100, .steps = 20});
  EXPECT_FALSE(gas.symmetry_error.has_value());
  EXPECT_LT(gas.energy_drift, 1e-12);
}

TEST(ScalingTable, CsvHasTheAgreedColumns) {
  const ScalingOptions options = {.scene = "gas", .n = 100, .steps = 7};
  ScalingResult result;
  result.steps = 7;
  result.impact.cpu.add(0.25);
  result.impact.wall.add(0.5);
  std::stringstream lines(scaling_csv(options, result));
  std::string header;
  std::string row;
  std::getline(lines, header);
  std::getline(lines, row);
  EXPECT_EQ(header,
            "scene,n,steps,threads,integration_avg,detection_avg,detection_max,impact_avg,"
            "impact_max,applications_avg,applications_max,rows_avg,rows_max,energy_drift,"
            "symmetry_error,peak_mb");
  ASSERT_EQ(fields(row).size(), fields(header).size());
  EXPECT_EQ(row.substr(0, 10), "gas,100,7,");
  EXPECT_EQ(fields(row)[7], "0.25") << "one thread: CPU time";
  EXPECT_EQ(fields(row)[14], "nan") << "no mirror";
  ScalingOptions two = options;
  two.threads = 2;
  EXPECT_NE(scaling_csv(two, result).find(",0.5,0.5,"), std::string::npos) << "wall time";
}

TEST(ScalingTable, ShowsThePapersNumbersOnlyBesideThePapersScenes) {
  const ScalingResult result;
  EXPECT_NE(scaling_table({.scene = "drop", .n = 1'000'000}, result).find("7434.73"),
            std::string::npos);
  EXPECT_EQ(scaling_table({.scene = "drop", .n = 2000}, result).find("7434.73"), std::string::npos);
}

TEST(MirrorPairs, FindsTheLargestDeviation) {
  std::vector<Vec3> places = {{-1.0, 2.0, 0.0}, {0.0, 2.0, 0.0}, {1.0, 2.0, 0.0}, {0.0, 0.0, 0.0}};
  const MirrorPairs mirror(places);
  EXPECT_EQ(mirror.error(places), 0.0);
  places[2].y += 0.25;
  EXPECT_EQ(mirror.error(places), 0.25);
  places[1].x = 0.5;  // its image is at -0.5
  EXPECT_EQ(mirror.error(places), 1.0);
}

TEST(MirrorPairs, RefusesAStartWithoutMirror) {
  const std::vector<Vec3> places = {{-1.0, 2.0, 0.0}, {1.0, 2.5, 0.0}};
  EXPECT_THROW(MirrorPairs{places}, InputError);
}

}  // namespace
}  // namespace carom::bench
