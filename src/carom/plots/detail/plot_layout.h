#pragma once

#include "carom/plots/detail/plot_marks.h"
#include "carom/plots/plot.h"

namespace carom::detail {

/// Throws InputError, with the key of the part, where the parts do not fit together.
void check_figure(const Figure& figure);

/// Every mark of a checked figure, in its place.
[[nodiscard]] Drawing draw_figure(const Figure& figure);

}  // namespace carom::detail
