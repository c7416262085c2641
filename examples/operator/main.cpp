// An impact operator of one's own, registered from outside of Carom.
//
// The operator reflects the rows that are closing now together: Generalized Reflections, written
// once more with nothing but public headers. It has two forms. The general one answers rows between
// any bodies; the one for points answers connected parts of balls and takes part in the path that
// Carom has for very many of them. The program registers both, has every promise of the operator
// measured as `carom gallery chart` does, and lets a thousand balls fall into a drum with it and
// with Carom's own gr, at about the same speed. It fails when a promise is broken or energy is
// lost.

#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/impact/operator.h"
#include "carom/impact/parts.h"
#include "carom/impact/point_operator.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"
#include "carom/solvers/linked_pivoting.h"
#include "carom/solvers/quadratic_program.h"
#include "carom/solvers/small_pivoting.h"
#include "carom/stepping/stepper.h"
#include "carom/study/operator_chart.h"

namespace {

carom::OperatorInfo mirror_info() {
  using carom::Law;
  carom::OperatorInfo info;
  info.name = "mirror";
  info.summary = "the rows that are closing now are reflected together, written by a guest";
  info.set_promises(
      {Law::one, Law::mom, Law::kin, Law::sym, Law::brk, Law::feas, Law::fin, Law::imp});
  info.point_form = carom::PointForm::registered;
  info.may_go_on = true;  // it remembers nothing from one application to the next
  return info;
}

const carom::OperatorInfo& info() {
  static const carom::OperatorInfo own = mirror_info();
  return own;
}

// 0 <= lambda  perp  A lambda + (1 + r) b >= 0 on each connected part of the violated rows.
class Mirror final : public carom::ImpactOperator {
 public:
  [[nodiscard]] const carom::OperatorInfo& info() const override { return ::info(); }

  carom::ApplicationStatus apply(const carom::Application& application,
                                 carom::Impulses& impulses) override {
    splitter_.split(*application.rows, application.violated->members());
    auto status = carom::ApplicationStatus::applied;
    for (std::size_t k = 0; k < splitter_.part_count(); ++k) {
      const auto of_part = reflect(application, splitter_.part(k), impulses);
      if (of_part != carom::ApplicationStatus::applied) status = of_part;
    }
    return status;
  }

 private:
  carom::ApplicationStatus reflect(const carom::Application& application,
                                   std::span<const carom::Index> part, carom::Impulses& impulses) {
    right_side_.clear();
    for (const carom::Index row : part) {
      right_side_.push_back((1.0 + application.response[row]) * application.b[row]);
    }
    solver_->solve({application.rows, part, right_side_, {}, {}, {}},
                   {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true}, result_);
    if (result_.status == carom::solvers::QpStatus::unbounded) {
      return carom::ApplicationStatus::locked;
    }
    if (application.exact_energy) scaler_.scale(application, part, result_.x);
    impulses.rows.insert(impulses.rows.end(), part.begin(), part.end());
    impulses.values.insert(impulses.values.end(), result_.x.begin(), result_.x.end());
    return result_.status == carom::solvers::QpStatus::solved
               ? carom::ApplicationStatus::applied
               : carom::ApplicationStatus::solver_failed;
  }

  carom::PartSplitter splitter_;
  carom::EnergyScaler scaler_;
  std::unique_ptr<carom::solvers::QpSolver> solver_ = carom::solvers::make_qp_solver("auto");
  carom::solvers::QpResult result_;
  std::vector<double> right_side_;
};

// The same for points: a dense solver for a handful of rows, one that follows the graph of contacts
// for more. A part that neither can solve is reported, and Carom sends its component the general
// way.
class MirrorOfPoints final : public carom::PointOperator {
 public:
  carom::ApplicationStatus apply(const carom::PointPart<2>& part,
                                 std::span<double> impulses) override {
    return solve(part, pivoting_2d_, impulses);
  }
  carom::ApplicationStatus apply(const carom::PointPart<3>& part,
                                 std::span<double> impulses) override {
    return solve(part, pivoting_3d_, impulses);
  }

 private:
  template <std::size_t D>
  carom::ApplicationStatus solve(const carom::PointPart<D>& part,
                                 carom::solvers::LinkedPivoting<D>& pivoting,
                                 std::span<double> impulses) {
    if (impulses.size() <= carom::solvers::SmallPivoting::kMostRows && solve_small(part)) {
      std::copy_n(small_.x.begin(), impulses.size(), impulses.begin());
      return carom::ApplicationStatus::applied;
    }
    right_side_.clear();
    for (const double b : part.b) right_side_.push_back(2.0 * b);
    return pivoting.solve(*part.system, right_side_, impulses)
               ? carom::ApplicationStatus::applied
               : carom::ApplicationStatus::solver_failed;
  }

