#pragma once

#include "carom/impact/detail/unlocked_work.h"
#include "carom/impact/iterate.h"
#include "carom/impact/lineality.h"
#include "carom/impact/resolve.h"
#include "carom/impact/system.h"

namespace carom {

/// A component while it is iterated.
struct ShownComponent {
  const ComponentSystem* system = nullptr;
  const ImpactSettings* settings = nullptr;
  Index number = 0;
  const UnlockedComponent* unlocked = nullptr;  ///< none: its rows are the given ones
  const UnlockedWork* work = nullptr;
};

/// Tells the settings' observer of an application, in rows, bodies and units of the problem. False:
/// it asks for a stop.
[[nodiscard]] bool show_application(const ShownComponent& shown, const IterationEvent& event);

}  // namespace carom
