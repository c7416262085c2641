// Fill-reducing orders and the patterns they give.
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

/// The pattern of the groups: that of the last row of each, the only one to see all of its group.
SparsePattern pattern_of_groups(const SparsePattern& pattern, std::span<const Index> group) {
  SparsePattern small;
  small.start.push_back(0);
  for (Index j = 0; j < pattern.size(); ++j) {
    const bool is_last = j + 1 == pattern.size() || group[j + 1] != group[j];
    if (!is_last) continue;
    int last = -1;
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      const auto other = static_cast<int>(
          group[static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(k)])]);
      if (other != last) small.row.push_back(other);
      last = other;
    }
    small.start.push_back(static_cast<int>(small.row.size()));
  }
  return small;
}

/// The groups in a fill-reducing order, the rows of each next to each other.
std::vector<Index> fill_reducing_order(const SparsePattern& pattern, std::span<const Index> group) {
  if (group.empty()) return fill_reducing_order(pattern);
  const std::vector<Index> place = fill_reducing_order(pattern_of_groups(pattern, group));
  std::vector<Index> start(place.size() + 1, 0);
  for (const Index number : group) ++start[place[number] + 1];
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
  std::vector<Index> new_of_old(group.size());
  for (std::size_t row = 0; row < group.size(); ++row) new_of_old[row] = start[place[group[row]]]++;
  return new_of_old;
}

}  // namespace

struct SparseCholesky::Implementation {
  SparsePattern pattern;
  std::vector<Index> group;
  double entries = 0.0;
  bool by_panels = false;
  SupernodalFactor supernodal;
  SimplicialFactor simplicial;
};

SparseCholesky::SparseCholesky() : self_(std::make_unique<Implementation>()) {}
SparseCholesky::~SparseCholesky() = default;

void SparseCholesky::analyse(const SparsePattern& pattern, std::span<const Index> group) {
  Implementation& self = *self_;
  const bool is_known =
      self.pattern.start.size() > 1 && self.pattern == pattern &&
      std::equal(group.begin(), group.end(), self.group.begin(), self.group.end());
  if (is_known) return;
  self.pattern = pattern;
  self.group.assign(group.begin(), group.end());
  const std::vector<Index> order = fill_reducing_order(pattern, group);
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
