#pragma once

#include <vector>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {

/// Which vertices of a surface a lead or a force is for, as bodies in rising order: `vertices`,
/// `region` or `where`, and all of them where the table has none of these. Refuses a selection that
/// hits none.
[[nodiscard]] std::vector<Index> read_selection(TableReader& table, const SceneBuilder& builder,
                                                const Surface& surface);

/// A [[lead]] of these bodies: `motion`. Refuses bodies that are led already.
void read_lead(TableReader& table, SceneBuilder& builder, const std::vector<Index>& bodies);
/// A [[force]] on each of these bodies: `force` or `total`, `begin` and `end`.
void read_force(TableReader& table, SceneBuilder& builder, const std::vector<Index>& bodies);

}  // namespace carom::detail
