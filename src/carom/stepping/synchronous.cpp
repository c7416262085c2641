#include "carom/stepping/synchronous.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "carom/core/error.h"
#include "carom/stepping/detail/hold.h"

namespace carom {
namespace {

class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(&sum), start_(std::chrono::steady_clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    *sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double* sum_;
  std::chrono::steady_clock::time_point start_;
};

ContactWorld world_of(const Simulation& simulation) {
  return {simulation.dimension, &simulation.bodies, &simulation.shapes, &simulation.periodicity};
}

bool comes_before(const Contact& a, const Contact& b) { return a.before(b); }

// Beyond this squares overflow soon, and the impact library refuses.
bool within_bounds(const std::vector<Vec3>& vectors) {
  constexpr double kLargest = 1e100;
  return std::all_of(vectors.begin(), vectors.end(), [](const Vec3& v) {
    return std::abs(v.x) < kLargest && std::abs(v.y) < kLargest && std::abs(v.z) < kLargest;
  });
}

Vec3 vector_of(std::span<const double> v) { return {v[0], v[1], v.size() > 2 ? v[2] : 0.0}; }

}  // namespace

SynchronousStepper::SynchronousStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      impact_(simulation.impact),
      world_(world_of(simulation)),
      detector_(world_, simulation.detection, &pool_),
      assembler_(world_, simulation.materials),
      flight_(simulation.forces, simulation.bodies, simulation.periodicity, simulation.time.step),
      state_(simulation.start),
      new_velocity_(simulation.bodies.size()),
      end_(simulation.bodies.size()) {
  impact_.pool = &pool_;
  flight_.start(state_.position);
}

StepMotion SynchronousStepper::motion() const {
  return {state_.time, simulation_->time.step, state_.position, end_};
}

ImpactMoment SynchronousStepper::moment() const {
  return {state_.time, simulation_->time.step, state_.position, state_.velocity};
}

void SynchronousStepper::predict() {
  flight_.positions(state_.position, new_velocity_, end_);  // (1), (4)
}

void SynchronousStepper::detect(StepReport& report) {
  const Stopwatch watch(report.detection_seconds);
  detector_.detect(motion(), contacts_);  // (2)
}

// The rows that the motion with the new velocities makes active beyond those that are.
void SynchronousStepper::detect_further(StepReport& report) {
  const Stopwatch watch(report.detection_seconds);
  detector_.detect(motion(), found_);
  std::erase_if(found_, [&](const Contact& contact) {
    return std::binary_search(contacts_.begin(), contacts_.end(), contact, comes_before) ||
           std::binary_search(left_out_.begin(), left_out_.end(), contact, comes_before);
  });
}

void SynchronousStepper::join_found() {
  const auto known = static_cast<std::ptrdiff_t>(contacts_.size());
  contacts_.insert(contacts_.end(), found_.begin(), found_.end());
  std::inplace_merge(contacts_.begin(), contacts_.begin() + known, contacts_.end(), comes_before);
}

// Rows that lock each other although they are not touching yet.
bool SynchronousStepper::leave_out_locked_gaps() {
  const BodySet& bodies = simulation_->bodies;
  std::vector<Index> open;
  for (const ComponentReport& component : result_.report.components) {
    for (const Index row : component.lineality_rows) {
      const Contact& contact = contacts_[row];
      double radius = bodies.radius[contact.body_a];
      Vec3 motion = state_.velocity[contact.body_a];
      if (contact.body_b != kNone) {
        radius = std::min(radius, bodies.radius[contact.body_b]);
        motion -= state_.velocity[contact.body_b];
      } else {
        motion -= assembler_.surface_velocity(contact.shape, moment());
      }
      // What moves further could be past its partner when it is looked at again.
      const bool slow = norm(motion) * simulation_->time.step < radius;
      if (slow && contact.gap > simulation_->detection.activation * radius) open.push_back(row);
    }
  }
  if (open.empty()) return false;
  std::sort(open.begin(), open.end());
  std::vector<Contact> kept;
  kept.reserve(contacts_.size());
  for (Index row = 0; row < contacts_.size(); ++row) {
    const bool out = std::binary_search(open.begin(), open.end(), row);
    (out ? left_out_ : kept).push_back(contacts_[row]);
  }
  contacts_.swap(kept);
  std::sort(left_out_.begin(), left_out_.end(), comes_before);
  return true;
}

void SynchronousStepper::resolve(StepReport& report) {
  do {
    resolve_once(report);
  } while (leave_out_locked_gaps());
}

void SynchronousStepper::resolve_once(StepReport& report) {
  const Stopwatch watch(report.impact_seconds);
  new_velocity_ = state_.velocity;
  impulses_.assign(contacts_.size(), 0.0);
  friction_.assign(contacts_.size(), Vec3{});
  report.held_rows = 0;
  result_ = ImpactResult();
  if (contacts_.empty()) return;
  assembler_.assemble(contacts_, moment(), {});
  const ImpactProblem& problem = assembler_.problem();
  result_ = resolve_impacts(problem, impact_);  // (3)
  impulses_ = result_.impulses;
  for (Index row = 0; row < problem.row_count(); ++row) {
    for (Index k = 0; k < problem.row(row).tangent_count; ++k) {
      friction_[row] +=
          result_.friction_impulses[2 * row + k] * vector_of(problem.tangent_a(row, k));
    }
  }
  const std::span<const Index> scene_bodies = assembler_.scene_bodies();
  for (Index body = 0; body < problem.body_count(); ++body) {
    if (scene_bodies[body] == kNone) continue;
    new_velocity_[scene_bodies[body]] = vector_of(result_.velocity(problem, body));
  }
}

void SynchronousStepper::hold(StepReport& report) {
  const Stopwatch watch(report.impact_seconds);
  if (contacts_.empty() || !simulation_->detection.hold) return;
  detector_.update_end(motion(), contacts_);
  detail::HoldInput input{contacts_,
                          moment(),
                          new_velocity_,
                          &result_,
                          nullptr,
                          {},
                          simulation_->bodies.mass,
                          simulation_->bodies.radius,
                          simulation_->impact.friction_model};
  if (detail::opening_speeds(input, assembler_, opening_speed_) == 0) return;
  const ImpactProblem problem = assembler_.problem();  // the assembler is about to make another
  const std::vector<Index> scene_bodies(assembler_.scene_bodies().begin(),
                                        assembler_.scene_bodies().end());
  input.problem = &problem;
  input.scene_bodies = scene_bodies;
  const detail::HoldResult held = detail::hold_rows(input, opening_speed_, assembler_);
  report.held_rows = held.rows;
  if (held.changes.empty()) return;
  for (const detail::HoldResult::Change& change : held.changes) {
    new_velocity_[change.body] = change.velocity;
  }
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    impulses_[k] += held.impulses[k];
    friction_[k] += held.friction[k];
  }
  predict();
}

