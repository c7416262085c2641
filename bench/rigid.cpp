// ./dev bench rigid: a loose grid of boxes, turning spheres or bunnies dropped into a box, under
// Carom and (boxes and spheres) Bullet, in one run and on one thread: the fall, and apart from it
// the pile that it ends in.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"
#include "carom/steps/rest_settings.h"

#include "common/clock.h"
#include "common/mirror.h"
#include "common/program.h"
#include "common/progress.h"
#include "common/results.h"
#include "rigid/bullet.h"
#include "rigid/scene.h"

namespace carom::bench {
namespace {

// A part of the run that is reported for itself, in steps.
struct Stretch {
  std::string name;
  std::uint64_t after = 0;  // the last step that does not belong to it
  std::uint64_t until = 0;

  [[nodiscard]] bool contains(std::uint64_t step) const { return step > after && step <= until; }
  [[nodiscard]] double steps() const { return static_cast<double>(until - after); }
};

struct Outcome {
  double step_average = 0.0;  ///< CPU s
  double step_most = 0.0;
  double detection = 0.0;  ///< of the average
  double impact = 0.0;
  double energy_gain = 0.0;  ///< the largest of any step, relative to the energy at the start
  /// At the end, m; none of bunnies, whose mirror images are no bunnies.
  std::optional<double> mirror_error;
  double rows_most = 0.0;
  double speed = 0.0;  ///< at the end, m/s: that of a body with the mean kinetic energy
};

// One engine and one scene; what is measured goes to the stretch that the step belongs to.
class Measurement {
 public:
  Measurement(const RigidScene& scene, std::span<const Stretch> stretches)
      : scene_(&scene),
        stretches_(stretches),
        outcomes_(stretches.size()),
        mirror_(scene.simulation.start.position),
        energy_at_start_(totals(scene.simulation, scene.simulation.start).energy()),
        energy_(energy_at_start_) {
    for (const double mass : scene.simulation.world.bodies.mass) mass_ += mass;
  }

  [[nodiscard]] std::uint64_t steps() const {
    std::uint64_t last = 0;
    for (const Stretch& stretch : stretches_) last = std::max(last, stretch.until);
    return last;
  }

  void note(std::uint64_t step, double cpu, const StepReport& report, const State& state,
            const std::optional<Totals>& own = std::nullopt) {
    const Totals now = own.value_or(totals(scene_->simulation, state));
    for (std::size_t k = 0; k < stretches_.size(); ++k) {
      const Stretch& stretch = stretches_[k];
      if (!stretch.contains(step)) continue;
      Outcome& outcome = outcomes_[k];
      outcome.step_average += cpu / stretch.steps();
      outcome.step_most = std::max(outcome.step_most, cpu);
      outcome.detection += report.detection.cpu / stretch.steps();
      outcome.impact += report.impact.cpu / stretch.steps();
      outcome.rows_most = std::max(outcome.rows_most, static_cast<double>(report.rows));
      outcome.energy_gain =
          std::max(outcome.energy_gain, (now.energy() - energy_) / energy_at_start_);
      if (step != stretch.until) continue;
      outcome.speed = std::sqrt(2.0 * now.kinetic / mass_);
      if (scene_->name != "bunnies") outcome.mirror_error = mirror_.error(state.position);
    }
    energy_ = now.energy();
  }

  void print(const std::string& engine) const {
    for (std::size_t k = 0; k < stretches_.size(); ++k) {
      const Outcome& outcome = outcomes_[k];
      const std::string mirror =
          outcome.mirror_error ? fmt::format("{:.1e}", *outcome.mirror_error) : "-";
      fmt::print("{:<32}{:>10.5f}{:>10.5f}{:>10.5f}{:>10.5f}{:>13.1e}{:>13}{:>8.0f}{:>10.4f}\n",
                 fmt::format("{} {} {}, {}", engine, scene_->simulation.world.bodies.size(),
                             scene_->name, stretches_[k].name),
                 outcome.step_average, outcome.step_most, outcome.detection, outcome.impact,
                 outcome.energy_gain, mirror, outcome.rows_most, outcome.speed);
      const std::string what = fmt::format("{} {} {}", scene_->simulation.world.bodies.size(),
                                           scene_->name, stretches_[k].name);
      record_result(what, engine + " average step", "s", outcome.step_average);
      record_result(what, engine + " largest energy gain", "ratio", outcome.energy_gain);
      record_result(what, engine + " speed at the end", "m/s", outcome.speed);
    }
    std::fflush(stdout);
  }

