// Scenes under scheme = "events": the rate of collisions, Galperin's blocks, the pressure of hard
// balls, balls in a dish, and how the other scheme comes near to this one.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "carom/core/numbers.h"
#include "carom/events/event_driven.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/steps/scheme.h"

namespace carom::detail {
namespace {

void demand_events(const CheckInput& input, Index bodies) {
  const Simulation& simulation = input.scene->simulation;
  const bool counts_collisions =
      scheme_info(simulation.time.scheme).collisions == CollisionTimes::their_own;
  if (!counts_collisions || simulation.world.bodies.size() < bodies) {
    input.parameters.refuse(
        "name",
        fmt::format("needs a scene of {} balls or more under time.scheme \"events\"", bodies));
  }
}

}  // namespace

namespace {

Figure rate_figure(const std::string& title, const DataTable& table, double break_time) {
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "collisions per second";
  panel.y_range = PlotRange{0.0, 1.05 * largest_in(table, 1)};
  panel.series = {table_series(table, 0, 1, "")};
  panel.series.front().style = SeriesStyle::steps;
  panel.markers = {{break_time, "the break"}};
  return {title, "", {panel}};
}

// The slope of the line through points in logarithms, by least squares.
double order_of(const DataTable& table) {
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;
  const auto count = static_cast<double>(table.rows.size());
  for (const std::vector<double>& row : table.rows) {
    x += std::log(row[0]) / count;
    y += std::log(row[1]) / count;
  }
  for (const std::vector<double>& row : table.rows) {
    xx += (std::log(row[0]) - x) * (std::log(row[0]) - x);
    xy += (std::log(row[0]) - x) * (std::log(row[1]) - y);
  }
  return xy / xx;
}

// With the line of the order that is claimed.
Figure convergence_figure(const std::string& title, const DataTable& table, double order) {
  PlotPanel panel;
  panel.x_label = "step (s)";
  panel.y_label = "mean error at the end (m)";
  panel.log_x = true;
  panel.log_y = true;
  panel.series = {table_series(table, 0, 1, "steps against events"),
                  {fmt::format("order {}", order), {}, {}, SeriesStyle::dashes}};
  panel.series.front().style = SeriesStyle::points;
  double level = 0.0;
  for (const std::vector<double>& row : table.rows) {
    level += (std::log(row[1]) - order * std::log(row[0])) / static_cast<double>(table.rows.size());
  }
  for (const std::vector<double>& row : table.rows) {
    panel.series.back().x.push_back(row[0]);
    panel.series.back().y.push_back(std::exp(level) * std::pow(row[0], order));
  }
  return {title, "", {panel}};
}

}  // namespace

// The balls lie on a table: each contact with it is a train of collisions, a contact duration t_c
// apart or less, which makes a plateau of about N / t_c and more. The break stands out of it.
CheckOutcome check_collision_rate(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"break_time", "window", "peak_over_plateau", "plateau_spread"});
  demand_events(input, 2);
  const Simulation& simulation = input.scene->simulation;
  const double window = parameters.number("window");
  const double break_time = parameters.number("break_time");
  EventDrivenStepper stepper(simulation);
  DataTable table{"collision_rate", {"time", "per_second"}, {}};
  double peak = 0.0;
  double peak_time = 0.0;
  double plateau = 0.0;
  double plateau_windows = 0.0;
  double most = 0.0;
  double fewest = kInfinity;
  bool went_on = true;
  double count = 0.0;
  double begin = 0.0;
  const double half = 0.5 * simulation.time.duration;
  for (std::uint64_t k = 0; k < step_count(simulation.time) && went_on; ++k) {
    const StepReport report = stepper.step();
    went_on = report.can_go_on();
    count += static_cast<double>(report.impulses);
    if (report.time - begin < window * (1.0 - 1e-9)) continue;
    const double rate = count / (report.time - begin);
    table.rows.push_back({report.time, rate});
    if (report.time > break_time && rate > peak) {
      peak = rate;
      peak_time = begin;
    }
    if (begin > half) {
      plateau += rate;
      plateau_windows += 1.0;
      most = std::max(most, rate);
      fewest = std::min(fewest, rate);
    }
    count = 0.0;
    begin = report.time;
  }
  plateau /= std::max(plateau_windows, 1.0);
  CheckOutcome outcome;
  outcome.claims.push_back(claim_at_least("largest rate of collisions over that of the second half",
                                          peak / plateau, parameters.number("peak_over_plateau")));
  outcome.claims.push_back(claim_at_most("the largest rate is that much later than the break (s)",
                                         std::abs(peak_time - break_time), 2.0 * window));
  outcome.claims.push_back(claim_at_most("spread of the rate in the second half, over its mean",
                                         (most - fewest) / plateau,
                                         parameters.number("plateau_spread")));
  outcome.claims.push_back(claim_true("the run went to its end", went_on));
  outcome.figures.push_back({table.name, rate_figure(input.scene->title, table, break_time)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

// The large block has 100^k times the mass of the small one: as many collisions as the first k + 1
// digits of pi say, floor(pi 10^k).
CheckOutcome check_galperin_run(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"ratios", "digits"});
  demand_events(input, 2);
  const std::vector<double> ratios = parameters.numbers("ratios");
  const std::vector<double> digits = parameters.numbers("digits");
  if (ratios.size() != digits.size()) parameters.refuse("digits", "expected one for each ratio");
  CheckOutcome outcome;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    Simulation simulation = input.scene->simulation;
    simulation.world.bodies.mass[1] = ratios[k] * simulation.world.bodies.mass[0];
    const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
    double count = 0.0;
    for (std::uint64_t step = 0; step < step_count(simulation.time); ++step) {
      count += static_cast<double>(stepper->step().impulses);
    }
    outcome.claims.push_back(claim_equal(
        fmt::format("collisions with {} times the mass", ratios[k]), count, digits[k], 0.0));
  }
  outcome.headline = outcome.claims.size() - 1;
  return outcome;
}

