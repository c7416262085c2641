// The impact of one step by the way for points, the general one, or that of a symmetric world.
#include "carom/contact/impact_stage.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "carom/contact/detail/symmetric_impact.h"
#include "carom/contact/squeeze.h"
#include "carom/core/merge_tail.h"

namespace carom {

ImpactStage::ImpactStage(const ImpactScene& scene, WorkerPool& pool, const ExactSymmetry* symmetry)
    : scene_(scene), settings_(*scene.settings), assembler_(*scene.world) {
  settings_.pool = &pool;
  if (symmetry != nullptr) symmetric_ = std::make_unique<detail::SymmetricImpact>(scene, *symmetry);
  // Averages over a group are no friction of its members.
  const bool averages = symmetry == nullptr || settings_.friction_model == "none";
  if (averages && PointImpact::is_possible(scene)) {
    points_ = std::make_unique<PointImpact>(scene, assembler_);
  }
}

ImpactStage::~ImpactStage() = default;

void ImpactStage::begin_step() {
  done_.clear();
  done_summary_ = Summary();
}

void ImpactStage::go_on(std::span<const Contact> contacts) {
  done_.clear();
  for (Index k = 0; k < contacts.size(); ++k) {
    if (impulses_[k] != 0.0) done_.push_back({contacts[k], impulses_[k]});
  }
  done_summary_ = summary_;
}

void ImpactStage::add_impulses(std::span<const Done> done, std::span<const Contact> contacts) {
  Index k = 0;
  for (const Done& push : done) {
    while (!contacts[k].same_pair(push.contact)) ++k;  // rows join, none goes
    impulses_[k] += push.impulse;
  }
}

void ImpactStage::add_done(std::span<const Contact> contacts) {
  add_impulses(done_, contacts);
  summary_.status = std::max(summary_.status, done_summary_.status);
  summary_.applications += done_summary_.applications;
  summary_.applications_total += done_summary_.applications_total;
  summary_.lineality_energy = std::max(summary_.lineality_energy, done_summary_.lineality_energy);
  summary_.largest_part = std::max(summary_.largest_part, done_summary_.largest_part);
  summary_.lossless = summary_.lossless && done_summary_.lossless;
}

void ImpactStage::begin_impulses(std::size_t contacts) {
  summary_ = Summary();
  impulses_.assign(contacts, 0.0);
  if (points_ != nullptr && !points_->rubs()) {
    friction_.resize(contacts);  // nobody has made any of it other than 0
  } else {
    friction_.assign(contacts, Vec3{});
  }
}

void ImpactStage::resolve(std::span<const Contact> contacts, const ImpactMoment& moment,
                          const Velocities& velocities) {
  begin_impulses(contacts.size());
  if (contacts.empty()) return;
  if (points_ != nullptr) {
    PointImpact::Task task{contacts, &moment, &settings_};
    task.stops_at_open_locks = stops_at_open_locks_;
    resolve_points(task, velocities);
    make_symmetric(contacts, *velocities.linear);
  } else if (symmetric_ != nullptr) {
    resolve_symmetric(contacts, moment, *velocities.linear);
  } else {
    resolve_general(contacts, moment, velocities);
  }
  add_done(contacts);
}

void ImpactStage::resolve_points(const PointImpact::Task& task, const Velocities& velocities) {
  const auto take_over = [&](const PointImpact::Group& group) {
    write(group, task.contacts, velocities);
    for (const Index row : group.resolver().woken()) is_woken_[group.contacts()[row]] = 1;
    const std::lock_guard lock(noting_);
    note_group(group, task.contacts);
  };
  points_->resolve(task, std::ref(take_over));  // (3)
  summary_.components += points_->quiet_components();
  gather_notes();
}

void ImpactStage::resolve(std::vector<Contact>& contacts, std::vector<Contact>& waiting,
                          const Wakes& wakes, const ImpactMoment& moment,
                          const Velocities& velocities) {
  all_ = contacts;
  all_.insert(all_.end(), waiting.begin(), waiting.end());
  begin_impulses(all_.size());
  PointImpact::Task task{all_, &moment, &settings_};
  task.waiting_from = static_cast<Index>(contacts.size());
  task.most_woken = wakes.most;
  task.stops_at_open_locks = stops_at_open_locks_;
  task.wakes = [&](Index contact, const Vec3& velocity_a, const Vec3& velocity_b) {
    return wakes.ask(all_[contact], velocity_a, velocity_b);
  };
  task.waking_speed = [&](Index contact) { return wakes.least_speed(all_[contact]); };
  is_woken_.assign(all_.size(), 0);
  resolve_points(task, velocities);
  join_woken(contacts, waiting);
  make_symmetric(contacts, *velocities.linear);
  add_done(contacts);
}

// Impulses and summary then are those of the contacts that took part.
void ImpactStage::join_woken(std::vector<Contact>& contacts, std::vector<Contact>& waiting) {
  const auto comes_before = [](const Contact& a, const Contact& b) { return a.before(b); };
  const std::size_t known = contacts.size();
  std::vector<Contact> locked;
  for (const Index row : summary_.lineality_rows) locked.push_back(all_[row]);
  pushes_.clear();
  std::size_t known_pushes = 0;
  for (Index k = 0; k < all_.size(); ++k) {
    if (k == known) known_pushes = pushes_.size();
    if (impulses_[k] != 0.0) pushes_.push_back({all_[k], impulses_[k]});
    if (is_woken_[k] != 0) contacts.push_back(all_[k]);
  }
  merge_tail(contacts, known, merging_, comes_before);
  arrange(contacts);
  merge_tail(pushes_, known_pushes, merging_pushes_,
             [](const Done& a, const Done& b) { return a.contact.before(b.contact); });
  impulses_.assign(contacts.size(), 0.0);
  friction_.resize(contacts.size());  // nothing rubs where contacts wait
  add_impulses(pushes_, contacts);
  summary_.lineality_rows.clear();
  for (const Contact& contact : locked) {
    const auto at = std::lower_bound(contacts.begin(), contacts.end(), contact, comes_before);
    summary_.lineality_rows.push_back(static_cast<Index>(at - contacts.begin()));
  }
  take_out(contacts, waiting);
}

// Velocities and impulses; no two groups share a body or a contact.
void ImpactStage::write(const PointImpact::Group& group, std::span<const Contact> contacts,
                        const Velocities& velocities) {
  const std::span<const Index> bodies = group.bodies();
  for (Index k = 0; k < bodies.size(); ++k) {
    if (!group.changed(k)) continue;
    const LinearAndAngular after = group.velocity(k);
    (*velocities.linear)[bodies[k]] = after.linear;
    if (scene_.world->bodies.turns(bodies[k])) (*velocities.angular)[bodies[k]] = after.angular;
  }
  const std::span<const double> impulses = group.resolver().impulses();
  const std::span<const Index> contact_of = group.contacts();
  for (Index row = 0; row < contact_of.size(); ++row) {
    if (impulses[row] != 0.0) impulses_[contact_of[row]] = impulses[row];
  }
  if (points_->rubs()) {
    for (Index row = 0; row < contact_of.size(); ++row) {
      friction_[contact_of[row]] = group.friction(row);
    }
  }
  for (const PointImpact::Lone& lone : group.lone()) {
    const Contact& contact = contacts[lone.contact];
    if (lone.response.impulse == 0.0) continue;
    impulses_[lone.contact] = lone.response.impulse;
    (*velocities.linear)[contact.body_a] = lone.response.velocity_a;
    if (contact.body_b != kNone) {
      (*velocities.linear)[contact.body_b] = lone.response.velocity_b;
    }
  }
}

void ImpactStage::note_group(const PointImpact::Group& group, std::span<const Contact> contacts) {
  const PointReport& report = group.resolver().report();
  summary_.lossless = summary_.lossless && group.lossless();
  summary_.status = std::max(summary_.status, report.status);
  summary_.components += report.components + static_cast<Index>(group.lone().size());
  summary_.applications = std::max(summary_.applications, report.applications);
  summary_.applications_total += report.applications_total;
  for (const PointImpact::Lone& lone : group.lone()) {
    if (lone.response.impulse == 0.0) continue;
    summary_.applications = std::max<std::uint64_t>(summary_.applications, 1);
    ++summary_.applications_total;
  }
  summary_.lineality_energy = std::max(summary_.lineality_energy, report.lineality_energy);
  summary_.largest_part = std::max(summary_.largest_part, report.largest_part);
  summary_.seconds += report.seconds;
  summary_.open_lock = summary_.open_lock || report.open_lock;
  for (ComponentReport component : report.general) {
    for (Index& row : component.rows) row = group.contacts()[row];
    for (Index& row : component.lineality_rows) row = group.contacts()[row];
    note(component, contacts, group.bodies(), group.number());
  }
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
    if (scene_.world->bodies.turns(scene_bodies[body])) {
      (*velocities.angular)[scene_bodies[body]] = after.angular;
    }
  }
  summary_.status = result.status;
  summary_.components = static_cast<Index>(result.report.components.size());
  summary_.applications = result.report.applications;
  summary_.applications_total = result.report.applications_total;
  summary_.lineality_energy = result.report.lineality_energy;
  summary_.seconds.general = result.report.seconds;
  for (const ComponentReport& component : result.report.components) {
    note(component, contacts, scene_bodies);
  }
  gather_notes();
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
  const detail::SymmetricImpact::Count count = symmetric_->count(contacts, result.report);
  summary_.status = result.status;
  summary_.components = count.components;
  summary_.applications = result.report.applications;
  summary_.applications_total = count.applications;
  summary_.lineality_energy = result.report.lineality_energy;
  summary_.seconds.general = result.report.seconds;
  for (const ComponentReport& component : result.report.components) {
    note_symmetric(component, contacts);
  }
  gather_notes();
  for (const Index squeezed : symmetric_->squeezed()) {
    summary_.status = ImpactStatus::infeasible;
    summary_.squeezed.push_back(scene_.world->bodies.name[contacts[squeezed].body_a]);
    summary_.squeezed.push_back(scene_.world->shapes[contacts[squeezed].shape].name);
  }
}

