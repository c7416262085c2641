// The WebAssembly module of the lab: what JavaScript may call. Nothing is thrown across the border:
// what a call finds wrong with its input comes back as an object `fault`.

#include <cstdint>
#include <emscripten/bind.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/version.h"
#include "carom/geometry/motion.h"
#include "carom/impact/operator.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"

#include "descriptions.h"
#include "lab_run.h"

namespace carom::lab {
namespace {

using emscripten::val;

std::string hexadecimal(std::uint64_t number) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t k = 16; k-- > 0; number >>= 4U) text[k] = kDigits[number & 15U];
  return text;
}

/// What a call returns, or {fault}. A body that is not there is a mistake of the page's.
template <class Call>
val guarded(const Call& call) {
  val result = val::object();
  try {
    return call();
  } catch (const InputError& error) {
    result.set("fault", fault_of(error));
  } catch (const std::out_of_range&) {
    result.set("fault", fault_of(InputError({}, "there is no such body")));
  }
  return result;
}

/// One run of the page; see lab_run.h.
class Run {
 public:
  explicit Run(Scene scene) : run_(std::move(scene)) {}

  [[nodiscard]] val describe_scene() const {
    const Simulation& simulation = run_.simulation();
    val object = val::object();
    object.set("title", run_.scene().title);
    object.set("description", run_.scene().description);
    object.set("figure", run_.scene().figure);
    object.set("dimension", simulation.world.dimension);
    object.set("duration", simulation.time.duration);
    object.set("period", three(simulation.world.periodicity.length));
    object.set("operators", texts(run_.scene().operators));
    object.set("settings", describe(run_.settings()));
    object.set("hasImpacts", run_.scheme().can.impact_problems);
    const MaterialTable& materials = simulation.world.materials;
    object.set("restitution", materials.material(0).restitution);
    object.set("friction", materials.material(0).friction);
    object.set("materials", materials.size());
    object.set("bodies", describe_bodies(simulation.world.bodies));
    val shapes = val::array();
    for (const PlacedShape& shape : simulation.world.shapes) {
      shapes.call<void>("push", describe(shape));
    }
    object.set("shapes", shapes);
    val springs = val::array();
    for (const SpringForce& spring : simulation.forces.springs) {
      val one = val::object();
      one.set("a", body_number(spring.body_a));
      one.set("b", body_number(spring.body_b));
      one.set("point", three(spring.point));
      springs.call<void>("push", one);
    }
    object.set("springs", springs);
    val surfaces = val::array();
    for (const Surface& surface : simulation.world.surfaces) {
      surfaces.call<void>("push", describe(surface));
    }
    object.set("surfaces", surfaces);
    return object;
  }

  [[nodiscard]] val positions() const { return all_of(run_.state().position); }
  [[nodiscard]] val velocities() const { return all_of(run_.state().velocity); }
  [[nodiscard]] val orientations() const {
    const std::vector<Quaternion>& all = run_.state().orientation;
    return all.empty() ? numbers(nullptr, 0) : numbers(&all.front().w, 4 * all.size());
  }
  /// How far each shape's motion has brought it.
  [[nodiscard]] val offsets() const {
    val list = val::array();
    for (const PlacedShape& placed : run_.simulation().world.shapes) {
      list.call<void>(
          "push",
          three(is_moving(placed.motion) ? offset_at(placed.motion, run_.state().time) : Vec3{}));
    }
    return list;
  }

  /// {steps, time, ...}: how many steps were done, and what the last one says.
  val advance(double count) {
    return guarded([&] {
      val object = val::object();
      object.set("steps", static_cast<double>(run_.advance(static_cast<std::uint64_t>(count))));
      return with_report(object);
    });
  }
  [[nodiscard]] val report() const { return with_report(val::object()); }

  /// Twelve numbers for each contact since the last call: time, point, impulse on a, normal, a, b.
  val contacts() {
    std::vector<double> flat;
    for (const ContactImpulse& impulse : run_.take_contacts()) {
      const Contact& contact = impulse.contact;
      const Vec3 whole = impulse.normal * contact.normal + impulse.tangential;
      flat.insert(flat.end(),
                  {impulse.time, impulse.point.x, impulse.point.y, impulse.point.z, whole.x,
                   whole.y, whole.z, contact.normal.x, contact.normal.y, contact.normal.z,
                   body_number(contact.body_a), body_number(contact.body_b)});
    }
    return numbers(flat.data(), flat.size());
  }

  [[nodiscard]] val last_impact(double most) const {
    return guarded([&] {
      const std::optional<ImpactCourse> course = run_.last_impact(static_cast<std::size_t>(most));
      return course ? describe(*course) : val::null();
    });
  }

  val move_to(Index body, const val& place, bool is_further) {
    return edit([&] { run_.move_to(body, three(place), is_further); });
  }
  val throw_with(Index body, const val& velocity) {
    return edit([&] { run_.throw_with(body, three(velocity)); });
  }
  val steer(Index body, const val& place, double seconds) {
    return edit([&] { run_.steer(body, three(place), seconds); });
  }
  val resize(Index body, double radius, double mass) {
    return edit([&] { run_.resize(body, radius, mass); });
  }
  val add_ball(const val& place, double radius, double mass) {
    return edit([&] { run_.add_ball(three(place), radius, mass); });
  }
  val add_box(const val& place, const val& half, double mass) {
    return edit([&] { run_.add_box(three(place), three(half), mass); });
  }
  val remove(Index body) {
    return edit([&] { run_.remove(body); });
  }
  val add_wall(const val& a, const val& b) {
    return edit([&] { run_.add_wall(three(a), three(b)); });
  }
  val remove_shape(Index shape) {
    return edit([&] { run_.remove_shape(shape); });
  }
  val set(const val& settings) {
    return edit([&] { run_.set(settings_from(settings)); });
  }
  val undo() {
    return edit([&] { run_.undo(); });
  }
  val restart() {
    return edit([&] { run_.restart(); });
  }
  void mark() { run_.mark(); }
  [[nodiscard]] bool can_undo() const { return run_.can_undo(); }

