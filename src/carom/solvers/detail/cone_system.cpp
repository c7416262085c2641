// The matrix I + J' G J of a cone program and its Cholesky factor.
#include "carom/solvers/detail/cone_system.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr std::size_t kN = ConeContact::kNumbers;
constexpr std::size_t kMostDense = 8 * kN;

// J_1' G J_2
std::array<double, kN * kN> product(const ConeContact::Gradient& first, const ConeBlock& g,
                                    const ConeContact::Gradient& second) {
  ConeContact::Gradient right{};  // G J_2
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t k = 0; k < kN; ++k) {
      right[d * kN + k] =
          g[3 * d] * second[k] + g[3 * d + 1] * second[kN + k] + g[3 * d + 2] * second[2 * kN + k];
    }
  }
  std::array<double, kN * kN> block{};
  for (std::size_t i = 0; i < kN; ++i) {
    for (std::size_t k = 0; k < kN; ++k) {
      block[i * kN + k] = first[i] * right[k] + first[kN + i] * right[kN + k] +
                          first[2 * kN + i] * right[2 * kN + k];
    }
  }
  return block;
}

}  // namespace

ConeSystem::ConeSystem(const ConeProgram& program)
    : program_(&program), size_(program.free_velocity.size()), is_dense_(size_ <= kMostDense) {
  if (is_dense_) {
    values_.resize(size_ * size_);
  } else {
    analyse();
  }
}

void ConeSystem::analyse() {
  const std::size_t bodies = size_ / kN;
  above_.resize(bodies);
  for (const ConeContact& contact : program_->contacts) {
    if (contact.body_a == kNone || contact.body_b == kNone) continue;
    above_[std::max(contact.body_a, contact.body_b)].push_back(
        std::min(contact.body_a, contact.body_b));
  }
  SparsePattern pattern;
  std::vector<Index> group;
  pattern.start.push_back(0);
  for (Index body = 0; body < bodies; ++body) {
    std::vector<Index>& above = above_[body];
    std::sort(above.begin(), above.end());
    above.erase(std::unique(above.begin(), above.end()), above.end());
    for (std::size_t k = 0; k < kN; ++k) {
      column_start_.push_back(pattern.row.size());
      for (const Index other : above) {
        for (std::size_t i = 0; i < kN; ++i) {
          pattern.row.push_back(static_cast<int>(kN * other + i));
        }
      }
      for (std::size_t i = 0; i <= k; ++i) pattern.row.push_back(static_cast<int>(kN * body + i));
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
      group.push_back(body);
    }
  }
  values_.resize(pattern.row.size());
  sparse_.analyse(pattern, group);
}

// `block` belongs to rows of one body and columns of another; only its half above the diagonal is
// kept (dense: below it).
void ConeSystem::add(Index row_body, Index column_body, const std::array<double, 36>& block) {
  if (is_dense_) {
    for (std::size_t i = 0; i < kN; ++i) {
      for (std::size_t k = 0; k < kN; ++k) {
        values_[(kN * column_body + k) * size_ + kN * row_body + i] += block[i * kN + k];
      }
    }
    return;
  }
  const std::vector<Index>& above = above_[column_body];
  const auto slot = static_cast<std::size_t>(
      std::lower_bound(above.begin(), above.end(), row_body) - above.begin());
  for (std::size_t k = 0; k < kN; ++k) {
    const std::size_t first = column_start_[kN * column_body + k] + kN * slot;
    const std::size_t count = row_body == column_body ? k + 1 : kN;
    for (std::size_t i = 0; i < count; ++i) values_[first + i] += block[i * kN + k];
  }
}

bool ConeSystem::factor(std::span<const ConeBlock> blocks) {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::array<double, kN * kN> identity{};
  for (std::size_t k = 0; k < kN; ++k) identity[k * kN + k] = 1.0;
  for (Index body = 0; body < size_ / kN; ++body) add(body, body, identity);
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    const ConeContact& contact = program_->contacts[c];
    const ConeBlock& g = blocks[c];
    if (g == ConeBlock{}) continue;
    const Index a = contact.body_a;
    const Index b = contact.body_b;
    if (a != kNone) add(a, a, product(contact.gradient_a, g, contact.gradient_a));
    if (b != kNone) add(b, b, product(contact.gradient_b, g, contact.gradient_b));
    if (a == kNone || b == kNone) continue;
    if (a < b) {
      add(a, b, product(contact.gradient_a, g, contact.gradient_b));
    } else {
      add(b, a, product(contact.gradient_b, g, contact.gradient_a));
    }
  }
  return is_dense_ ? factor_dense() : sparse_.factor(values_);
}

bool ConeSystem::factor_dense() {
  for (std::size_t i = 0; i < size_; ++i) {
    double* row = values_.data() + i * size_;
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = values_.data() + j * size_;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum * other[j];
    }
    double pivot = row[i];
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    if (!(pivot > 0.0)) return false;
    row[i] = 1.0 / std::sqrt(pivot);
  }
  return true;
}

void ConeSystem::solve(std::span<double> x) const {
  if (!is_dense_) {
    sparse_.solve(x);
    return;
  }
  for (std::size_t i = 0; i < size_; ++i) {
    const double* row = values_.data() + i * size_;
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum * row[i];
  }
  for (std::size_t i = size_; i-- > 0;) {
    x[i] *= values_[i * size_ + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= values_[i * size_ + k] * x[i];
  }
}

}  // namespace carom::solvers
