// C1: a spring that bounces on a plane, with impact by layers of regular clocks, of clocks that are
// restarted at contact, and by impulses.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "carom/asynchronous/scheme_settings.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

using asynchronous::AsynchronousSettings;

// What a run says of its energy, over the energy at the start.
struct SpringRun {
  bool went_on = true;
  std::vector<double> times = {0.0};
  std::vector<double> energies = {1.0};
  /// What nothing accounts for: energy and what damping took, less the energy at the start.
  std::vector<double> unaccounted = {0.0};

  void add(double time, double energy, double lost) {
    times.push_back(time);
    energies.push_back(energy);
    unaccounted.push_back(energy + lost - 1.0);
  }
  [[nodiscard]] double lowest() const {
    return *std::min_element(unaccounted.begin(), unaccounted.end());
  }
  [[nodiscard]] double highest() const {
    return *std::max_element(unaccounted.begin(), unaccounted.end());
  }
  [[nodiscard]] double farthest() const { return std::max(highest(), -lowest()); }
};

SpringRun run_layers(const Simulation& simulation) {
  SpringRun run;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const double start = totals(simulation, *stepper).energy();
  double lost = 0.0;
  for (std::uint64_t k = 0; k < step_count(simulation.time) && run.went_on; ++k) {
    const StepReport report = stepper->step();
    run.went_on = report.can_go_on();
    if (!run.went_on) break;
    lost += report.dissipated;
    run.add(report.time, report.totals.energy() / start, lost / start);
  }
  return run;
}

// The first experiment of [Vouga2011, 8.1]: Verlet for gravity and the spring, all at once, and a
// velocity that is reversed at the moment at which a mass meets the plane. Straight flights, so the
// moment is exact and the kinetic energy kept; what is not kept is the symplectic map.
class ReflectedSpring {
 public:
  ReflectedSpring(const Simulation& simulation, double step) : step_(step) {
    for (std::size_t i = 0; i < 2; ++i) {
      height_[i] = simulation.start.position[i].y;
      mass_[i] = simulation.world.bodies.mass[i];
    }
    const SurfaceElasticity& elasticity = simulation.forces.elasticity.front();
    stiffness_ = elasticity.stretching;
    damping_ = elasticity.stretching_damping;
    gravity_ = -simulation.forces.gravity.y;
    rest_ = last_ = length();
    start_ = energy();
    kick(0.5 * step_, 0.0);
  }

  SpringRun run(const TimeSettings& time) {
    SpringRun run;
    double now = 0.0;
    for (std::uint64_t k = 1; k <= step_count(time); ++k) {
      const double until = static_cast<double>(k) * time.step;
      while (now + step_ <= until) {
        now += step_;
        for (std::size_t i = 0; i < 2; ++i) fly(i);
        kick(step_, damping_);
      }
      // Behind half of the last kick velocities belong to the moment of the positions.
      ReflectedSpring whole = *this;
      whole.kick(-0.5 * step_, 0.0);
      run.add(now, whole.energy() / start_, lost_ / start_);
    }
    return run;
  }

 private:
  [[nodiscard]] double length() const { return std::abs(height_[1] - height_[0]); }

  [[nodiscard]] double energy() const {
    const double stretch = length() - rest_;
    double sum = 0.5 * stiffness_ * stretch * stretch;
    for (std::size_t i = 0; i < 2; ++i) {
      sum += mass_[i] * (0.5 * speed_[i] * speed_[i] + gravity_ * height_[i]);
    }
    return sum;
  }

  void fly(std::size_t i) {
    height_[i] += step_ * speed_[i];
    if (height_[i] >= 0.0) return;
    height_[i] = -height_[i];
    speed_[i] = -speed_[i];
  }

  // Damping as that of edges, from lengths [Harmon2009, 6.1].
  void kick(double step, double damping) {
    const double now = length();
    const double way = height_[1] > height_[0] ? 1.0 : -1.0;
    const double impulse = step * stiffness_ * (now - rest_) + damping * (now - last_);
    speed_[0] += way * impulse / mass_[0] - step * gravity_;
    speed_[1] -= way * impulse / mass_[1] + step * gravity_;
    if (damping > 0.0) lost_ += damping * (now - last_) * (now - last_) / step_;
    last_ = now;
  }

  double step_;
  double stiffness_ = 0.0;
  double damping_ = 0.0;
  double gravity_ = 0.0;
  double rest_ = 0.0;
  double last_ = 0.0;
  double start_ = 1.0;
  double lost_ = 0.0;
  std::array<double, 2> mass_{};
  std::array<double, 2> height_{};
  std::array<double, 2> speed_{};
};

Simulation with_restarted_clocks(Simulation simulation) {
  auto& settings = simulation.settings.of<AsynchronousSettings>();
  settings.engine = "reference";
  settings.clocks = "restarted";
  return simulation;
}

// Changes in the tenths of a run.
std::array<double, 10> changes_in_tenths(const SpringRun& run) {
  std::array<double, 10> changes{};
  const std::size_t last = run.unaccounted.size() - 1;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    changes[k] = run.unaccounted[(k + 1) * last / changes.size()] -
                 run.unaccounted[k * last / changes.size()];
  }
  return changes;
}

