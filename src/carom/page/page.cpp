// A run as the data of a page, as finely as its size allows.
#include "carom/page/page.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "carom/core/version.h"
#include "carom/page/detail/page_checks.h"
#include "carom/page/detail/page_encoding.h"

namespace carom {
namespace {

using detail::to_base64;
using nlohmann::json;

// Arrows may take this much of the file, before base64; 52 bytes each.
constexpr double kArrowShare = 0.15;
constexpr double kArrowBytes = 52.0;

// How finely one attempt at a page is stored.
struct Detail {
  double position_error = 0.0;  ///< relative to the extent
  std::size_t stride = 1;
};

json encode_series(const PageSeries& series, std::size_t max_points) {
  std::vector<double> times;
  std::vector<double> values;
  for (const std::size_t k : detail::thinned_points(series.values, max_points)) {
    times.push_back(series.times[k]);
    values.push_back(series.values[k]);
  }
  return {{"name", series.name},       {"unit", series.unit},
          {"plot", series.plot},       {"scale", series.scale},
          {"whole", series.whole},     {"logarithmic", series.logarithmic},
          {"times", to_base64(times)}, {"values", to_base64(values)}};
}

double strength(const PageArrow& arrow) {
  return std::hypot(arrow.impulse[0], arrow.impulse[1], arrow.impulse[2]);
}

// Where the arrows of each moment begin, and where the last end.
std::vector<std::size_t> moments_of(std::span<const PageArrow> arrows) {
  std::vector<std::size_t> bounds;
  for (std::size_t k = 0; k < arrows.size(); ++k) {
    if (k == 0 || arrows[k].time != arrows[k - 1].time) bounds.push_back(k);
  }
  bounds.push_back(arrows.size());
  return bounds;
}

// How many of each moment may stay so that no more than `most` do.
std::size_t share_of_moment(std::span<const std::size_t> bounds, std::size_t most) {
  std::size_t enough = 0;
  std::size_t too_many = most + 1;
  while (enough + 1 < too_many) {
    const std::size_t middle = enough + (too_many - enough) / 2;
    std::size_t sum = 0;
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
      sum += std::min(middle, bounds[k + 1] - bounds[k]);
    }
    (sum <= most ? enough : too_many) = middle;
  }
  return enough;
}

// At most `most` arrows, in the order of time: the strongest of each moment, so that one big impact
// does not crowd out the small impulses of what rests before and after it.
std::vector<std::size_t> chosen_arrows(std::span<const PageArrow> arrows, std::size_t most) {
  std::vector<std::size_t> order(arrows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (arrows.size() <= most) return order;
  const std::vector<std::size_t> bounds = moments_of(arrows);
  const std::size_t share = std::max<std::size_t>(share_of_moment(bounds, most), 1);
  const std::size_t moments = bounds.size() - 1;
  const std::size_t stride = most == 0 ? moments : (moments + most - 1) / most;
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < moments && chosen.size() < most; k += stride) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(bounds[k]);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(bounds[k + 1]);
    std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) {
      return strength(arrows[a]) > strength(arrows[b]);
    });
    const std::size_t kept = std::min(share, bounds[k + 1] - bounds[k]);
    chosen.insert(chosen.end(), begin, begin + static_cast<std::ptrdiff_t>(kept));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::array<double, 3> normal_of(const PageArrow& arrow) {
  std::array<double, 3> normal = arrow.normal;
  if (normal == std::array<double, 3>{}) normal = arrow.impulse;
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  if (length > 0.0) {
    for (double& x : normal) x /= length;
  }
  return normal;
}

std::int32_t body_number(Index body) {
  return body == kNone ? -1 : static_cast<std::int32_t>(body);
}

json encode_arrows(std::span<const PageArrow> arrows, std::span<const std::size_t> chosen) {
  std::vector<double> times;
  std::vector<float> vectors;
  std::vector<float> normals;
  std::vector<std::int32_t> bodies;
  for (const std::size_t k : chosen) {
    const PageArrow& arrow = arrows[k];
    times.push_back(arrow.time);
    for (const double x : arrow.point) vectors.push_back(static_cast<float>(x));
    for (const double x : arrow.impulse) vectors.push_back(static_cast<float>(x));
    for (const double x : normal_of(arrow)) normals.push_back(static_cast<float>(x));
    bodies.push_back(body_number(arrow.body_a));
    bodies.push_back(body_number(arrow.body_b));
  }
  return {{"given", arrows.size()},
          {"times", to_base64(times)},
          {"vectors", to_base64(vectors)},
          {"normals", to_base64(normals)},
          {"bodies", to_base64(bodies)}};
}

