#include "carom/solvers/sparse_pivoting.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/block_pivoting.h"
#include "carom/solvers/detail/envelope_matrix.h"
#include "carom/solvers/detail/qp_core.h"
#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {
namespace {

constexpr double kEnvelopeWork = 3e5;  // products up to which an envelope is faster
constexpr std::uint64_t kRounds = 20;
constexpr double kRegularisation = 1e-12;  // beside a diagonal of about 1: rows may be redundant
constexpr double kSigns = 1e-14;           // slack in the comparison of signs, relative
constexpr double kRoughly = 1e-11;         // the same before x is refined
constexpr double kResidual = 1e-13;
constexpr int kRefinements = 4;

}  // namespace

void SparseSymmetric::multiply_add(std::span<const double> x, std::span<const double> c,
                                   std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) {
    double sum = c[i] + diagonal[i] * x[i];
    for (Index k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    out[i] = sum;
  }
}

struct SparsePivoting::Work {
  EnvelopeMatrix envelope;
  BlockPivoting pivoting;
  std::vector<double> c, guess, lower, upper, y, gradient, step;

  SparsePattern pattern;
  std::vector<std::size_t> diagonal_at;
  std::vector<double> values;
  std::vector<double> factored;
  std::vector<unsigned char> free;
  SparseCholesky cholesky;

  void bring_pattern(const SparseSymmetric& matrix);
  [[nodiscard]] bool factor_free();
  void solve_free(const SparseSymmetric& matrix, std::span<const double> given,
                  std::span<double> x);
  void refine(const SparseSymmetric& matrix, std::span<const double> given, std::span<double> x);
  [[nodiscard]] std::size_t exchange(std::span<const double> x, std::span<const double> given,
                                     double slack);
};

SparsePivoting::SparsePivoting() : work_(std::make_unique<Work>()) {}
SparsePivoting::~SparsePivoting() = default;

bool SparsePivoting::solve(const SparseSymmetric& matrix, std::span<const double> c,
                           std::span<const double> guess, std::span<double> x) {
  rounds_ = 0;
  if (work_->envelope.assemble(matrix, kEnvelopeWork)) {
    return solve_in_envelope(matrix, c, guess, x);
  }
  return solve_by_supernodes(matrix, c, guess, x);
}

bool SparsePivoting::solve_in_envelope(const SparseSymmetric& matrix, std::span<const double> c,
                                       std::span<const double> guess, std::span<double> x) {
  Work& work = *work_;
  const Index size = matrix.size();
  const std::span<const Index> order = work.envelope.order();
  work.c.resize(size);
  work.y.resize(size);
  work.gradient.resize(size);
  work.lower.assign(size, 0.0);
  work.upper.assign(size, kInfinity);
  work.guess.clear();
  for (Index k = 0; k < size; ++k) work.c[k] = c[order[k]];
  if (!guess.empty()) {
    for (Index k = 0; k < size; ++k) work.guess.push_back(guess[order[k]]);
  }
  const CoreOutcome outcome = work.pivoting.run(
      {&work.envelope, work.c, work.lower, work.upper, work.guess}, kRounds, work.y, work.gradient);
  rounds_ = outcome.iterations;
  if (outcome.status != QpStatus::solved) return false;
  const double size_c = largest_absolute(c);
  const double size_x = largest_absolute(work.y);
  for (Index k = 0; k < size; ++k) {
    const double y = std::max(0.0, work.y[k]);
    x[order[k]] = y;
    const double error = std::min(y, work.gradient[k]);
    if (!(std::abs(error) <= kResidual * (size_c + size_x))) return false;
  }
  return true;
}

// The upper triangle by columns, in the given order of rows.
void SparsePivoting::Work::bring_pattern(const SparseSymmetric& matrix) {
  const Index size = matrix.size();
  pattern.start.assign(1, 0);
  pattern.row.clear();
  values.clear();
  diagonal_at.resize(size);
  std::vector<std::pair<Index, double>> above;
  for (Index j = 0; j < size; ++j) {
    above.clear();
    for (Index k = matrix.start[j]; k < matrix.start[j + 1]; ++k) {
      if (matrix.column[k] < j) above.emplace_back(matrix.column[k], matrix.value[k]);
    }
    std::sort(above.begin(), above.end());
    for (const auto& [row, value] : above) {
      // rows that share two points have two entries
      if (!pattern.row.empty() && pattern.row.size() > static_cast<std::size_t>(pattern.start[j]) &&
          pattern.row.back() == static_cast<int>(row)) {
        values.back() += value;
        continue;
      }
      pattern.row.push_back(static_cast<int>(row));
      values.push_back(value);
    }
    diagonal_at[j] = values.size();
    pattern.row.push_back(static_cast<int>(j));
    values.push_back(matrix.diagonal[j]);
    pattern.start.push_back(static_cast<int>(values.size()));
  }
}