  template <std::size_t D>
  bool solve_small(const carom::PointPart<D>& part) {
    const auto& rows = part.system->rows;
    const auto& weight = part.system->weight;
    small_.count = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double shared = 0.0;  // the weights of the points that both rows touch, with their signs
        if (rows[i].a == rows[j].a) shared += weight[rows[i].a];
        if (rows[i].a == rows[j].b) shared -= weight[rows[i].a];
        if (rows[i].b != carom::kNone && rows[i].b == rows[j].b) shared += weight[rows[i].b];
        if (rows[i].b != carom::kNone && rows[i].b == rows[j].a) shared -= weight[rows[i].b];
        double product = 0.0;
        for (std::size_t k = 0; k < D; ++k) product += rows[i].gradient[k] * rows[j].gradient[k];
        small_.a[i][j] = small_.a[j][i] = shared * product;
      }
      small_.c[i] = 2.0 * part.b[i];
    }
    return small_.solve();
  }

  carom::solvers::SmallPivoting small_;
  carom::solvers::LinkedPivoting<2> pivoting_2d_;
  carom::solvers::LinkedPivoting<3> pivoting_3d_;
  std::vector<double> right_side_;
};

void register_mirror() {
  const auto without_options = [](std::string_view options) {
    if (!options.empty()) throw carom::InputError({"", 0, 0, "mirror"}, "it has no options");
  };
  carom::register_operator({mirror_info(),
                            [=](std::string_view options) {
                              without_options(options);
                              return std::make_unique<Mirror>();
                            },
                            [=](std::string_view options) {
                              without_options(options);
                              return std::make_unique<MirrorOfPoints>();
                            }});
}

// Prints each law that the operator promises; false where one was broken.
bool keeps_its_promises() {
  const carom::OperatorChart chart =
      carom::compute_operator_chart({.operators = {"mirror"}, .problems = 20});
  bool all = true;
  for (const carom::Law law : chart.laws) {
    const carom::ChartCell& cell = chart.rows.front().cell(law);
    if (cell.promise != carom::Promise::yes) continue;
    all = all && cell.held();
    std::cout << "  " << std::setw(4) << to_string(law) << ": " << cell.tried - cell.broken
              << " of " << cell.tried << " problems, largest residual " << cell.worst << '\n';
  }
  return all;
}

constexpr const char* kDrop = R"(
kind = "scene"
title = "A thousand touching balls fall into a drum"
[world]
gravity = 9.81
[time]
step = 0.01
duration = 10.0
[[shape]]
name = "drum"
type = "sphere_inside"
center = [0.0, 0.0]
radius = 48.0
[[grid]]
name = "ball"
counts = [32, 32]
center = [0.0, 0.0]
radius = 1.0
)";

struct Drop {
  double seconds = 0.0;
  double energy_error = 0.0;  ///< relative
};

Drop drop_with(const std::string& impact_operator, int steps) {
  carom::Scene scene = carom::read_scene(kDrop);
  scene.simulation.impact.impact_operator = impact_operator;
  const auto stepper = carom::make_stepper(scene.simulation);
  const double energy = totals(scene.simulation, *stepper).energy();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) {
    if (!stepper->step().can_go_on()) std::cerr << impact_operator << ": the step failed\n";
  }
  Drop drop;
  drop.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // Of the kinetic energy that the fall gave: the potential energy has no zero of its own.
  const carom::Totals end = totals(scene.simulation, *stepper);
  drop.energy_error = std::abs(end.energy() - energy) / end.kinetic;
  return drop;
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::stoi(argv[1]) : 300;
  register_mirror();
  std::cout << "What mirror promises:\n";
  const bool kept = keeps_its_promises();
  const Drop own = drop_with("mirror", steps);
  const Drop gr = drop_with("gr", steps);
  std::cout << steps << " steps of 1024 balls: mirror " << own.seconds << " s, gr " << gr.seconds
            << " s, ratio " << own.seconds / gr.seconds << "; energy kept to " << own.energy_error
            << " and " << gr.energy_error << '\n';
  return kept && own.energy_error < 1e-10 ? 0 : 1;
}
