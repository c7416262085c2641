// Two thin shells meet: the speeds with which they part, for several steps.
#include "acm/rebound.h"

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "carom/plots/plot.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "common/results.h"

namespace carom::bench {
namespace {

constexpr const char* kScene = R"(kind = "scene"
[world]
dimension = 3
[time]
scheme = "asynchronous"
step = 0.01
duration = 0.2
[[material]]
name = "default"
[[surface]]
name = "left"
type = "sphere"
radius = 0.1
subdivisions = 2
position = [-0.12, 0, 0]
velocity = [1, 0, 0]
thickness = 0.01
area_density = 0.5
stretching = 1e4
bending = 0.1
[[surface]]
name = "right"
type = "sphere"
radius = 0.1
subdivisions = 2
position = [0.12, 0.007, 0.003]
velocity = [-1, 0, 0]
thickness = 0.01
area_density = 0.5
stretching = 1e4
bending = 0.1
)";

// Looks at a run (ours) and steps (theirs), and how fast their spheres part; measured on a mesh of
// their own.
constexpr std::array<double, 5> kSteps = {1e-2, 4e-3, 1e-3, 2e-4, 5e-5};
constexpr std::array<double, 5> kOthers = {0.070, 0.135, 0.59, 0.84, 0.86};

// With what speed the left sphere goes back.
double rebound(double step, double restitution) {
  const std::vector<std::string> set = {fmt::format("time.step={}", step)};
  Scene scene = read_scene(kScene, "spheres.toml", set);
  Material material = scene.simulation.world.materials.material(0);
  material.restitution = restitution;
  scene.simulation.world.materials.replace(0, material);
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
  for (std::uint64_t k = 0; k < step_count(scene.simulation.time); ++k) {
    if (!stepper->step().can_go_on()) throw std::runtime_error("a run did not come to its end");
  }
  const Surface& left = scene.simulation.world.surfaces.front();
  double momentum = 0.0;
  double mass = 0.0;
  for (Index i = left.first; i < left.first + left.size(); ++i) {
    const double m = scene.simulation.world.bodies.mass[i];
    momentum += m * stepper->state().velocity[i].x;
    mass += m;
  }
  return -momentum / mass;
}

}  // namespace

void compare_rebounds(const std::string& plot) {
  PlotPanel panel;
  panel.x_label = "step (s); of Carom between two looks";
  panel.y_label = "speed with which they part (m/s)";
  panel.log_x = true;
  fmt::print("{:>10}{:>12}", "step, s", "Codim-IPC");
  const std::array<double, 3> restitutions = {1.0, 0.5, 0.0};
  for (const double r : restitutions) {
    fmt::print("{:>12}", fmt::format("e = {}", r));
    panel.series.push_back({fmt::format("Carom, restitution {}", r), {}, {}});
  }
  fmt::print("\n");
  panel.series.push_back(
      {"Codim-IPC", {kSteps.begin(), kSteps.end()}, {kOthers.begin(), kOthers.end()}});
  for (std::size_t k = 0; k < kSteps.size(); ++k) {
    fmt::print("{:>10g}{:>12g}", kSteps[k], kOthers[k]);
    for (std::size_t r = 0; r < restitutions.size(); ++r) {
      const double speed = rebound(kSteps[k], restitutions[r]);
      fmt::print("{:>12.6g}", speed);
      panel.series[r].x.push_back(kSteps[k]);
      panel.series[r].y.push_back(speed);
      record_result(fmt::format("rebound, restitution {}", restitutions[r]),
                    fmt::format("step {:g}", kSteps[k]), "m/s", speed);
    }
    fmt::print("\n");
  }
  if (plot.empty()) return;
  Figure figure;
  figure.title = "Two thin spheres that meet at 1 m/s each";
  figure.panels.push_back(std::move(panel));
  static_cast<void>(write_figure(figure, plot));
}

}  // namespace carom::bench
