// Programs without the rows that repeat others.
#include "carom/solvers/detail/repeated_rows.h"

#include <algorithm>
#include <numeric>

namespace carom::solvers {
namespace {

// -1, 0, 1 as row a comes before, is the same as, or comes after row b.
int compare(const BlockRows& rows, Index a, Index b) {
  const std::span<const BlockRows::Entry> of_a = rows.entries(a);
  const std::span<const BlockRows::Entry> of_b = rows.entries(b);
  if (of_a.size() != of_b.size()) return of_a.size() < of_b.size() ? -1 : 1;
  for (std::size_t k = 0; k < of_a.size(); ++k) {
    if (of_a[k].block != of_b[k].block) return of_a[k].block < of_b[k].block ? -1 : 1;
    const std::span<const double> n_a = rows.gradient(of_a[k]);
    const std::span<const double> n_b = rows.gradient(of_b[k]);
    for (std::size_t i = 0; i < n_a.size(); ++i) {
      if (n_a[i] != n_b[i]) return n_a[i] < n_b[i] ? -1 : 1;
    }
  }
  return 0;
}

}  // namespace

std::vector<Index> without_repeated_rows(const QuadraticProgram& problem) {
  const BlockRows& rows = *problem.rows;
  std::vector<Index> order(problem.selection.size());
  std::iota(order.begin(), order.end(), Index{0});
  // Same rows next to each other, the one that can bind first.
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    const int rank = compare(rows, problem.selection[i], problem.selection[j]);
    if (rank != 0) return rank < 0;
    return problem.c[i] != problem.c[j] ? problem.c[i] < problem.c[j] : i < j;
  });
  std::vector<Index> kept;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeated =
        k > 0 && compare(rows, problem.selection[order[k - 1]], problem.selection[order[k]]) == 0;
    if (!repeated) kept.push_back(order[k]);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace carom::solvers
