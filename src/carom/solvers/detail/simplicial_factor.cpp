// A sparse factor column by column, by Eigen.
#include "carom/solvers/detail/simplicial_factor.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "carom/solvers/detail/elimination_tree.h"

namespace carom::solvers {

struct SimplicialFactor::Implementation {
  using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

  Matrix matrix;           ///< upper triangle in the new order
  std::vector<int> place;  ///< entry of the pattern -> entry of `matrix`
  std::vector<Index> new_of_old;
  Eigen::SimplicialLDLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>> factor;
  Eigen::VectorXd rhs;
  Eigen::VectorXd solution;
  double smallest_pivot = kInfinity;
};

SimplicialFactor::SimplicialFactor() : self_(std::make_unique<Implementation>()) {}
SimplicialFactor::~SimplicialFactor() = default;

void SimplicialFactor::analyse(const SparsePattern& pattern, std::span<const Index> new_of_old) {
  Implementation& self = *self_;
  const auto size = static_cast<int>(pattern.size());
  self.new_of_old.assign(new_of_old.begin(), new_of_old.end());
  const EntryPlaces places(pattern, new_of_old);
  const Lists columns = lists_by(places.large, pattern.size());
  self.matrix.resize(size, size);
  self.matrix.resizeNonZeros(static_cast<Eigen::Index>(columns.item.size()));
  self.place.resize(columns.item.size());
  for (std::size_t j = 0; j < columns.start.size(); ++j) {
    self.matrix.outerIndexPtr()[j] = static_cast<int>(columns.start[j]);
  }
  for (std::size_t k = 0; k < columns.item.size(); ++k) {
    self.matrix.innerIndexPtr()[k] = static_cast<int>(places.small[columns.item[k]]);
    self.matrix.valuePtr()[k] = 0.0;
    self.place[columns.item[k]] = static_cast<int>(k);
  }
  self.factor.analyzePattern(self.matrix);
  self.rhs.resize(size);
}

bool SimplicialFactor::factor(std::span<const double> values) {
  Implementation& self = *self_;
  double* to = self.matrix.valuePtr();
  for (std::size_t k = 0; k < values.size(); ++k) to[self.place[k]] = values[k];
  self.factor.factorize(self.matrix);
  self.smallest_pivot = kInfinity;
  for (const double pivot : self.factor.vectorD()) {
    if (!(pivot >= self.smallest_pivot)) self.smallest_pivot = pivot;
    if (!(pivot > 0.0)) return false;
  }
  return self.factor.info() == Eigen::Success;
}

double SimplicialFactor::smallest_pivot() const { return self_->smallest_pivot; }

void SimplicialFactor::solve(std::span<double> x) {
  Implementation& self = *self_;
  for (std::size_t i = 0; i < x.size(); ++i) self.rhs[self.new_of_old[i]] = x[i];
  self.solution = self.factor.solve(self.rhs);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = self.solution[self.new_of_old[i]];
}

}  // namespace carom::solvers
