// ./dev bench rigid: a loose grid of boxes, turning spheres or bunnies dropped into a box, under
// Carom and (boxes and spheres) Bullet, in one run and on one thread.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/stepping/stepper.h"

#include "common/clock.h"
#include "common/mirror.h"
#include "common/program.h"
#include "common/progress.h"
#include "rigid/bullet.h"
#include "rigid/scene.h"

namespace carom::bench {
namespace {

struct Outcome {
  double step_average = 0.0;  ///< CPU s
  double step_most = 0.0;
  double detection = 0.0;  ///< of the average
  double impact = 0.0;
  double energy_gain = 0.0;  ///< the largest of any step, relative to the energy at the start
  /// At the end, m; none of bunnies, whose mirror images are no bunnies.
  std::optional<double> mirror_error;
  double rows_most = 0.0;
};

// The energy of a state and how far it rose since the last.
class EnergyWatch {
 public:
  explicit EnergyWatch(const RigidScene& scene)
      : scene_(&scene),
        start_(totals(scene.simulation, scene.simulation.start).energy()),
        last_(start_) {}

  void look(const State& state, Outcome& outcome) {
    const double now = totals(scene_->simulation, state).energy();
    outcome.energy_gain = std::max(outcome.energy_gain, (now - last_) / start_);
    last_ = now;
  }

 private:
  const RigidScene* scene_;
  double start_;
  double last_;
};

void note_time(Outcome& outcome, double cpu, std::uint64_t steps) {
  outcome.step_average += cpu / static_cast<double>(steps);
  outcome.step_most = std::max(outcome.step_most, cpu);
}

Outcome run_carom(const RigidScene& scene, std::uint64_t steps) {
  const auto stepper = make_stepper(scene.simulation);
  const MirrorPairs mirror(scene.simulation.start.position);
  EnergyWatch energy(scene);
  Outcome outcome;
  Progress progress("carom " + scene.name);
  for (std::uint64_t step = 1; step <= steps; ++step) {
    const double begin = thread_seconds();
    const StepReport report = stepper->step();
    note_time(outcome, thread_seconds() - begin, steps);
    if (!report.can_go_on()) throw std::runtime_error(report.message);
    outcome.detection += report.detection.cpu / static_cast<double>(steps);
    outcome.impact += report.impact.cpu / static_cast<double>(steps);
    outcome.rows_most = std::max(outcome.rows_most, static_cast<double>(report.rows));
    energy.look(stepper->state(), outcome);
    progress.show(step, steps);
  }
  if (scene.name != "bunnies") outcome.mirror_error = mirror.error(stepper->state().position);
  return outcome;
}

Outcome run_bullet(const RigidScene& scene, std::uint64_t steps) {
  BulletRigid bullet(scene);
  const MirrorPairs mirror(scene.simulation.start.position);
  EnergyWatch energy(scene);
  State state = scene.simulation.start;
  Outcome outcome;
  Progress progress("bullet " + scene.name);
  for (std::uint64_t step = 1; step <= steps; ++step) {
    const double begin = thread_seconds();
    bullet.step();
    note_time(outcome, thread_seconds() - begin, steps);
    bullet.read(state);
    energy.look(state, outcome);
    progress.show(step, steps);
  }
  outcome.mirror_error = mirror.error(state.position);
  return outcome;
}

void print_row(const std::string& name, const Outcome& outcome) {
  const std::string mirror =
      outcome.mirror_error ? fmt::format("{:.1e}", *outcome.mirror_error) : "-";
  fmt::print("{:<20}{:>11.5f}{:>11.5f}{:>11.5f}{:>11.5f}{:>13.1e}{:>13}{:>9.0f}\n", name,
             outcome.step_average, outcome.step_most, outcome.detection, outcome.impact,
             outcome.energy_gain, mirror, outcome.rows_most);
  std::fflush(stdout);
}

struct RigidOptions {
  std::vector<std::string> scenes = {"boxes", "spheres", "bunnies"};
  Index boxes = 10;  ///< along each edge of the grid
  Index spheres = 22;
  Index bunnies = 10;
  double seconds = 2.0;
  std::string mesh = "gallery/meshes/bunny.obj";
};

void run_all(const RigidOptions& options) {
  fmt::print("{:<20}{:>44}{:>13}{:>13}{:>9}\n", "", "CPU seconds per step", "energy gain",
             "mirror error", "rows");
  fmt::print("{:<20}{:>11}{:>11}{:>11}{:>11}{:>13}{:>13}{:>9}\n", "", "average", "maximum",
             "detection", "impact", "in one step", "m", "maximum");
  for (const std::string& name : options.scenes) {
    const Index side = name == "spheres"   ? options.spheres
                       : name == "bunnies" ? options.bunnies
                                           : options.boxes;
    const RigidScene scene = make_rigid_scene(name, side, options.mesh);
    const auto steps =
        static_cast<std::uint64_t>(std::llround(options.seconds / scene.simulation.time.step));
    const std::string title = std::to_string(scene.simulation.bodies.size()) + " " + name;
    print_row("carom " + title, run_carom(scene, steps));
    if (name != "bunnies") print_row("bullet " + title, run_bullet(scene, steps));
  }
}

int run_program(int argc, char** argv) {
  RigidOptions options;
  CLI::App app("A loose grid of solids dropped into a box, under Carom and Bullet");
  app.name("./dev bench rigid");
  const CLI::Range side(Index{1}, Index{100});
  app.add_option("--scenes", options.scenes, "boxes, spheres, bunnies")
      ->delimiter(',')
      ->check(CLI::IsMember({"boxes", "spheres", "bunnies"}))
      ->capture_default_str();
  app.add_option("--boxes", options.boxes, "Boxes along each edge of the grid")
      ->check(side)
      ->capture_default_str();
  app.add_option("--spheres", options.spheres, "Spheres likewise")
      ->check(side)
      ->capture_default_str();
  app.add_option("--bunnies", options.bunnies, "Bunnies likewise")
      ->check(side)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Simulated time")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  app.add_option("--mesh", options.mesh, "The bunny's file")->capture_default_str();
  return parse_and_run(app, argc, argv, [&] { run_all(options); });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::run_program);
}
