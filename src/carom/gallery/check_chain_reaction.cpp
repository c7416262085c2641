// Q8: a machine in which each thing sets off the next. The stages of the file's [check] are looked
// for while the scene runs once; the first that does not follow on those before it is named.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "carom/core/names.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/geometry/rotation.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

constexpr double kNever = kInfinity;

// "card-*": all names that begin so.
bool matches(const std::string& pattern, const std::string& name) {
  if (pattern.empty() || pattern.back() != '*') return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// "The last domino drops: domino-12 touches seesaw" or "...: floor-3 falls 1.2".
struct Stage {
  std::string title;
  std::string first;
  std::string second;    ///< what it touches; empty where it falls
  double height = 0.0;   ///< by how much, m
  double time = kNever;  ///< when it first happened

  [[nodiscard]] bool is_fall() const { return second.empty(); }
};

void demand_name(const CheckInput& input, const std::string& pattern) {
  const World& world = input.scene->simulation.world;
  const auto is_named = [&](const auto& name) { return matches(pattern, name); };
  if (std::any_of(world.bodies.name.begin(), world.bodies.name.end(), is_named)) return;
  for (const PlacedShape& shape : world.shapes) {
    if (is_named(shape.name)) return;
  }
  input.parameters.refuse(
      "stages", unknown_name_message("body or shape", pattern, world.bodies.name.texts()));
}

Stage read_stage(const CheckInput& input, const std::string& text) {
  Stage stage;
  const std::size_t colon = text.rfind(": ");
  std::istringstream words(colon == std::string::npos ? "" : text.substr(colon + 2));
  std::string verb;
  std::string object;
  std::string rest;
  words >> stage.first >> verb >> object;
  const bool is_whole = !object.empty() && !(words >> rest);
  if (!is_whole || (verb != "touches" && verb != "falls")) {
    input.parameters.refuse("stages", "'" + text +
                                          "': expected \"what happens: A touches B\" or \"what "
                                          "happens: A falls METRES\"");
  }
  stage.title = text.substr(0, colon);
  demand_name(input, stage.first);
  if (verb == "touches") {
    stage.second = object;
    demand_name(input, stage.second);
    return stage;
  }
  std::istringstream number(object);
  if (!(number >> stage.height) || !number.eof() || !(stage.height > 0.0)) {
    input.parameters.refuse("stages", "'" + text + "': expected a height above 0, in metres");
  }
  return stage;
}

// The first `until` of those that the file lists.
std::vector<Stage> read_stages(const CheckInput& input) {
  std::vector<Stage> stages;
  for (const std::string& text : input.parameters.texts("stages")) {
    stages.push_back(read_stage(input, text));
  }
  const std::uint64_t until = input.parameters.count("until");
  if (until == 0 || until > stages.size()) {
    input.parameters.refuse("until", fmt::format("must be between 1 and the {} stages, found {}",
                                                 stages.size(), until));
  }
  stages.resize(until);
  return stages;
}

/// Notes when each stage first happens.
class StageWatch {
 public:
  StageWatch(const Simulation& simulation, std::vector<Stage>& stages)
      : simulation_(&simulation), stages_(&stages) {
    const Vec3& gravity = simulation.forces.gravity;
    if (gravity != Vec3{}) down_ = (1.0 / norm(gravity)) * gravity;
  }

  void look(const Stepper& stepper) {
    const State& state = stepper.state();
    const BodySet& bodies = simulation_->world.bodies;
    for (Stage& stage : *stages_) {
      if (stage.time < kNever || !stage.is_fall()) continue;
      for (Index i = 0; i < bodies.size(); ++i) {
        if (!matches(stage.first, bodies.name[i])) continue;
        const double fallen = dot(down_, state.position[i] - simulation_->start.position[i]);
        if (fallen >= stage.height) stage.time = state.time;
      }
    }
    for (const ContactImpulse& impulse : stepper.impulses()) {
      const Contact& contact = impulse.contact;
      const std::string a = bodies.name[contact.body_a];
      const std::string b = contact.body_b != kNone ? bodies.name[contact.body_b]
                                                    : simulation_->world.shapes[contact.shape].name;
      for (Stage& stage : *stages_) {
        if (stage.time < kNever || stage.is_fall()) continue;
        const bool meet = (matches(stage.first, a) && matches(stage.second, b)) ||
                          (matches(stage.first, b) && matches(stage.second, a));
        if (meet) stage.time = state.time;
      }
    }
  }

 private:
  const Simulation* simulation_;
  std::vector<Stage>* stages_;
  Vec3 down_ = {0, 0, -1};
};

// The first stage that did not happen after the one before it; the number of stages if all did.
std::size_t first_that_failed(const std::vector<Stage>& stages) {
  double before = 0.0;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (!(stages[k].time < kNever) || stages[k].time < before) return k;
    before = stages[k].time;
  }
  return stages.size();
}

