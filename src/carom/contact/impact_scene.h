#pragma once

#include "carom/bodies/world.h"
#include "carom/impact/resolve.h"

namespace carom {

/// What impacts happen to, and how they are answered. Not owned.
struct ImpactScene {
  const World* world = nullptr;
  const ImpactSettings* settings = nullptr;
  double activation = 1e-9;  ///< DetectionSettings::activation: farther apart a contact is open
};

}  // namespace carom
