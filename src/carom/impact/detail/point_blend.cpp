// Restitution of points: the elastic and the inelastic response, blended.
#include "carom/impact/detail/point_blend.h"

#include <algorithm>
#include <cmath>

namespace carom {

template <std::size_t D>
void PointBlend<D>::keep_start(const PointFront<D>& front) {
  start_.resize(front.point_count());
  for (Index i = 0; i < front.point_count(); ++i) start_[i] = front.points()[i].v;
}

template <std::size_t D>
const std::vector<Index>& PointBlend<D>::run(const Task& task) {
  PointFront<D>& front = *task.front;
  auto& points = front.points();
  failed_.clear();
  largest_part_ = 0;
  const Index count = front.point_count();
  elastic_.resize(count);
  elastic_impulses_.assign(task.impulses.begin(), task.impulses.end());
  stamp_.resize(count);
  // Elastic outcome aside, start in its place.
  for (Index i = 0; i < count; ++i) {
    stamp_[i] = points[i].stamp;
    if (task.takes_part[front.component_of(i)] == 0) continue;
    elastic_[i] = points[i].v;
    points[i].v = start_[i];
    points[i].stamp = 0;
  }
  for (std::size_t r = 0; r < task.impulses.size(); ++r) {
    if (task.takes_part[front.component_of(task.problem->rows[r].a)] != 0) task.impulses[r] = 0.0;
  }
  absorb(task, task.takes_part);
  mixed_.assign(front.components().size(), 0);
  bool any = false;
  for (std::size_t c = 0; c < mixed_.size(); ++c) {
    mixed_[c] = task.takes_part[c] != 0 && front.components()[c].mixed ? 1 : 0;
    any = any || mixed_[c] != 0;
  }
  if (any) {
    least_impulses_.assign(task.impulses.begin(), task.impulses.end());
    least_.resize(count);
    for (Index i = 0; i < count; ++i) least_[i] = points[i].v;
  }
  blend(task);
  if (any) finish_mixed(task);
  return failed_;
}

template <std::size_t D>
void PointBlend<D>::absorb(const Task& task, std::span<const std::uint8_t> takes_part) {
  for (const Index failed : inelastic_.run({task.front, task.problem, takes_part, task.impulses})) {
    failed_.push_back(failed);
  }
  largest_part_ = std::max(largest_part_, inelastic_.largest_part());
}

// (1)
template <std::size_t D>
void PointBlend<D>::blend(const Task& task) {
  PointFront<D>& front = *task.front;
  auto& points = front.points();
  for (Index i = 0; i < front.point_count(); ++i) {
    const Index number = front.component_of(i);
    if (task.takes_part[number] == 0) continue;
    points[i].stamp = std::max(points[i].stamp, stamp_[i]);
    if (mixed_[number] != 0) {
      points[i].v = start_[i];  // what its rows do is added below
      continue;
    }
    const double c = front.components()[number].restitution;
    for (std::size_t k = 0; k < D; ++k) {
      points[i].v[k] = c * elastic_[i][k] + (1.0 - c) * points[i].v[k];
    }
  }
  for (std::size_t r = 0; r < task.impulses.size(); ++r) {
    const PointProblem::Row& row = task.problem->rows[r];
    const Index number = front.component_of(row.a);
    if (task.takes_part[number] == 0) continue;
    const bool mixed = mixed_[number] != 0;
    const double c = mixed ? row.restitution : front.components()[number].restitution;
    task.impulses[r] = c * elastic_impulses_[r] + (1.0 - c) * task.impulses[r];
    if (!mixed || task.impulses[r] == 0.0) continue;
    const double to_a = task.impulses[r] * points[row.a].weight;
    for (std::size_t k = 0; k < D; ++k) points[row.a].v[k] += to_a * row.normal[k];
    if (row.b == kNone) continue;
    const double to_b = task.impulses[r] * points[row.b].weight;
    for (std::size_t k = 0; k < D; ++k) points[row.b].v[k] -= to_b * row.normal[k];
  }
}

// Rows that the blend made close are opened again; then the energy.
template <std::size_t D>
void PointBlend<D>::finish_mixed(const Task& task) {
  auto& points = task.front->points();
  for (Index i = 0; i < task.front->point_count(); ++i) {
    stamp_[i] = points[i].stamp;
    if (mixed_[task.front->component_of(i)] != 0) points[i].stamp = 0;
  }
  further_.assign(task.impulses.size(), 0.0);
  absorb({task.front, task.problem, task.takes_part, further_}, mixed_);
  for (Index i = 0; i < task.front->point_count(); ++i) {
    points[i].stamp = std::max(points[i].stamp, stamp_[i]);
  }
  for (std::size_t r = 0; r < further_.size(); ++r) task.impulses[r] += further_[r];
  clip_energy(task);
}

// W(l0 + s (l - l0)) is convex and W(l0) <= 0: the largest s <= 1 at which W <= 0.
template <std::size_t D>
void PointBlend<D>::clip_energy(const Task& task) {
  constexpr double kNothing = 64.0 * kRoundOff;
  PointFront<D>& front = *task.front;
  auto& points = front.points();
  balances_.assign(mixed_.size(), {});
  for (Index i = 0; i < front.point_count(); ++i) {
    const Index number = front.component_of(i);
    if (mixed_[number] == 0) continue;
    Balance& balance = balances_[number];
    const double mass = task.problem->mass[i];
    for (std::size_t k = 0; k < D; ++k) {
      const double change = points[i].v[k] - start_[i][k];
      const double least = least_[i][k] - start_[i][k];
      balance.square += mass * change * change;
      balance.square_least += mass * least * least;
      balance.square_between += mass * (change - least) * (change - least);
    }
  }
  for (std::size_t r = 0; r < task.impulses.size(); ++r) {
    const PointProblem::Row& row = task.problem->rows[r];
    const Index number = front.component_of(row.a);
    if (mixed_[number] == 0) continue;
    double b = -row.offset;  // of a wall it is the speed of its surface, which has no frame
    for (std::size_t k = 0; k < D; ++k) {
      b += row.normal[k] * (start_[row.a][k] - (row.b == kNone ? 0.0 : start_[row.b][k]));
    }
    balances_[number].work += b * task.impulses[r];
    balances_[number].work_least += b * least_impulses_[r];
  }
  std::vector<double> share(mixed_.size(), 1.0);
  bool any = false;
  for (std::size_t c = 0; c < mixed_.size(); ++c) {
    const Balance& balance = balances_[c];
    const double w = 0.5 * balance.square + balance.work;
    if (mixed_[c] == 0 || w <= kNothing * (balance.square + std::abs(balance.work))) continue;
    const double w0 = std::min(0.0, 0.5 * balance.square_least + balance.work_least);
    const double q = balance.square_between;
    const double slope = w - w0 - 0.5 * q;
    const double root = std::sqrt(std::max(0.0, slope * slope - 2.0 * q * w0));
    const double s =
        slope > 0.0 ? -2.0 * w0 / (slope + root) : (q > 0.0 ? (root - slope) / q : 0.0);
    share[c] = std::clamp(s, 0.0, 1.0);
    any = true;
  }
  if (!any) return;
  for (Index i = 0; i < front.point_count(); ++i) {
    const double s = share[front.component_of(i)];
    if (s == 1.0) continue;
    for (std::size_t k = 0; k < D; ++k) {
      points[i].v[k] = least_[i][k] + s * (points[i].v[k] - least_[i][k]);
    }
  }
  for (std::size_t r = 0; r < task.impulses.size(); ++r) {
    const double s = share[front.component_of(task.problem->rows[r].a)];
    if (s == 1.0) continue;
    task.impulses[r] = least_impulses_[r] + s * (task.impulses[r] - least_impulses_[r]);
  }
}

template class PointBlend<2>;
template class PointBlend<3>;

}  // namespace carom
