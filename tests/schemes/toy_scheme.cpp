// A scheme of the tests alone, with settings and a column of its own: all that a scheme needs.
#include "schemes/toy_scheme.h"

#include "carom/core/error.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/bytes.h"

namespace carom::test {
namespace {

struct ToySettings {
  double tempo = 1.0;  // how many times faster time goes
  bool backward = false;
};

class ToyStepper final : public Stepper {
 public:
  explicit ToyStepper(const Simulation& simulation)
      : simulation_(&simulation), state_(simulation.start) {}

  StepReport step() override {
    const auto& settings = simulation_->settings.of<ToySettings>();
    const double h = simulation_->time.step * settings.tempo * (settings.backward ? -1.0 : 1.0);
    StepReport report;
    for (std::size_t i = 0; i < state_.position.size(); ++i) {
      state_.position[i] += h * state_.velocity[i];
      report.own[0] += norm(h * state_.velocity[i]);
    }
    ++state_.step;
    state_.time = static_cast<double>(state_.step) * simulation_->time.step;
    report.step = state_.step;
    report.time = state_.time;
    report.totals = totals(*simulation_, state_);
    return report;
  }
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::string save() const override {
    std::string bytes;
    put_word(bytes, state_.step);
    for (const Vec3& q : state_.position) put_vector(bytes, q);
    return bytes;
  }
  void load(std::string_view bytes) override {
    if (bytes.size() != 8 + 24 * state_.position.size()) {
      throw InputError({}, "the checkpoint does not belong to this scene");
    }
    state_.step = take_word(bytes);
    state_.time = static_cast<double>(state_.step) * simulation_->time.step;
    for (Vec3& q : state_.position) q = take_vector(bytes);
  }

 private:
  const Simulation* simulation_;
  State state_;
};

}  // namespace

SchemeInfo toy_scheme() {
  using Kind = SchemeSetting::Kind;
  SchemeInfo info;
  info.name = "toy";
  info.summary = "free flight and nothing else";
  info.settings = {
      scheme_setting("tempo", Kind::positive, &ToySettings::tempo, "how many times faster"),
      scheme_setting("backward", Kind::flag, &ToySettings::backward, "time goes back")};
  info.columns = {step_column(
      {"way", "m", "sum of the ways of all bodies in this step"}, Merge::sum,
      [](auto& r) -> auto& { return r.own[0]; })};
  info.friction_model = [](const Simulation&) { return "box"; };
  info.check = [](const Simulation& s) {
    if (s.forces.gravity != Vec3{} || !s.forces.springs.empty() || !s.forces.centers.empty()) {
      throw InputError({"", 0, 0, "world.gravity"}, "time.scheme \"toy\" knows no forces");
    }
  };
  info.make = [](const Simulation& s) { return std::make_unique<ToyStepper>(s); };
  return info;
}

void register_toy_scheme() {
  static const bool registered = [] {
    register_scheme(toy_scheme());
    return true;
  }();
  static_cast<void>(registered);
}

}  // namespace carom::test
