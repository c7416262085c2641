// The scheme "events" as the registry knows it: its settings, what it refuses, and which stepper it
// makes.
#include "carom/events/scheme.h"

#include <algorithm>
#include <cmath>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/events/event_driven.h"
#include "carom/events/event_stepper.h"
#include "carom/events/settings.h"
#include "carom/events/solid_events.h"
#include "carom/stepping/event_queue.h"

namespace carom {
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
  const double diameters = has_solids(s.world) ? 4.25 : 2.5;
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

void refuse_helices(const Solid& solid, const std::string& key) {
  for (const SolidPart& part : solid.parts()) {
    if (!std::holds_alternative<HelixPart>(part)) continue;
    refuse(key, "rods bent along a helix are there for time.scheme \"steps\" only");
  }
}

void check_solids(const Simulation& s) {
  for (const PlacedShape& placed : s.world.shapes) {
    if (const auto* obstacle = std::get_if<SolidObstacle>(&placed.shape)) {
      refuse_helices(*obstacle->solid, "shape '" + placed.name + "'");
    }
  }
  for (Index i = 0; i < s.world.bodies.size(); ++i) {
    if (!s.world.bodies.turns(i)) continue;
    refuse_helices(s.world.bodies.solid_of(i), "body '" + s.world.bodies.name[i] + "'");
  }
  if (s.settings.of<EventSettings>().contact_duration == 0.0) {
    refuse("events.contact_duration",
           "must be above 0 where a body turns or a shape is a solid, found 0");
  }
}

void check_events(const Simulation& s) {
  const auto& events = s.settings.of<EventSettings>();
  const std::vector<std::string> queues = event_queue_names();
  if (std::find(queues.begin(), queues.end(), events.queue) == queues.end()) {
    refuse("events.queue", unknown_name_message("event queue", events.queue, queues));
  }
  if (!std::isfinite(events.contact_duration)) refuse("events.contact_duration", "is not finite");
  if (s.symmetry == "exact") {
    refuse("world.symmetry", "\"exact\" is there for time.scheme \"steps\" only");
  }
  if (s.impact.friction_model == "coulomb" && !has_solids(s.world)) {
    refuse("impact.friction_model",
           "under time.scheme \"events\" balls that do not turn have slip, box and collision; "
           "\"coulomb\" is there where a body turns or a shape is a solid");
  }
  const MaterialTable& materials = s.world.materials;
  for (Index k = 0; k < materials.size() * materials.size(); ++k) {
    if (materials.coefficients(k / materials.size(), k % materials.size()).rolling != 0.0) {
      refuse("material.rolling", "acts with time.scheme \"steps\" only");
    }
  }
  check_forces(s.forces);
  if (!(events.envelope > 0.0 && events.envelope <= 0.1)) {
    refuse("events.envelope",
           "must be above 0 and at most 0.1, found " + number_text(events.envelope));
  }
  if (has_solids(s.world)) check_solids(s);
  check_periods(s);
}

std::unique_ptr<EventStepper> make_events(const Simulation& simulation) {
  if (has_solids(simulation.world)) return std::make_unique<SolidEventStepper>(simulation);
  return std::make_unique<EventDrivenStepper>(simulation);
}

std::vector<SchemeSetting> event_settings() {
  using Kind = SchemeSetting::Kind;
  SchemeSetting queue = scheme_setting("queue", Kind::choice, &EventSettings::queue,
                                       "how pending events are kept; the results are the same");
  queue.choices = event_queue_names();
  SchemeSetting duration = scheme_setting(
      "contact_duration", Kind::not_negative, &EventSettings::contact_duration,
      "s: a body that collides again within it does so without loss; chosen from the scene where "
      "it is not given, 0: never");
  duration.get = [get = duration.get](const SchemeSettings& all) {
    const bool is_chosen = all.of<EventSettings>().contact_duration < 0.0;
    return is_chosen ? std::nullopt : get(all);
  };
  SchemeSetting envelope = scheme_setting(
      "envelope", Kind::positive, &EventSettings::envelope,
      "of bodies that turn: nearer than this part of the smaller one's size they may collide");
  return {std::move(queue), std::move(duration), std::move(envelope)};
}

}  // namespace

std::unique_ptr<EventStepper> make_event_stepper(const Simulation& simulation) {
  check_start(simulation);
  check_overlaps(simulation);
  check_events(simulation);
  return make_events(simulation);
}

SchemeInfo events_scheme() {
  SchemeInfo info;
  info.name = "events";
  info.summary = "every collision at its own moment, without a step size";
  info.can = {.spinning_shapes = true, .periodic_solids = true, .impact_problems = true};
  info.collisions = CollisionTimes::their_own;
  info.settings = event_settings();
  info.columns = impact_columns();
  info.check = check_events;
  info.make = make_events;
  return info;
}

}  // namespace carom
