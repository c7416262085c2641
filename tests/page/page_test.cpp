#include "carom/page/page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/core/random.h"

#include "page/page_reader.h"

namespace carom::page_test {
namespace {

using nlohmann::json;

std::vector<std::size_t> kept_frames(const PageRun& run, const json& data) {
  std::vector<std::size_t> kept;
  for (const double time : numbers_of<double>(data["times"])) {
    const auto place = std::find(run.times.begin(), run.times.end(), time);
    EXPECT_NE(place, run.times.end());
    kept.push_back(static_cast<std::size_t>(place - run.times.begin()));
  }
  return kept;
}

double largest_error(const PageRun& run, const json& data) {
  const std::vector<std::vector<double>> shown = positions_of(data);
  const std::vector<std::size_t> kept = kept_frames(run, data);
  EXPECT_EQ(shown.size(), kept.size());
  const auto axes = static_cast<std::size_t>(run.dimension);
  double error = 0.0;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (std::size_t i = 0; i < shown[k].size(); ++i) {
      const double given = run.positions[kept[k]][3 * (i / axes) + i % axes];
      error = std::max(error, std::abs(shown[k][i] - given));
    }
  }
  return error;
}

TEST(Page, ShowsEveryPositionWithinTheStatedError) {
  for (const int dimension : {2, 3}) {
    for (const double relative : {1e-9, 1e-6, 1e-4}) {
      const PageRun run = random_run(30, 50, dimension, 7);
      const PageResult page =
          page_of(run, {.position_error = relative, .coarsest_position_error = relative});
      const double error = largest_error(run, data_of(page)["runs"][0]);
      EXPECT_LE(error, page.position_error) << dimension << " " << relative;
      EXPECT_GE(error, 0.9 * page.position_error) << "the bound is not a loose one";
      EXPECT_LE(page.position_error, relative * 20.0) << "the extent is about 15";
      EXPECT_EQ(data_of(page)["positionError"], page.position_error);
    }
  }
}

TEST(Page, KeepsItsBoundFarFromTheOriginAndAcrossTheWholeRange) {
  PageRun run = random_run(2, 40, 3, 3);
  for (std::size_t frame = 0; frame < 40; ++frame) {
    // From one end to the other and back, in one frame each: differences beyond 31 bits.
    run.positions[frame][0] = frame % 2 == 0 ? -1e6 : 1e6;
    run.positions[frame][1] += 1e9;
  }
  const PageResult page = page_of(run, {.position_error = 1e-12});
  EXPECT_LE(largest_error(run, data_of(page)["runs"][0]), page.position_error);
}

TEST(Page, ShowsEverySpeedWithinTheStatedError) {
  const PageRun run = random_run(20, 30, 2, 11);
  const PageResult page = page_of(run);
  const json data = data_of(page)["runs"][0];
  const std::vector<std::int64_t> differences = differences_of(data["speeds"]);
  ASSERT_EQ(differences.size(), 20U * 30U);
  std::vector<std::int64_t> level(20);
  for (std::size_t k = 0; k < differences.size(); ++k) {
    const std::size_t body = k % 20;
    level[body] += differences[k];
    const std::vector<double>& v = run.velocities[k / 20];
    const double shown = data["speedQuantum"].get<double>() * static_cast<double>(level[body]);
    EXPECT_NEAR(shown, std::hypot(v[3 * body], v[3 * body + 1]), page.speed_error);
  }
}

TEST(Page, FreeFlightCostsAboutOneByteForEachNumber) {
  PageRun run = random_run(100, 200, 3, 5);
  for (std::size_t frame = 1; frame < 200; ++frame) {
    for (std::size_t k = 0; k < 300; ++k) {
      run.positions[frame][k] = run.positions[0][k] + run.times[frame] * run.velocities[0][k];
    }
  }
  const std::size_t bytes = bytes_of(data_of(page_of(run))["runs"][0]["positions"]).size();
  EXPECT_LT(bytes, 100U * 200U * 3U * 21U / 20U);
}

TEST(Page, TextOfARecordingCannotLeaveItsScript) {
  PageRun run = random_run(1, 1, 2, 1);
  const std::string hostile = "</script><script>alert(1)</script><!--\"\\\n\xff";
  run.title = hostile;
  run.names = {hostile};
  run.series.push_back({hostile, "J", "", 0.0, false, false, {0.0}, {1.0}});
  run.shapes_json = R"([{"type":"segment","name":"</script>","a":[0,0,0],"b":[1,0,0]}])";
  const PageResult page = page_of(run);
  EXPECT_EQ(page.html.find("</script>"), page.html.size() - std::string("</script></html>").size());
  EXPECT_EQ(page.html.find("<!--"), std::string::npos);
  const json data = data_of(page)["runs"][0];
  const std::string title = data["title"];
  EXPECT_EQ(title.substr(0, title.find('\n')), hostile.substr(0, hostile.find('\n')));
  EXPECT_EQ(data["shapes"][0]["name"], "</script>");
}

TEST(Page, StaysBelowItsLimitByCoarserPositionsAndThenFewerFrames) {
  const PageRun run = random_run(200, 300, 3, 13);
  const PageResult whole = page_of(run);
  EXPECT_EQ(whole.frame_stride, 1U);
  EXPECT_EQ(whole.frames_kept, 300U);
  const double megabytes = static_cast<double>(whole.html.size()) / 1e6;

  const PageResult coarser = page_of(run, {.max_megabytes = megabytes * 0.99});
  EXPECT_EQ(coarser.frames_kept, 300U);
  EXPECT_GT(coarser.position_error, whole.position_error);

  for (const double share : {0.5, 0.2, 0.05}) {
    const PageResult fewer = page_of(run, {.max_megabytes = megabytes * share});
    EXPECT_LE(static_cast<double>(fewer.html.size()), 1e6 * megabytes * share);
    EXPECT_GT(static_cast<double>(fewer.html.size()), 4e5 * megabytes * share) << "not too few";
    const json data = data_of(fewer)["runs"][0];
    const std::vector<std::size_t> kept = kept_frames(run, data);
    EXPECT_EQ(kept.size(), fewer.frames_kept);
    EXPECT_EQ(data["framesGiven"], 300);
    EXPECT_EQ(kept.front(), 0U);
    EXPECT_EQ(kept.back(), 299U);
    for (std::size_t k = 1; k + 1 < kept.size(); ++k) {
      EXPECT_EQ(kept[k] - kept[k - 1], fewer.frame_stride);
    }
    EXPECT_LE(largest_error(run, data), fewer.position_error);
  }
  EXPECT_THROW(static_cast<void>(page_of(run, {.max_megabytes = 1e-4})), InputError);
}

TEST(Page, HoldsSeveralRunsWithFramesOfTheirOwn) {
  const std::vector<PageRun> runs = {random_run(5, 10, 2, 1), random_run(5, 17, 2, 2),
                                     random_run(3, 4, 2, 3)};
  const PageResult page = make_page(kTemplate, runs);
  const json data = data_of(page);
  ASSERT_EQ(data["runs"].size(), 3U);
  EXPECT_EQ(page.frames_kept, 31U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LE(largest_error(runs[k], data["runs"][k]), page.position_error);
  }
}

TEST(Page, ThinnedSeriesKeepTheirExtremesAndEnds) {
  PageRun run = random_run(1, 2, 2, 1);
  PageSeries series;
  Random random(17);
  for (int k = 0; k < 100000; ++k) {
    series.times.push_back(k);
    series.values.push_back(k % 1000 == 7 ? std::numeric_limits<double>::quiet_NaN()
                                          : random.uniform(0.0, 1.0));
  }
  series.values[31337] = 5.0;
  series.values[77777] = -5.0;
  run.series.push_back(series);
  const json data = data_of(page_of(run))["runs"][0]["series"][0];
  const std::vector<double> times = numbers_of<double>(data["times"]);
  const std::vector<double> values = numbers_of<double>(data["values"]);
  ASSERT_EQ(times.size(), values.size());
  EXPECT_LE(times.size(), 4000U);
  EXPECT_EQ(times.front(), 0.0);
  EXPECT_EQ(times.back(), 99999.0);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(std::count(values.begin(), values.end(), 5.0), 1);
  EXPECT_EQ(std::count(values.begin(), values.end(), -5.0), 1);
}

// 100 moments of 100 arrows; the first moment is a thousand times as strong as the others.
PageRun run_with_arrows() {
  PageRun run = random_run(2, 2, 2, 1);
  for (int k = 0; k < 10000; ++k) {
    const double strength = static_cast<double>((k * 37) % 100 + 1) * (k < 100 ? 1000.0 : 1.0);
    const int moment = k / 100;
    run.arrows.push_back({.time = 0.001 * moment,
                          .point = {1.0, 2.0, 0.0},
                          .impulse = {0.0, strength, 0.0},
                          .body_a = 0,
                          .body_b = k % 2 == 0 ? 1 : kNone});
  }
  return run;
}

TEST(Page, TooManyArrowsLeaveTheStrongestOfEachMoment) {
  const PageResult page = page_of(run_with_arrows(), {.max_megabytes = 0.12});
  EXPECT_EQ(page.arrows_given, 10000U);
  EXPECT_LT(page.html.size(), 120000U);
  const json data = data_of(page)["runs"][0]["arrows"];
  const std::vector<float> vectors = numbers_of<float>(data["vectors"]);
  const std::vector<double> times = numbers_of<double>(data["times"]);
  ASSERT_EQ(vectors.size(), 6 * page.arrows_kept);
  ASSERT_EQ(page.arrows_kept, 300U) << "three of each";
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  for (std::size_t k = 0; k < page.arrows_kept; ++k) {
    const std::size_t moment = k / 3;
    EXPECT_EQ(times[k], 0.001 * static_cast<double>(moment));
    EXPECT_GE(vectors[6 * k + 4], k < 3 ? 98000.0F : 98.0F);
  }
  EXPECT_EQ(numbers_of<std::int32_t>(data["bodies"]).size(), 2 * page.arrows_kept);
}

TEST(Page, MoreMomentsThanRoomAreThinnedEvenly) {
  PageRun run = run_with_arrows();
  for (std::size_t k = 0; k < run.arrows.size(); ++k) {
    run.arrows[k].time = static_cast<double>(k);
  }
  const PageResult page = page_of(run, {.max_megabytes = 0.12});
  const json data = data_of(page)["runs"][0]["arrows"];
  const std::vector<double> times = numbers_of<double>(data["times"]);
  ASSERT_GT(times.size(), 300U);
  for (std::size_t k = 1; k < times.size(); ++k) {
    EXPECT_EQ(times[k] - times[k - 1], times[1] - times[0]);
  }
  EXPECT_GT(times.back(), 9900.0);
}

TEST(Page, NormalsAreThoseOfTheContactsOrAlongTheImpulse) {
  PageRun run = random_run(2, 2, 3, 1);
  run.arrows.push_back({.impulse = {3.0, 4.0, 0.0}, .body_a = 0, .normal = {0.0, 0.0, 2.0}});
  run.arrows.push_back({.impulse = {3.0, 4.0, 0.0}, .body_a = 0});
  const json data = data_of(page_of(run))["runs"][0]["arrows"];
  EXPECT_EQ(numbers_of<float>(data["normals"]),
            (std::vector<float>{0.0F, 0.0F, 1.0F, 0.6F, 0.8F, 0.0F}));
}

TEST(Page, RunsOfTwoAndThreeDimensionsAreNotShownTogether) {
  std::vector<PageRun> runs = {random_run(2, 3, 2, 1), random_run(2, 3, 3, 1)};
  runs[0].title = "break";
  runs[1].title = "fall";
  try {
    static_cast<void>(make_page(kTemplate, runs));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "runs[1].dimension: 'fall' has 3 dimensions and 'break' has 2; a page shows runs "
                 "of one dimension side by side: make one of each");
  }
}

