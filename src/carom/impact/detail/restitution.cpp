// Models of restitution for one component.
#include "carom/impact/detail/restitution.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using solvers::QpStatus;

// One possible outcome of the component.
struct Response {
  std::vector<double> velocity;
  std::vector<double> lambda;
};

double closing_speed(const IterationRows& rows, Index row, std::span<const double> velocity) {
  return rows.rows->dot(row, velocity) - rows.offset[row];
}

class Restitution {
 public:
  Restitution(const RestitutionProblem& problem, std::span<const double> velocity)
      : problem_(problem),
        rows_(problem.rows),
        start_(velocity.begin(), velocity.end()),
        response_(problem.rows.rows->row_count(), 1.0) {}

  RestitutionOutcome& outcome() { return outcome_; }

  Response interpolated() {
    const std::vector<double> levels = distinct_coefficients();
    if (levels.size() > 1 && problem_.settings->mixed_restitution == MixedRestitution::direct) {
      return direct();
    }
    // (2): below the first level all rows are elastic, above the last one none is.
    Response sum{std::vector<double>(start_.size(), 0.0),
                 std::vector<double>(response_.size(), 0.0)};
    outcome_.layers = 0;
    double below = 0.0;
    for (std::size_t k = 0; k <= levels.size(); ++k) {
      const double upper = k < levels.size() ? levels[k] : 1.0;
      const double weight = upper - below;
      if (weight > 0.0) {
        Response layer = k == 0 ? elastic() : k == levels.size() ? inelastic() : mixed(below);
        if (stopped()) return layer;
        ++outcome_.layers;
        if (weight == 1.0) return layer;
        add(layer, weight, sum);
      }
      below = upper;
    }
    return sum;
  }

  Response direct() {
    Response one = elastic();
    if (stopped()) return one;
    Response zero = inelastic();
    if (stopped()) return zero;
    outcome_.layers = 2;
    Response blend = at_start();
    for (const Index row : rows_.active) {
      const double c = problem_.coefficients[row];
      blend.lambda[row] = c * one.lambda[row] + (1.0 - c) * zero.lambda[row];
      rows_.rows->apply(row, blend.lambda[row], blend.velocity);
    }
    finish_inelastically(blend);
    if (!stopped()) clip_energy(blend, &zero);
    return blend;
  }

  Response propagated() {
    for (const Index row : rows_.active) response_[row] = problem_.coefficients[row];
    IterationSettings iteration = problem_.iteration;
    iteration.correct_velocity = {};
    return run(iteration);
  }

  Response qce_lcp() {
    Response one = elastic();
    if (stopped()) return one;
    std::vector<double> right_side;
    bool all_elastic = true;
    for (const Index row : rows_.active) {
      const double c = problem_.coefficients[row];
      all_elastic = all_elastic && c == 1.0;
      right_side.push_back(closing_speed(rows_, row, start_) -
                           c * std::max(0.0, closing_speed(rows_, row, one.velocity)));
    }
    if (all_elastic) return one;
    Response result = at_start();
    solve(right_side, result);
    if (outcome_.infeasible) {
      // Speeds wanted of rows that the operator left closing (lcp) can contradict each other where
      // the rows themselves do not.
      outcome_.infeasible = false;
      ++outcome_.layers_finished_inelastically;
      return inelastic();
    }
    look_at_impulses(result);
    if (!stopped()) clip_energy(result, nullptr);
    return result;
  }

  Response elastic() {
    std::fill(response_.begin(), response_.end(), 1.0);
    return run(problem_.iteration);
  }

  Response inelastic() {
    Response result = at_start();
    finish_inelastically(result);
    return result;
  }

 private:
  [[nodiscard]] bool stopped() const {
    return outcome_.infeasible ||
           (outcome_.end != IterationEnd::feasible && outcome_.end != IterationEnd::once);
  }

  [[nodiscard]] Response at_start() const {
    return {start_, std::vector<double>(response_.size(), 0.0)};
  }

  [[nodiscard]] std::vector<double> distinct_coefficients() const {
    std::vector<double> levels;
    for (const Index row : rows_.active) levels.push_back(problem_.coefficients[row]);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    return levels;
  }

  static void add(const Response& from, double weight, Response& to) {
    for (std::size_t i = 0; i < to.velocity.size(); ++i) {
      to.velocity[i] += weight * from.velocity[i];
    }
    for (std::size_t i = 0; i < to.lambda.size(); ++i) to.lambda[i] += weight * from.lambda[i];
  }

  Response run(const IterationSettings& iteration) {
    Response result = at_start();
    const ImpactLoop::Outcome done = problem_.loop->run(*problem_.impact_operator, rows_, iteration,
                                                        response_, result.velocity, result.lambda);
    outcome_.applications += done.applications;
    outcome_.solver_failed = outcome_.solver_failed || done.solver_failed;
    outcome_.end = done.end;
    return result;
  }

  // Rows with c > level elastic, the others inelastic. Such an iteration loses energy and may
  // approach its end without reaching it (inelastic collapse); after a set number of applications
  // the least-energy feasible velocity, which is where a collapse leads, ends it.
  Response mixed(double level) {
    for (const Index row : rows_.active) {
      response_[row] = problem_.coefficients[row] > level ? 1.0 : 0.0;
    }
    IterationSettings iteration = problem_.iteration;
    iteration.correct_velocity = {};  // energy is meant to be lost here
    iteration.budget = problem_.settings->layer_applications;
    if (problem_.settings->max_applications > 0) {
      iteration.budget = std::min(iteration.budget, problem_.settings->max_applications);
    }
    if (iteration.lineality_after > 0) iteration.lineality_after = iteration.budget;
    Response result = run(iteration);
    // Different targets can contradict each other (lcp) where the rows themselves do not.
    const bool no_answer =
        outcome_.end == IterationEnd::locked && !(iteration.is_locked && iteration.is_locked());
    if (outcome_.end == IterationEnd::budget || outcome_.end == IterationEnd::once ||
        outcome_.end == IterationEnd::inner_budget || no_answer) {
      ++outcome_.layers_finished_inelastically;
      outcome_.end = IterationEnd::feasible;
      finish_inelastically(result);
    }
    if (stopped()) return result;
    clip_energy(result, nullptr);
    return result;
  }

