// Which method solves a quadratic program, and what follows where one fails.
#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/qp_engine.h"

namespace carom::solvers {
namespace {

constexpr double kFlat = 1e-10;    // |N d| over |d| of a direction that may be one of recession
constexpr double kFalling = 1e-9;  // -c'd over |c||d| of a direction that clearly falls
constexpr Index kDenseRows = 100;
constexpr Index kDenseDofs = 600;
constexpr double kDenseWork = 2e6;      // multiplications of one envelope factorisation
constexpr double kSparseEntries = 4e7;  // of the factor: beyond it products are cheaper
constexpr std::uint64_t kPivotsOfAttempt = 8;
constexpr std::uint64_t kPivotsFromThere = 12;
constexpr std::uint64_t kAssembledPairs = 100'000'000;

}  // namespace

bool near_locked(std::span<const double> y, std::span<const double> c) {
  const double ratio = y.size() <= 60 ? 2e3 : y.size() <= 300 ? 2e5 : 2e7;
  return largest_absolute(y) > ratio * largest_absolute(c);
}

/// Which methods to try, the first one first.
void QpEngine::choose(std::vector<QpMethod>& sequence) {
  const Index rows = program_.size();
  const Index dofs = program_.rows.dof_count();
  const std::uint64_t pairs = program_.rows.pair_count();
  sequence.clear();
  const bool few_dofs = dofs <= kDenseDofs && 2 * dofs < rows;
  if (few_dofs) {
    sequence = {QpMethod::dense_pivoting, QpMethod::interior_point, QpMethod::mprgp};
    if (pairs > kAssembledPairs) sequence.erase(sequence.begin() + 1);
    return;
  }
  if (rows <= kDenseRows) {
    envelope_.assemble(program_.rows);
    envelope_ready_ = true;
    if (envelope_.factor_work() <= kDenseWork) sequence.push_back(QpMethod::dense_attempt);
  }
  if (pairs <= kAssembledPairs) {
    bool affordable = true;
    if (rows > 5000) {
      assemble();
      affordable = assembled_.factor_entries() <= kSparseEntries;
    }
    if (affordable) sequence.push_back(QpMethod::interior_point);
  }
  if (rows <= 1500) sequence.push_back(QpMethod::dense_pivoting);
  sequence.push_back(QpMethod::mprgp);
}

/// The interior point says which rows are free, or nearly so. Pivoting from there takes the least
/// norm among the solutions, and to round-off what stalled above the tolerance.
CoreOutcome QpEngine::pivot_from_there(const CoreOutcome& interior, const CoreSettings& settings) {
  if (settings.max_iterations != 0) return interior;
  const bool is_solved = interior.status == QpStatus::solved;
  const bool is_enough = !settings.least_norm || !may_be_singular(interior, settings.tolerance, y_);
  if (is_solved && is_enough) return interior;
  given_start_.swap(program_.start);
  program_.start = y_;
  CoreOutcome outcome =
      sparse_pivoting_.run(program_, assembled_, {settings.tolerance, kPivotsFromThere, true}, y_);
  outcome.iterations += interior.iterations;
  if (outcome.status != QpStatus::solved) y_ = program_.start;
  given_start_.swap(program_.start);
  return outcome.status == QpStatus::solved ? outcome : interior;
}

void QpEngine::assemble() {
  if (!assembled_ready_) assembled_.assemble(program_);
  assembled_ready_ = true;
}

CoreOutcome QpEngine::run(QpMethod method, const CoreSettings& settings) {
  switch (method) {
    case QpMethod::interior_point:
      assemble();
      return pivot_from_there(interior_point_.run(program_, assembled_, settings, y_), settings);
    case QpMethod::mprgp:
      return mprgp_.run(program_, settings, y_);
    case QpMethod::dense_attempt:
      return attempt_densely(settings);
    default:
      return run_dense(settings);
  }
}

/// Block pivoting in breadth-first order.
CoreOutcome QpEngine::pivot_densely(const CoreSettings& settings) {
  const Index rows = program_.size();
  if (!envelope_ready_) envelope_.assemble(program_.rows);
  envelope_ready_ = true;
  const std::span<const Index> order = envelope_.order();
  c_.resize(rows);
  lower_.resize(rows);
  upper_.resize(rows);
  ordered_.resize(rows);
  start_.clear();
  for (Index k = 0; k < rows; ++k) {
    c_[k] = program_.c[order[k]];
    lower_[k] = program_.lower[order[k]];
    upper_[k] = program_.upper[order[k]];
    if (!program_.start.empty()) start_.push_back(program_.start[order[k]]);
  }
  const std::uint64_t budget = settings.max_iterations != 0 ? settings.max_iterations : 40;
  CoreOutcome outcome =
      pivoting_.run({&envelope_, c_, lower_, upper_, start_}, budget, ordered_, gradient_);
  for (Index k = 0; k < rows; ++k) {
    y_[order[k]] = std::clamp(ordered_[k], program_.lower[order[k]], program_.upper[order[k]]);
  }
  return outcome;
}

/// Block pivoting with a small budget; what it solves is looked at as run_dense() does.
CoreOutcome QpEngine::attempt_densely(const CoreSettings& settings) {
  const CoreOutcome outcome = pivot_densely({settings.tolerance, kPivotsOfAttempt});
  const bool is_doubtful = outcome.status == QpStatus::solved && !is_good(settings.tolerance);
  return is_doubtful ? run_dual_active_set(settings) : outcome;
}

/// Block pivoting; where that fails, or where there are so few dofs that most rows must be
/// redundant, the active set in the space of the dofs.
CoreOutcome QpEngine::run_dense(const CoreSettings& settings) {
  if (2 * program_.rows.dof_count() < program_.size()) return run_dual_active_set(settings);
  CoreOutcome outcome = pivot_densely(settings);
  const bool is_solved = outcome.status == QpStatus::solved && is_good(settings.tolerance);
  if (is_solved || outcome.iterations == settings.max_iterations) return outcome;
  const std::uint64_t spent = outcome.iterations;
  outcome = run_dual_active_set(settings);
  outcome.iterations += spent;
  return outcome;
}

/// Whether y_ is accurate, and not so large that it should have been found in another way.
bool QpEngine::is_good(double tolerance) {
  program_.gradient_at(y_, gradient_);
  return program_.kkt_residual(y_, gradient_) <= 0.1 * tolerance && !near_locked(y_, program_.c);
}

CoreOutcome QpEngine::run_dual_active_set(const CoreSettings& settings) {
  roots_.bind(program_.rows);
  roots_.columns(program_.rows, columns_);
  const std::uint64_t budget = settings.max_iterations != 0
                                   ? settings.max_iterations
                                   : 200 + 20 * std::uint64_t{program_.size()};
  return dual_active_set_.run({&columns_, program_.c, program_.lower, program_.upper}, budget, y_);
}

/// Whether y_ itself shows a direction of recession along which the objective falls. Only called
/// for a huge y_; for a moderate size the active set in the space of the dofs has the last word.
bool QpEngine::proves_unbounded() {
  std::vector<double> direction(program_.size(), 0.0);
  double length = 0.0;
  double slope = 0.0;
  double size_c = 0.0;
  for (Index i = 0; i < program_.size(); ++i) {
    if (!std::isfinite(program_.upper[i])) direction[i] = y_[i] - program_.lower[i];
    length += direction[i];
    slope += direction[i] * program_.c[i];
    size_c = std::max(size_c, std::abs(program_.c[i]));
  }
  if (!(length > 0.0)) return false;
  program_.v.resize(program_.rows.dof_count());
  program_.rows.velocity(direction, program_.v);
  double energy = 0.0;
  for (Index i = 0; i < program_.size(); ++i) {
    energy += direction[i] * program_.rows.dot(i, program_.v);
  }
  const double flatness = std::sqrt(std::max(energy, 0.0)) / length;
  if (!(flatness <= kFlat) || !(slope < -kFalling * size_c * length)) return false;
  if (program_.size() > 3000) return true;
  return run_dual_active_set({}).status == QpStatus::unbounded;
}

}  // namespace carom::solvers
