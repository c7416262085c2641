// The scheme "steps" as the registry knows it: what it refuses, and which stepper it makes.
#include "carom/steps/scheme.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/operator.h"
#include "carom/steps/detail/ordered_stepper.h"
#include "carom/steps/detail/space_order.h"
#include "carom/steps/detail/symmetry_search.h"
#include "carom/steps/rest_settings.h"
#include "carom/steps/resting.h"
#include "carom/steps/synchronous.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

bool rests(const Simulation& s) { return s.impact.friction_model == "coulomb"; }

void check_rest(const Simulation& s) {
  const auto& settings = s.settings.of<RestSettings>();
  if (!(settings.rest_tolerance >= 1e-13 && settings.rest_tolerance <= 1e-2)) {
    refuse("steps.rest_tolerance",
           "must be between 1e-13 and 0.01, found " + number_text(settings.rest_tolerance));
  }
  if (!(settings.rest_iterations >= 1.0)) {
    refuse("steps.rest_iterations", "must be at least 1, found 0");
  }
  if (!rests(s)) {
    const RestSettings standard;
    if (settings.rest_tolerance != standard.rest_tolerance ||
        settings.rest_iterations != standard.rest_iterations || settings.exact != standard.exact) {
      refuse("steps", "its settings are those of friction_model \"coulomb\", found \"" +
                          s.impact.friction_model + "\"");
    }
    return;
  }
  if (s.symmetry == "exact") {
    refuse("world.symmetry", "\"exact\" is not there with friction_model \"coulomb\"");
  }
  const char* const why = "has no meaning with friction_model \"coulomb\"";
  if (!s.detection.hold) refuse("detection.hold", why);
  if (!s.detection.halve) refuse("detection.halve", why);
  if (!s.detection.sweep) refuse("detection.sweep", why);
  if (s.impact.friction_passes != 1) refuse("impact.friction_passes", why);
}

// A symmetry that is to be kept must be there, and be one that this scheme can keep.
void check_steps(const Simulation& s) {
  check_rest(s);
  const std::vector<std::string> known = symmetry_names();
  if (std::find(known.begin(), known.end(), s.symmetry) == known.end()) {
    refuse("world.symmetry", unknown_name_message("symmetry", s.symmetry, known));
  }
  if (s.symmetry != "exact") return;
  if (s.world.dimension != 2) refuse("world.symmetry", "\"exact\" is there in two dimensions only");
  if (!s.forces.functions.empty()) {
    refuse("world.symmetry", "\"exact\" is not there with forces of the program");
  }
  for (const PlacedShape& placed : s.world.shapes) {
    if (placed.spin == Vec3{}) continue;
    refuse("world.symmetry", "\"exact\" knows no shapes that spin, as '" + placed.name + "' does");
  }
  if (has_solids(s.world)) {
    refuse("world.symmetry", "\"exact\" is there for balls that do not turn only");
  }
  const OperatorInfo& info = make_operator(s.impact.impact_operator)->info();
  if (info.promise(Law::sym) != Promise::yes) {
    refuse("world.symmetry", "operator '" + info.name +
                                 "' does not keep symmetries (SYM); \"exact\" needs one that does");
  }
  static_cast<void>(detail::find_symmetry(s));
}

std::unique_ptr<Stepper> make_steps(const Simulation& simulation) {
  if (rests(simulation)) return std::make_unique<RestingStepper>(simulation);
  if (std::vector<Index> order = detail::space_order(simulation); !order.empty()) {
    return std::make_unique<detail::OrderedStepper>(simulation, std::move(order));
  }
  return std::make_unique<SynchronousStepper>(simulation);
}

std::vector<SchemeSetting> rest_settings() {
  using Kind = SchemeSetting::Kind;
  using S = RestSettings;
  return {
      scheme_setting("rest_tolerance", Kind::positive, &S::rest_tolerance,
                     "with friction_model \"coulomb\": residual at which contacts at rest count "
                     "as solved, in g h"),
      scheme_setting("rest_iterations", Kind::whole, &S::rest_iterations,
                     "likewise: iterations of parts while they move"),
      scheme_setting("exact", Kind::flag, &S::exact, "likewise: no such limit")};
}

}  // namespace

SchemeInfo steps_scheme() {
  SchemeInfo info;
  info.name = "steps";
  info.summary = "steps of one size for all; what touches at the end of one is one impact";
  info.can = {.spinning_shapes = true, .force_functions = true, .impact_problems = true};
  info.columns = impact_columns();
  for (StepColumn& column : rest_columns()) info.columns.push_back(std::move(column));
  info.settings = rest_settings();
  // What rests is kept at rest; exact symmetry has the papers' model.
  info.friction_model = [](const Simulation& simulation) {
    return simulation.symmetry == "exact" ? "slip" : "coulomb";
  };
  info.rolling = true;
  info.check = check_steps;
  info.make = make_steps;
  return info;
}

}  // namespace carom
