// Linked rows, their impulses and the velocities of their points.
#include "carom/solvers/detail/link_state.h"

#include <algorithm>

#include "carom/core/stretches.h"

namespace carom::solvers {
namespace {

constexpr std::size_t kStretch = 8192;  // rows or points that a thread takes at a time

}  // namespace

template <std::size_t D>
void LinkState<D>::load(const LinkedRows<D>& system, std::span<const double> given,
                        std::span<const Index> order, WorkerPool* threads) {
  pool = threads;
  const std::size_t count = system.rows.size();
  rows.resize(count);
  for (auto* numbers : {&c, &x, &response, &gradient}) numbers->resize(count);
  active.resize(count);
  for_each_stretch(pool, count, kStretch, [&](const Stretch& stretch) {
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      rows[k] = system.rows[order[k]];
      c[k] = given[order[k]];
      active[k] = c[k] < 0.0 ? 1 : 0;
    }
  });
  number_points(system);
  velocity.resize(weight.size());
  rows_at.clear();
}

// As the rows meet them, so that what is read together lies together.
template <std::size_t D>
void LinkState<D>::number_points(const LinkedRows<D>& system) {
  number_of.assign(system.weight.size(), kNone);
  weight.clear();
  const auto number = [&](Index point) {
    if (number_of[point] == kNone) {
      number_of[point] = static_cast<Index>(weight.size());
      weight.push_back(system.weight[point]);
    }
    return number_of[point];
  };
  for (Row& row : rows) {
    row.a = number(row.a);
    if (row.b != kNone) row.b = number(row.b);
  }
}

template <std::size_t D>
void LinkState<D>::list_rows_at() {
  if (!rows_at.empty()) return;
  first_row.assign(point_count() + std::size_t{2}, 0);
  for (const Row& row : rows) {
    ++first_row[row.a + 2];
    if (row.b != kNone) ++first_row[row.b + 2];
  }
  // One place ahead, so that filling moves each start to where it belongs.
  for (Index i = 1; i <= point_count(); ++i) first_row[i + 1] += first_row[i];
  rows_at.resize(first_row[point_count() + 1]);
  for (Index k = 0; k < size(); ++k) {
    rows_at[first_row[rows[k].a + 1]++] = k;
    if (rows[k].b != kNone) rows_at[first_row[rows[k].b + 1]++] = k;
  }
  if (pool != nullptr) list_pushes();
}

template <std::size_t D>
void LinkState<D>::list_pushes() {
  pushes_at.resize(rows_at.size());
  for_each_stretch(pool, point_count(), kStretch, [&](const Stretch& stretch) {
    for (auto point = static_cast<Index>(stretch.first); point < stretch.last; ++point) {
      for (Index at = first_row[point]; at < first_row[point + 1]; ++at) {
        const Row& row = rows[rows_at[at]];
        pushes_at[at] = row.gradient;
        if (row.a == point) continue;
        for (double& component : pushes_at[at]) component = -component;
      }
    }
  });
}

template <std::size_t D>
void LinkState<D>::respond() {
  move_points();
  for_each_stretch(pool, size(), kStretch, [&](const Stretch& stretch) {
    for (auto k = static_cast<Index>(stretch.first); k < stretch.last; ++k) feel(k);
  });
}

template <std::size_t D>
void LinkState<D>::respond_of_others() {
  move_points();
  for_each_stretch(pool, size(), kStretch, [&](const Stretch& stretch) {
    for (auto k = static_cast<Index>(stretch.first); k < stretch.last; ++k) {
      if (active[k] == 0) feel(k);
    }
  });
}

// One thread goes through the rows; several go through the points, whose rows follow each other in
// the same order: the sums are the same.
template <std::size_t D>
void LinkState<D>::move_points() {
  if (pool != nullptr) {
    list_rows_at();
    for_each_stretch(pool, point_count(), kStretch, [&](const Stretch& stretch) {
      for (auto i = static_cast<Index>(stretch.first); i < stretch.last; ++i) move_point(i);
    });
    return;
  }
  std::fill(velocity.begin(), velocity.end(), std::array<double, D>{});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (x[k] == 0.0) continue;
    const Row& row = rows[k];
    const double at_a = x[k] * weight[row.a];
    for (std::size_t d = 0; d < D; ++d) velocity[row.a][d] += at_a * row.gradient[d];
    if (row.b == kNone) continue;
    const double at_b = x[k] * weight[row.b];
    for (std::size_t d = 0; d < D; ++d) velocity[row.b][d] -= at_b * row.gradient[d];
  }
}

template <std::size_t D>
void LinkState<D>::move_point(Index point) {
  std::array<double, D> sum{};
  for (Index at = first_row[point]; at < first_row[point + 1]; ++at) {
    const double impulse = x[rows_at[at]];
    if (impulse == 0.0) continue;
    const double share = impulse * weight[point];
    for (std::size_t d = 0; d < D; ++d) sum[d] += share * pushes_at[at][d];
  }
  velocity[point] = sum;
}

template <std::size_t D>
void LinkState<D>::feel(Index k) {
  const Row& row = rows[k];
  double sum = 0.0;
  for (std::size_t d = 0; d < D; ++d) sum += row.gradient[d] * velocity[row.a][d];
  if (row.b != kNone) {
    for (std::size_t d = 0; d < D; ++d) sum -= row.gradient[d] * velocity[row.b][d];
  }
  response[k] = sum;
  gradient[k] = c[k] + sum;
}

template <std::size_t D>
void LinkState<D>::guess_active(int sweeps) {
  std::fill(velocity.begin(), velocity.end(), std::array<double, D>{});
  std::fill(x.begin(), x.end(), 0.0);
  const auto relax = [&](std::size_t k) {
    const Row& row = rows[k];
    double speed = c[k];
    for (std::size_t d = 0; d < D; ++d) speed += row.gradient[d] * velocity[row.a][d];
    if (row.b != kNone) {
      for (std::size_t d = 0; d < D; ++d) speed -= row.gradient[d] * velocity[row.b][d];
    }
    const double next = std::max(0.0, x[k] - speed);
    const double change = next - x[k];
    if (change == 0.0) return;
    x[k] = next;
    const double at_a = change * weight[row.a];
    for (std::size_t d = 0; d < D; ++d) velocity[row.a][d] += at_a * row.gradient[d];
    if (row.b == kNone) return;
    const double at_b = change * weight[row.b];
    for (std::size_t d = 0; d < D; ++d) velocity[row.b][d] -= at_b * row.gradient[d];
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    if (sweep % 2 == 0) {
      for (std::size_t k = 0; k < rows.size(); ++k) relax(k);
    } else {
      for (std::size_t k = rows.size(); k-- > 0;) relax(k);
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) active[k] = x[k] > 0.0 ? 1 : 0;
}

template struct LinkState<2>;
template struct LinkState<3>;

}  // namespace carom::solvers
