#include "carom/stepping/detail/event_check.h"

#include <algorithm>
#include <cmath>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/events/event_queue.h"

namespace carom::detail {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

void check_forces(const ForceSet& forces) {
  const char* const why = "time.scheme \"events\" runs uniform gravity and no other force";
  if (!forces.springs.empty()) refuse("spring", why);
  if (!forces.centers.empty()) refuse("central", why);
  if (forces.drag.coefficient != 0.0) refuse("world.drag", why);
}

void check_periods(const Simulation& s) {
  constexpr double kDiameters = 2.5;
  double largest = 0.0;
  for (const double radius : s.bodies.radius) largest = std::max(largest, radius);
  const Vec3& length = s.periodicity.length;
  for (const double period : {length.x, length.y, length.z}) {
    if (period > 0.0 && period < 2.0 * kDiameters * largest) {
      refuse("world.periodic",
             "under time.scheme \"events\" a period must be at least two and a half diameters of "
             "the largest ball, " +
                 number_text(2.0 * kDiameters * largest) + ", found " + number_text(period));
    }
  }
}

}  // namespace

void check_events(const Simulation& s) {
  const EventSettings& events = s.events;
  const std::vector<std::string> queues = event_queue_names();
  if (std::find(queues.begin(), queues.end(), events.queue) == queues.end()) {
    refuse("events.queue", unknown_name_message("event queue", events.queue, queues));
  }
  if (!std::isfinite(events.contact_duration)) refuse("events.contact_duration", "is not finite");
  if (s.symmetry == "exact") {
    refuse("world.symmetry", "\"exact\" is there for time.scheme \"steps\" only");
  }
  check_forces(s.forces);
  for (Index i = 0; i < s.bodies.size(); ++i) {
    if (s.bodies.turns(i)) {
      refuse("body '" + s.bodies.name[i] + "'",
             "turns: time.scheme \"events\" is there for balls that do not");
    }
  }
  for (const PlacedShape& placed : s.shapes) {
    if (std::holds_alternative<SolidObstacle>(placed.shape)) {
      refuse("shape '" + placed.name + "'",
             "is a solid: time.scheme \"events\" has no solids among its shapes");
    }
  }
  check_periods(s);
}

}  // namespace carom::detail