TEST(Page, TellsOfFramesThatWereNotRead) {
  PageRun run = random_run(1, 3, 2, 1);
  run.recorded_frames = 30;
  const PageResult page = page_of(run);
  EXPECT_EQ(page.frames_given, 30U);
  EXPECT_EQ(data_of(page)["runs"][0]["framesGiven"], 30);
}

TEST(Page, SaysWhichPartOfARunDoesNotFit) {
  const auto broken = [](auto&& change) {
    PageRun run = random_run(2, 3, 2, 1);
    change(run);
    return message_of(run);
  };
  EXPECT_EQ(broken([](PageRun&) {}), "no error");
  const auto expect_part = [&](const std::string& part, auto&& change) {
    EXPECT_NE(broken(change).find(part), std::string::npos) << part << ": " << broken(change);
  };
  expect_part("runs[0].positions[1]", [](PageRun& run) { run.positions[1].pop_back(); });
  expect_part("runs[0].positions[2][4]", [](PageRun& run) { run.positions[2][4] = kInfinity; });
  expect_part("runs[0].velocities", [](PageRun& run) { run.velocities.pop_back(); });
  expect_part("runs[0].times[2]", [](PageRun& run) { run.times[2] = run.times[1]; });
  expect_part("runs[0].radii[1]", [](PageRun& run) { run.radii[1] = 0.0; });
  expect_part("runs[0].names", [](PageRun& run) { run.names = {"one"}; });
  expect_part("runs[0].dimension", [](PageRun& run) { run.dimension = 4; });
  expect_part("runs[0].shapes_json", [](PageRun& run) { run.shapes_json = "{"; });
  expect_part("did you mean 'segment'", [](PageRun& run) {
    run.shapes_json = R"([{"type":"segmnt","a":[0,0,0],"b":[1,0,0]}])";
  });
  expect_part("runs[0].shapes_json[0].radius", [](PageRun& run) {
    run.shapes_json = R"([{"type":"sphere_inside","center":[0,0,0]}])";
  });
  expect_part("runs[0].arrows[0]", [](PageRun& run) { run.arrows.push_back({.body_a = 2}); });
  expect_part("runs[0].heights", [](PageRun& run) {
    run.dimension = 3;
    run.heights = PageHeights{0.0, {0.0, 0.0}, {1.0, 1.0}, kNone};
  });
}

TEST(Page, NeedsATemplateWithOnePlaceForTheData) {
  const PageRun run = random_run(1, 1, 2, 1);
  EXPECT_THROW(static_cast<void>(make_page("<html></html>", {&run, 1})), InputError);
  EXPECT_THROW(static_cast<void>(make_page("{{carom-data}}{{carom-data}}", {&run, 1})), InputError);
}

}  // namespace
}  // namespace carom::page_test