  [[nodiscard]] val text() const {
    return guarded([&] {
      val object = val::object();
      object.set("text", run_.scene_text());
      return object;
    });
  }
  [[nodiscard]] std::string hash() const { return hexadecimal(state_hash(run_.state())); }

 private:
  template <class Change>
  static val edit(const Change& change) {
    return guarded([&] {
      change();
      return val::object();
    });
  }

  static val all_of(const std::vector<Vec3>& vectors) {
    return vectors.empty() ? numbers(nullptr, 0) : numbers(&vectors.front().x, 3 * vectors.size());
  }

  [[nodiscard]] val with_report(val object) const {
    const StepReport& report = run_.report();
    object.set("time", run_.state().time);
    object.set("step", static_cast<double>(run_.state().step));
    object.set("totals", describe(report.totals));
    object.set("rows", report.rows);
    object.set("impulses", report.impulses);
    object.set("applications", static_cast<double>(report.applications));
    object.set("mostApplications", static_cast<double>(run_.most_applications()));
    object.set("status", std::string(to_string(report.status)));
    object.set("message", report.message);
    object.set("penetration", report.penetration.depth);
    const LiveLedger& ledger = run_.ledger();
    object.set("dissipated", ledger.dissipated);
    object.set("work", ledger.external_work);
    object.set("edited", ledger.edited);
    object.set("drift", ledger.drift());
    const std::optional<double> symmetry = run_.symmetry_error();
    object.set("symmetry", symmetry ? val(*symmetry) : val::null());
    object.set("canUndo", run_.can_undo());
    // Where contacts are no impacts the scheme's own numbers say how they went.
    if (!run_.scheme().can.impact_problems) object.set("columns", describe(report, run_.scheme()));
    return object;
  }

  LabRun run_;
};

/// {run} of a scene file with the given operator, "" for its first; or {fault} with its line.
val open(const std::string& text, const std::string& impact_operator) {
  return guarded([&] {
    Scene scene = read_scene(text, "scene");
    scene.simulation.threads = 1;
    if (!impact_operator.empty()) scene.simulation.impact.impact_operator = impact_operator;
    val result = val::object();
    result.set("run", val(std::make_shared<Run>(std::move(scene))));
    return result;
  });
}

/// {hashes: [after step 1, ...]} of a scene with the first or the given operator.
val state_hashes(const std::string& text, const std::string& impact_operator, double steps) {
  return guarded([&] {
    Scene scene = read_scene(text, "scene");
    if (!impact_operator.empty()) scene.simulation.impact.impact_operator = impact_operator;
    const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
    val hashes = val::array();
    for (double k = 0; k < steps && stepper->step().can_go_on(); ++k) {
      hashes.call<void>("push", hexadecimal(state_hash(stepper->state())));
    }
    val result = val::object();
    result.set("hashes", hashes);
    return result;
  });
}

/// {name, summary, ...} of what can be chosen.
val operators() {
  val list = val::array();
  for (const OperatorInfo& info : operator_registry()) {
    val one = val::object();
    one.set("name", info.name);
    one.set("summary", info.summary);
    list.call<void>("push", one);
  }
  return list;
}

val schemes() {
  val list = val::array();
  for (const std::string& name : scheme_names()) {
    val one = val::object();
    one.set("name", name);
    one.set("summary", scheme_info(name).summary);
    list.call<void>("push", one);
  }
  return list;
}

std::string version() { return kVersion; }

}  // namespace
}  // namespace carom::lab

EMSCRIPTEN_BINDINGS(carom) {
  using carom::lab::Run;
  emscripten::class_<Run>("Run")
      .smart_ptr<std::shared_ptr<Run>>("RunPointer")
      .function("describe", &Run::describe_scene)
      .function("positions", &Run::positions)
      .function("velocities", &Run::velocities)
      .function("orientations", &Run::orientations)
      .function("offsets", &Run::offsets)
      .function("advance", &Run::advance)
      .function("report", &Run::report)
      .function("contacts", &Run::contacts)
      .function("lastImpact", &Run::last_impact)
      .function("moveTo", &Run::move_to)
      .function("throwWith", &Run::throw_with)
      .function("steer", &Run::steer)
      .function("resize", &Run::resize)
      .function("addBall", &Run::add_ball)
      .function("addBox", &Run::add_box)
      .function("remove", &Run::remove)
      .function("addWall", &Run::add_wall)
      .function("removeShape", &Run::remove_shape)
      .function("set", &Run::set)
      .function("undo", &Run::undo)
      .function("restart", &Run::restart)
      .function("mark", &Run::mark)
      .function("canUndo", &Run::can_undo)
      .function("text", &Run::text)
      .function("hash", &Run::hash);
  emscripten::function("open", &carom::lab::open);
  emscripten::function("stateHashes", &carom::lab::state_hashes);
  emscripten::function("operators", &carom::lab::operators);
  emscripten::function("schemes", &carom::lab::schemes);
  emscripten::function("version", &carom::lab::version);
  emscripten::function("starterScene", &carom::starter_scene);
}
