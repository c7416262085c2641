#include "carom/impact/detail/part_matrix.h"

#include <cmath>

namespace carom {

// The rows of each of the part's points.
template <std::size_t D>
void PartMatrix<D>::number_points(std::span<const Violation<D>> part, const PointFront<D>& front) {
  if (local_.size() < front.point_count()) local_.assign(front.point_count(), kNone);
  first_touch_.assign(1, 0);
  for (const Violation<D>& row : part) {
    for (const Index point : {row.self, row.other}) {
      if (front.is_wall(point)) continue;
      if (local_[point] == kNone) {
        local_[point] = static_cast<Index>(first_touch_.size() - 1);
        first_touch_.push_back(0);
      }
      ++first_touch_[local_[point] + 1];
    }
  }
  for (std::size_t i = 1; i < first_touch_.size(); ++i) first_touch_[i] += first_touch_[i - 1];
  touches_.resize(first_touch_.back());
  // Filled from the end of each stretch backwards: first_touch_ ends where it should.
  for (std::size_t i = first_touch_.size() - 1; i > 0; --i) first_touch_[i] = first_touch_[i - 1];
  for (Index i = 0; i < part.size(); ++i) {
    const Violation<D>& row = part[i];
    touches_[first_touch_[local_[row.self] + 1]++] = {i, 1.0};
    if (!front.is_wall(row.other)) touches_[first_touch_[local_[row.other] + 1]++] = {i, -1.0};
  }
}

template <std::size_t D>
void PartMatrix<D>::assemble(std::span<const Violation<D>> part, const PointFront<D>& front) {
  const auto& points = front.points();
  number_points(part, front);
  scale_.clear();
  matrix_.clear();
  for (const Violation<D>& row : part) {
    double square = 0.0;
    for (const double x : row.normal) square += x * x;
    const double diagonal = square * (points[row.self].weight + points[row.other].weight);
    scale_.push_back(1.0 / std::sqrt(diagonal));
    matrix_.diagonal.push_back(1.0);
  }
  for (Index i = 0; i < part.size(); ++i) {
    const Violation<D>& row = part[i];
    const auto join = [&](Index point, double sign) {
      if (front.is_wall(point)) return;
      const Index local = local_[point];
      for (Index k = first_touch_[local]; k < first_touch_[local + 1]; ++k) {
        const Touch& touch = touches_[k];
        if (touch.row == i) continue;
        double product = 0.0;
        for (std::size_t d = 0; d < D; ++d) product += row.normal[d] * part[touch.row].normal[d];
        matrix_.column.push_back(touch.row);
        matrix_.value.push_back(sign * touch.sign * points[point].weight * product * scale_[i] *
                                scale_[touch.row]);
      }
    };
    join(row.self, 1.0);
    join(row.other, -1.0);
    matrix_.start.push_back(static_cast<Index>(matrix_.column.size()));
  }
  for (const Violation<D>& row : part) {
    local_[row.self] = kNone;
    if (!front.is_wall(row.other)) local_[row.other] = kNone;
  }
}

template class PartMatrix<2>;
template class PartMatrix<3>;

}  // namespace carom
