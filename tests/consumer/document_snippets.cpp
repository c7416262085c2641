// The snippets of docs/programs.md and docs/events.md, as they stand there (tools/check_docs
// compares), in a program that is compiled and run.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <utility>

#include "carom/events/event_stepper.h"
#include "carom/live/live_simulation.h"
#include "carom/runs/live_recording.h"
#include "carom/scene/scene.h"

namespace {

constexpr const char* kScene = R"(kind = "scene"
[world]
gravity = 9.81
[time]
step = 0.01
duration = 10.0
[[shape]]
name = "floor"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
[[line]]
count = 4
radius = 0.2
spacing = 1.0
origin = [0, 2]
)";

// clang-format off
void steps_and_edits() {
std::size_t count = 0;
carom::LiveSimulation simulation(carom::read_scene_file("scene.toml").simulation);
simulation.on_impact([&](carom::LiveSimulation&, std::span<const carom::ContactImpulse> impact) { count += impact.size(); });
while (simulation.state().time < 10.0) {
  const carom::StepReport& report = simulation.step();
  if (!report.can_go_on()) break;  // report.message says why
}
const carom::BodyId other = simulation.ids().front();
carom::LiveEdit edit = simulation.edit();
edit.state().velocity[3] = {0.0, 2.0};
const carom::BodyId id = edit.add({.mass = 2.0, .radius = 0.1, .position = {0.0, 5.0}});
edit.remove(other);
edit.forces().gravity = {0.0, 1.62};
simulation.apply(std::move(edit));
std::printf("%zu impulses; body %u was added\n", count, simulation.number_of(id));
}

void recordings() {
const carom::Scene scene = carom::read_scene_file("scene.toml");
carom::LiveSimulation recorded(scene.simulation);
const auto recording = carom::LiveRecording::begin(recorded, scene, "run.h5");
recorded.run_until(2.0);
recording->finish(recorded);
}

class Metronome final : public carom::EventListener {
  // When it wants to be called: the first moment after `time`.
  double next_moment(double time) override { return std::floor(time) + 1.0; }
  void on_moment(carom::EventMoment& moment) override {
    std::printf("%g s: height %g\n", moment.time(), moment.body(0).position.y);
  }
  // After every impact, with its contacts.
  void on_impact(std::span<const carom::ContactImpulse> contacts, carom::EventMoment& moment) override {
    if (contacts.front().normal > 1.0) moment.set_velocity(0, {0.0, 2.0, 0.0});
  }
};

void listen() {
carom::Simulation simulation = carom::read_scene_file("scene.toml").simulation;
simulation.time.scheme = "events";
Metronome metronome;
const auto stepper = carom::make_event_stepper(simulation);
stepper->listen(&metronome);
for (int k = 0; k < 250; ++k) stepper->step();
}
// clang-format on

}  // namespace

int main() {
  std::filesystem::current_path(std::filesystem::temp_directory_path());
  std::ofstream("scene.toml") << kScene;
  steps_and_edits();
  recordings();
  listen();
  std::filesystem::remove("scene.toml");
  std::filesystem::remove("run.h5");
  return 0;
}
