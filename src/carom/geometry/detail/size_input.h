#pragma once

#include <cmath>
#include <string>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/types.h"

namespace carom::detail {

inline void demand_positive(double size, const std::string& key) {
  if (std::isfinite(size) && size > 0.0) return;
  throw InputError({"", 0, 0, key}, "must be positive and finite, found " + number_text(size));
}

inline void demand_at_least(Index count, Index least, const std::string& key) {
  if (count >= least) return;
  throw InputError({"", 0, 0, key}, "must be at least " + std::to_string(least) + ", found " +
                                        std::to_string(count));
}

}  // namespace carom::detail
