#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "carom/geometry/solid.h"

namespace carom::detail {

/// What the solid of this number is called in a scene that is written.
[[nodiscard]] std::string solid_name(std::size_t number);
/// [[solid]] tables of a world's solids; parts that are like an earlier solid refer to that one.
[[nodiscard]] std::string solids_text(std::span<const std::shared_ptr<const Solid>> solids,
                                      int dimension);

}  // namespace carom::detail
