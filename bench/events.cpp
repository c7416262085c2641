// ./dev bench events: collisions per second of elastic spheres in a periodic box, every collision
// at its own moment, on one thread.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/events/event_driven.h"
#include "carom/events/settings.h"

#include "common/clock.h"
#include "common/program.h"
#include "common/progress.h"
#include "common/results.h"
#include "support/hard_gas.h"

namespace carom::bench {
namespace {

struct EventOptions {
  std::vector<Index> sizes = {4000, 100000, 1000000};
  std::vector<double> packings = {0.30, 0.49};
  double warm_up = 20.0;  ///< collisions per ball before anything is measured: the lattice melts
  double collisions = 5e6;
  std::string queue = "calendar";
};

struct Outcome {
  Index balls = 0;
  double collisions = 0.0;
  double seconds = 0.0;  ///< CPU
  double renewals = 0.0;
  double late = 0.0;
  double drift = 0.0;
  double overlap = 0.0;
};

// Steps until so many collisions have happened; the time of step() alone.
class Run {
 public:
  explicit Run(EventDrivenStepper& stepper) : stepper_(&stepper) {}

  Outcome until(double collisions, const std::string& title) {
    Progress progress(title);
    Outcome outcome;
    while (outcome.collisions < collisions) {
      const StepReport report = stepper_->step();
      if (!report.can_go_on()) throw std::runtime_error(report.message);
      outcome.seconds += report.integration.cpu + report.impact.cpu;
      outcome.collisions += static_cast<double>(stepper_->counts().collisions);
      outcome.renewals += static_cast<double>(stepper_->counts().renewals);
      outcome.late += static_cast<double>(stepper_->counts().late);
      outcome.overlap = std::max(outcome.overlap, report.penetration.relative);
      progress.show(static_cast<std::uint64_t>(outcome.collisions),
                    static_cast<std::uint64_t>(collisions));
    }
    return outcome;
  }

 private:
  EventDrivenStepper* stepper_;
};

Outcome measure(Index size, double packing, const EventOptions& options) {
  test::HardGas gas;
  gas.cells = static_cast<Index>(std::lround(std::cbrt(size)));
  gas.packing = packing;
  Simulation simulation = test::make_hard_gas(gas);
  simulation.settings.of<EventSettings>().queue = options.queue;
  const auto balls = static_cast<double>(simulation.world.bodies.size());
  // A look every so often that it costs little: about a hundred in a measurement.
  constexpr double kLooks = 100.0;
  const double density = 6.0 * packing / std::numbers::pi;
  const double rate = 4.0 * std::sqrt(std::numbers::pi) * density * (1.0 - 0.5 * packing) /
                      std::pow(1.0 - packing, 3.0);
  simulation.time.step = std::max(options.collisions / kLooks, 0.05 * balls) / (0.5 * balls * rate);
  const double energy = totals(simulation, simulation.start).energy();
  EventDrivenStepper stepper(simulation);
  Run run(stepper);
  static_cast<void>(run.until(0.5 * options.warm_up * balls, "warming up"));
  Outcome outcome = run.until(std::max(options.collisions, balls), "measuring");
  outcome.balls = simulation.world.bodies.size();
  outcome.drift = std::abs(totals(simulation, stepper.state()).energy() / energy - 1.0);
  return outcome;
}

void run_all(const EventOptions& options) {
  fmt::print("{:>9}{:>9}{:>16}{:>13}{:>12}{:>12}{:>14}{:>12}\n", "balls", "packing", "collisions/s",
             "ns each", "late", "renewals", "energy drift", "overlap");
  for (const Index size : options.sizes) {
    for (const double packing : options.packings) {
      const Outcome outcome = measure(size, packing, options);
      fmt::print("{:>9}{:>9.2f}{:>16.3e}{:>13.0f}{:>12.2f}{:>12.2f}{:>14.1e}{:>12.1e}\n",
                 outcome.balls, packing, outcome.collisions / outcome.seconds,
                 1e9 * outcome.seconds / outcome.collisions, outcome.late / outcome.collisions,
                 outcome.renewals / outcome.collisions, outcome.drift, outcome.overlap);
      record_result(fmt::format("{} balls at {:.2f}", outcome.balls, packing), "collisions", "1/s",
                    outcome.collisions / outcome.seconds);
      std::fflush(stdout);
    }
  }
  fmt::print("late, renewals: per collision; overlap in radii\n");
}

int run_program(int argc, char** argv) {
  EventOptions options;
  CLI::App app("Elastic spheres in a periodic box, every collision at its own moment");
  app.name("./dev bench events");
  app.add_option("--sizes", options.sizes, "Numbers of balls, roughly")
      ->delimiter(',')
      ->check(CLI::Range(Index{500}, Index{20000000}))
      ->capture_default_str();
  app.add_option("--packings", options.packings, "Shares of the volume that they fill")
      ->delimiter(',')
      ->check(CLI::Range(0.001, 0.52))
      ->capture_default_str();
  app.add_option("--warm-up", options.warm_up, "Collisions per ball before the measurement")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  app.add_option("--collisions", options.collisions, "Collisions measured, at least one per ball")
      ->check(CLI::Range(1.0, 1e12))
      ->capture_default_str();
  app.add_option("--queue", options.queue, "calendar or heap")
      ->check(CLI::IsMember({"calendar", "heap"}))
      ->capture_default_str();
  return parse_and_run(app, argc, argv, [&] { run_all(options); });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::run_program);
}
