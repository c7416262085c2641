// How many pins fall, against the place at which the ball meets them.

#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/scene/settings.h"
#include "carom/study/sweep.h"

namespace carom::detail {
namespace {

// One kind of throw: fallen pins for each place.
std::vector<double> fallen_pins(const CheckInput& input, const std::vector<std::string>& settings,
                                const std::vector<double>& starts) {
  SweepPlan plan;
  plan.file = input.scene->file;
  plan.text = input.scene->text;
  plan.settings = settings;
  SweepAxis axis{"start", {"body.ball.position[1]"}, {}};
  for (const double start : starts) axis.values.push_back(exact_number(start));
  plan.axes.push_back(std::move(axis));
  plan.measures.emplace_back("count(pin-*.tilt>20)");
  SweepTable table(plan);
  SweepRunner{}.run(plan, table);
  std::vector<double> fallen;
  for (std::size_t run = 0; run < starts.size(); ++run) {
    fallen.push_back(table.row(run)->measured[0]);
  }
  return fallen;
}

// The mean over the places between two distances from the middle, on one side.
double mean_between(const DataTable& table, std::size_t column, double from, double to) {
  double sum = 0.0;
  double count = 0.0;
  for (const std::vector<double>& row : table.rows) {
    if (row[0] < from || row[0] > to) continue;
    sum += row[column];
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

// Single throws are chaotic: means over a neighbourhood, and the throws themselves below.
Figure pins_figure(const std::string& title, const DataTable& table) {
  constexpr double kNeighbourhood = 0.01;  // m, to either side
  PlotPanel means;
  means.title = "mean of the throws within a centimetre";
  means.x_label = "where the ball crosses the line of the head pin (m)";
  means.y_label = "fallen pins";
  means.y_range = PlotRange{0.0, 10.5};
  PlotPanel throws = means;
  throws.title = "single throws";
  for (const std::size_t column : {std::size_t{1}, std::size_t{2}}) {
    PlotSeries single = table_series(table, 0, column, table.columns[column]);
    PlotSeries mean = single;
    for (std::size_t k = 0; k < mean.x.size(); ++k) {
      mean.y[k] =
          mean_between(table, column, mean.x[k] - kNeighbourhood, mean.x[k] + kNeighbourhood);
    }
    single.style = SeriesStyle::points;
    means.series.push_back(std::move(mean));
    throws.series.push_back(std::move(single));
  }
  return {title, "", {means, throws}};
}

}  // namespace

// Straight and hooking balls; places are where the ball would cross the line of the head pin.
CheckOutcome check_bowling(const CheckInput& input) {
  const Parameters& p = input.parameters;
  p.demand_only({"name", "throws", "from", "to", "hook", "hook_way", "pocket", "pocket_pins",
                 "hook_gain", "dead_on", "dip"});
  const auto throws = static_cast<std::size_t>(p.count("throws"));
  DataTable table{"fallen_pins", {"place", "straight", "hook"}, {}};
  std::vector<double> straight;
  std::vector<double> hooked;
  for (std::size_t k = 0; k < throws; ++k) {
    const double place = p.number("from") + (p.number("to") - p.number("from")) *
                                                static_cast<double>(k) /
                                                static_cast<double>(throws - 1);
    straight.push_back(place);
    hooked.push_back(place - p.number("hook_way"));
    table.rows.push_back({place, 0.0, 0.0});
  }
  const std::vector<double> of_straight = fallen_pins(input, {}, straight);
  const std::vector<double> of_hook = fallen_pins(input, p.texts("hook"), hooked);
  for (std::size_t k = 0; k < throws; ++k) {
    table.rows[k][1] = of_straight[k];
    table.rows[k][2] = of_hook[k];
  }
  const std::vector<double> pocket = p.numbers("pocket");
  const double gain =
      mean_between(table, 2, pocket[0], pocket[1]) - mean_between(table, 1, pocket[0], pocket[1]);
  // Means on both sides: a curve without a dip would have single throws that stand out, too.
  const double dip = mean_between(table, 1, pocket[0], pocket[1]) -
                     mean_between(table, 1, -p.number("dead_on"), p.number("dead_on"));
  CheckOutcome outcome;
  outcome.claims.push_back(claim_at_least(
      "pins that a straight ball fells less where it hits the head pin dead on than in the pocket",
      dip, p.number("dip")));
  // Single throws are chaotic: the difference shows in many.
  if (p.has("hook_gain")) {
    outcome.claims.push_back(claim_at_least("pins that the hook fells more, in the pocket", gain,
                                            p.number("hook_gain")));
  }
  outcome.claims.push_back(claim_at_least("pins that the hook fells in the pocket",
                                          mean_between(table, 2, pocket[0], pocket[1]),
                                          p.number("pocket_pins")));
  outcome.figures.push_back({table.name, pins_figure(input.scene->title, table)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
