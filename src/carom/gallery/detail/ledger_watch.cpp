// Runs of gallery scenes under "asynchronous" with their account of energy and momentum.
#include "carom/gallery/detail/ledger_watch.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "carom/asynchronous/stepper.h"
#include "carom/core/types.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/schemes/registry.h"

namespace carom::detail {

using Own = asynchronous::OwnNumber;

LedgerWatch::LedgerWatch(const Scene& scene, const CheckWatch& watch, const OnStep& on_step)
    : gap_(kInfinity) {
  run(scene, watch, on_step);
}

void LedgerWatch::run(const Scene& scene, const CheckWatch& watch, const OnStep& on_step) {
  const Simulation& simulation = scene.simulation;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const World& world = simulation.world;
  const Totals start = totals(simulation, *stepper);
  largest_ = start.kinetic;
  kinetic_ = start.kinetic;
  most_kinetic_ = start.kinetic;
  double account = 0.0;
  Vec3 taken;
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t k = 0; k < steps; ++k) {
    const StepReport report = stepper->step();
    if (!report.can_go_on()) {
      failure_ = report.message;
      return;
    }
    account += report.dissipated - report.external_work;
    const double balance = report.totals.energy() + account;
    kinetic_ = report.totals.kinetic;
    most_kinetic_ = std::max(most_kinetic_, kinetic_);
    largest_ = std::max({largest_, kinetic_, std::abs(account)});
    off_ = std::max(off_, std::abs(balance - start.energy()));
    taken += Vec3{report.own[Own::kTakenX], report.own[Own::kTakenY], report.own[Own::kTakenZ]};
    momentum_ = std::max(momentum_, norm(report.totals.momentum + taken - start.momentum));
    double moving = norm(taken);
    for (Index i = 0; i < world.bodies.size(); ++i) {
      moving += world.bodies.mass[i] * norm(stepper->state().velocity[i]);
    }
    momentum_scale_ = std::max(momentum_scale_, moving);
    gap_ = report.own[Own::kSmallestGap];
    table_.rows.push_back({report.time, kinetic_, report.totals.energy(), balance, gap_});
    if (on_step) on_step(*stepper, report);
    if (watch) watch(scene.title, static_cast<double>(k + 1) / static_cast<double>(steps));
  }
}

void LedgerWatch::add_claims(const Parameters& parameters, CheckOutcome& outcome) const {
  outcome.claims.push_back(claim_true(
      "it went on to the end, free of crossings" + (went_on() ? "" : ": " + failure_), went_on()));
  outcome.claims.push_back(
      claim_at_most("energy, work and losses: largest change of their sum, in the largest of them",
                    off_ / largest_, parameters.number("band")));
  outcome.claims.push_back(claim_at_most("momentum with what others took: largest change, relative",
                                         momentum_ / std::max(momentum_scale_, 1e-300),
                                         parameters.number("momentum_tolerance")));
  outcome.claims.push_back(claim_at_least("smallest distance, m", gap_, 0.0));
}

void LedgerWatch::add_figure(const std::string& title, CheckOutcome& outcome) const {
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "J";
  panel.series = {table_series(table_, 0, 1, "kinetic"), table_series(table_, 0, 2, "energy"),
                  table_series(table_, 0, 3, "with work and losses")};
  Figure figure;
  figure.title = title;
  figure.panels.push_back(std::move(panel));
  outcome.figures.push_back({"ledger", std::move(figure)});
  outcome.tables.push_back(table_);
}

}  // namespace carom::detail
