// Whether the rows of a quadratic program join points, and then which.
#include "carom/solvers/linked_pivoting.h"

namespace carom::solvers {
namespace {

template <std::size_t D>
bool has_one_weight(std::span<const double> inverse_mass) {
  if (inverse_mass.size() != D * D) return false;
  for (std::size_t i = 0; i < D; ++i) {
    for (std::size_t j = 0; j < D; ++j) {
      if (inverse_mass[i * D + j] != (i == j ? inverse_mass[0] : 0.0)) return false;
    }
  }
  return true;
}

}  // namespace

template <std::size_t D>
std::optional<LinkedRows<D>> linked_rows(const QuadraticProgram& problem) {
  const BlockRows& rows = *problem.rows;
  LinkedRows<D> links;
  for (Index block = 0; block < rows.block_count(); ++block) {
    if (!has_one_weight<D>(rows.inverse_mass(block))) return std::nullopt;
    links.weight.push_back(rows.inverse_mass(block)[0]);
  }
  for (const Index row : problem.selection) {
    const std::span<const BlockRows::Entry> entries = rows.entries(row);
    if (entries.empty() || entries.size() > 2) return std::nullopt;
    typename LinkedRows<D>::Row linked;
    linked.a = entries[0].block;
    if (entries.size() == 2) linked.b = entries[1].block;
    for (std::size_t k = 0; k < D; ++k) {
      linked.gradient[k] = rows.gradient(entries[0])[k];
      if (entries.size() == 2 && rows.gradient(entries[1])[k] != -linked.gradient[k]) {
        return std::nullopt;
      }
    }
    links.rows.push_back(linked);
  }
  return links;
}

template std::optional<LinkedRows<2>> linked_rows(const QuadraticProgram& problem);
template std::optional<LinkedRows<3>> linked_rows(const QuadraticProgram& problem);

}  // namespace carom::solvers
