// The engine that a scene asks for, behind one interface.
#include "carom/asynchronous/contact_engine.h"

#include <utility>

#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/asynchronous/scheme_settings.h"
#include "carom/core/error.h"

namespace carom::asynchronous {
namespace {

using reference::Clocks;
using reference::Mechanisms;
using reference::ReferenceEngine;

template <class Chosen>
class Behind final : public ContactEngine {
 public:
  explicit Behind(Chosen engine) : engine_(std::move(engine)) {}

  AdvanceReport advance(double time, const Observer& observer) override {
    return engine_.advance(time, observer);
  }
  [[nodiscard]] Configuration configuration() const override { return engine_.configuration(); }
  [[nodiscard]] Ledger ledger() const override { return engine_.ledger(); }
  [[nodiscard]] VertexActivity activity() const override { return engine_.activity(); }
  void record_corners(bool on) override { engine_.record_corners(on); }
  [[nodiscard]] std::span<const PathCorner> corners() const override { return engine_.corners(); }
  void forget_corners() override { engine_.forget_corners(); }
  [[nodiscard]] std::string save() const override { return engine_.save(); }
  void load(std::string_view bytes) override { engine_.load(bytes); }

 private:
  Chosen engine_;
};

Mechanisms mechanisms_of(const AsynchronousSettings& given) {
  Mechanisms mechanisms;
  if (given.clocks == "nested") mechanisms.clocks = Clocks::nested;
  if (given.clocks == "restarted") mechanisms.clocks = Clocks::restarted;
  mechanisms.supports = given.supports;
  mechanisms.vague_trajectories = given.vague_trajectories;
  mechanisms.hierarchy = given.hierarchy;
  mechanisms.envelopes = given.envelopes;
  mechanisms.adaptive_axes = given.adaptive_axes;
  return mechanisms;
}

}  // namespace

std::vector<std::string> engine_names() { return {"fast", "reference"}; }
std::vector<std::string> clock_names() { return {"own", "nested", "restarted"}; }

std::unique_ptr<ContactEngine> make_contact_engine(const Problem& problem,
                                                   const Simulation& simulation) {
  const auto& given = simulation.settings.of<AsynchronousSettings>();
  const Settings settings = settings_of(simulation);
  if (given.engine == "reference") {
    return std::make_unique<Behind<ReferenceEngine>>(
        ReferenceEngine(problem, settings, mechanisms_of(given)));
  }
  return std::make_unique<Behind<Engine>>(Engine(problem, settings));
}

void check_engine(const Problem& problem, const Simulation& simulation) {
  const auto& given = simulation.settings.of<AsynchronousSettings>();
  if (given.engine == "reference") {
    reference::check_reference(problem, settings_of(simulation));
    if (given.least_progress > 0.0) {
      throw InputError({"", 0, 0, "asynchronous.least_progress"},
                       "is for the fast engine; the reference engine has no such end");
    }
    return;
  }
  const AsynchronousSettings usual;
  const auto refuse_unless = [](bool usual_one, const char* key) {
    if (usual_one) return;
    throw InputError({"", 0, 0, std::string("asynchronous.") + key},
                     "is a mechanism of the papers' engine: set asynchronous.engine = "
                     "\"reference\", or leave it out");
  };
  refuse_unless(given.clocks == usual.clocks, "clocks");
  refuse_unless(given.supports, "supports");
  refuse_unless(given.vague_trajectories, "vague_trajectories");
  refuse_unless(given.hierarchy, "hierarchy");
  refuse_unless(given.envelopes, "envelopes");
  refuse_unless(given.adaptive_axes, "adaptive_axes");
}

}  // namespace carom::asynchronous
