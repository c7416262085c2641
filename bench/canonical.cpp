// bench_canonical ENGINE: takes a canonical scene on standard input as JSON and writes, as JSON,
// the states at the times that the scene names. bench/web/main.mjs asks it for the engines of
// Debian's packages, as part of
// ./dev bench peers --web.

#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "canonical/engine.h"

namespace carom::bench {
namespace {

using nlohmann::json;

Vec3 vector_of(const json& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

json list_of(const std::vector<Vec3>& vectors) {
  json list = json::array();
  for (const Vec3& v : vectors) list.push_back({v.x, v.y, v.z});
  return list;
}

CanonicalScene scene_of(const json& document) {
  CanonicalScene scene;
  scene.gravity = vector_of(document.at("gravity"));
  scene.restitution = document.at("restitution").get<double>();
  scene.friction = document.at("friction").get<double>();
  scene.swept = document.value("swept", false);
  for (const json& entry : document.at("bodies")) {
    CanonicalBody& body = scene.bodies.emplace_back();
    if (entry.contains("radius")) body.radius = entry.at("radius").get<double>();
    if (entry.contains("half")) body.half = vector_of(entry.at("half"));
    body.position = vector_of(entry.at("position"));
    body.velocity = vector_of(entry.at("velocity"));
    body.fixed = entry.value("fixed", false);
  }
  return scene;
}

std::unique_ptr<CanonicalEngine> make_engine(const std::string& name, const CanonicalScene& scene) {
  if (name == "bullet") return make_canonical_bullet(scene);
  if (name == "ode") return make_canonical_ode(scene);
  if (name == "box2d") return make_canonical_box2d(scene);
  throw std::runtime_error("unknown engine '" + name + "' (known: bullet, ode, box2d)");
}

json json_of(const CanonicalState& state) {
  json turns = json::array();
  for (const Quaternion& q : state.turn) turns.push_back({q.w, q.x, q.y, q.z});
  return {{"position", list_of(state.position)},
          {"velocity", list_of(state.velocity)},
          {"spin", list_of(state.spin)},
          {"turn", turns}};
}

void run(const std::string& name) {
  const json document = json::parse(std::cin);
  const std::unique_ptr<CanonicalEngine> engine = make_engine(name, scene_of(document));
  json states = json::array();
  long steps = 0;
  for (const json& time : document.at("times")) {
    const long wanted = std::lround(time.get<double>() / kCanonicalStep);
    for (; steps < wanted; ++steps) engine->step();
    states.push_back(json_of(engine->state()));
  }
  std::cout << states << '\n';
}

}  // namespace
}  // namespace carom::bench

int main(int count, char** arguments) {
  try {
    if (count != 2)
      throw std::runtime_error("usage: bench_canonical bullet|ode|box2d < SCENE.json");
    carom::bench::run(arguments[1]);
  } catch (const std::exception& error) {
    std::cerr << "bench_canonical: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