void SynchronousStepper::measure_impact(StepReport& report) const {
  const BodySet& bodies = simulation_->bodies;
  report.rows = static_cast<Index>(contacts_.size());
  report.left_out = static_cast<Index>(left_out_.size());
  report.components = static_cast<Index>(result_.report.components.size());
  report.status = result_.status;
  report.applications = result_.report.applications;
  report.applications_total = result_.report.applications_total;
  report.lineality_energy = result_.report.lineality_energy;
  report.impulses = static_cast<Index>(
      std::count_if(impulses_.begin(), impulses_.end(), [](double p) { return p > 0.0; }));
  double loss = 0.0;
  for (Index i = 0; i < bodies.size(); ++i) {
    const Vec3 change = new_velocity_[i] - state_.velocity[i];
    loss -= 0.5 * bodies.mass[i] * dot(change, new_velocity_[i] + state_.velocity[i]);
  }
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    if (contact.body_b != kNone) continue;
    const Vec3 surface = assembler_.surface_velocity(contact.shape, moment());
    report.external_work += dot(surface, impulses_[k] * contact.normal + friction_[k]);
  }
  report.dissipated = loss + report.external_work;
}

std::string SynchronousStepper::squeezed_bodies() const {
  constexpr std::size_t kMostNames = 5;
  const std::span<const Index> scene_bodies = assembler_.scene_bodies();
  std::vector<std::string> names;
  for (const ComponentReport& component : result_.report.components) {
    if (component.status != ImpactStatus::infeasible) continue;
    for (const Index body : component.bodies) {
      if (scene_bodies[body] != kNone)
        names.push_back(simulation_->bodies.name[scene_bodies[body]]);
    }
    for (const Index row : component.rows) {
      const Contact& contact = contacts_[row];
      if (contact.body_b == kNone) names.push_back(simulation_->shapes[contact.shape].name);
    }
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k) {
    text += (k == 0 ? "" : ", ") + names[k];
  }
  if (names.size() > kMostNames) {
    text += " and " + std::to_string(names.size() - kMostNames) + " more";
  }
  return text;
}