struct Machine {
  std::vector<Stage> stages;
  bool ran = true;  ///< to its end
  std::string message;
};

Machine run_machine(const CheckInput& input, const Simulation& simulation) {
  Machine machine{read_stages(input), true, {}};
  const auto stepper = make_stepper(simulation);
  stepper->note_impulses(true);
  StageWatch watch(simulation, machine.stages);
  const auto steps =
      static_cast<std::uint64_t>(std::llround(simulation.time.duration / simulation.time.step));
  while (stepper->state().step < steps) {
    const StepReport report = stepper->step();
    if (!report.can_go_on()) {
      machine.ran = false;
      machine.message = report.message;
      break;
    }
    watch.look(*stepper);
    // Nothing is left to be seen.
    const bool all = std::all_of(machine.stages.begin(), machine.stages.end(),
                                 [](const Stage& stage) { return stage.time < kNever; });
    if (all) break;
    if (input.watch && report.step % 20 == 0) {
      input.watch("the machine runs",
                  static_cast<double>(report.step) / static_cast<double>(steps));
    }
  }
  return machine;
}

void add_claims(const Machine& machine, CheckOutcome& outcome) {
  const std::size_t failed = first_that_failed(machine.stages);
  outcome.claims.push_back(claim_true(
      "the run went on to its end" + (machine.ran ? "" : ": " + machine.message), machine.ran));
  double before = 0.0;
  for (std::size_t k = 0; k < machine.stages.size(); ++k) {
    const Stage& stage = machine.stages[k];
    const std::string text = fmt::format("stage {}, {}: time, s", k + 1, stage.title);
    if (k > failed) {
      outcome.claims.push_back(claim_unjudged(text, fmt::format("stage {} failed", failed + 1)));
    } else if (k == failed && !(stage.time < kNever)) {
      outcome.claims.push_back(claim_true(fmt::format("stage {}, {}, did not happen; the one "
                                                      "before did after {} s",
                                                      k + 1, stage.title, number_text(before)),
                                          false));
    } else {
      outcome.claims.push_back(claim_at_least(text, stage.time, before));
      before = stage.time;
    }
  }
  outcome.claims.push_back(claim_at_least("stages that followed on each other",
                                          static_cast<double>(failed),
                                          static_cast<double>(machine.stages.size())));
  outcome.headline = outcome.claims.size() - 1;
}

// A body begins farther on along a screw: turned by so many degrees, anticlockwise seen from above,
// about a vertical axis, and lower by `moved_fall` in a turn. How far may it be before the machine
// fails, and at which stage does it?
void add_sweep(const CheckInput& input, CheckOutcome& outcome) {
  const Parameters& given = input.parameters;
  if (!given.has("moved_by")) return;
  const std::string name = given.text("moved");
  const std::vector<double> axis = given.numbers("moved_about");
  if (axis.size() != 3) given.refuse("moved_about", "expected a place on the axis");
  const Vec3 center = {axis[0], axis[1], axis[2]};
  const Vec3& gravity = input.scene->simulation.forces.gravity;
  if (gravity == Vec3{}) given.refuse("moved_about", "there is no gravity, so nothing is vertical");
  const Vec3 up = (-1.0 / norm(gravity)) * gravity;
  const NameList& names = input.scene->simulation.world.bodies.name;
  const std::optional<std::size_t> found = names.find(name);
  if (!found) given.refuse("moved", unknown_name_message("body", name, names.texts()));
  DataTable table{"moved", {"moved, degrees", "stages"}, {}};
  for (const double by : given.numbers("moved_by")) {
    Simulation simulation = input.scene->simulation;
    Vec3& place = simulation.start.position[*found];
    const Mat3 turn = matrix_of(rotation_about(up, by * std::numbers::pi / 180.0));
    place = center + turn * (place - center) - (by / 360.0 * given.number("moved_fall")) * up;
    const Machine machine = run_machine(input, simulation);
    const std::size_t failed = first_that_failed(machine.stages);
    table.rows.push_back({by, static_cast<double>(failed)});
    // Farther away it may fail: the table says at which stage, and nothing is claimed.
    if (by > given.number("works_up_to")) continue;
    const bool all = failed == machine.stages.size();
    outcome.claims.push_back(
        claim_true(fmt::format("{} begins {} degrees farther on: {}", name, number_text(by),
                               all ? "all stages"
                                   : "fails at stage " + std::to_string(failed + 1) + ", " +
                                         machine.stages[failed].title),
                   all));
  }
  outcome.tables.push_back(std::move(table));
}

}  // namespace

CheckOutcome check_chain_reaction(const CheckInput& input) {
  input.parameters.demand_only(
      {"name", "stages", "until", "moved", "moved_about", "moved_fall", "moved_by", "works_up_to"});
  CheckOutcome outcome;
  add_claims(run_machine(input, input.scene->simulation), outcome);
  add_sweep(input, outcome);
  return outcome;
}

}  // namespace carom::detail
