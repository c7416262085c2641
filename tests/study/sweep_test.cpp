// Sweeps: what is varied, what is measured, tables that do not depend on threads and are taken up
// again.

#include "carom/study/sweep.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "support/run_command.h"

namespace carom::test {
namespace {

// A ball thrown along x, which flies for one second; one above it that does not move; a stick that
// turns about z.
const char* const kText = R"toml(
kind = "scene"
[world]
dimension = 2
[time]
step = 0.1
duration = 1
[[solid]]
name = "stick"
type = "box"
size = [2, 0.2]
[[body]]
name = "ball-a"
position = [0, 0]
velocity = [1, 0]
radius = 0.1
[[body]]
name = "ball-b"
position = [0, 5]
radius = 0.1
[[body]]
name = "stick"
solid = "stick"
density = 1.0
position = [0, -5]
angular_velocity = 0.5
[expect]
energy_drift = 1e-9
)toml";

SweepPlan plan_of(const std::vector<std::string>& axes, const std::vector<std::string>& measures) {
  SweepPlan plan;
  plan.text = kText;
  for (const std::string& axis : axes) plan.axes.push_back(parse_sweep_axis(axis, "--vary"));
  for (const std::string& measure : measures) plan.measures.emplace_back(measure);
  return plan;
}

double measured(const std::string& what, const std::string& override_of = "time.step=0.1") {
  const SweepPlan plan = plan_of({override_of}, {what});
  SweepTable table(plan);
  SweepRunner{}.run(plan, table);
  return table.row(0)->measured.at(0);
}

std::string fault_of(const std::string& measure) {
  try {
    return "accepted: " + std::to_string(measured(measure));
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string axis_fault(const std::string& text) {
  try {
    static_cast<void>(parse_sweep_axis(text, "--vary"));
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

// Two balls between walls: how often one looks does not change how often they collide.
TEST(SweepMeasures, CollisionsUnderEventsDoNotDependOnTheReports) {
  const auto collisions = [](const std::string& step) {
    SweepPlan plan;
    plan.text = R"toml(
kind = "scene"
[time]
scheme = "events"
duration = 5.75
[[shape]]
type = "box_inside"
name = "box"
lower = [0, -1]
upper = [4, 2]
[[body]]
position = [1, 0.5]
velocity = [1, 0]
radius = 0.5
[[body]]
position = [3, 0.5]
radius = 0.5
)toml";
    plan.axes.push_back(parse_sweep_axis("time.step=" + step, "--vary"));
    plan.measures.emplace_back("collisions");
    plan.measures.emplace_back("impact_steps");
    SweepTable table(plan);
    SweepRunner{}.run(plan, table);
    return table.row(0)->measured;
  };
  // After 1, 1.5, 2, 3.5, 5 and 5.5 s: ball, wall, ball, wall, ball, wall.
  EXPECT_EQ(collisions("0.01").at(0), 6.0);
  EXPECT_EQ(collisions("5.75").at(0), 6.0);
  EXPECT_EQ(collisions("5.75").at(1), 1.0);
}

TEST(SweepAxis, IsARangeWholeNumbersOrAList) {
  using Values = std::vector<std::string>;
  EXPECT_EQ(parse_sweep_axis("a.b=0:1:5", "").values,
            (Values{"0.0", "0.25", "0.5", "0.75", "1.0"}));
  EXPECT_EQ(parse_sweep_axis("a.b=3:-1:3", "").values, (Values{"3.0", "1.0", "-1.0"}));
  EXPECT_EQ(parse_sweep_axis("a.seed=7:9", "").values, (Values{"7", "8", "9"}));
  EXPECT_EQ(parse_sweep_axis("a.v=[1,2],[3,4],x", "").values, (Values{"[1,2]", "[3,4]", "x"}));
  const SweepAxis both = parse_sweep_axis("a.b+c[0].d=1,2", "");
  EXPECT_EQ(both.keys, (Values{"a.b", "c[0].d"}));
  for (const char* wrong : {"a", "=1", "a=", "a=1:2:1", "a=1:2:1.5", "a=x:2:3", "a=1:2:3:4",
                            "a=0.5:2", "a=3:1", "a=1:2:1e9"}) {
    EXPECT_NE(axis_fault(wrong), "accepted") << wrong;
  }
}

TEST(SweepPlan, AGridVariesTheLastAxisFastest) {
  const SweepPlan plan = plan_of({"a.b+a.c=1,2", "d.e=3,4,5"}, {"energy"});
  EXPECT_EQ(plan.run_count(), 6U);
  EXPECT_EQ(plan.values_of(0), (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(plan.values_of(4), (std::vector<std::string>{"2", "4"}));
  EXPECT_EQ(plan.overrides_of(4), (std::vector<std::string>{"a.b=2", "a.c=2", "d.e=4"}));
}

TEST(SweepAxis, CasesSetSeveralKeysAtOnce) {
  SweepPlan plan = plan_of({"time.duration=1,2"}, {"ball-a.x"});
  plan.axes.insert(
      plan.axes.begin(),
      parse_sweep_cases({"slow", "fast:body.ball-a.velocity=[3, 1];time.step=\"1/5\""}));
  ASSERT_EQ(plan.run_count(), 4U);
  EXPECT_EQ(plan.overrides_of(0), (std::vector<std::string>{"time.duration=1"}));
  EXPECT_EQ(plan.overrides_of(3),
            (std::vector<std::string>{"body.ball-a.velocity=[3, 1]", "time.step=\"1/5\"",
                                      "time.duration=2"}));
  SweepTable table(plan);
  SweepRunner{}.run(plan, table);
  EXPECT_NEAR(table.row(1)->measured[0], 2.0, 1e-12);
  EXPECT_NEAR(table.row(3)->measured[0], 6.0, 1e-12);
  const Figure figure = table.figure();
  const std::vector<PlotSeries>& curves = figure.panels[0].series;
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].label, "slow");
  EXPECT_EQ(curves[1].label, "fast");
  SweepPlan other = plan;
  other.axes[0].overrides[1][0] = "body.ball-a.velocity=[4, 1]";
  EXPECT_NE(plan.fingerprint(), other.fingerprint()) << "a table of other cases would be taken";
  for (const char* bad : {":a=1", "a=1", "name:a", "name:a=1;", "name:=1"}) {
    EXPECT_THROW(static_cast<void>(parse_sweep_cases({bad})), InputError) << bad;
  }
  EXPECT_THROW(static_cast<void>(parse_sweep_cases({"a", "a"})), InputError);
}

TEST(Measure, NamesQuantitiesOfRunsAndBodies) {
  EXPECT_NEAR(measured("ball-a.x"), 1.0, 1e-12);
  EXPECT_NEAR(measured("ball-a.moved"), 1.0, 1e-12);
  EXPECT_NEAR(measured("ball-a.vx"), 1.0, 1e-12);
  EXPECT_NEAR(measured("sum(ball-*.speed)"), 1.0, 1e-12);
  EXPECT_NEAR(measured("mean(ball-*.y)"), 2.5, 1e-12);
  EXPECT_NEAR(measured("max(*.y)"), 5.0, 1e-12);
  EXPECT_NEAR(measured("min(*.y)"), -5.0, 1e-12);
  EXPECT_EQ(measured("count(ball-*.speed>0.5)"), 1.0);
  EXPECT_EQ(measured("count(*.y<1)"), 2.0);
  EXPECT_NEAR(measured("stick.turned"), 0.5 * 180.0 / std::numbers::pi, 1e-9);
  EXPECT_NEAR(measured("stick.tilt"), 0.5 * 180.0 / std::numbers::pi, 1e-9);
  EXPECT_NEAR(measured("stick.wz"), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(measured("ball-a.tilt")));
  EXPECT_EQ(measured("steps"), 10.0);
  EXPECT_NEAR(measured("time"), 1.0, 1e-12);
  EXPECT_EQ(measured("expected"), 1.0);
  EXPECT_EQ(measured("expected", "expect.penetration_at_least=1"), 0.0);
}

TEST(Measure, FaultsAreToldWithNames) {
  EXPECT_NE(fault_of("enrgy").find("did you mean 'energy'"), std::string::npos);
  EXPECT_NE(fault_of("ball-a.spead").find("did you mean 'speed'"), std::string::npos);
  EXPECT_NE(fault_of("ball-c.x").find("ball-a"), std::string::npos);
  EXPECT_NE(fault_of("mode(ball-*.x)").find("summary"), std::string::npos);
  EXPECT_NE(fault_of("ball-a.x>1").find("count"), std::string::npos);
  EXPECT_NE(fault_of("count(ball-a.x>one)").find("number"), std::string::npos);
}

TEST(SweepTable, DoesNotDependOnTheNumberOfThreads) {
  const SweepPlan plan = plan_of({"body.ball-a.velocity[0]=0:2:9", "world.gravity=[0,0],[0,-1]"},
                                 {"ball-a.x", "energy", "ball-a.y"});
  std::vector<std::string> tables;
  for (const unsigned threads : {1U, 2U, 5U}) {
    SweepTable table(plan);
    SweepRunner runner;
    runner.threads = threads;
    runner.run(plan, table);
    EXPECT_EQ(table.finished(), 18U);
    tables.push_back(table.csv());
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(tables[0], tables[2]);
}

TEST(SweepTable, FinishedRunsAreTakenOverAndNotRepeated) {
  const SweepPlan plan = plan_of({"body.ball-a.velocity[0]=0:2:5"}, {"ball-a.x"});
  SweepTable first(plan);
  int allowed = 3;
  SweepRunner stopped;
  stopped.threads = 1;
  stopped.keep_going = [&] { return first.finished() < static_cast<std::size_t>(allowed); };
  stopped.run(plan, first);
  EXPECT_EQ(first.finished(), 3U);
  // Marked, so that a repetition would show.
  SweepRow marked = *first.row(1);
  marked.measured[0] = 77.0;
  first.set(1, marked);

  SweepTable second(plan);
  EXPECT_EQ(second.take_over(first.csv(), "t.csv"), 3U);
  int rows = 0;
  SweepRunner rest;
  rest.on_row = [&](const SweepTable& /*now*/) { ++rows; };
  rest.run(plan, second);
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(second.row(1)->measured[0], 77.0);
  EXPECT_NEAR(second.row(4)->measured[0], 2.0, 1e-12);

  // A longer range uses what it has in common; other measures are another sweep.
  const SweepPlan longer = plan_of({"body.ball-a.velocity[0]=0,1,2,3"}, {"ball-a.x"});
  SweepTable third(longer);
  EXPECT_EQ(third.take_over(second.csv(), "t.csv"), 0U);  // "0", not "0.0": other texts
  const SweepPlan other = plan_of({"body.ball-a.velocity[0]=0:2:5"}, {"ball-a.y"});
  SweepTable fourth(other);
  EXPECT_THROW(static_cast<void>(fourth.take_over(second.csv(), "t.csv")), InputError);
}

TEST(SweepTable, ShowsOneCurveForEachValueOfTheOtherAxes) {
  const SweepPlan plan =
      plan_of({"world.gravity=[0,0],[0,-1]", "body.ball-a.velocity[0]=0:2:3"}, {"ball-a.x"});
  SweepTable table(plan);
  SweepRunner{}.run(plan, table);
  const Figure figure = table.figure();
  ASSERT_EQ(figure.panels.size(), 1U);
  ASSERT_EQ(figure.panels[0].series.size(), 2U);
  EXPECT_EQ(figure.panels[0].series[1].label, "world.gravity [0,-1]");
  EXPECT_EQ(figure.panels[0].series[1].x, (std::vector<double>{0.0, 1.0, 2.0}));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(SweepCommand, WritesATableAndAPlotAndGoesOn) {
  const std::filesystem::path directory = scratch_directory() / "sweep";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "throw.toml") << kText;
  const std::string command =
      "sweep throw.toml -q --vary 'body.ball-a.velocity[0]=0:2:5' --measure ball-a.x "
      "--measure 'count(ball-*.moved>0.9)'";
  const CommandResult first = run_carom(command, directory);
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_TRUE(std::filesystem::exists(directory / "throw-sweep.svg"));
  const std::string table = text_of(directory / "throw-sweep.csv");
  EXPECT_NE(table.find("\n3,1.0,finished,"), std::string::npos) << table;
  // Killed in the middle: the last rows are missing.
  std::ofstream(directory / "throw-sweep.csv") << table.substr(0, table.find("\n4,") + 1);
  const CommandResult again = run_carom(command, directory);
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_NE(again.output.find("3 of 5 runs were there already"), std::string::npos) << again.output;
  EXPECT_EQ(text_of(directory / "throw-sweep.csv"), table);
  // Other measures do not overwrite it.
  const CommandResult other =
      run_carom("sweep throw.toml -q --vary time.step=0.1,0.2 --measure energy", directory);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.errors.find("--force"), std::string::npos);
  EXPECT_EQ(run_carom("sweep throw.toml -q --seeds 1:3", directory).code, 2);
  EXPECT_EQ(run_carom("sweep throw.toml -q", directory).code, 2);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace carom::test
