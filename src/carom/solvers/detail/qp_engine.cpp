// One quadratic program from its rows to a judged solution.
#include "carom/solvers/detail/qp_engine.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/solvers/detail/closed_form.h"
#include "carom/solvers/detail/repeated_rows.h"

namespace carom::solvers {
namespace {

constexpr Index kSmall = 12;         // rows up to which A is formed pair by pair
constexpr Index kFewRows = 300;      // up to which repeated rows cost nothing
constexpr double kZeroRow = 1e-280;  // A_ii of a row that does nothing
constexpr double kSuspicious = 1e7;  // |A||x| over |c| where unboundedness is checked
constexpr double kAccurate = 1e-14;
constexpr Index kCertificateRows = 1000;  // up to which the space of the dofs has the last word
constexpr Index kCertificateDofs = 2000;
constexpr double kNearMiss = 1e3;   // tolerances: products alone would get no nearer in time
constexpr double kFullRank = 1e-8;  // smallest pivot that proves A_FF regular

double bound(std::span<const double> bounds, std::size_t i, double otherwise) {
  return bounds.empty() ? otherwise : bounds[i];
}

QpStatus judge(QpStatus status, double residual, double tolerance) {
  if (status == QpStatus::unbounded) return status;
  if (residual <= tolerance) return QpStatus::solved;
  return status == QpStatus::solved ? QpStatus::inaccurate : status;
}

}  // namespace

std::string_view to_string(QpMethod method) {
  switch (method) {
    case QpMethod::automatic:
      return "auto";
    case QpMethod::closed_form:
      return "closed_form";
    case QpMethod::dense_attempt:
    case QpMethod::dense_pivoting:
      return "dense_pivoting";
    case QpMethod::interior_point:
      return "interior_point";
    case QpMethod::mprgp:
      return "mprgp";
  }
  return "unknown";
}

void QpEngine::solve(const QuadraticProgram& problem, const QpSettings& settings, QpMethod method,
                     QpResult& result) {
  const std::size_t count = problem.selection.size();
  CAROM_DEMAND(problem.rows != nullptr && problem.c.size() == count);
  CAROM_DEMAND(problem.lower.empty() || problem.lower.size() == count);
  CAROM_DEMAND(problem.upper.empty() || problem.upper.size() == count);
  CAROM_DEMAND(problem.start.empty() || problem.start.size() == count);
  result.method = to_string(method == QpMethod::automatic ? QpMethod::closed_form : method);
  result.status = QpStatus::solved;
  result.iterations = 0;
  result.kkt_residual = 0.0;
  if (count == 0) {
    result.x.clear();
    return;
  }
  const bool automatic = method == QpMethod::automatic;
  if ((automatic && count <= 2) || method == QpMethod::closed_form) {
    if (solve_closed_form(problem, result)) return;
    if (!automatic) {
      result.x.assign(count, 0.0);
      for (std::size_t i = 0; i < count; ++i) {
        result.x[i] =
            std::clamp(0.0, bound(problem.lower, i, 0.0), bound(problem.upper, i, kInfinity));
      }
      result.kkt_residual = kkt_residual(problem, result.x);
      result.status = judge(QpStatus::inaccurate, result.kkt_residual, settings.tolerance);
      return;
    }
  }
  if ((automatic || method == QpMethod::dense_pivoting) && count <= kSmall &&
      solve_small(problem, settings, result)) {
    return;
  }
  if (solve_without_fixed_rows(problem, settings, method, result)) return;
  if (automatic && solve_without_repeated_rows(problem, settings, result)) return;
  scale(problem);
  solve_scaled(settings, method, result);
}

/// The common case of a handful of independent rows: no lists, no maps. False leaves everything to
/// the general way.
bool QpEngine::solve_small(const QuadraticProgram& problem, const QpSettings& settings,
                           QpResult& result) {
  const auto count = static_cast<Index>(problem.selection.size());
  envelope_ready_ = false;
  envelope_.reset_full(count);
  scale_.resize(count);
  c_.resize(count);
  lower_.resize(count);
  upper_.resize(count);
  start_.clear();
  y_.resize(count);
  gradient_.resize(count);
  double largest_c = 0.0;
  for (Index i = 0; i < count; ++i) {
    const double diagonal = problem.rows->diagonal(problem.selection[i]);
    const double lower = bound(problem.lower, i, 0.0);
    const double upper = bound(problem.upper, i, kInfinity);
    if (!(diagonal > kZeroRow) || !(lower < upper)) return false;
    scale_[i] = power_of_two_scale(diagonal);
    double* row = envelope_.row(i);
    for (Index j = 0; j < i; ++j) {
      row[j] =
          problem.rows->product(problem.selection[i], problem.selection[j]) * scale_[i] * scale_[j];
    }
    row[i] = diagonal * scale_[i] * scale_[i];
    c_[i] = problem.c[i] * scale_[i];
    lower_[i] = lower / scale_[i];
    upper_[i] = upper / scale_[i];
    if (!problem.start.empty()) start_.push_back(problem.start[i] / scale_[i]);
    largest_c = std::max(largest_c, std::abs(problem.c[i]));
  }
  const CoreOutcome outcome =
      pivoting_.run({&envelope_, c_, lower_, upper_, start_}, 30, y_, gradient_);
  if (outcome.status != QpStatus::solved || !(outcome.smallest_pivot > kFullRank)) {
    if (outcome.status != QpStatus::solved || settings.minimum_norm) return false;
  }

  result.x.resize(count);
  double norm = 0.0;
  double size_x = 0.0;
  double worst = 0.0;
  double smallest_g = kInfinity;  // of the rows at a bound
  for (Index i = 0; i < count; ++i) {
    const double lower = lower_[i] * scale_[i];
    const double upper = upper_[i] * scale_[i];
    const double x = std::clamp(y_[i] * scale_[i], lower, upper);
    const double g = gradient_[i] / scale_[i];
    result.x[i] = x;
    worst = std::max(worst, std::abs(x - std::clamp(x - g, lower, upper)));
    size_x = std::max(size_x, std::abs(x));
    if (x == lower || x == upper) smallest_g = std::min(smallest_g, std::abs(g));
    double sum = 0.0;
    for (Index j = 0; j < count; ++j) {
      const double a = j <= i ? envelope_.row(i)[j] : envelope_.row(j)[i];
      sum += std::abs(a) / scale_[j];
    }
    norm = std::max(norm, sum / scale_[i]);
  }
  const double size_of_terms = largest_c + norm * size_x;
  result.kkt_residual = worst == 0.0 ? 0.0 : worst / size_of_terms;
  if (!(result.kkt_residual <= settings.tolerance) || near_locked(y_, c_)) {
    return false;
  }
  if (settings.minimum_norm && smallest_g <= settings.tolerance * size_of_terms) return false;
  result.iterations = outcome.iterations;
  result.method = to_string(QpMethod::dense_pivoting);
  return true;
}

/// Rows with lower = upper and rows with A_ii = 0 have their value at once; the others are solved
/// with c := c + A x_fixed. False where there is no such row.
bool QpEngine::solve_without_fixed_rows(const QuadraticProgram& problem, const QpSettings& settings,
                                        QpMethod method, QpResult& result) {
  const std::size_t count = problem.selection.size();
  std::vector<Index> live;
  bool any = false;
  for (std::size_t i = 0; i < count && !any; ++i) {
    any = !(problem.rows->diagonal(problem.selection[i]) > kZeroRow) ||
          !(bound(problem.lower, i, 0.0) < bound(problem.upper, i, kInfinity));
  }
  if (!any) return false;

  bool unbounded = false;
  std::vector<double> x(count, 0.0);
  std::vector<Index> pushing;  // rows that cannot move but act on the others
  for (std::size_t i = 0; i < count; ++i) {
    const double lower = bound(problem.lower, i, 0.0);
    const double upper = bound(problem.upper, i, kInfinity);
    const bool zero = !(problem.rows->diagonal(problem.selection[i]) > kZeroRow);
    if (!zero && lower < upper) {
      live.push_back(static_cast<Index>(i));
      continue;
    }
    x[i] = zero && problem.c[i] < 0.0 ? upper : lower;
    if (!std::isfinite(x[i])) {
      unbounded = true;
      x[i] = lower;
    }
    if (!zero && x[i] != 0.0) pushing.push_back(static_cast<Index>(i));
  }
  std::vector<Index> selection;
  std::vector<double> c, lower, upper, start;
  for (const Index i : live) {
    selection.push_back(problem.selection[i]);
    double sum = problem.c[i];
    for (const Index j : pushing) {
      sum += problem.rows->product(problem.selection[i], problem.selection[j]) * x[j];
    }
    c.push_back(sum);
    lower.push_back(bound(problem.lower, i, 0.0));
    upper.push_back(bound(problem.upper, i, kInfinity));
    if (!problem.start.empty()) start.push_back(problem.start[i]);
  }
  QpResult inner;
  solve({problem.rows, selection, c, lower, upper, start}, settings, method, inner);
  for (std::size_t k = 0; k < live.size(); ++k) x[live[k]] = inner.x[k];
  result.x = std::move(x);
  result.method = inner.method;
  result.iterations = inner.iterations;
  result.kkt_residual = kkt_residual(problem, result.x);
  result.status = unbounded ? QpStatus::unbounded
                            : judge(inner.status, result.kkt_residual, settings.tolerance);
  return true;
}

/// Many rows, some of them the same: solved with one of each; the minimum norm, where asked for,
/// shares its impulse among all again. False where there is nothing to gain.
bool QpEngine::solve_without_repeated_rows(const QuadraticProgram& problem,
                                           const QpSettings& settings, QpResult& result) {
  const std::size_t count = problem.selection.size();
  if (count <= kFewRows || !problem.upper.empty()) return false;
  if (std::any_of(problem.lower.begin(), problem.lower.end(), [](double l) { return l != 0.0; })) {
    return false;
  }
  const std::vector<Index> kept = without_repeated_rows(problem);
  if (10 * kept.size() > 9 * count) return false;
  std::vector<Index> selection;
  std::vector<double> c;
  std::vector<double> start;
  for (const Index i : kept) {
    selection.push_back(problem.selection[i]);
    c.push_back(problem.c[i]);
    if (!problem.start.empty()) start.push_back(problem.start[i]);
  }
  QpSettings plain = settings;
  plain.minimum_norm = false;
  QpResult inner;
  solve({problem.rows, selection, c, {}, {}, start}, plain, QpMethod::automatic, inner);
  result.x.assign(count, 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) result.x[kept[k]] = inner.x[k];
  result.method = inner.method;
  result.iterations = inner.iterations;
  if (settings.minimum_norm && inner.status == QpStatus::solved) {
    scale(problem);
    for (Index i = 0; i < count; ++i) y_[i] = result.x[i] / program_.rows.scale(i);
    if (minimum_norm_.run(program_, settings.tolerance, y_)) {
      for (Index i = 0; i < count; ++i) result.x[i] = y_[i] * program_.rows.scale(i);
    }
  }
  result.kkt_residual = kkt_residual(problem, result.x);
  result.status = judge(inner.status, result.kkt_residual, settings.tolerance);
  return true;
}

void QpEngine::scale(const QuadraticProgram& problem) {
  const auto count = static_cast<Index>(problem.selection.size());
  envelope_ready_ = false;
  assembled_ready_ = false;
  program_.rows.bind(*problem.rows, problem.selection);
  program_.c.resize(count);
  program_.lower.resize(count);
  program_.upper.resize(count);
  program_.start.clear();
  program_.has_upper = false;
  program_.matrix_norm = -1.0;
  program_.largest_c = largest_absolute(problem.c);
  for (Index i = 0; i < count; ++i) {
    const double scale = program_.rows.scale(i);
    program_.c[i] = problem.c[i] * scale;
    program_.lower[i] = bound(problem.lower, i, 0.0) / scale;
    program_.upper[i] = bound(problem.upper, i, kInfinity) / scale;
    program_.has_upper = program_.has_upper || std::isfinite(program_.upper[i]);
    if (!problem.start.empty()) {
      program_.start.push_back(
          std::clamp(problem.start[i] / scale, program_.lower[i], program_.upper[i]));
    }
  }
  y_.resize(count);
  gradient_.resize(count);
}

void QpEngine::solve_scaled(const QpSettings& settings, QpMethod method, QpResult& result) {
  if (method == QpMethod::automatic)
    choose(sequence_);
  else
    sequence_.assign(1, method);
  const CoreSettings core{settings.tolerance, settings.max_iterations, settings.minimum_norm};
  double best_residual = kInfinity;
  best_.assign(program_.lower.begin(), program_.lower.end());
  result.status = QpStatus::inaccurate;
  CoreOutcome best_outcome;
  for (const QpMethod next : sequence_) {
    if (next == QpMethod::mprgp && best_residual <= kNearMiss * settings.tolerance) break;
    const CoreOutcome outcome = run(next, core);
    result.iterations += outcome.iterations;
    for (Index i = 0; i < program_.size(); ++i) {
      y_[i] = std::isfinite(y_[i]) ? std::clamp(y_[i], program_.lower[i], program_.upper[i])
                                   : program_.lower[i];
    }
    program_.gradient_at(y_, gradient_);
    const double residual = program_.kkt_residual(y_, gradient_);
    if (residual < best_residual || outcome.status == QpStatus::unbounded) {
      best_residual = residual;
      best_ = y_;
      best_outcome = outcome;
      result.method = to_string(next);
    }
    result.status = judge(outcome.status, residual, settings.tolerance);
    if (result.status == QpStatus::unbounded) break;
    if (program_.norm() * largest_absolute(y_) > kSuspicious * program_.largest_c &&
        proves_unbounded()) {
      result.status = QpStatus::unbounded;
      break;
    }
    if (result.status == QpStatus::solved) {
      const bool is_sparse = next == QpMethod::interior_point || next == QpMethod::mprgp;
      if (is_sparse && method == QpMethod::automatic && improve_near_locked()) best_outcome = {};
      break;
    }
  }
  if (result.status != QpStatus::solved && result.status != QpStatus::unbounded &&
      program_.size() <= kCertificateRows && settings.max_iterations == 0 &&
      run_dual_active_set(core).status == QpStatus::unbounded) {
    result.status = QpStatus::unbounded;
  }
  const bool is_least_norm = best_outcome.is_least_norm;
  if (result.status == QpStatus::solved && settings.minimum_norm && !is_least_norm &&
      may_be_singular(best_outcome, settings.tolerance, best_)) {
    minimum_norm_.run(program_, settings.tolerance, best_);
  }
  program_.gradient_at(best_, gradient_);
  result.kkt_residual = program_.kkt_residual(best_, gradient_);
  result.x.resize(program_.size());
  for (Index i = 0; i < program_.size(); ++i) result.x[i] = best_[i] * program_.rows.scale(i);
}

/// A sparse method squares the condition of N. Where |A||y| >> |c| shows that this matters, and the
/// size allows, the active set in the space of the dofs has the last word.
/// True where it replaced the answer.
bool QpEngine::improve_near_locked() {
  if (program_.size() > kCertificateRows || program_.rows.dof_count() > kCertificateDofs) {
    return false;
  }
  if (!near_locked(y_, program_.c)) return false;
  if (run_dual_active_set({}).status != QpStatus::solved) return false;
  program_.gradient_at(y_, gradient_);
  if (!(program_.kkt_residual(y_, gradient_) <= kAccurate)) return false;
  best_ = y_;
  return true;
}

/// A_ZZ, Z the rows with g = 0, is known to be regular only where Z is the free set whose factor
/// had no small pivot.
bool QpEngine::may_be_singular(const CoreOutcome& outcome, double tolerance,
                               std::span<const double> y) {
  if (!(outcome.smallest_pivot > kFullRank)) return true;
  program_.gradient_at(y, gradient_);
  double size_x = 0.0;
  for (Index i = 0; i < program_.size(); ++i) {
    size_x = std::max(size_x, std::abs(y[i] * program_.rows.scale(i)));
  }
  const double slack = tolerance * (program_.largest_c + program_.norm() * size_x);
  for (Index i = 0; i < program_.size(); ++i) {
    const bool at_bound = y[i] <= program_.lower[i] || y[i] >= program_.upper[i];
    if (at_bound && std::abs(gradient_[i] / program_.rows.scale(i)) <= slack) return true;
  }
  return false;
}

}  // namespace carom::solvers
