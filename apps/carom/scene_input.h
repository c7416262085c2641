#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/scene/scene.h"

namespace carom::cli {

/// Reads the scene that a command runs. `settings` are those of --set; `duration`, s, replaces the
/// scene's. Throws InputError, which names the option that was wrong, or the command that takes
/// the file where it is no scene.
[[nodiscard]] Scene read_scene_for(const std::string& file, std::vector<std::string> settings,
                                   const std::optional<double>& duration);

/// Throws InputError, which names `option`, when there is no such operator.
void demand_operator(const std::string& name, const std::string& option);

}  // namespace carom::cli
