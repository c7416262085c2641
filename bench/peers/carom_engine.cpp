#include <stdexcept>

#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "peers/engine.h"

namespace carom::bench {
namespace {

class CaromEngine : public PeerEngine {
 public:
  CaromEngine(const PeerScene& scene, const CaromOptions& options) {
    const bool as_printed = options.as_printed;
    const std::size_t count = scene.start.size();
    simulation_.time.step = scene.step;
    simulation_.impact.impact_operator = options.impact_operator;
    simulation_.symmetry = options.symmetry;
    simulation_.detection.redetect = !as_printed;
    simulation_.detection.sweep = !as_printed;
    simulation_.detection.hold = !as_printed;
    simulation_.forces.gravity = {0.0, -scene.gravity, 0.0};
    PlacedShape& box = simulation_.world.shapes.emplace_back();
    box.shape = BoxInside{scene.lower, scene.upper};
    box.name = "box";
    simulation_.world.bodies.mass.assign(count, scene.mass);
    simulation_.world.bodies.radius.assign(count, scene.radius);
    simulation_.world.bodies.material.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      simulation_.world.bodies.name.push_back("b" + std::to_string(i));
    }
    simulation_.start.position = scene.start;
    simulation_.start.velocity.assign(count, Vec3{});
    stepper_ = make_stepper(simulation_);
    stepper_->note_penetration(false);  // the others do not look for it
  }

  void step() override {
    const StepReport report = stepper_->step();
    if (!report.can_go_on()) throw std::runtime_error("carom: " + report.message);
  }

  void read(State& state) const override { state = stepper_->state(); }

 private:
  Simulation simulation_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace

std::unique_ptr<PeerEngine> make_carom(const PeerScene& scene, const CaromOptions& options) {
  return std::make_unique<CaromEngine>(scene, options);
}

}  // namespace carom::bench
