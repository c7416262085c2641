#pragma once

#include <string>

namespace carom {

/// How events are kept and lasting contacts treated (docs/events.md).
struct EventSettings {
  std::string queue = "calendar";  ///< see event_queue_names()
  /// A body that collides again within this time (s) does so without loss, and contacts that last
  /// become trains of collisions about this far apart. 0: never; negative: chosen from the scene.
  double contact_duration = -1.0;
  /// Of bodies that turn: nearer than this part of the smaller one's size they may collide.
  double envelope = 1e-3;
};

}  // namespace carom
