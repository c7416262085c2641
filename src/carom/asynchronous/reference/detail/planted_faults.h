#pragma once

#include "carom/core/types.h"

namespace carom::asynchronous::reference {

/// Faults that tests plant, to see that the audit finds what they lead to. Nothing else sets them.
struct PlantedFaults {
  double certificate_length = 1.0;  ///< certificates last so many times as long as they hold
  Index last_layer = kNone;         ///< layers behind this one never wake

  [[nodiscard]] bool any() const { return certificate_length != 1.0 || last_layer != kNone; }
};

}  // namespace carom::asynchronous::reference
