// Friction of spheres after their normal impulses.
#include "carom/impact/detail/sphere_friction.h"

#include <algorithm>
#include <cmath>

#include "carom/core/worker_pool.h"

namespace carom {
namespace {

template <std::size_t D>
double dot(const std::array<double, D>& a, const std::array<double, D>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < D; ++k) sum += a[k] * b[k];
  return sum;
}

std::array<double, 1> cross(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return {a[0] * b[1] - a[1] * b[0]};
}

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The tangents of contact_gradients.h, which a contact without slip falls back on.
std::array<std::array<double, 2>, 2> tangents(const std::array<double, 2>& normal) {
  return {{{-normal[1], normal[0]}, {}}};
}

std::array<std::array<double, 3>, 2> tangents(const std::array<double, 3>& normal) {
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(normal[k]) < std::abs(normal[axis])) axis = k;
  }
  std::array<double, 3> helper{};
  helper[axis] = 1.0;
  std::array<double, 3> first = cross(normal, helper);
  const double length = std::sqrt(dot(first, first));
  for (double& x : first) x /= length;
  return {first, cross(normal, first)};
}

// The speed of a surface that turns: what (tangent x normal) . spin is along a tangent.
std::array<double, 2> swing(const std::array<double, 2>& normal,
                            const std::array<double, 1>& spin) {
  return {normal[1] * spin[0], -normal[0] * spin[0]};
}

std::array<double, 3> swing(const std::array<double, 3>& normal,
                            const std::array<double, 3>& spin) {
  return cross(normal, spin);
}

template <std::size_t N>
std::array<double, N> numbers(const std::vector<double>& from, Index number) {
  std::array<double, N> values{};
  if (from.empty()) return values;
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(std::size_t{number} * N), N,
              values.begin());
  return values;
}

// n' W n of a tangential direction: the same for all of a row.
double mobility(const PointProblem& problem, Index row) {
  const PointProblem::Row& ends = problem.rows[row];
  const PointProblem::Rubbing& rubbing = problem.rubbing[row];
  const auto turned = [&](Index point, double arm) {
    return problem.turn_weight.empty() ? 0.0 : arm * arm * problem.turn_weight[point];
  };
  double sum = 1.0 / problem.mass[ends.a] + turned(ends.a, rubbing.arm_a);
  if (ends.b != kNone) sum += 1.0 / problem.mass[ends.b] + turned(ends.b, rubbing.arm_b);
  return sum;
}

}  // namespace

template <std::size_t D>
const std::vector<Index>& SphereFriction<D>::run(const Task& task) {
  failed_.clear();
  rubs_.clear();
  ends_.clear();
  acted_ = false;
  largest_part_ = 0;
  const std::vector<PointProblem::Row>& rows = task.problem->rows;
  for (Index row = 0; row < rows.size(); ++row) {
    if (!(task.problem->rubbing[row].friction > 0.0) || !(task.normal[row] > 0.0)) continue;
    if (task.takes_part[task.front->component_of(rows[row].a)] != 0) add_directions(task, row);
  }
  if (rubs_.empty()) return failed_;
  parts_.split(ends_, *task.front);
  solve(task);
  apply(task);
  return failed_;
}

