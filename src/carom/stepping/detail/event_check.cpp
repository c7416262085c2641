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

// So long that there is no doubt which copy of a body near another is meant.
void check_periods(const Simulation& s) {
  const double diameters = has_solids(s) ? 4.25 : 2.5;
  double largest = 0.0;
  for (const double radius : s.world.bodies.radius) largest = std::max(largest, radius);
  const Vec3& length = s.world.periodicity.length;
  for (const double period : {length.x, length.y, length.z}) {
    if (period > 0.0 && period < 2.0 * diameters * largest) {
      refuse("world.periodic", "under time.scheme \"events\" a period must be at least " +
                                   number_text(diameters) + " diameters of the largest body, " +
                                   number_text(2.0 * diameters * largest) + ", found " +
                                   number_text(period));
    }
  }
}

void check_solids(const Simulation& s) {
  if (s.events.contact_duration == 0.0) {
    refuse("events.contact_duration",
           "must be above 0 where a body turns or a shape is a solid, found 0");
  }
}

// Whether a rotation about this axis leaves the shape's surface where it is.
bool keeps_its_surface(const Shape& shape, const Vec3& spin) {
  const auto is_along = [&](const Vec3& axis) {
    return norm(cross(axis, spin)) <= 1e-9 * norm(axis) * norm(spin);
  };
  if (const auto* plane = std::get_if<HalfPlane>(&shape)) return is_along(plane->normal);
  if (const auto* obstacle = std::get_if<SolidObstacle>(&shape)) {
    if (obstacle->solid->is_sphere()) return true;
    const auto* cylinder = obstacle->solid->parts().size() == 1
                               ? std::get_if<CylinderPart>(&obstacle->solid->parts()[0])
                               : nullptr;
    return cylinder != nullptr && is_along(obstacle->pose.rotation * cylinder->axis);
  }
  return std::holds_alternative<SphereInside>(shape) ||
         std::holds_alternative<SphereOutside>(shape);
}

}  // namespace

bool has_solids(const Simulation& s) {
  return s.world.bodies.any_turns() ||
         std::any_of(s.world.shapes.begin(), s.world.shapes.end(), [](const PlacedShape& placed) {
           return std::holds_alternative<SolidObstacle>(placed.shape);
         });
}

void check_spins(const Simulation& s) {
  for (const PlacedShape& placed : s.world.shapes) {
    if (placed.spin == Vec3{}) continue;
    const std::string key = "shape '" + placed.name + "'";
    if (!is_finite(placed.spin)) refuse(key, "spin is not finite");
    if (s.time.scheme != "events" || !s.world.bodies.any_turns()) {
      refuse(key, "spin is there for time.scheme \"events\" and bodies that turn");
    }
    if (!keeps_its_surface(placed.shape, placed.spin)) {
      refuse(key,
             "only what looks the same all the while can spin: a half-plane about its normal, a "
             "sphere, a cylinder about its axis");
    }
  }
}

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
  if (!(events.envelope > 0.0 && events.envelope <= 0.1)) {
    refuse("events.envelope",
           "must be above 0 and at most 0.1, found " + number_text(events.envelope));
  }
  if (has_solids(s)) check_solids(s);
  check_periods(s);
}

}  // namespace carom::detail
