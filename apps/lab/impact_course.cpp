// One impact application by application: the operator is watched while it resolves it again.

#include "impact_course.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace carom::lab {
namespace {

double kinetic_energy(const ImpactProblem& problem, std::span<const double> velocities) {
  double twice = 0.0;
  for (Index body = 0; body < problem.body_count(); ++body) {
    const ImpactProblem::Body& its = problem.body(body);
    if (its.scripted) continue;
    const std::span<const double> mass = problem.mass_matrix(body);
    const std::span<const double> v = velocities.subspan(its.dof, its.size);
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t j = 0; j < v.size(); ++j) twice += v[i] * mass[i * v.size() + j] * v[j];
    }
  }
  return 0.5 * twice;
}

/// Turns rows of the problem into pushes at places of the world.
class Watcher : public ImpactObserver {
 public:
  Watcher(const ImpactProblem& problem, const World& world,
          std::span<const ContactImpulse> contacts, std::span<const Vec3> places)
      : problem_(&problem),
        bodies_(&world.bodies),
        contacts_(contacts),
        places_(places),
        dimension_(static_cast<std::size_t>(world.dimension)) {
    for (Index i = 0; i < bodies_->size(); ++i) number_.emplace(bodies_->name[i], i);
  }

  void keep(std::size_t most) { most_ = most; }

  bool on_application(const Event& event) override {
    if (event.restarted_without_lineality) applications_.clear();
    if (applications_.size() >= most_) {
      is_cut_ = true;
      return true;
    }
    Application& application = applications_.emplace_back();
    for (std::size_t k = 0; k < event.impulse_rows.size(); ++k) {
      application.pushes.push_back(push_of(event.impulse_rows[k], event.impulses[k]));
    }
    application.kinetic_energy = kinetic_energy(*problem_, event.velocities);
    return true;
  }

  [[nodiscard]] std::vector<Application>& applications() { return applications_; }
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  [[nodiscard]] Index number_of(Index body) const {
    if (body == kNone || problem_->body(body).scripted) return kNone;
    const auto found = number_.find(problem_->body(body).name);
    return found == number_.end() ? kNone : found->second;
  }

  [[nodiscard]] Application::Push push_of(Index row, double size) const {
    const ImpactProblem::Row& its = problem_->row(row);
    Index a = number_of(its.body_a);
    Index b = number_of(its.body_b);
    std::span<const double> gradient = problem_->gradient_a(row);
    if (a == kNone) {
      std::swap(a, b);
      gradient = problem_->gradient_b(row);
    }
    Vec3 normal;
    double* coordinates[] = {&normal.x, &normal.y, &normal.z};
    for (std::size_t k = 0; k < std::min(dimension_, gradient.size()); ++k) {
      *coordinates[k] = gradient[k];
    }
    return {place_of(a, b, normal), size * normal, a, b};
  }

  /// Where the step's contacts say that these two touched; of balls it follows from the normal.
  [[nodiscard]] Vec3 place_of(Index a, Index b, const Vec3& normal) const {
    if (a == kNone) return {};
    for (const ContactImpulse& impulse : contacts_) {
      const Contact& contact = impulse.contact;
      const bool same = contact.body_a == a && contact.body_b == b;
      const bool reversed = contact.body_a == b && contact.body_b == a;
      if (!same && !reversed) continue;
      if (std::abs(dot(contact.normal, normal)) > 0.999 * norm(normal)) return impulse.point;
    }
    const double length = norm(normal);
    const double reach = length > 0.0 ? bodies_->radius[a] / length : 0.0;
    return places_[a] - reach * normal;
  }

  const ImpactProblem* problem_;
  const BodySet* bodies_;
  std::span<const ContactImpulse> contacts_;
  std::span<const Vec3> places_;
  std::size_t dimension_;
  std::size_t most_ = 0;
  std::map<std::string, Index> number_;
  std::vector<Application> applications_;
  bool is_cut_ = false;
};

}  // namespace

ImpactCourse watch_impact(const MetImpact& met, const Simulation& simulation,
                          std::size_t most_applications) {
  Watcher watcher(met.problem, simulation.world, met.contacts, met.places);
  watcher.keep(most_applications);
  ImpactSettings settings = simulation.impact;
  settings.observer = &watcher;
  settings.pool = nullptr;
  ImpactResult result = resolve_impacts(met.problem, settings);
  ImpactCourse course;
  course.rows = met.problem.row_count();
  course.status = result.status;
  course.report = std::move(result.report);
  course.applications = std::move(watcher.applications());
  course.is_cut = watcher.is_cut();
  return course;
}

}  // namespace carom::lab