std::vector<ContactImpulse> SynchronousStepper::impulses() const {
  std::vector<ContactImpulse> list;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (impulses_[k] == 0.0 && friction_[k] == Vec3{}) continue;
    const Contact& contact = contacts_[k];
    // After a step `end_` holds the place where it began.
    const Vec3 point =
        end_[contact.body_a] - simulation_->bodies.radius[contact.body_a] * contact.normal;
    list.push_back({contact, impulses_[k], friction_[k], point});
  }
  return list;
}

ImpactProblem SynchronousStepper::resolved_problem() const {
  // After a step `end_` and `new_velocity_` hold what it began with.
  const double time = static_cast<double>(state_.step - 1) * simulation_->time.step;
  ContactAssembler assembler(world_, simulation_->materials);
  assembler.assemble(contacts_, {time, simulation_->time.step, end_, new_velocity_}, {true, {}});
  return assembler.problem();
}

StepReport SynchronousStepper::step() {
  StepReport report;
  report.step = state_.step + 1;
  report.time = static_cast<double>(report.step) * simulation_->time.step;
  new_velocity_ = state_.velocity;
  left_out_.clear();
  predict();
  detect(report);
  for (;;) {
    resolve(report);
    if (result_.status == ImpactStatus::infeasible) {
      report.status = result_.status;
      report.message = "moving shapes squeeze what cannot yield: " + squeezed_bodies();
      return report;
    }
    predict();
    hold(report);
    detect_further(report);  // also measures the penetration
    if (found_.empty() || !simulation_->detection.redetect) break;
    if (report.redetections == simulation_->detection.redetect_rounds) {
      report.redetect_exhausted = true;
      break;
    }
    ++report.redetections;
    join_found();
  }
  finish(report);
  return report;
}

// Gravity along a periodic axis has no potential there: what it does is work from outside.
double SynchronousStepper::work_along_periods() const {
  const Vec3& gravity = simulation_->forces.gravity;
  const Vec3& length = simulation_->periodicity.length;
  const Vec3 along = {length.x > 0.0 ? gravity.x : 0.0, length.y > 0.0 ? gravity.y : 0.0,
                      length.z > 0.0 ? gravity.z : 0.0};
  if (along == Vec3{}) return 0.0;
  double work = 0.0;
  for (Index i = 0; i < simulation_->bodies.size(); ++i) {
    work += simulation_->bodies.mass[i] * dot(along, end_[i] - state_.position[i]);
  }
  return work;
}

void SynchronousStepper::finish(StepReport& report) {
  measure_impact(report);
  report.penetration = detector_.penetration();
  const Stopwatch watch(report.integration_seconds);
  report.external_work += work_along_periods();
  if (simulation_->periodicity.any()) {
    for (Vec3& q : end_) q = wrapped(simulation_->periodicity, q);
  }
  flight_.velocities(end_, new_velocity_);  // (4)
  if (!within_bounds(end_) || !within_bounds(new_velocity_)) {
    report.status = ImpactStatus::diverged;
    report.message = "velocities grew without bound";
    flight_.start(state_.position);
    return;
  }
  state_.position.swap(end_);
  state_.velocity.swap(new_velocity_);
  state_.step = report.step;
  state_.time = report.time;
  report.totals = totals(*simulation_, state_);
}

}  // namespace carom