// Student's t of the mean change in a tenth of the time: a slope is significant, at the level of
// one in a hundred, from 3.25 on.
double slope_t(const SpringRun& run) {
  const std::array<double, 10> changes = changes_in_tenths(run);
  const auto count = static_cast<double>(changes.size());
  double mean = 0.0;
  for (const double change : changes) mean += change / count;
  double square = 0.0;
  for (const double change : changes) square += (change - mean) * (change - mean);
  return mean / std::sqrt(square / (count - 1.0) / count);
}

// How many tenths of a run end with more energy than they began with.
double rising_tenths(const SpringRun& run) {
  const std::array<double, 10> changes = changes_in_tenths(run);
  return static_cast<double>(
      std::count_if(changes.begin(), changes.end(), [](double change) { return change > 0.0; }));
}

struct ThreeRuns {
  SpringRun regular;
  SpringRun restarted;
  SpringRun reflected;

  explicit ThreeRuns(const Simulation& simulation)
      : regular(run_layers(simulation)),
        restarted(run_layers(with_restarted_clocks(simulation))),
        reflected(ReflectedSpring(simulation, spring_step(simulation)).run(simulation.time)) {}

  // h omega of the scene's elements, omega^2 = k (1/m_a + 1/m_b).
  static double spring_step(const Simulation& simulation) {
    const std::vector<double>& mass = simulation.world.bodies.mass;
    const double stiffness = simulation.forces.elasticity.front().stretching;
    return simulation.settings.of<AsynchronousSettings>().force_step /
           std::sqrt(stiffness * (1.0 / mass[0] + 1.0 / mass[1]));
  }
  [[nodiscard]] bool went_on() const { return regular.went_on && restarted.went_on; }

  [[nodiscard]] Figure figure(const std::string& title) const {
    PlotPanel panel;
    panel.x_label = "time (s)";
    panel.y_label = "energy over the energy at the start";
    panel.series = {{"regular clocks", regular.times, regular.energies},
                    {"restarted clocks", restarted.times, restarted.energies},
                    {"impulses", reflected.times, reflected.energies}};
    Figure figure;
    figure.title = title;
    figure.panels.push_back(std::move(panel));
    return figure;
  }
};

}  // namespace

// C1. Energy of the three, and with a dashpot what of it nothing accounts for.
CheckOutcome check_spring_on_plane(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"set", "lowest", "highest", "slope_t", "restarted_gain", "walk",
                          "dashpot", "dashpot_duration", "dashpot_band", "dashpot_off"});
  Simulation simulation = chosen_scene(input).simulation;
  if (simulation.forces.elasticity.size() != 1 || simulation.world.bodies.size() != 2) {
    parameters.refuse("name", "needs a scene of one chain of two vertices");
  }
  CheckOutcome outcome;
  const ThreeRuns free(simulation);
  outcome.claims = {
      claim_true("layers went on to the end", free.went_on()),
      claim_at_least("regular clocks: lowest change of energy", free.regular.lowest(),
                     parameters.number("lowest")),
      claim_at_most("regular clocks: highest change of energy", free.regular.highest(),
                    parameters.number("highest")),
      claim_at_most("regular clocks: slope of energy, Student's t of ten parts",
                    std::abs(slope_t(free.regular)), parameters.number("slope_t")),
      claim_at_least("restarted clocks: change of energy at the end",
                     free.restarted.unaccounted.back(), parameters.number("restarted_gain")),
      claim_at_least("restarted clocks: tenths of the time in which energy rises",
                     rising_tenths(free.restarted), 10.0),
      claim_at_least("impulses: largest change of energy", free.reflected.farthest(),
                     parameters.number("walk")),
      claim_true("impulses: energy rises in some tenths of the time and falls in others",
                 rising_tenths(free.reflected) > 0.0 && rising_tenths(free.reflected) < 10.0)};
  outcome.figures.push_back({"energy", free.figure("A spring that bounces on a plane")});

  simulation.forces.elasticity.front().stretching_damping = parameters.number("dashpot");
  simulation.time.duration = parameters.number("dashpot_duration");
  const ThreeRuns damped(simulation);
  const double off = parameters.number("dashpot_off");
  outcome.claims.push_back(claim_true("with a dashpot layers went on", damped.went_on()));
  outcome.claims.push_back(
      claim_at_most("with a dashpot, regular clocks: energy that nothing accounts for",
                    damped.regular.farthest(), parameters.number("dashpot_band")));
  outcome.claims.push_back(
      claim_at_least("with a dashpot, restarted clocks: energy that nothing accounts for",
                     damped.restarted.farthest(), off));
  outcome.claims.push_back(
      claim_at_least("with a dashpot, impulses: energy that nothing accounts for",
                     damped.reflected.farthest(), off));
  outcome.figures.push_back({"dashpot", damped.figure("The same with a dashpot")});
  return outcome;
}

}  // namespace carom::detail
