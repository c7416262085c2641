#include "solvers/packing.h"

#include <array>
#include <cmath>

#include "carom/core/random.h"

namespace carom::solvers {

Packing make_packing(Index side, bool redundant, std::uint64_t seed) {
  Random random(seed);
  Packing packing;
  const double half = std::sqrt(0.5);
  const auto number = [side](Index i, Index j) { return j * side + i; };
  for (Index k = 0; k < side * side; ++k) packing.rows.add_scalar_block(2, 1.0);
  packing.links.weight.assign(std::size_t{side} * side, 1.0);
  const auto join = [&](Index a, Index b, double angle) {
    const std::array<double, 2> at_a{half * std::cos(angle), half * std::sin(angle)};
    const std::array<double, 2> at_b{-at_a[0], -at_a[1]};
    const std::array<RowPart, 2> parts{RowPart{a, at_a}, RowPart{b, at_b}};
    packing.all.push_back(packing.rows.add_row(parts));
    packing.links.rows.push_back({a, b, at_a});
  };
  constexpr double kThird = 1.0471975511965976;
  for (Index j = 0; j < side; ++j) {
    for (Index i = 0; i < side; ++i) {
      const double bend = redundant ? 0.0 : 0.2 * random.uniform(-1.0, 1.0);
      if (i + 1 < side) join(number(i + 1, j), number(i, j), bend);
      if (j + 1 < side) join(number(i, j + 1), number(i, j), kThird + bend);
      if (redundant && j + 1 < side && i > 0) {
        join(number(i - 1, j + 1), number(i, j), 2.0 * kThird);
      }
    }
  }
  packing.rows.finish();
  // Closing speeds of bodies that move: dependent rows have speeds that depend in the same way.
  std::vector<double> v;
  for (Index k = 0; k < packing.rows.dof_count(); ++k) v.push_back(random.uniform(-1.0, 1.0));
  for (const Index row : packing.all) packing.c.push_back(2.0 * packing.rows.dot(row, v));
  return packing;
}

}  // namespace carom::solvers
