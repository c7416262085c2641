// A ball that rolls on a platter which spins.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

// Where a ball that began at `position` is by the theory.
Vec3 rolled(const Vec3& position, const Vec3& velocity, double rate, double time) {
  const double along = std::sin(rate * time) / rate;
  const double across = (1.0 - std::cos(rate * time)) / rate;
  return position + along * velocity + across * Vec3{-velocity.y, velocity.x, 0.0};
}

// The growth of a circle per turn: distances from the start of the places opposite to it, half a
// turn after each return, the last against the first.
double growth_per_turn(Simulation simulation, double period, std::uint64_t turns) {
  simulation.time.step = 0.5 * period;
  const Vec3 start = simulation.start.position[0];
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  double first = 0.0;
  double last = 0.0;
  for (std::uint64_t half = 1; half <= 2 * turns + 1; ++half) {
    if (!stepper->step().can_go_on()) return kInfinity;
    if (half % 2 == 0) continue;
    const Vec3 away = stepper->state().position[0] - start;
    last = std::hypot(away.x, away.y);
    if (half == 1) first = last;
  }
  return (last / first - 1.0) / static_cast<double>(turns);
}

// The same scale along both axes, so that a circle is one.
Figure path_figure(const std::string& title, const DataTable& table, PlotSeries theory) {
  PlotPanel panel;
  panel.x_label = "x (mm)";
  panel.y_label = "y (mm)";
  panel.series = {std::move(theory), table_series(table, 1, 2, "found")};
  panel.series.front().style = SeriesStyle::dashes;
  panel.series.back().style = SeriesStyle::points;
  double left = 0.0;
  double lower = 0.0;
  double size = 0.0;
  for (PlotSeries& series : panel.series) {
    for (double& x : series.x) left = std::min(left, x *= 1e3);
    for (double& y : series.y) lower = std::min(lower, y *= 1e3);
  }
  for (const PlotSeries& series : panel.series) {
    for (const double x : series.x) size = std::max(size, x - left);
    for (const double y : series.y) size = std::max(size, y - lower);
  }
  const double space = 0.05 * size;
  panel.x_range = PlotRange{left - space, left + size + space};
  panel.y_range = PlotRange{lower - space, lower + size + space};
  Figure figure{title, "", {panel}};
  figure.width = 560.0;
  figure.panel_height = 400.0;
  return figure;
}

}  // namespace

// Rolling on a surface that turns with Omega, a solid ball obeys
//   dv/dt = w x v,   w = (2/7) Omega:
// its velocity turns with w, whatever its radius and mass, so it runs round a circle of radius
// |v| / |w|. From q and v,
//   q(t) = q + (sin(w t) v + (1 - cos(w t)) n x v) / w,   n the axis.
CheckOutcome check_rolling_circle(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"tolerance", "turns", "growth"});
  const Simulation& simulation = input.scene->simulation;
  if (simulation.world.dimension != 3 || simulation.world.bodies.size() != 1 ||
      simulation.world.shapes.empty() || simulation.world.shapes.front().spin.z == 0.0) {
    parameters.refuse("name", "needs one ball on a shape that spins about z");
  }
  const double rate = 2.0 / 7.0 * simulation.world.shapes.front().spin.z;
  const Vec3 q = simulation.start.position[0];
  const Vec3 v = simulation.start.velocity[0];
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  DataTable table{"rolling", {"time", "x", "y", "x_theory", "y_theory"}, {}};
  bool went_on = true;
  double worst = 0.0;
  for (std::uint64_t k = 0; k <= step_count(simulation.time) && went_on; ++k) {
    const double time = stepper->state().time;
    const Vec3 found = stepper->state().position[0];
    const Vec3 expected = rolled(q, v, rate, time);
    worst = std::max(worst, std::hypot(found.x - expected.x, found.y - expected.y));
    table.rows.push_back({time, found.x, found.y, expected.x, expected.y});
    went_on = stepper->step().can_go_on();
  }
  PlotSeries theory{"theory", {}, {}};
  constexpr int kPoints = 200;
  for (int k = 0; k <= kPoints; ++k) {
    const Vec3 place = rolled(q, v, rate, simulation.time.duration * k / kPoints);
    theory.x.push_back(place.x);
    theory.y.push_back(place.y);
  }
  CheckOutcome outcome;
  outcome.claims.push_back(
      claim_at_most("largest distance from the theory, over the radius of its circle",
                    worst / (norm(v) / std::abs(rate)), parameters.number("tolerance")));
  outcome.claims.push_back(claim_true("the run went to its end", went_on));
  // Friction acts at the ends of hops, along the velocity there: what turns the velocity also makes
  // it a little larger, every time.
  const double growth = growth_per_turn(simulation, 2.0 * std::numbers::pi / std::abs(rate),
                                        parameters.count("turns"));
  const std::vector<double> range = parameters.numbers("growth");
  outcome.claims.push_back(claim_at_least("growth of the circle, per turn", growth, range[0]));
  outcome.claims.push_back(claim_at_most("growth of the circle, per turn", growth, range[1]));
  outcome.figures.push_back({table.name, path_figure(input.scene->title, table, theory)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
