#pragma once

#include <string>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {

/// One [[random]]: balls one after the other at random places of a region, where they overlap
/// neither earlier balls nor shapes. Refuses when it does not fit.
void add_random(TableReader& table, SceneBuilder& builder, const std::string& otherwise);

}  // namespace carom::detail