template <std::size_t D>
void SphereFriction<D>::add_directions(const Task& task, Index row) {
  const PointProblem& problem = *task.problem;
  const PointProblem::Row& ends = problem.rows[row];
  const PointProblem::Rubbing& rubbing = problem.rubbing[row];
  Vector normal{};
  std::copy_n(ends.normal.begin(), D, normal.begin());
  const std::array<Vector, 2> plane = tangents(normal);
  Spin spin = numbers<kTurns>(problem.spin, ends.a);
  for (double& x : spin) x *= rubbing.arm_a;
  Vector from{};  // of the other side
  if (ends.b != kNone) {
    const Spin other = numbers<kTurns>(problem.spin, ends.b);
    for (std::size_t k = 0; k < kTurns; ++k) spin[k] += rubbing.arm_b * other[k];
    from = numbers<D>(problem.velocity, ends.b);
  } else {
    std::copy_n(rubbing.surface.begin(), D, from.begin());
  }
  const Vector turning = swing(normal, spin);
  const auto slip = [&](const Vector& a, const Vector& b) {
    Vector speed{};
    for (std::size_t k = 0; k < D; ++k) speed[k] = a[k] - b[k] + turning[k];
    return Pair{dot(plane[0], speed), D == 2 ? 0.0 : dot(plane[1], speed)};
  };
  const Pair before = slip(numbers<D>(problem.velocity, ends.a), from);
  if (ends.b != kNone) from = task.front->points()[ends.b].v;
  const Pair after = slip(task.front->points()[ends.a].v, from);

  const double least =
      task.front->components()[task.front->component_of(ends.a)].threshold * mobility(problem, row);
  const bool slips = dot(before, before) > least;
  const bool slips_then = !slips && dot(after, after) > least;
  const bool box = task.settings->friction_model == "box";
  if (!slips && !slips_then && !box) return;
  Pair first{1.0, 0.0};
  if (slips || slips_then) {
    const Pair& against = slips ? before : after;
    const double length = std::sqrt(dot(against, against));
    first = {-against[0] / length, -against[1] / length};
  }
  const double bound = rubbing.friction * task.normal[row];
  const auto add_along = [&](const Pair& share) {
    Rub rub;
    rub.row = row;
    for (std::size_t k = 0; k < D; ++k) {
      rub.along[k] = share[0] * plane[0][k] + share[1] * plane[1][k];
    }
    rub.turn = cross(rub.along, normal);
    rub.speed = dot(share, after);
    rub.lower = box ? -bound : 0.0;
    rub.upper = bound;
    add(task, rub);
  };
  add_along(first);
  if (box && D == 3) add_along({-first[1], first[0]});
}

template <std::size_t D>
void SphereFriction<D>::add(const Task& task, const Rub& rub) {
  const PointProblem::Row& row = task.problem->rows[rub.row];
  Violation<D> ends{};
  ends.row = static_cast<Index>(rubs_.size());
  ends.self = row.a;
  ends.other = row.b != kNone ? row.b : task.front->surface(rub.row);
  ends_.push_back(ends);
  rubs_.push_back(rub);
}

// Each part on its own, so that it does not matter which thread solves it.
template <std::size_t D>
void SphereFriction<D>::solve(const Task& task) {
  constexpr std::size_t kShare = 512;  // rubs
  impulses_.assign(ends_.size(), 0.0);
  solved_.assign(parts_.count(), 0);
  WorkerPool* pool = task.settings->pool;
  const std::size_t threads = pool != nullptr ? pool->size() : 1;
  while (workers_.size() < threads) workers_.push_back(std::make_unique<Worker>());
  first_part_.clear();
  std::size_t rubs = kShare;
  for (std::size_t k = 0; k < parts_.count(); ++k) {
    if (rubs >= kShare) {
      first_part_.push_back(k);
      rubs = 0;
    }
    rubs += parts_.size(k);
    largest_part_ = std::max(largest_part_, static_cast<Index>(parts_.size(k)));
  }
  const std::size_t shares = first_part_.size();
  first_part_.push_back(parts_.count());
  const auto solve_share = [&](std::size_t share, unsigned worker) {
    for (std::size_t k = first_part_[share]; k < first_part_[share + 1]; ++k) {
      solved_[k] = solve_part(task, k, *workers_[worker]) ? 1 : 0;
    }
  };
  if (shares > 1 && threads > 1) {
    pool->run(shares, solve_share);
  } else {
    for (std::size_t share = 0; share < shares; ++share) solve_share(share, 0);
  }
  for (std::size_t k = 0; k < parts_.count(); ++k) {
    if (solved_[k] == 0) {
      failed_.push_back(task.front->component_of(ends_[parts_.begin(k)].self));
    }
  }
}

template <std::size_t D>
bool SphereFriction<D>::solve_part(const Task& task, std::size_t part, Worker& worker) {
  if (solve_lone(task, part)) return true;
  fill(task, part, worker);
  // (1), of this part
  return worker.solver.solve(worker.system, worker.c, {worker.lower, worker.upper},
                             {impulses_.data() + parts_.begin(part), parts_.size(part)});
}

