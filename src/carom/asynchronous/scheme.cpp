// The scheme "asynchronous" as the registry knows it: its settings, its columns, what it refuses.
#include "carom/asynchronous/scheme.h"

#include <utility>

#include "carom/asynchronous/contact_engine.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/scheme_settings.h"
#include "carom/asynchronous/stepper.h"
#include "carom/asynchronous/wall_audit.h"
#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom::asynchronous {
namespace {

using Own = OwnNumber;

// The start must be free of crossings: that none comes is then the engine's promise.
void check_asynchronous(const Simulation& simulation) {
  const Problem problem = problem_of(simulation);
  check_problem(problem);
  try {
    check_settings(settings_of(simulation));
  } catch (const InputError& error) {
    throw InputError({"", 0, 0, "asynchronous." + error.place().key}, error.message());
  }
  check_engine(problem, simulation);
  if (const auto fault = audit_walls(problem, problem.position)) {
    throw InputError({"", 0, 0, "start"},
                     "under time.scheme \"asynchronous\" nothing may touch or be behind a plane at "
                     "the start: " +
                         text_of(*fault, simulation));
  }
  Audit audit(audit_mesh_of(problem));
  const StateReport report = audit.state(problem.position);
  if (report.status == AuditStatus::passed) return;
  const std::string more =
      report.fault_count > 1 ? " (and " + std::to_string(report.fault_count - 1) + " more)" : "";
  throw InputError({"", 0, 0, "start"},
                   "under time.scheme \"asynchronous\" nothing may touch or cross at the start: " +
                       text_of(report.faults.front(), audit, simulation) + more);
}

template <std::size_t kNumber>
StepColumn own_column(StepColumnText text, Merge merge) {
  return step_column(
      std::move(text), merge, [](auto& r) -> auto& { return r.own[kNumber]; });
}

std::vector<StepColumn> columns() {
  return {
      step_column(
          {"external_work", "J", "work of prescribed motions and forces in this step"}, Merge::sum,
          [](auto& r) -> auto& { return r.external_work; }),
      step_column(
          {"dissipated", "J", "energy lost to restitution, friction and damping in this step"},
          Merge::sum, [](auto& r) -> auto& { return r.dissipated; }),
      own_column<Own::kContactEnergy>(
          {"contact_energy", "J", "stored in contacts; part of the potential energy"}, Merge::last),
      own_column<Own::kLostToRestitution>(
          {"lost_to_restitution", "J", "lost to restitution in this step"}, Merge::sum),
      own_column<Own::kLostToFriction>({"lost_to_friction", "J", "lost to friction in this step"},
                                       Merge::sum),
      own_column<Own::kLostToDamping>(
          {"lost_to_damping", "J",
           "lost to damping and plasticity of surfaces, and to drag, in "
           "this step"},
          Merge::sum),
      own_column<Own::kWorkOfLed>(
          {"work_of_led", "J", "work of bodies whose motion is prescribed in this step"},
          Merge::sum),
      own_column<Own::kWorkOfForces>(
          {"work_of_forces", "J", "work of forces on single bodies in this step"}, Merge::sum),
      own_column<Own::kTakenX>(
          {"impulse_taken_x", "N s", "taken from free bodies by walls, led bodies and forces"},
          Merge::sum),
      own_column<Own::kTakenY>(
          {"impulse_taken_y", "N s", "taken from free bodies by walls, led bodies and forces"},
          Merge::sum),
      own_column<Own::kTakenZ>(
          {"impulse_taken_z", "N s", "taken from free bodies by walls, led bodies and forces"},
          Merge::sum),
      own_column<Own::kDeepestLayer>(
          {"deepest_layer", "",
           "deepest layer, of a contact or of a limited length, that acted since the start"},
          Merge::maximum),
      own_column<Own::kSmallestGap>(
          {"smallest_gap", "m", "smallest distance of two primitives seen since the start"},
          Merge::last),
      own_column<Own::kForceKicks>(
          {"force_kicks", "", "kicks of single springs, triangles, hinges and bodies in this step"},
          Merge::sum),
      own_column<Own::kContactTicks>(
          {"contact_ticks", "", "looks at pairs in contact in this step"}, Merge::sum),
      own_column<Own::kCertificates>(
          {"certificates", "", "proofs that two primitives stay apart for a while, in this step"},
          Merge::sum),
      own_column<Own::kAuditedGap>(
          {"audited_gap", "m",
           "distance that all near pairs are proven to have kept in this step; 0 where no motion "
           "was audited or nothing came near"},
          Merge::last),
      own_column<Own::kLimitEnergy>(
          {"limit_energy", "J",
           "stored in the layers of limited lengths; part of the potential energy"},
          Merge::last),
      own_column<Own::kLimitUsed>(
          {"limit_used", "",
           "largest share of a stretch or compression limit that an edge was seen to use up since "
           "the start; below 1"},
          Merge::maximum),
  };
}

// In the order of AsynchronousStepper::body_numbers().
std::vector<StepColumnText> body_columns() {
  return {{"layer", "", "deepest layer that acts on each body, of a contact or a limited length"},
          {"shortest_step", "s",
           "shortest step of the forces and layers that act on each body, at most that of a first "
           "layer"}};
}

std::vector<SchemeSetting> settings() {
  using Kind = SchemeSetting::Kind;
  using S = AsynchronousSettings;
  SchemeSetting layers =
      scheme_setting("layers", Kind::choice, &S::layers,
                     "how layers follow each other: of the first paper, or of the second");
  layers.choices = layer_names();
  SchemeSetting friction =
      scheme_setting("friction_model", Kind::choice, &S::friction_model,
                     "static and kinetic from anchors, the papers' kinetic one, or none");
  friction.choices = asynchronous_friction_names();
  SchemeSetting audit =
      scheme_setting("audit", Kind::choice, &S::audit,
                     "the state of every step, also all motion between, or nothing but the start");
  audit.choices = asynchronous_audit_names();
  SchemeSetting engine = scheme_setting("engine", Kind::choice, &S::engine,
                                        "ours, or the papers' step by step, its oracle");
  engine.choices = engine_names();
  SchemeSetting clocks =
      scheme_setting("clocks", Kind::choice, &S::clocks,
                     "of the reference engine: the papers', those of the fast one, or, to see what "
                     "it does, wrong ones");
  clocks.choices = clock_names();
  return {
      std::move(layers),
      std::move(friction),
      scheme_setting("stiffness", Kind::positive, &S::stiffness,
                     "N/m, of the first layer; times the stiffness of the materials"),
      scheme_setting("contact_step", Kind::positive, &S::contact_step,
                     "step of a contact's layers, in roots of mass over stiffness"),
      scheme_setting("force_step", Kind::positive, &S::force_step,
                     "step of an element of a force times its highest frequency"),
      scheme_setting("pressing_step", Kind::positive, &S::pressing_step,
                     "longest step of any force, in steps of a first layer"),
      scheme_setting("activation_margin", Kind::positive, &S::activation_margin,
                     "share of a distance that a certificate may use up"),
      scheme_setting("least_progress", Kind::not_negative, &S::least_progress,
                     "s of simulated time for a million events, less ends the run; 0: never"),
      std::move(audit),
      std::move(engine),
      std::move(clocks),
      scheme_setting("supports", Kind::flag, &S::supports,
                     "of the reference engine: look only at certificates that a kick can touch"),
      scheme_setting("vague_trajectories", Kind::flag, &S::vague_trajectories,
                     "of the reference engine: certificates allow for changes of velocity"),
      scheme_setting("hierarchy", Kind::flag, &S::hierarchy,
                     "of the reference engine: k-DOPs, else a slab for every two primitives"),
      scheme_setting("envelopes", Kind::flag, &S::envelopes,
                     "of the reference engine: bound extents of k-DOPs by lines"),
      scheme_setting("adaptive_axes", Kind::flag, &S::adaptive_axes,
                     "of the reference engine: look only at axes that help")};
}

}  // namespace

SchemeInfo asynchronous_scheme() {
  SchemeInfo info;
  info.name = "asynchronous";
  info.summary =
      "points, chains and surfaces in contact by penalty layers with clocks of their own; "
      "nothing ever crosses";
  info.can = {.surfaces = true, .led_bodies = true, .overlaps = true};
  info.exact_audit = true;
  info.energy_band = 0.05;
  info.settings = settings();
  info.columns = columns();
  info.method = [](const Simulation& simulation) {
    const auto& given = simulation.settings.of<AsynchronousSettings>();
    const bool rubs = given.friction_model != "none";
    return given.layers + " layers, " + (rubs ? given.friction_model : "no") + " friction";
  };
  info.body_columns = body_columns();
  info.check = check_asynchronous;
  info.make = [](const Simulation& simulation) -> std::unique_ptr<Stepper> {
    return std::make_unique<AsynchronousStepper>(simulation);
  };
  return info;
}

}  // namespace carom::asynchronous