// What happened to the rows of the representatives happened to all of their orbits.
void ImpactStage::note_symmetric(const ComponentReport& component,
                                 std::span<const Contact> contacts) {
  const std::span<const detail::ContactOrbits::Member> members = symmetric_->orbits().members();
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
  std::vector<Index> same(scene_.world->bodies.size());
  std::iota(same.begin(), same.end(), Index{0});
  note(whole, contacts, same);
}

void ImpactStage::note(const ComponentReport& component, std::span<const Contact> contacts,
                       std::span<const Index> scene_bodies, Index group) {
  GeneralNote note{group, component.lineality_rows, {}};
  if (component.status == ImpactStatus::infeasible) {
    note.squeezed = squeezed_names(*scene_.world, component, contacts, scene_bodies);
  }
  general_notes_.push_back(std::move(note));
}

void ImpactStage::gather_notes() {
  std::stable_sort(general_notes_.begin(), general_notes_.end(),
                   [](const GeneralNote& a, const GeneralNote& b) { return a.group < b.group; });
  for (const GeneralNote& note : general_notes_) {
    summary_.lineality_rows.insert(summary_.lineality_rows.end(), note.lineality_rows.begin(),
                                   note.lineality_rows.end());
    if (!note.lineality_rows.empty()) summary_.lossless = false;
    summary_.squeezed.insert(summary_.squeezed.end(), note.squeezed.begin(), note.squeezed.end());
  }
  general_notes_.clear();
}

}  // namespace carom