namespace {

// p / (n kT) of the fluid at packing y.
double equation_of_state(int dimension, double y) {
  if (dimension == 3) {  // Carnahan and Starling
    return (1.0 + y + y * y - y * y * y) / std::pow(1.0 - y, 3.0);
  }
  return (1.0 + y * y / 8.0) / std::pow(1.0 - y, 2.0);  // Henderson
}

// With the pair density g in touch a ball of diameter s collides at the rate
//   4 sqrt(pi kT / m) n s^2 g  (spheres),   2 sqrt(pi kT / m) n s g  (discs),
// and the pressure is 1 + (2 pi / 3) n s^3 g, 1 + (pi / 2) n s^2 g: with the rate
//   1 + rate s sqrt(pi m / kT) / 6,   1 + rate s sqrt(pi m / kT) / 4.
double measured_pressure(Simulation simulation, double packing, const Parameters& parameters) {
  const bool spheres = simulation.world.dimension == 3;
  const Vec3& length = simulation.world.periodicity.length;
  const auto balls = static_cast<double>(simulation.world.bodies.size());
  const double volume = length.x * length.y * (spheres ? length.z : 1.0);
  const double radius = spheres ? std::cbrt(0.75 * packing * volume / (std::numbers::pi * balls))
                                : std::sqrt(packing * volume / (std::numbers::pi * balls));
  std::fill(simulation.world.bodies.radius.begin(), simulation.world.bodies.radius.end(), radius);
  Vec3 drift;
  for (const Vec3& v : simulation.start.velocity) drift += (1.0 / balls) * v;
  double squares = 0.0;
  for (Vec3& v : simulation.start.velocity) {
    v -= drift;
    squares += norm_squared(v);
  }
  const double degrees = (spheres ? 3.0 : 2.0) * (balls - 1.0);
  const double temperature = simulation.world.bodies.mass[0] * squares / degrees;
  EventDrivenStepper stepper(simulation);
  const auto rate = [&](double collisions) {
    double count = 0.0;
    const double begin = stepper.state().time;
    while (count < 0.5 * collisions * balls) {
      const StepReport report = stepper.step();
      if (!report.can_go_on()) return kInfinity;
      count += static_cast<double>(report.impulses);
    }
    return 2.0 * count / balls / (stepper.state().time - begin);
  };
  static_cast<void>(rate(parameters.number("melting")));
  const double per_ball = rate(parameters.number("collisions"));
  const double scaled = per_ball * 2.0 * radius *
                        std::sqrt(std::numbers::pi * simulation.world.bodies.mass[0] / temperature);
  return 1.0 + scaled / (spheres ? 6.0 : 4.0);
}

}  // namespace

// Nothing here can be tuned: the pressure of elastic hard balls from how often they collide.
CheckOutcome check_gas_pressure(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"packings", "melting", "collisions", "tolerance"});
  demand_events(input, 10);
  const Simulation& simulation = input.scene->simulation;
  if (!simulation.world.periodicity.any()) parameters.refuse("name", "needs a periodic world");
  DataTable table{"pressure", {"packing", "measured", "equation_of_state"}, {}};
  CheckOutcome outcome;
  double worst = 0.0;
  for (const double packing : parameters.numbers("packings")) {
    const double measured = measured_pressure(simulation, packing, parameters);
    const double expected = equation_of_state(simulation.world.dimension, packing);
    table.rows.push_back({packing, measured, expected});
    worst = std::max(worst, std::abs(measured / expected - 1.0));
  }
  outcome.claims.push_back(claim_at_most("pressure against the equation of state, relative", worst,
                                         parameters.number("tolerance")));
  PlotPanel panel;
  panel.x_label = "packing";
  panel.y_label = "p / n kT";
  panel.series = {table_series(table, 0, 1, "measured"),
                  table_series(table, 0, 2, "equation of state")};
  panel.series.front().style = SeriesStyle::points;
  panel.series.back().style = SeriesStyle::dashes;
  outcome.figures.push_back({table.name, {input.scene->title, "", {panel}}});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

