// A scene that a hand changes while it runs: edits, the history behind undo, and its symmetry.

#include "lab_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/error.h"
#include "carom/scene/write_scene.h"

namespace carom::lab {
namespace {

constexpr std::size_t kMostPast = 100;

Vec3 image_of(const SymmetryExpectation& symmetry, const Vec3& place) {
  const Vec3 arm = place - symmetry.center;
  if (symmetry.kind == SymmetryExpectation::Kind::mirror) {
    return place - 2.0 * dot(arm, symmetry.axis) * symmetry.axis;
  }
  const double cosine = std::cos(symmetry.angle);
  const double sine = std::sin(symmetry.angle);
  return symmetry.center + cosine * arm + sine * cross(symmetry.axis, arm) +
         (1.0 - cosine) * dot(symmetry.axis, arm) * symmetry.axis;
}

const SymmetryExpectation* symmetry_of(const Scene& scene) {
  for (const SceneExpectation& expectation : scene.expectations) {
    if (!expectation.symmetries.empty()) return &expectation.symmetries.front();
  }
  return nullptr;
}

std::string free_name(const Simulation& simulation, const std::string& kind) {
  const auto is_taken = [&](const std::string& name) {
    return simulation.world.bodies.name.find(name).has_value() ||
           std::any_of(simulation.world.shapes.begin(), simulation.world.shapes.end(),
                       [&](const PlacedShape& shape) { return shape.name == name; });
  };
  for (int k = 1;; ++k) {
    const std::string name = kind + "-" + std::to_string(k);
    if (!is_taken(name)) return name;
  }
}

}  // namespace

LabRun::LabRun(Scene scene)
    : scene_(std::move(scene)),
      settings_(settings_of(scene_.simulation)),
      live_(scene_.simulation),
      beginning_(scene_.simulation) {
  pair_up();
}

std::uint64_t LabRun::advance(std::uint64_t count) {
  for (std::uint64_t done = 0; done < count; ++done) {
    if (!live_.step().can_go_on()) return done;
    most_applications_ = std::max(most_applications_, live_.report().applications);
    const std::vector<ContactImpulse> now = live_.contacts();
    if (now.empty()) continue;
    contacts_.insert(contacts_.end(), now.begin(), now.end());
    last_impact_ = LastImpact{live_.resolved_problem(), now, live_.state().position};
  }
  return count;
}

std::vector<ContactImpulse> LabRun::take_contacts() { return std::exchange(contacts_, {}); }

// ---- edits
// ----------------------------------------------------------------------------------------

void LabRun::mark() {
  past_.push_back({live_.edit().simulation(), settings_, partner_});
  if (past_.size() > kMostPast) past_.pop_front();
}

void LabRun::change(LiveEdit edit) {
  Past past{live_.edit().simulation(), settings_, partner_};
  live_.apply(std::move(edit));
  past_.push_back(std::move(past));
  if (past_.size() > kMostPast) past_.pop_front();
  contacts_.clear();
  last_impact_.reset();
  most_applications_ = 0;
  if (live_.state().step == 0) beginning_ = live_.edit().simulation();
}

void LabRun::begin(Simulation simulation) {
  live_ = LiveSimulation::going_on(std::move(simulation));
  contacts_.clear();
  last_impact_.reset();
  most_applications_ = 0;
}

void LabRun::move_to(Index body, const Vec3& place, bool is_further) {
  LiveEdit edit = live_.edit();
  edit.state().position.at(body) = place;
  change(std::move(edit));
  if (is_further) past_.pop_back();
}

void LabRun::throw_with(Index body, const Vec3& velocity) {
  LiveEdit edit = live_.edit();
  edit.state().velocity.at(body) = velocity;
  change(std::move(edit));
}

void LabRun::steer(Index body, const Vec3& place, double seconds) {
  LiveEdit edit = live_.edit();
  State& state = edit.state();
  state.velocity.at(body) = (1.0 / seconds) * (place - state.position.at(body));
  live_.apply(std::move(edit));
}

// Its number goes with it: the body with the new size is the last one.
void LabRun::resize(Index body, double radius, double mass) {
  LiveEdit edit = live_.edit();
  const Simulation& now = edit.simulation();
  const BodySet& bodies = now.world.bodies;
  NewBody changed;
  changed.name = bodies.name.at(body);
  changed.mass = mass;
  changed.radius = radius;
  changed.material = bodies.material[body];
  changed.position = now.start.position[body];
  changed.velocity = now.start.velocity[body];
  if (bodies.turns(body)) {
    const Solid& solid = bodies.solid_of(body);
    changed.solid = bodies.solids[bodies.solid[body]];
    if (solid.is_sphere()) {
      changed.solid = std::make_shared<const Solid>(SphereSolid{radius}, now.world.dimension);
    } else if (radius != bodies.radius[body]) {
      throw InputError({},
                       "only balls can be given another radius here; other bodies: in the text");
    }
    changed.orientation = now.start.orientation[body];
    changed.angular_velocity = now.start.angular_velocity[body];
  }
  std::vector<SpringForce> springs = now.forces.springs;
  const auto last = static_cast<Index>(bodies.size() - 1);
  edit.remove(edit.moment().ids.at(body));
  edit.add(changed);
  // Springs stay with the body.
  const auto renumbered = [&](Index i) {
    if (i == kNone || i < body) return i;
    return i == body ? last : i - 1;
  };
  for (SpringForce& spring : springs) {
    spring.body_a = renumbered(spring.body_a);
    spring.body_b = renumbered(spring.body_b);
  }
  edit.forces().springs = springs;
  change(std::move(edit));
  pair_up();
}

void LabRun::add_ball(const Vec3& place, double radius, double mass) {
  LiveEdit edit = live_.edit();
  NewBody body;
  body.name = free_name(edit.simulation(), "new");
  body.radius = radius;
  body.mass = mass;
  body.position = place;
  edit.add(body);
  change(std::move(edit));
  pair_up();
}

void LabRun::add_box(const Vec3& place, const Vec3& half, double mass) {
  LiveEdit edit = live_.edit();
  NewBody body;
  body.name = free_name(edit.simulation(), "new");
  body.solid = std::make_shared<const Solid>(BoxSolid{half}, edit.simulation().world.dimension);
  body.mass = mass;
  body.position = place;
  edit.add(body);
  change(std::move(edit));
  pair_up();
}

void LabRun::remove(Index body) {
  LiveEdit edit = live_.edit();
  edit.remove(edit.moment().ids.at(body));
  change(std::move(edit));
  pair_up();
}

void LabRun::add_wall(const Vec3& a, const Vec3& b) {
  if (norm(b - a) <= 0.0) throw InputError({}, "a wall needs two different ends");
  LiveEdit edit = live_.edit();
  const std::string name = free_name(edit.simulation(), "wall");
  PlacedShape wall;
  wall.shape = Segment{a, b};
  wall.name = name;
  edit.shapes().push_back(wall);
  change(std::move(edit));
}

void LabRun::remove_shape(Index shape) {
  LiveEdit edit = live_.edit();
  std::vector<PlacedShape>& shapes = edit.shapes();
  if (shape >= shapes.size()) throw InputError({}, "there is no such wall");
  shapes.erase(shapes.begin() + static_cast<std::ptrdiff_t>(shape));
  change(std::move(edit));
}

void LabRun::set(const Settings& settings) {
  Simulation next = live_.edit().simulation();
  next.forces.gravity = settings.gravity;
  set_materials(settings, next.world.materials);
  set_impact(settings, next.impact);
  next.time.scheme = settings.scheme;
  if (settings.step != next.time.step) {
    // Steps are counted anew so that the time stays, to within one of them.
    if (!(settings.step > 0.0)) throw InputError({}, "the step must be positive");
    next.start.step = static_cast<std::uint64_t>(std::llround(next.start.time / settings.step));
    next.start.time = static_cast<double>(next.start.step) * settings.step;
    next.start.halvings = 0;
    next.time.step = settings.step;
  }
  LiveSimulation changed = LiveSimulation::going_on(std::move(next));
  mark();
  live_ = std::move(changed);
  contacts_.clear();
  last_impact_.reset();
  most_applications_ = 0;
  settings_ = settings;
}

void LabRun::undo() {
  if (past_.empty()) return;
  Past past = std::move(past_.back());
  past_.pop_back();
  begin(std::move(past.simulation));
  settings_ = past.settings;
  partner_ = past.partner;
}

void LabRun::restart() {
  mark();
  begin(beginning_);
  const Settings wanted = settings_;
  settings_ = settings_of(beginning_);
  pair_up();
  set(wanted);
  past_.pop_back();  // one entry for both
}

// ---- what is seen
// ---------------------------------------------------------------------------------

void LabRun::pair_up() {
  partner_.clear();
  const SymmetryExpectation* symmetry = symmetry_of(scene_);
  if (symmetry == nullptr) return;
  const std::vector<Vec3>& places = live_.state().position;
  for (const Vec3& place : places) {
    const Vec3 image = image_of(*symmetry, place);
    const auto nearest = std::min_element(
        places.begin(), places.end(),
        [&](const Vec3& a, const Vec3& b) { return norm(a - image) < norm(b - image); });
    partner_.push_back(static_cast<Index>(nearest - places.begin()));
  }
}

std::optional<double> LabRun::symmetry_error() const {
  const SymmetryExpectation* symmetry = symmetry_of(scene_);
  const std::vector<Vec3>& places = live_.state().position;
  if (symmetry == nullptr || partner_.size() != places.size()) return std::nullopt;
  double error = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    error = std::max(error, norm(image_of(*symmetry, places[i]) - places[partner_[i]]));
  }
  return error;
}

std::optional<ImpactCourse> LabRun::last_impact(std::size_t most_applications) const {
  if (!last_impact_ || last_impact_->problem.row_count() == 0) return std::nullopt;
  return watch_impact({last_impact_->problem, last_impact_->contacts, last_impact_->places},
                      live_.simulation(), most_applications);
}

std::string LabRun::scene_text() const {
  Scene scene = scene_;
  scene.simulation = live_.edit().simulation();
  scene.simulation.start.step = 0;
  scene.simulation.start.time = 0.0;
  scene.operators = {settings_.impact_operator};
  scene.expectations = {SceneExpectation{}};
  scene.check.clear();
  return write_scene(scene);
}

}  // namespace carom::lab
