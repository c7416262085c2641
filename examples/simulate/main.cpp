// A simulation of Carom's in the hands of a program.
//
// A tap drips balls onto a slope; what rolls off its end falls and is taken away. The program
// feeds, clears and counts between steps, and asks where the energy went: what the edits brought in
// and took out is part of the account, which must close to round-off. With the name of a file the
// run is recorded there, balls that come and go and all.

#include <cmath>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "carom/live/live_simulation.h"
#include "carom/runs/live_recording.h"

namespace {

constexpr double kDripEvery = 0.25;  // s
constexpr double kDuration = 10.0;   // s
constexpr double kBelow = -6.0;      // m; what is lower is taken away

carom::Simulation slope() {
  carom::Simulation simulation;
  simulation.world.dimension = 2;
  simulation.forces.gravity = {0.0, -9.81};
  simulation.time.step = 1e-3;
  simulation.world.materials.replace(0, {.name = "default", .restitution = 0.7});
  simulation.world.shapes.push_back(
      {.shape = carom::Segment{{-4.0, 0.5}, {4.0, -0.5}}, .name = "slope"});
  return simulation;
}

// A ball from the tap, a little to one side each time.
void drip(carom::LiveSimulation& simulation, int count) {
  carom::LiveEdit edit = simulation.edit();
  edit.add({.radius = 0.15, .position = {-2.0 + 0.3 * std::sin(7.0 * count), 3.0}});
  simulation.apply(std::move(edit));
}

void clear(carom::LiveSimulation& simulation) {
  std::vector<carom::BodyId> gone;
  for (const carom::BodyId id : simulation.ids()) {
    if (simulation.state().position[simulation.number_of(id)].y < kBelow) gone.push_back(id);
  }
  if (gone.empty()) return;
  carom::LiveEdit edit = simulation.edit();
  for (const carom::BodyId id : gone) edit.remove(id);
  simulation.apply(std::move(edit));
}

int run(const std::string& file) {
  carom::LiveSimulation simulation(slope());
  std::shared_ptr<carom::LiveRecording> recording;
  if (!file.empty()) {
    carom::Scene scene;  // without a text: it is written from the simulation
    scene.title = "a tap";
    scene.record.every = 20;
    recording = carom::LiveRecording::begin(simulation, scene, file);
  }
  std::size_t impacts = 0;
  simulation.on_impact(
      [&](carom::LiveSimulation&, std::span<const carom::ContactImpulse>) { ++impacts; });
  int dripped = 0;
  simulation.on_step([&](carom::LiveSimulation& now) {
    clear(now);
    if (now.state().time >= dripped * kDripEvery) drip(now, dripped++);
    return true;
  });
  if (simulation.run_until(kDuration) != carom::RunStop::reached) {
    std::cerr << simulation.report().message << '\n';
    return 1;
  }
  if (recording != nullptr) recording->finish(simulation);
  const carom::LiveLedger& ledger = simulation.ledger();
  std::cout << dripped << " balls dripped, " << simulation.ids().size() << " are there, " << impacts
            << " impacts\n"
            << "edits brought " << ledger.edited << " J, impacts took " << ledger.dissipated
            << " J, unexplained " << ledger.drift() << " J\n";
  return std::abs(ledger.drift()) < 1e-9 * ledger.dissipated ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? arguments[1] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
