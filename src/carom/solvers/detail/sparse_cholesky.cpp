#include "carom/solvers/detail/sparse_cholesky.h"

#include <algorithm>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "carom/solvers/detail/elimination_tree.h"
#include "carom/solvers/detail/simplicial_factor.h"
#include "carom/solvers/detail/supernodal_factor.h"

namespace carom::solvers {
namespace {

/// Products per column from which dense panels are faster than single columns.
constexpr double kWorthPanels = 10.0;

/// Approximate minimum degree: new number of each row.
std::vector<Index> fill_reducing_order(const SparsePattern& pattern) {
  using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  const auto size = static_cast<int>(pattern.size());
  const auto entries = static_cast<int>(pattern.row.size());
  Matrix upper(size, size);
  upper.resizeNonZeros(entries);
  std::copy(pattern.start.begin(), pattern.start.end(), upper.outerIndexPtr());
  std::copy(pattern.row.begin(), pattern.row.end(), upper.innerIndexPtr());
  std::fill_n(upper.valuePtr(), entries, 1.0);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  const Matrix full = upper.selfadjointView<Eigen::Upper>();
  Eigen::AMDOrdering<int>()(full, order);
  std::vector<Index> new_of_old(pattern.size());
  for (int k = 0; k < size; ++k) {
    new_of_old[static_cast<std::size_t>(order.indices()[k])] = static_cast<Index>(k);
  }
  return new_of_old;
}

}  // namespace

struct SparseCholesky::Implementation {
  SparsePattern pattern;
  double entries = 0.0;
  bool by_panels = false;
  SupernodalFactor supernodal;
  SimplicialFactor simplicial;
};

SparseCholesky::SparseCholesky() : self_(std::make_unique<Implementation>()) {}
SparseCholesky::~SparseCholesky() = default;

void SparseCholesky::analyse(const SparsePattern& pattern) {
  Implementation& self = *self_;
  if (self.pattern.start.size() > 1 && self.pattern == pattern) return;
  self.pattern = pattern;
  const std::vector<Index> order = fill_reducing_order(pattern);
  const EliminationTree tree(EntryPlaces(pattern, order), pattern.size());
  self.entries = tree.entries();
  self.by_panels = tree.products() > kWorthPanels * pattern.size();
  if (self.by_panels)
    self.supernodal.analyse(pattern, order, tree);
  else
    self.simplicial.analyse(pattern, order);
}

double SparseCholesky::factor_entries() const { return self_->entries; }

bool SparseCholesky::factor(std::span<const double> values) {
  return self_->by_panels ? self_->supernodal.factor(values) : self_->simplicial.factor(values);
}

double SparseCholesky::smallest_pivot() const {
  return self_->by_panels ? self_->supernodal.smallest_pivot() : self_->simplicial.smallest_pivot();
}

void SparseCholesky::solve(std::span<double> x) {
  if (self_->by_panels)
    self_->supernodal.solve(x);
  else
    self_->simplicial.solve(x);
}

}  // namespace carom::solvers
