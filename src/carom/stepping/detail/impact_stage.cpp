#include "carom/stepping/detail/impact_stage.h"

#include <algorithm>
#include <numeric>

namespace carom::detail {
namespace {

ContactWorld world_of(const Simulation& simulation) {
  return {simulation.dimension, &simulation.bodies, &simulation.shapes, &simulation.periodicity};
}

Vec3 vector_of(std::span<const double> v) { return {v[0], v[1], v.size() > 2 ? v[2] : 0.0}; }

}  // namespace

ImpactStage::ImpactStage(const Simulation& simulation, WorkerPool& pool,
                         const ExactSymmetry* symmetry)
    : simulation_(&simulation),
      settings_(simulation.impact),
      points_(PointResolver::supports(simulation.impact) && !simulation.bodies.any_turns()),
      assembler_(world_of(simulation), simulation.materials),
      point_of_(simulation.bodies.size(), kNone) {
  settings_.pool = &pool;
  if (symmetry != nullptr) symmetric_ = std::make_unique<SymmetricImpact>(simulation, *symmetry);
  const MaterialTable& materials = simulation.materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b < materials.size(); ++b) {
      restitution_.push_back(materials.coefficients(a, b).restitution);
    }
  }
}

void ImpactStage::resolve(std::span<const Contact> contacts, const ImpactMoment& moment,
                          const Velocities& velocities) {
  summary_ = Summary();
  impulses_.assign(contacts.size(), 0.0);
  friction_.assign(contacts.size(), Vec3{});
  if (contacts.empty()) return;
  if (points_) {
    resolve_points(contacts, moment, *velocities.linear);
    make_symmetric(contacts, *velocities.linear);
  } else if (symmetric_ != nullptr) {
    resolve_symmetric(contacts, moment, *velocities.linear);
  } else {
    resolve_general(contacts, moment, velocities);
  }
}

Index ImpactStage::point(Index body, const ImpactMoment& moment) {
  Index& known = point_of_[body];
  if (known != kNone) return known;
  known = problem_.point_count();
  body_of_.push_back(body);
  problem_.mass.push_back(simulation_->bodies.mass[body]);
  const auto add = [&](const Vec3& from, std::vector<double>& to) {
    to.push_back(from.x);
    to.push_back(from.y);
    if (problem_.dimension == 3) to.push_back(from.z);
  };
  add(moment.velocity[body], problem_.velocity);
  // Rows to a copy in a periodic world act at another place.
  if (!simulation_->periodicity.any()) add(moment.position[body], problem_.position);
  return known;
}

void ImpactStage::assemble_points(std::span<const Contact> contacts, const ImpactMoment& moment) {
  const BodySet& bodies = simulation_->bodies;
  const std::vector<PlacedShape>& shapes = simulation_->shapes;
  for (const Index body : body_of_) point_of_[body] = kNone;
  body_of_.clear();
  problem_.clear();
  problem_.dimension = simulation_->dimension;
  const Index materials = simulation_->materials.size();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    const bool against_shape = contact.body_b == kNone;
    PointProblem::Row row;
    row.a = point(contact.body_a, moment);
    if (!against_shape) row.b = point(contact.body_b, moment);
    row.normal = {contact.normal.x, contact.normal.y, contact.normal.z};
    if (against_shape && is_moving(shapes[contact.shape].motion)) {
      row.offset = dot(contact.normal, assembler_.surface_velocity(contact.shape, moment));
    }
    const Index other =
        against_shape ? shapes[contact.shape].material : bodies.material[contact.body_b];
    row.restitution = moment.restitution.empty()
                          ? restitution_[bodies.material[contact.body_a] * materials + other]
                          : moment.restitution[k];
    summary_.lossless = summary_.lossless && row.restitution == 1.0;
    problem_.rows.push_back(row);
  }
}

void ImpactStage::resolve_points(std::span<const Contact> contacts, const ImpactMoment& moment,
                                 std::vector<Vec3>& velocity) {
  assemble_points(contacts, moment);
  resolver_.resolve(problem_, settings_);  // (3)
  const PointReport& report = resolver_.report();
  const auto dimension = static_cast<std::size_t>(problem_.dimension);
  for (std::size_t k = 0; k < body_of_.size(); ++k) {
    velocity[body_of_[k]] = vector_of(resolver_.velocity().subspan(k * dimension, dimension));
  }
  std::copy(resolver_.impulses().begin(), resolver_.impulses().end(), impulses_.begin());
  summary_.status = report.status;
  summary_.components = report.components;
  summary_.applications = report.applications;
  summary_.applications_total = report.applications_total;
  summary_.lineality_energy = report.lineality_energy;
  summary_.largest_part = report.largest_part;
  for (const ComponentReport& component : report.general) note(component, contacts, body_of_);
}

