#include "carom/solvers/detail/sparse_cholesky.h"

#include <algorithm>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace carom::solvers {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Factor = Eigen::SimplicialLDLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>>;

/// Gives access to the number of entries that the symbolic analysis has foreseen.
class OpenFactor : public Factor {
 public:
  [[nodiscard]] double entries() const { return static_cast<double>(this->m_matrix.nonZeros()); }
  [[nodiscard]] double foreseen() const {
    double sum = 0.0;
    for (Eigen::Index k = 0; k < this->m_nonZerosPerCol.size(); ++k) {
      sum += this->m_nonZerosPerCol[k];
    }
    return sum;
  }
};

}  // namespace

struct SparseCholesky::Implementation {
  SparsePattern pattern;
  Matrix matrix;           ///< upper triangle in the fill-reducing order
  std::vector<int> place;  ///< entry of the pattern -> entry of `matrix`
  std::vector<int> new_of_old;
  OpenFactor factor;
  Eigen::VectorXd rhs;
  Eigen::VectorXd solution;
};

SparseCholesky::SparseCholesky() : self_(std::make_unique<Implementation>()) {}
SparseCholesky::~SparseCholesky() = default;

void SparseCholesky::analyse(const SparsePattern& pattern) {
  Implementation& self = *self_;
  if (self.pattern.start.size() > 1 && self.pattern == pattern) return;
  self.pattern = pattern;
  const int size = static_cast<int>(pattern.size());
  const auto entries = static_cast<int>(pattern.row.size());

  Matrix natural(size, size);
  natural.resizeNonZeros(entries);
  std::copy(pattern.start.begin(), pattern.start.end(), natural.outerIndexPtr());
  std::copy(pattern.row.begin(), pattern.row.end(), natural.innerIndexPtr());
  std::fill_n(natural.valuePtr(), entries, 1.0);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Matrix full = natural.selfadjointView<Eigen::Upper>();
  Eigen::AMDOrdering<int>()(full, order);
  self.new_of_old.resize(static_cast<std::size_t>(size));
  for (int k = 0; k < size; ++k) {
    self.new_of_old[static_cast<std::size_t>(order.indices()[k])] = k;
  }

  // Upper triangle in the new order; a counting sort by column, and the rows need no order.
  std::vector<int> count(static_cast<std::size_t>(size) + 1, 0);
  const auto new_column = [&](int i, int j) {
    return std::max(self.new_of_old[static_cast<std::size_t>(i)],
                    self.new_of_old[static_cast<std::size_t>(j)]);
  };
  for (int j = 0; j < size; ++j) {
    for (int k = pattern.start[static_cast<std::size_t>(j)];
         k < pattern.start[static_cast<std::size_t>(j) + 1]; ++k) {
      ++count[static_cast<std::size_t>(new_column(pattern.row[static_cast<std::size_t>(k)], j)) +
              1];
    }
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j) count[j + 1] += count[j];
  self.matrix.resize(size, size);
  self.matrix.resizeNonZeros(entries);
  std::copy(count.begin(), count.end(), self.matrix.outerIndexPtr());
  self.place.resize(static_cast<std::size_t>(entries));
  for (int j = 0; j < size; ++j) {
    for (int k = pattern.start[static_cast<std::size_t>(j)];
         k < pattern.start[static_cast<std::size_t>(j) + 1]; ++k) {
      const int i = pattern.row[static_cast<std::size_t>(k)];
      const int column = new_column(i, j);
      const int row = std::min(self.new_of_old[static_cast<std::size_t>(i)],
                               self.new_of_old[static_cast<std::size_t>(j)]);
      const int at = count[static_cast<std::size_t>(column)]++;
      self.matrix.innerIndexPtr()[at] = row;
      self.place[static_cast<std::size_t>(k)] = at;
    }
  }
  std::fill_n(self.matrix.valuePtr(), entries, 0.0);
  self.factor.analyzePattern(self.matrix);
  self.rhs.resize(size);
}

double SparseCholesky::factor_entries() const { return self_->factor.foreseen(); }

bool SparseCholesky::factor(std::span<const double> values) {
  Implementation& self = *self_;
  double* to = self.matrix.valuePtr();
  for (std::size_t k = 0; k < values.size(); ++k) to[self.place[k]] = values[k];
  self.factor.factorize(self.matrix);
  return self.factor.info() == Eigen::Success && smallest_pivot() > 0.0;
}

double SparseCholesky::smallest_pivot() const {
  return self_->factor.vectorD().size() > 0 ? self_->factor.vectorD().minCoeff() : kInfinity;
}

void SparseCholesky::solve(std::span<double> x) {
  Implementation& self = *self_;
  for (std::size_t i = 0; i < x.size(); ++i) self.rhs[self.new_of_old[i]] = x[i];
  self.solution = self.factor.solve(self.rhs);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = self.solution[self.new_of_old[i]];
}

}  // namespace carom::solvers
