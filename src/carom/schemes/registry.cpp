// The registry of ways through time: the one place that knows all of them.
#include "carom/schemes/registry.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <utility>

#include "carom/asynchronous/scheme.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/events/scheme.h"
#include "carom/steps/scheme.h"

namespace carom {
namespace {

// A deque: what was given out stays where it is when others join.
std::deque<SchemeInfo>& registry() {
  static std::deque<SchemeInfo> list = {steps_scheme(), events_scheme(),
                                        asynchronous::asynchronous_scheme()};
  return list;
}

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

bool can_be_key(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

void check_spins(const Simulation& s, const SchemeInfo& info) {
  for (const PlacedShape& placed : s.world.shapes) {
    if (placed.spin == Vec3{}) continue;
    const std::string key = "shape '" + placed.name + "'";
    if (!info.can.spinning_shapes) {
      refuse(key, "spin is there for time.scheme " +
                      schemes_where([](const SchemeInfo& i) { return i.can.spinning_shapes; }));
    }
    if (!s.world.bodies.any_turns()) {
      refuse(key,
             "spin is there for bodies that turn: no body does (turns = true makes a ball turn)");
    }
  }
}

void check_periodic_solids(const Simulation& s, const SchemeInfo& info) {
  if (!s.world.periodicity.any() || info.can.periodic_solids) return;
  for (Index i = 0; i < s.world.bodies.size(); ++i) {
    if (s.world.bodies.is_round(i)) continue;
    refuse("body '" + s.world.bodies.name[i] + "'",
           "is no ball: in a periodic world time.scheme \"" + info.name +
               "\" runs only balls and spheres");
  }
}

void refuse_for(const std::string& key, const SchemeInfo& info, bool SchemeAbilities::*ability) {
  refuse(key, "needs time.scheme " +
                  schemes_where([&](const SchemeInfo& other) { return other.can.*ability; }) +
                  ", found \"" + info.name + "\"");
}

void check_surfaces(const Simulation& s, const SchemeInfo& info) {
  if (!info.can.surfaces && !s.world.surfaces.empty()) {
    refuse_for("surface '" + s.world.surfaces.front().name + "'", info, &SchemeAbilities::surfaces);
  }
  const auto name = [&s](Index body) { return "body '" + s.world.bodies.name[body] + "'"; };
  if (!info.can.led_bodies && !s.world.led.empty()) {
    refuse_for("motion of " + name(s.world.led.front().body), info, &SchemeAbilities::led_bodies);
  }
  if (!info.can.force_functions && !s.forces.functions.empty()) {
    refuse_for("a force of the program", info, &SchemeAbilities::force_functions);
  }
  if (!info.can.led_bodies && !s.forces.prescribed.empty()) {
    refuse_for("force on " + name(s.forces.prescribed.front().body), info,
               &SchemeAbilities::led_bodies);
  }
}

}  // namespace

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const SchemeInfo& info : registry()) names.push_back(info.name);
  return names;
}

const SchemeInfo& scheme_info(std::string_view name) {
  for (const SchemeInfo& info : registry()) {
    if (info.name == name) return info;
  }
  refuse("time.scheme", unknown_name_message("scheme", std::string(name), scheme_names()));
}

std::string schemes_where(const std::function<bool(const SchemeInfo&)>& holds) {
  std::string text;
  for (const SchemeInfo& info : registry()) {
    if (holds(info)) text += (text.empty() ? "\"" : " or \"") + info.name + "\"";
  }
  return text;
}

std::string friction_model_where_materials_rub(const Simulation& simulation) {
  const SchemeInfo& info = scheme_info(simulation.time.scheme);
  return info.friction_model ? info.friction_model(simulation) : "slip";
}

void register_scheme(SchemeInfo info) {
  if (!can_be_key(info.name)) refuse("", "a scheme cannot have the name '" + info.name + "'");
  if (!info.check || !info.make) refuse(info.name, "a scheme needs check and make");
  for (const SchemeInfo& other : registry()) {
    if (other.name == info.name) refuse(info.name, "there is a scheme of that name already");
  }
  registry().push_back(std::move(info));
}

namespace {

template <class CheckOverlaps>
void check_all(const Simulation& simulation, const CheckOverlaps& check_for_overlaps) {
  const SchemeInfo& info = scheme_info(simulation.time.scheme);
  check_start(simulation);
  check_surfaces(simulation, info);
  if (!info.can.overlaps) check_for_overlaps();
  check_periodic_solids(simulation, info);
  check_spins(simulation, info);
  info.check(simulation);
}

}  // namespace

void check_simulation(const Simulation& simulation) {
  check_all(simulation, [&] { check_overlaps(simulation); });
}

std::unique_ptr<Stepper> make_stepper(const Simulation& simulation) {
  check_simulation(simulation);
  return scheme_info(simulation.time.scheme).make(simulation);
}

std::unique_ptr<Stepper> make_stepper(const Simulation& simulation, std::span<const Index> placed) {
  check_all(simulation, [&] { check_overlaps_of(simulation, placed); });
  return scheme_info(simulation.time.scheme).make(simulation);
}

}  // namespace carom