// A part of one row: its directions do not know of each other.
template <std::size_t D>
bool SphereFriction<D>::solve_lone(const Task& task, std::size_t part) {
  const std::size_t begin = parts_.begin(part);
  const std::size_t end = begin + parts_.size(part);
  const Index row = rubs_[ends_[begin].row].row;
  if (end - begin > 2 || rubs_[ends_[end - 1].row].row != row) return false;
  const double weight = mobility(*task.problem, row);
  for (std::size_t k = begin; k < end; ++k) {
    const Rub& rub = rubs_[ends_[k].row];
    impulses_[k] = std::clamp(-rub.speed / weight, rub.lower, rub.upper);
  }
  return true;
}

template <std::size_t D>
void SphereFriction<D>::fill(const Task& task, std::size_t part, Worker& worker) {
  const PointProblem& problem = *task.problem;
  const std::span<const Violation<D>> ends{ends_.data() + parts_.begin(part), parts_.size(part)};
  if (worker.number.size() < problem.point_count()) {
    worker.number.assign(problem.point_count(), kNone);
  }
  worker.system.clear();
  worker.c.clear();
  worker.lower.clear();
  worker.upper.clear();
  const auto number = [&](Index point) {
    if (task.front->is_wall(point)) return kNone;
    if (worker.number[point] == kNone) {
      worker.number[point] = static_cast<Index>(worker.system.bodies.size());
      worker.system.bodies.push_back({1.0 / problem.mass[point], problem.turn_weight.empty()
                                                                     ? 0.0
                                                                     : problem.turn_weight[point]});
    }
    return worker.number[point];
  };
  for (const Violation<D>& end : ends) {
    const Rub& rub = rubs_[end.row];
    const PointProblem::Rubbing& rubbing = problem.rubbing[rub.row];
    typename solvers::TangentRows<D>::Row row{number(end.self), number(end.other), rub.along,
                                              rub.turn, rub.turn};
    for (double& x : row.turn_a) x *= rubbing.arm_a;
    for (double& x : row.turn_b) x *= rubbing.arm_b;
    worker.system.rows.push_back(row);
    worker.c.push_back(rub.speed);
    worker.lower.push_back(rub.lower);
    worker.upper.push_back(rub.upper);
  }
  for (const Violation<D>& end : ends) {
    worker.number[end.self] = kNone;
    if (!task.front->is_wall(end.other)) worker.number[end.other] = kNone;
  }
}

template <std::size_t D>
void SphereFriction<D>::apply(const Task& task) {
  const PointProblem& problem = *task.problem;
  std::vector<typename PointFront<D>::Point>& points = task.front->points();
  const auto push = [&](Index point, const Vector& along, double impulse) {
    typename PointFront<D>::Point& moved = points[point];
    for (std::size_t k = 0; k < D; ++k) moved.v[k] += impulse * moved.weight * along[k];
    moved.stamp = std::max<Index>(moved.stamp, 1);
  };
  const auto turn = [&](Index point, const Spin& about, double torque) {
    if (problem.turn_weight.empty()) return;
    for (std::size_t k = 0; k < kTurns; ++k) {
      task.spin[point][k] += torque * problem.turn_weight[point] * about[k];
    }
  };
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const double impulse = impulses_[k];
    if (impulse == 0.0) continue;
    acted_ = true;
    const Rub& rub = rubs_[ends_[k].row];
    const PointProblem::Rubbing& rubbing = problem.rubbing[rub.row];
    push(ends_[k].self, rub.along, impulse);
    turn(ends_[k].self, rub.turn, impulse * rubbing.arm_a);
    for (std::size_t x = 0; x < D; ++x) task.friction[rub.row][x] += impulse * rub.along[x];
    if (task.front->is_wall(ends_[k].other)) continue;
    push(ends_[k].other, rub.along, -impulse);
    turn(ends_[k].other, rub.turn, impulse * rubbing.arm_b);
  }
}

template class SphereFriction<2>;
template class SphereFriction<3>;

}  // namespace carom
