#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "carom/recording/solids.h"

namespace carom::detail {

/// A shape of the type "solid".
[[nodiscard]] RecordedObstacle obstacle_of(const nlohmann::json& shape, const std::string& key);

/// What shapes of all types may have.
void read_name_and_motion(const nlohmann::json& shape, const std::string& key,
                          RecordedObstacle& obstacle);

}  // namespace carom::detail