// Rows that are not free get the identity, so that the order and the pattern still serve.
bool SparsePivoting::Work::factor_free() {
  factored = values;
  for (Index j = 0; j < pattern.size(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.start[j]);
         k < static_cast<std::size_t>(pattern.start[j + 1]); ++k) {
      const auto i = static_cast<std::size_t>(pattern.row[k]);
      if (free[i] == 0 || free[j] == 0) factored[k] = i == j ? 1.0 : 0.0;
    }
    factored[diagonal_at[j]] += kRegularisation;
  }
  return cholesky.factor(factored);
}

// x on the free rows, and the gradient.
void SparsePivoting::Work::solve_free(const SparseSymmetric& matrix, std::span<const double> given,
                                      std::span<double> x) {
  for (Index i = 0; i < matrix.size(); ++i) x[i] = free[i] != 0 ? -given[i] : 0.0;
  cholesky.solve(x);
  matrix.multiply_add(x, given, gradient);
}

// Takes back what the regularisation did, against the true matrix.
void SparsePivoting::Work::refine(const SparseSymmetric& matrix, std::span<const double> given,
                                  std::span<double> x) {
  for (int round = 0; round < kRefinements; ++round) {
    double worst = 0.0;
    for (Index i = 0; i < matrix.size(); ++i) {
      step[i] = free[i] != 0 ? -gradient[i] : 0.0;
      worst = std::max(worst, std::abs(step[i]));
    }
    if (worst <= 8.0 * kRoundOff * (largest_absolute(given) + largest_absolute(x))) return;
    cholesky.solve(step);
    for (Index i = 0; i < matrix.size(); ++i) {
      if (free[i] != 0) x[i] += step[i];
    }
    matrix.multiply_add(x, given, gradient);
  }
}

// Rows of wrong sign change sides; returns how many there were.
std::size_t SparsePivoting::Work::exchange(std::span<const double> x, std::span<const double> given,
                                           double slack) {
  const double slack_x = slack * largest_absolute(x);
  const double slack_g = slack * largest_absolute(given) + slack_x;
  std::size_t wrong = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const bool is_wrong = free[i] != 0 ? x[i] < -slack_x : gradient[i] < -slack_g;
    if (!is_wrong) continue;
    free[i] ^= 1U;
    ++wrong;
  }
  return wrong;
}

bool SparsePivoting::solve_by_supernodes(const SparseSymmetric& matrix, std::span<const double> c,
                                         std::span<const double> guess, std::span<double> x) {
  Work& work = *work_;
  const Index size = matrix.size();
  work.bring_pattern(matrix);
  work.cholesky.analyse(work.pattern);
  work.free.resize(size);
  for (Index i = 0; i < size; ++i) {
    work.free[i] = (guess.empty() ? c[i] < 0.0 : guess[i] > 0.0) ? 1 : 0;
  }
  work.gradient.resize(size);
  work.step.resize(size);
  std::size_t fewest = size + std::size_t{1};
  int grace = 2;
  while (rounds_ < kRounds) {
    ++rounds_;
    if (!work.factor_free()) return false;
    work.solve_free(matrix, c, x);
    std::size_t wrong = work.exchange(x, c, kRoughly);
    if (wrong == 0) {
      work.refine(matrix, c, x);
      wrong = work.exchange(x, c, kSigns);
    }
    if (wrong == 0) {
      const double terms = largest_absolute(c) + largest_absolute(x);
      for (Index i = 0; i < size; ++i) {
        x[i] = std::max(0.0, x[i]);
        if (!(std::abs(std::min(x[i], work.gradient[i])) <= kResidual * terms)) return false;
      }
      return true;
    }
    if (wrong >= fewest && --grace < 0) return false;
    fewest = std::min(fewest, wrong);
  }
  return false;
}

}  // namespace carom::solvers
