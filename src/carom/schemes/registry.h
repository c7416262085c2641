#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/stepping/scheme.h"

namespace carom {

/// Every way through time, those of Carom first. Scene files, the command line, recordings, the
/// documents and the contract test read it.
[[nodiscard]] std::vector<std::string> scheme_names();

/// Throws InputError, naming the nearest one, where there is none of that name.
[[nodiscard]] const SchemeInfo& scheme_info(std::string_view name);

/// Those of which something holds, as a message names them: "steps" or "events".
[[nodiscard]] std::string schemes_where(const std::function<bool(const SchemeInfo&)>& holds);

/// The friction model of scenes that say none and whose materials rub.
[[nodiscard]] std::string friction_model_where_materials_rub(const Simulation& simulation);

/// Adds a way through time; from then on scenes may choose it. To be called before other threads
/// ask. Throws InputError where the name is taken or cannot be a key, or `check` or `make` are
/// missing.
void register_scheme(SchemeInfo info);

/// Throws InputError on the first thing that cannot be simulated: see check_start(), then what the
/// simulation's scheme cannot run.
void check_simulation(const Simulation& simulation);

/// By the simulation's scheme; `simulation` must outlive it. Throws InputError as
/// check_simulation() does.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(const Simulation& simulation);
/// For a run that goes on: only bodies that were `placed` by hand, by their numbers, must not
/// overlap. A run may leave others a little deeper than a start may have them.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(const Simulation& simulation,
                                                    std::span<const Index> placed);

}  // namespace carom
