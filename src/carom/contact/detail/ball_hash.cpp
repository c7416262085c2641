// Sorting points into cells that are laid over one array.
#include "carom/contact/detail/ball_hash.h"

#include <bit>

#include "carom/core/assert.h"

namespace carom::detail {

void BallHash::build(int dimension, std::span<const Vec3> points, double cell_size) {
  constexpr std::uint64_t kFewestCells = 64;
  constexpr double kGoldenSection = 0.6180339887498949;
  // Of the equation x^3 = x + 1, as the golden section is of x^2 = x + 1: spreads in two
  // directions.
  constexpr double kPlasticSection = 0.7548776662466927;
  dimension_ = dimension;
  inverse_size_ = 1.0 / cell_size;
  const std::uint64_t cells = std::max(kFewestCells, std::bit_ceil(std::uint64_t{points.size()}));
  mask_ = cells - 1;
  const double row = (dimension == 3 ? kPlasticSection : kGoldenSection);
  // Odd, so that a column of cells uses all of the array, too.
  row_stride_ = static_cast<std::uint64_t>(row * static_cast<double>(cells)) | 1U;
  layer_stride_ = static_cast<std::uint64_t>(row * row * static_cast<double>(cells)) | 1U;
  cell_of_.resize(points.size());
  sorted_.resize(points.size());
  start_.assign(cells + 1, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& place = points[i];
    CAROM_ASSERT(can_hold(place, cell_size));
    const std::int64_t z = dimension == 3 ? cell_along(place.z) : 0;
    cell_of_[i] = static_cast<Index>(cell_number(cell_along(place.x), cell_along(place.y), z));
    ++start_[cell_of_[i]];
  }
  Index sum = 0;
  for (Index& entry : start_) entry = sum += entry;  // now the end of each cell
  for (std::size_t i = points.size(); i-- > 0;) {
    sorted_[--start_[cell_of_[i]]] = static_cast<Index>(i);
  }
}

double BallHash::cells_in(const Box& box) const {
  const auto along = [&](double lower, double upper) {
    return static_cast<double>(cell_along(upper) - cell_along(lower) + 1);
  };
  const double flat = along(box.lower.x, box.upper.x) * along(box.lower.y, box.upper.y);
  return dimension_ == 3 ? flat * along(box.lower.z, box.upper.z) : flat;
}

}  // namespace carom::detail