void ImpactStage::resolve_general(std::span<const Contact> contacts, const ImpactMoment& moment,
                                  const Velocities& velocities) {
  assembler_.assemble(contacts, moment, {});
  const ImpactProblem& problem = assembler_.problem();
  const ImpactResult result = resolve_impacts(problem, settings_);  // (3)
  impulses_ = result.impulses;
  for (Index row = 0; row < problem.row_count(); ++row) {
    summary_.lossless = summary_.lossless && problem.row(row).restitution == 1.0 &&
                        problem.row(row).friction == 0.0;
    friction_[row] = friction_on_a(result, problem, row);
  }
  const std::span<const Index> scene_bodies = assembler_.scene_bodies();
  for (Index body = 0; body < problem.body_count(); ++body) {
    if (scene_bodies[body] == kNone) continue;
    const LinearAndAngular after =
        linear_and_angular(problem.body(body).kind, result.velocity(problem, body));
    (*velocities.linear)[scene_bodies[body]] = after.linear;
    if (simulation_->bodies.turns(scene_bodies[body])) {
      (*velocities.angular)[scene_bodies[body]] = after.angular;
    }
  }
  summary_.status = result.status;
  summary_.components = static_cast<Index>(result.report.components.size());
  summary_.applications = result.report.applications;
  summary_.applications_total = result.report.applications_total;
  summary_.lineality_energy = result.report.lineality_energy;
  for (const ComponentReport& component : result.report.components) {
    note(component, contacts, scene_bodies);
  }
}

void ImpactStage::arrange(std::vector<Contact>& contacts) {
  if (symmetric_ != nullptr) symmetric_->arrange(contacts);
}

void ImpactStage::make_symmetric(std::span<const Contact> contacts, std::vector<Vec3>& velocity) {
  if (symmetric_ != nullptr) symmetric_->average(contacts, velocity, impulses_, friction_);
}

void ImpactStage::resolve_symmetric(std::span<const Contact> contacts, const ImpactMoment& moment,
                                    std::vector<Vec3>& velocity) {
  symmetric_->assemble(contacts, moment);
  const ImpactProblem& problem = symmetric_->problem();
  const ImpactResult result = resolve_impacts(problem, settings_);  // (3)
  symmetric_->expand(result, velocity, impulses_, friction_);
  for (Index row = 0; row < problem.row_count(); ++row) {
    summary_.lossless = summary_.lossless && problem.row(row).restitution == 1.0 &&
                        problem.row(row).friction == 0.0;
  }
  const SymmetricImpact::Count count = symmetric_->count(contacts, result.report);
  summary_.status = result.status;
  summary_.components = count.components;
  summary_.applications = result.report.applications;
  summary_.applications_total = count.applications;
  summary_.lineality_energy = result.report.lineality_energy;
  for (const ComponentReport& component : result.report.components) {
    note_symmetric(component, contacts);
  }
  for (const Index squeezed : symmetric_->squeezed()) {
    summary_.status = ImpactStatus::infeasible;
    summary_.squeezed.push_back(simulation_->bodies.name[contacts[squeezed].body_a]);
    summary_.squeezed.push_back(simulation_->shapes[contacts[squeezed].shape].name);
  }
}

// What happened to the rows of the representatives happened to all of their orbits.
void ImpactStage::note_symmetric(const ComponentReport& component,
                                 std::span<const Contact> contacts) {
  const std::span<const ContactOrbits::Member> members = symmetric_->orbits().members();
  const auto contacts_of = [&](std::span<const Index> rows) {
    std::vector<Index> orbits;
    for (const Index row : rows) orbits.push_back(symmetric_->orbit_of_row(row));
    std::sort(orbits.begin(), orbits.end());
    std::vector<Index> all;
    for (Index k = 0; k < members.size(); ++k) {
      if (std::binary_search(orbits.begin(), orbits.end(), members[k].orbit)) all.push_back(k);
    }
    return all;
  };
  if (component.lineality_rows.empty() && component.status != ImpactStatus::infeasible) return;
  ComponentReport whole;
  whole.status = component.status;
  whole.rows = contacts_of(component.rows);
  whole.lineality_rows = contacts_of(component.lineality_rows);
  for (const Index row : whole.rows) {
    whole.bodies.push_back(contacts[row].body_a);
    if (contacts[row].body_b != kNone) whole.bodies.push_back(contacts[row].body_b);
  }
  std::sort(whole.bodies.begin(), whole.bodies.end());
  whole.bodies.erase(std::unique(whole.bodies.begin(), whole.bodies.end()), whole.bodies.end());
  std::vector<Index> same(simulation_->bodies.size());
  std::iota(same.begin(), same.end(), Index{0});
  note(whole, contacts, same);
}

void ImpactStage::note(const ComponentReport& component, std::span<const Contact> contacts,
                       std::span<const Index> scene_bodies) {
  summary_.lineality_rows.insert(summary_.lineality_rows.end(), component.lineality_rows.begin(),
                                 component.lineality_rows.end());
  if (!component.lineality_rows.empty()) summary_.lossless = false;
  if (component.status != ImpactStatus::infeasible) return;
  for (const Index body : component.bodies) {
    if (scene_bodies[body] == kNone) continue;
    summary_.squeezed.push_back(simulation_->bodies.name[scene_bodies[body]]);
  }
  for (const Index row : component.rows) {
    const Contact& contact = contacts[row];
    if (contact.body_b == kNone) {
      summary_.squeezed.push_back(simulation_->shapes[contact.shape].name);
    }
  }
}

}  // namespace carom::detail