  void finish_inelastically(Response& response) {
    note(apply_inelastic(rows_, response.velocity, response.lambda));
    look_at_impulses(response);
  }

  // Impulses this large are only possible where rows are (nearly) locked.
  void look_at_impulses(const Response& response) {
    double total = 0.0;
    for (const Index row : rows_.active) total += response.lambda[row];
    if (total > problem_.iteration.impulse_limit && problem_.iteration.is_locked()) {
      outcome_.end = IterationEnd::locked;
    }
  }

  void note(QpStatus status) {
    if (status == QpStatus::unbounded) outcome_.infeasible = true;
    if (status == QpStatus::inaccurate || status == QpStatus::budget_exhausted) {
      outcome_.solver_failed = true;
    }
  }

  // 0 <= l perp A l + right_side >= 0, added to the response.
  void solve(std::span<const double> right_side, Response& response) {
    const solvers::QpResult result =
        solvers::solve_qp({rows_.rows, rows_.active, right_side, {}, {}, {}},
                          {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true});
    note(result.status);
    if (result.status == QpStatus::unbounded) return;
    for (std::size_t k = 0; k < rows_.active.size(); ++k) {
      response.lambda[rows_.active[k]] += result.x[k];
      rows_.rows->apply(rows_.active[k], result.x[k], response.velocity);
    }
  }

  // Moves from l toward l0 until W <= 0: W is convex along the line and W(l0) <= 0.
  void clip_energy(Response& response, const Response* inelastic_response) {
    std::vector<double> change(start_.size(), 0.0);
    const auto balance = [&](std::span<const double> lambda, double& square, double& work) {
      std::fill(change.begin(), change.end(), 0.0);
      for (const Index row : rows_.active) rows_.rows->apply(row, lambda[row], change);
      square = 0.0;
      work = 0.0;
      for (const Index row : rows_.active) {
        square += lambda[row] * rows_.rows->dot(row, change);
        work += lambda[row] * closing_speed(rows_, row, start_);
      }
      return 0.5 * square + work;
    };
    double square = 0.0;
    double work = 0.0;
    const double w = balance(response.lambda, square, work);
    constexpr double kNothing = 64.0 * kRoundOff;
    if (w <= kNothing * (square + std::abs(work))) return;
    const Response zero = inelastic_response != nullptr ? *inelastic_response : inelastic();
    if (outcome_.infeasible) return;
    const double w0 = std::min(0.0, balance(zero.lambda, square, work));
    std::vector<double> step(response_.size(), 0.0);
    for (const Index row : rows_.active) step[row] = response.lambda[row] - zero.lambda[row];
    // W(l0 + s d) = w0 + s (W(l) - w0 - q/2) + s^2 q/2 with q = d'Ad
    double q = 0.0;
    static_cast<void>(balance(step, q, work));
    const double slope = w - w0 - 0.5 * q;
    const double root = std::sqrt(std::max(0.0, slope * slope - 2.0 * q * w0));
    const double s =
        slope > 0.0 ? -2.0 * w0 / (slope + root) : (q > 0.0 ? (root - slope) / q : 0.0);
    const double share = std::clamp(s, 0.0, 1.0);
    outcome_.energy_clipped = true;
    for (std::size_t i = 0; i < start_.size(); ++i) {
      response.velocity[i] = zero.velocity[i] + share * (response.velocity[i] - zero.velocity[i]);
    }
    for (const Index row : rows_.active) {
      response.lambda[row] = zero.lambda[row] + share * step[row];
    }
  }

  const RestitutionProblem& problem_;
  const IterationRows& rows_;
  std::vector<double> start_;
  std::vector<double> response_;
  RestitutionOutcome outcome_;
};

}  // namespace

QpStatus apply_inelastic(const IterationRows& rows, std::span<double> velocity,
                         std::span<double> lambda) {
  std::vector<double> right_side;
  bool violated = false;
  for (const Index row : rows.active) {
    right_side.push_back(closing_speed(rows, row, velocity));
    violated = violated || right_side.back() < -rows.threshold;
  }
  if (!violated) return QpStatus::solved;
  const solvers::QpResult result =
      solvers::solve_qp({rows.rows, rows.active, right_side, {}, {}, {}},
                        {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = true});
  if (result.status == QpStatus::unbounded) return result.status;
  for (std::size_t k = 0; k < rows.active.size(); ++k) {
    lambda[rows.active[k]] += result.x[k];
    rows.rows->apply(rows.active[k], result.x[k], velocity);
  }
  return result.status;
}

RestitutionOutcome apply_restitution(const RestitutionProblem& problem, std::span<double> velocity,
                                     std::span<double> lambda) {
  Restitution restitution(problem, velocity);
  const std::string_view model = problem.settings->restitution_model;
  const Response response = model == "propagated" ? restitution.propagated()
                            : model == "qce_lcp"  ? restitution.qce_lcp()
                                                  : restitution.interpolated();
  std::copy(response.velocity.begin(), response.velocity.end(), velocity.begin());
  for (const Index row : problem.rows.active) lambda[row] += response.lambda[row];
  return restitution.outcome();
}

}  // namespace carom
