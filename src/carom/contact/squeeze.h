#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/contact/detection.h"
#include "carom/impact/resolve.h"

namespace carom {

/// Names, each once, in the order in which they come, and how many more there are.
[[nodiscard]] std::string name_list(std::span<const std::string> names);

/// The names of the bodies and shapes of a component that cannot be answered.
/// `scene_bodies`: by body of the component's problem; kNone where it is none of the scene's.
[[nodiscard]] std::vector<std::string> squeezed_names(const World& world,
                                                      const ComponentReport& component,
                                                      std::span<const Contact> contacts,
                                                      std::span<const Index> scene_bodies);

/// What a run says that ends because of them.
[[nodiscard]] std::string squeeze_text(std::span<const std::string> names);

}  // namespace carom
