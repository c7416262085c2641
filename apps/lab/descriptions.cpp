// What the page is told of the engine's values, as objects of JavaScript.

#include "descriptions.h"

#include <algorithm>
#include <array>
#include <memory>
#include <variant>

#include "carom/geometry/motion.h"

namespace carom::lab {

using emscripten::val;

namespace {

static_assert(sizeof(Vec3) == 3 * sizeof(double));
static_assert(sizeof(Quaternion) == 4 * sizeof(double));

val four(const Quaternion& q) {
  val array = val::array();
  for (const double x : {q.w, q.x, q.y, q.z}) array.call<void>("push", x);
  return array;
}

/// As the viewer draws surfaces: numbers of vertices in a row, corners of triangles.
val describe(const TriangleMesh& mesh) {
  static_assert(sizeof(TriangleMesh::Triangle) == 3 * sizeof(Index));
  val surface = val::object();
  surface.set("vertices", numbers(&mesh.vertices.front().x, 3 * mesh.vertices.size()));
  const auto triangles =
      emscripten::typed_memory_view(3 * mesh.triangles.size(), &mesh.triangles.front().a);
  surface.set("triangles", val(triangles).call<val>("slice"));
  return surface;
}

val describe(const Application& application) {
  val object = val::object();
  val pushes = val::array();
  for (const Application::Push& push : application.pushes) {
    val one = val::object();
    one.set("point", three(push.point));
    one.set("impulse", three(push.impulse));
    one.set("a", body_number(push.body_a));
    one.set("b", body_number(push.body_b));
    pushes.call<void>("push", one);
  }
  object.set("pushes", pushes);
  object.set("kinetic", application.kinetic_energy);
  return object;
}

}  // namespace

val fault_of(const InputError& error) {
  val fault = val::object();
  fault.set("message", error.message());
  fault.set("line", error.place().line);
  fault.set("column", error.place().column);
  fault.set("key", error.place().key);
  return fault;
}

val numbers(const double* first, std::size_t count) {
  return val(emscripten::typed_memory_view(count, first)).call<val>("slice");
}

val three(const Vec3& v) {
  val array = val::array();
  for (const double x : {v.x, v.y, v.z}) array.call<void>("push", x);
  return array;
}

double body_number(Index body) { return body == kNone ? -1.0 : static_cast<double>(body); }

val describe(const PlacedShape& placed) {
  val shape = val::object();
  shape.set("type", std::string(shape_type_name(placed.shape)));
  shape.set("name", placed.name);
  shape.set("moves", is_moving(placed.motion));
  if (const auto* plane = std::get_if<HalfPlane>(&placed.shape)) {
    shape.set("point", three(plane->point));
    shape.set("normal", three(plane->normal));
  } else if (const auto* segment = std::get_if<Segment>(&placed.shape)) {
    shape.set("a", three(segment->a));
    shape.set("b", three(segment->b));
  } else if (const auto* inside = std::get_if<SphereInside>(&placed.shape)) {
    shape.set("center", three(inside->center));
    shape.set("radius", inside->radius);
  } else if (const auto* outside = std::get_if<SphereOutside>(&placed.shape)) {
    shape.set("center", three(outside->center));
    shape.set("radius", outside->radius);
  } else if (const auto* box = std::get_if<BoxInside>(&placed.shape)) {
    shape.set("lower", three(box->lower));
    shape.set("upper", three(box->upper));
  } else if (const auto* obstacle = std::get_if<SolidObstacle>(&placed.shape)) {
    shape.set("surface", describe(obstacle->solid->surface()));
    shape.set("position", three(obstacle->pose.position));
    shape.set("orientation", four(quaternion_of(obstacle->pose.rotation)));
  }
  return shape;
}

val describe(const Surface& surface) {
  static_assert(sizeof(std::array<Index, 2>) == 2 * sizeof(Index));
  val object = val::object();
  object.set("name", surface.name);
  object.set("first", surface.first);
  object.set("count", surface.size());
  const auto list = [&](const char* key, std::size_t count, const Index* first) {
    object.set(key, val(emscripten::typed_memory_view(count, first)).call<val>("slice"));
  };
  list("triangles", 3 * surface.triangles.size(),
       surface.triangles.empty() ? nullptr : &surface.triangles.front().a);
  list("edges", 2 * surface.edges.size(),
       surface.edges.empty() ? nullptr : surface.edges.front().data());
  return object;
}

val describe_bodies(const BodySet& bodies) {
  val object = val::object();
  object.set("count", bodies.size());
  object.set("radii", numbers(bodies.radius.data(), bodies.radius.size()));
  object.set("masses", numbers(bodies.mass.data(), bodies.mass.size()));
  object.set("names", texts(bodies.name.texts()));
  object.set("turns", bodies.any_turns());
  val solid_of = val::array();
  for (const Index solid : bodies.solid) solid_of.call<void>("push", body_number(solid));
  object.set("solidOf", solid_of);
  val solids = val::array();
  for (const std::shared_ptr<const Solid>& solid : bodies.solids) {
    val one = val::object();
    one.set("type", std::string(solid_type_name(solid->definition())));
    if (solid->is_sphere()) {
      one.set("radius", solid->bounding_radius());
    } else {
      one.set("surface", describe(solid->surface()));
    }
    solids.call<void>("push", one);
  }
  object.set("solids", solids);
  return object;
}

val describe(const Settings& settings) {
  val object = val::object();
  object.set("operator", settings.impact_operator);
  object.set("scheme", settings.scheme);
  object.set("step", settings.step);
  object.set("gravity", three(settings.gravity));
  object.set("restitution", settings.restitution ? val(*settings.restitution) : val::null());
  object.set("friction", settings.friction ? val(*settings.friction) : val::null());
  return object;
}

Vec3 three(const val& array) {
  return {array[0].as<double>(), array[1].as<double>(), array[2].as<double>()};
}

Settings settings_from(const val& object) {
  Settings settings;
  settings.impact_operator = object["operator"].as<std::string>();
  settings.scheme = object["scheme"].as<std::string>();
  settings.step = object["step"].as<double>();
  settings.gravity = three(object["gravity"]);
  if (!object["restitution"].isNull()) settings.restitution = object["restitution"].as<double>();
  if (!object["friction"].isNull()) settings.friction = object["friction"].as<double>();
  return settings;
}

val describe(const Totals& totals) {
  val object = val::object();
  object.set("kinetic", totals.kinetic);
  object.set("potential", totals.potential);
  object.set("momentum", three(totals.momentum));
  return object;
}

val describe(const StepReport& report, const SchemeInfo& scheme) {
  val object = val::object();
  for (const StepColumn& column : scheme.columns) {
    const double number =
        std::visit([](auto x) { return static_cast<double>(x); }, column.get(report));
    object.set(column.name, number);
  }
  return object;
}

val describe(const ImpactCourse& course) {
  val object = val::object();
  object.set("rows", course.rows);
  object.set("status", std::string(to_string(course.status)));
  object.set("applications", static_cast<double>(course.report.applications));
  object.set("energy", course.report.energy);
  object.set("lineality", course.report.lineality_energy);
  // Momentum is judged where nothing stands still or is led.
  const auto& components = course.report.components;
  const bool is_free = std::any_of(components.begin(), components.end(),
                                   [](const ComponentReport& one) { return one.free; });
  object.set("momentum", is_free ? val(course.report.momentum_linear) : val::null());
  object.set("oneSided", course.report.one_sided);
  object.set("feasibility", course.report.feasibility);
  object.set("isCut", course.is_cut);
  val list = val::array();
  for (const Application& application : course.applications) {
    list.call<void>("push", describe(application));
  }
  object.set("course", list);
  return object;
}

}  // namespace carom::lab