json encode_springs(std::span<const PageSpring> springs) {
  json list = json::array();
  for (const PageSpring& spring : springs) {
    list.push_back({{"a", spring.body_a},
                    {"b", body_number(spring.body_b)},
                    {"point", spring.point},
                    {"length", spring.length}});
  }
  return list;
}

class PageBuilder {
 public:
  PageBuilder(std::string_view page_template, std::span<const PageRun> runs,
              const PageSettings& settings)
      : template_(page_template), runs_(runs), settings_(settings) {
    mark_ = template_.find(kPageDataMark);
    const bool is_once = mark_ != std::string_view::npos &&
                         template_.find(kPageDataMark, mark_ + 1) == std::string_view::npos;
    if (!is_once) {
      detail::fail_page("page_template",
                        "expected " + std::string(kPageDataMark) + " exactly once");
    }
    for (std::size_t k = 0; k < runs.size(); ++k) {
      detail::check_page_run(runs[k], k);
      demand_same_dimension(k);
      fixed_.push_back(fixed_parts(k));
    }
  }

  [[nodiscard]] double max_bytes() const { return 1e6 * settings_.max_megabytes; }

  PageResult build(const Detail& how) {
    PageResult result = counts_;
    result.frame_stride = how.stride;
    json data = {{"format", 1}, {"carom", kVersion}, {"runs", json::array()}};
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      data["runs"].push_back(whole_run(k, how, result));
    }
    data["positionError"] = result.position_error;
    data["speedError"] = result.speed_error;
    data["orientationError"] = result.orientation_error;
    result.html.append(template_.substr(0, mark_));
    append_escaped(result.html, data.dump(-1, ' ', false, json::error_handler_t::replace));
    result.html.append(template_.substr(mark_ + kPageDataMark.size()));
    return result;
  }

 private:
  // One camera shows all runs.
  void demand_same_dimension(std::size_t number) const {
    const PageRun& first = runs_[0];
    const PageRun& run = runs_[number];
    if (run.dimension == first.dimension) return;
    detail::fail_page("runs[" + std::to_string(number) + "].dimension",
                      "'" + run.title + "' has " + std::to_string(run.dimension) +
                          " dimensions and '" + first.title + "' has " +
                          std::to_string(first.dimension) +
                          "; a page shows runs of one dimension side by side: make one of each");
  }

  // What does not depend on how finely positions and times are stored.
  json fixed_parts(std::size_t number) {
    const PageRun& run = runs_[number];
    json series = json::array();
    for (const PageSeries& one : run.series) {
      series.push_back(encode_series(one, settings_.max_series_points));
    }
    const double share = kArrowShare * max_bytes() / kArrowBytes;
    const auto most = static_cast<std::size_t>(share / static_cast<double>(runs_.size()));
    const std::vector<std::size_t> arrows = chosen_arrows(run.arrows, most);
    counts_.arrows_kept += arrows.size();
    counts_.arrows_given += run.arrows.size();
    const std::size_t frames = std::max(run.times.size(), run.recorded_frames);
    counts_.frames_given += frames;
    json parts = {{"title", run.title},
                  {"operator", run.impact_operator},
                  {"method", run.method},
                  {"end", run.end},
                  {"scene", run.scene_name},
                  {"description", run.description},
                  {"figure", run.figure},
                  {"dimension", run.dimension},
                  {"timeStep", run.time_step},
                  {"period", run.period},
                  {"up", run.up},
                  {"radii", to_base64(run.radii)},
                  {"names", run.names},
                  {"framesGiven", frames},
                  {"shapes", detail::read_page_shapes(run, number)},
                  {"series", std::move(series)},
                  {"arrows", encode_arrows(run.arrows, arrows)}};
    if (!run.presence.empty()) {
      std::vector<double> times;
      for (const auto& [first, last] : run.presence) times.insert(times.end(), {first, last});
      parts["presence"] = to_base64(times);
    }
    if (!run.springs.empty()) parts["springs"] = encode_springs(run.springs);
    if (run.heights) {
      const PageHeights& heights = *run.heights;
      parts["heights"] = {{"cell", heights.cell},
                          {"lower", heights.lower},
                          {"length", heights.length},
                          {"floor", body_number(heights.floor)}};
    }
    if (!run.solids.empty()) {
      parts["solids"] = detail::read_page_solids(run, number);
      parts["solidOf"] = to_base64(run.solids);
    }
    if (!run.surfaces_json.empty()) parts["surfaces"] = detail::read_page_surfaces(run, number);
    return parts;
  }

  json whole_run(std::size_t number, const Detail& how, PageResult& result) const {
    const PageRun& run = runs_[number];
    json whole = fixed_[number];
    const std::vector<std::size_t> frames = detail::kept_frames(run.times.size(), how.stride);
    std::vector<double> times;
    for (const std::size_t frame : frames) times.push_back(run.times[frame]);
    whole["times"] = to_base64(times);
    result.frames_kept += frames.size();

    const detail::PositionGrid grid = detail::make_position_grid(run, how.position_error);
    whole["origin"] = grid.origin;
    whole["quantum"] = grid.quantum;
    whole["positions"] = to_base64(detail::encode_positions(run, grid, frames));
    result.position_error = std::max(result.position_error, grid.error);

    if (!run.velocities.empty()) {
      const detail::SpeedGrid speeds = detail::make_speed_grid(run);
      whole["speedQuantum"] = speeds.quantum;
      whole["speeds"] = to_base64(detail::encode_speeds(run, speeds, frames));
      result.speed_error = std::max(result.speed_error, speeds.error);
    }
    if (!run.layers.empty()) whole["layers"] = to_base64(detail::encode_layers(run, frames));
    if (!run.orientations.empty()) {
      const detail::OrientationGrid turns = detail::make_orientation_grid(run);
      whole["orientationQuantum"] = turns.quantum;
      whole["orientations"] = to_base64(detail::encode_orientations(run, turns, frames));
      result.orientation_error = std::max(result.orientation_error, turns.error);
    }
    return whole;
  }

  // In JSON "<" stands only inside strings. Written as \u003c it can neither end the script element
  // nor open a comment.
  static void append_escaped(std::string& html, std::string_view data) {
    html.reserve(html.size() + data.size() + 4096);
    for (const char c : data) {
      if (c == '<') {
        html.append("\\u003c");
      } else {
        html += c;
      }
    }
  }

  std::string_view template_;
  std::size_t mark_ = 0;
  std::span<const PageRun> runs_;
  const PageSettings& settings_;
  std::vector<json> fixed_;
  PageResult counts_;  ///< what every attempt has in common
};