// Six balls in a ring of their own touch each other at the distance 2 r from the axis of a dish of
// radius R; the seventh lies in the middle. Heights of the centres above the dish's lowest point:
//   r,   and   R - sqrt((R - r)^2 - (2 r)^2).
CheckOutcome check_dish(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"height_tolerance", "place_tolerance", "speed"});
  demand_events(input, 7);
  const Simulation& simulation = input.scene->simulation;
  const auto* dish = std::get_if<SphereInside>(&simulation.world.shapes.at(0).shape);
  if (dish == nullptr || simulation.world.bodies.size() != 7) {
    parameters.refuse("name", "needs seven balls in a sphere_inside");
  }
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  bool went_on = true;
  for (std::uint64_t k = 0; k < step_count(simulation.time) && went_on; ++k) {
    went_on = stepper->step().can_go_on();
  }
  const double r = simulation.world.bodies.radius[0];
  const double R = dish->radius;
  const double ring = R - std::sqrt((R - r) * (R - r) - 4.0 * r * r);
  const double expected = (r + 6.0 * ring) / 7.0;
  double height = 0.0;
  double speed = 0.0;
  std::vector<double> distance;
  for (Index i = 0; i < 7; ++i) {
    const Vec3 place = stepper->state().position[i] - dish->center;
    height += (place.y + R) / 7.0;
    distance.push_back(std::hypot(place.x, place.z) / r);
    speed = std::max(speed, norm(stepper->state().velocity[i]));
  }
  std::sort(distance.begin(), distance.end());
  CheckOutcome outcome;
  outcome.claims.push_back(claim_at_most("mean height over the least possible, less one",
                                         height / expected - 1.0,
                                         parameters.number("height_tolerance")));
  outcome.claims.push_back(claim_at_most("the middle ball is off the axis by (radii)", distance[0],
                                         parameters.number("place_tolerance")));
  outcome.claims.push_back(
      claim_at_most("the six others are off their ring by (radii)",
                    std::max(std::abs(distance[1] - 2.0), std::abs(distance[6] - 2.0)),
                    parameters.number("place_tolerance")));
  outcome.claims.push_back(
      claim_at_most("fastest ball at the end (m/s)", speed, parameters.number("speed")));
  outcome.claims.push_back(claim_true("the run went to its end", went_on));
  return outcome;
}

namespace {

// The largest error of a place at the end, of a run that starts a little later on the same flights.
double error_of_steps(Simulation simulation, const State& exact, double later) {
  State& start = simulation.start;
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    start.position[i] += later * start.velocity[i];
  }
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  for (std::uint64_t k = 0; k < step_count(simulation.time); ++k) {
    static_cast<void>(stepper->step());
  }
  double error = 0.0;
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    const Vec3 expected = exact.position[i] + later * exact.velocity[i];
    error = std::max(error, norm(stepper->state().position[i] - expected));
  }
  return error;
}

}  // namespace

// Steps of one size collide up to h too early, by a part of h that is as good as random: places err
// in first order, which shows in the mean over starts that are parts of a step later.
CheckOutcome check_steps_converge(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"steps", "starts", "order", "order_tolerance", "collisions"});
  demand_events(input, 2);
  Simulation simulation = input.scene->simulation;
  if (simulation.forces.gravity != Vec3{})
    parameters.refuse("name", "needs a world without gravity");
  const std::unique_ptr<Stepper> exact = make_stepper(simulation);
  double collisions = 0.0;
  for (std::uint64_t k = 0; k < step_count(simulation.time); ++k) {
    collisions += static_cast<double>(exact->step().impulses);
  }
  simulation.time.scheme = steps_scheme().name;
  DataTable table{"steps_and_events", {"step", "error"}, {}};
  for (const double step : parameters.numbers("steps")) {
    simulation.time.step = step;
    const std::uint64_t starts = parameters.count("starts");
    double mean = 0.0;
    for (std::uint64_t k = 0; k < starts; ++k) {
      const double later = static_cast<double>(k) / static_cast<double>(starts) * step;
      mean += error_of_steps(simulation, exact->state(), later) / static_cast<double>(starts);
    }
    table.rows.push_back({step, mean});
  }
  CheckOutcome outcome;
  outcome.claims.push_back(claim_equal("order in which steps come near to events", order_of(table),
                                       parameters.number("order"),
                                       parameters.number("order_tolerance")));
  outcome.claims.push_back(
      claim_at_least("collisions until then", collisions, parameters.number("collisions")));
  outcome.figures.push_back(
      {table.name, convergence_figure(input.scene->title, table, parameters.number("order"))});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