 private:
  const RigidScene* scene_;
  std::span<const Stretch> stretches_;
  std::vector<Outcome> outcomes_;
  MirrorPairs mirror_;
  double energy_at_start_;
  double energy_;
  double mass_ = 0.0;
};

void run_carom(const RigidScene& scene, std::span<const Stretch> stretches) {
  const auto stepper = make_stepper(scene.simulation);
  Measurement measurement(scene, stretches);
  {
    Progress progress("carom " + scene.name);
    for (std::uint64_t step = 1; step <= measurement.steps(); ++step) {
      const double begin = thread_seconds();
      const StepReport report = stepper->step();
      const double cpu = thread_seconds() - begin;
      if (!report.can_go_on()) throw std::runtime_error(report.message);
      measurement.note(step, cpu, report, stepper->state(), stepper->own_totals());
      progress.show(step, measurement.steps());
    }
  }
  measurement.print("carom");
}

void run_bullet(const RigidScene& scene, std::span<const Stretch> stretches) {
  BulletRigid bullet(scene);
  State state = scene.simulation.start;
  Measurement measurement(scene, stretches);
  {
    Progress progress("bullet " + scene.name);
    for (std::uint64_t step = 1; step <= measurement.steps(); ++step) {
      const double begin = thread_seconds();
      bullet.step();
      const double cpu = thread_seconds() - begin;
      bullet.read(state);
      measurement.note(step, cpu, {}, state);
      progress.show(step, measurement.steps());
    }
  }
  measurement.print("bullet");
}

struct RigidOptions {
  std::vector<std::string> scenes = {"boxes", "spheres", "bunnies"};
  Index boxes = 10;  ///< along each edge of the grid
  Index spheres = 22;
  Index bunnies = 10;
  double seconds = 2.0;
  double settled_from = 4.0;  ///< s; by then bodies have come to rest but for the last rocking
  double settled_seconds = 0.5;
  std::string mesh = "gallery/meshes/bunny.obj";
  std::string friction_model = "coulomb";
  double tolerance = 1e-8;  ///< with "coulomb": the residual at which rest counts as solved
};

std::vector<Stretch> stretches_of(const RigidOptions& options, double step) {
  const auto steps = [step](double seconds) {
    return static_cast<std::uint64_t>(std::llround(seconds / step));
  };
  std::vector<Stretch> stretches = {{"falling", 0, steps(options.seconds)}};
  if (options.settled_seconds > 0.0) {
    const std::uint64_t from = std::max(steps(options.settled_from), stretches.front().until);
    stretches.push_back({"settled", from, from + steps(options.settled_seconds)});
  }
  return stretches;
}

void run_all(const RigidOptions& options) {
  fmt::print("{:<32}{:>40}{:>13}{:>13}{:>8}{:>10}\n", "", "CPU seconds per step", "energy gain",
             "mirror error", "rows", "speed");
  fmt::print("{:<32}{:>10}{:>10}{:>10}{:>10}{:>13}{:>13}{:>8}{:>10}\n", "", "average", "maximum",
             "detection", "impact", "in one step", "m", "maximum", "m/s");
  for (const std::string& name : options.scenes) {
    const Index side = name == "spheres"   ? options.spheres
                       : name == "bunnies" ? options.bunnies
                                           : options.boxes;
    RigidScene scene = make_rigid_scene(name, side, options.mesh, options.friction_model);
    if (options.friction_model == "coulomb") {
      scene.simulation.settings.of<RestSettings>().rest_tolerance = options.tolerance;
    }
    const std::vector<Stretch> stretches = stretches_of(options, scene.simulation.time.step);
    run_carom(scene, stretches);
    if (name != "bunnies") run_bullet(scene, stretches);
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
  app.add_option("--seconds", options.seconds, "The first stretch: the fall, from the start on")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  app.add_option("--settled-from", options.settled_from, "When the stretch of the pile begins, s")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--settled-seconds", options.settled_seconds, "How long it is; 0: none")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--mesh", options.mesh, "The bunny's file")->capture_default_str();
  app.add_option("--friction-model", options.friction_model, "Carom's: coulomb or slip")
      ->check(CLI::IsMember({"coulomb", "slip"}))
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "Of coulomb's residual at rest, in g h")
      ->check(CLI::Range(1e-13, 1e-2))
      ->capture_default_str();
  return parse_and_run(app, argc, argv, [&] { run_all(options); });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::run_program);
}
