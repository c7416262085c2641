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
#include "carom/steps/synchronous.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

// A symmetry that is to be kept must be there, and be one that this scheme can keep.
void check_symmetry(const Simulation& s) {
  const std::vector<std::string> known = symmetry_names();
  if (std::find(known.begin(), known.end(), s.symmetry) == known.end()) {
    refuse("world.symmetry", unknown_name_message("symmetry", s.symmetry, known));
  }
  if (s.symmetry != "exact") return;
  if (s.world.dimension != 2) refuse("world.symmetry", "\"exact\" is there in two dimensions only");
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
  if (std::vector<Index> order = detail::space_order(simulation); !order.empty()) {
    return std::make_unique<detail::OrderedStepper>(simulation, std::move(order));
  }
  return std::make_unique<SynchronousStepper>(simulation);
}

}  // namespace

SchemeInfo steps_scheme() {
  SchemeInfo info;
  info.name = "steps";
  info.summary = "steps of one size for all; what touches at the end of one is one impact";
  info.can = {.impact_problems = true};
  info.columns = impact_columns();
  info.check = check_symmetry;
  info.make = make_steps;
  return info;
}

}  // namespace carom