void check_settings(const PageSettings& settings) {
  const bool errors_fit = settings.position_error > 0.0 &&
                          settings.coarsest_position_error >= settings.position_error &&
                          settings.coarsest_position_error < 0.1;
  if (!errors_fit) {
    detail::fail_page("position_error",
                      "expected 0 < position_error <= coarsest_position_error < 0.1");
  }
  if (!(settings.max_megabytes > 0.0 && settings.max_megabytes < 1e6)) {
    detail::fail_page("max_megabytes", "expected a positive number below 1e6");
  }
}

}  // namespace

PageResult make_page(std::string_view page_template, std::span<const PageRun> runs,
                     const PageSettings& settings) {
  check_settings(settings);
  if (runs.empty()) detail::fail_page("runs", "expected at least one run");
  PageBuilder builder(page_template, runs, settings);
  std::size_t longest = 1;
  for (const PageRun& run : runs) longest = std::max(longest, run.times.size());

  const auto excess_of = [&](const PageResult& page) {
    return static_cast<double>(page.html.size()) / builder.max_bytes();
  };

  Detail how{settings.position_error, 1};
  PageResult result = builder.build(how);
  if (excess_of(result) > 1.0) result = builder.build({settings.coarsest_position_error, 1});
  while (excess_of(result) > 1.0) {
    if (how.stride + 1 >= longest) {
      detail::fail_page("max_megabytes", "two frames of these runs alone need " +
                                             std::to_string(result.html.size() / 1000000 + 1) +
                                             " MB");
    }
    // What does not shrink with the number of frames makes this guess too small, never too large;
    // the loop corrects it.
    const auto guess =
        static_cast<std::size_t>(static_cast<double>(how.stride) * excess_of(result));
    how.stride = std::min(longest - 1, std::max(how.stride + 1, guess));
    result = builder.build(how);
  }
  return result;
}

}  // namespace carom
