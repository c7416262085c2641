// Connected parts of violated rows, and the reflection of one by GR's formula.
#include "carom/impact/detail/point_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/core/stopwatch.h"
#include "carom/impact/energy_scale.h"

namespace carom {
namespace {

constexpr std::size_t kManyRows = 100;

}  // namespace

template <std::size_t D>
void PointParts<D>::split(std::vector<Violation<D>>& rows, const PointFront<D>& front) {
  if (mark_.size() < front.points().size()) mark_.resize(front.points().size(), 0);
  clear();
  for (const Violation<D>& row : rows) add(mark_[row.self], mark_[row.other]);
  for (const Violation<D>& row : rows) mark_[row.self] = mark_[row.other] = 0;
  sort(rows);
}

template <std::size_t D>
void PointParts<D>::sort(std::vector<Violation<D>>& rows) {
  const auto count = static_cast<Index>(rows.size());
  // Counting sort by part; a part is numbered when its first row, its root, comes by.
  part_of_.resize(count);
  start_.assign(1, 0);
  for (Index i = 0; i < count; ++i) {
    const Index lead = root(i);
    if (lead == i) {
      part_of_[i] = static_cast<Index>(start_.size() - 1);
      start_.push_back(0);
    } else {
      part_of_[i] = part_of_[lead];
    }
    ++start_[part_of_[i] + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  next_.assign(start_.begin(), start_.end() - 1);
  sorted_.resize(count);
  for (Index i = 0; i < count; ++i) sorted_[next_[part_of_[i]]++] = rows[i];
  rows.swap(sorted_);
}

template <std::size_t D>
PartReflection<D>::PartReflection()
    : solver_(solvers::make_qp_solver("auto")),
      interior_point_(solvers::make_qp_solver("interior_point")) {}

template <std::size_t D>
ApplicationStatus PartReflection<D>::apply(std::span<const Violation<D>> part,
                                           const PointFront<D>& front, std::span<double> impulses,
                                           WorkerPool* pool) {
  if (solve_small(part, front, 2.0)) {  // (1)
    double work = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      work += small_.c[i] * small_.x[i];
      double line = 0.0;
      for (std::size_t j = 0; j < part.size(); ++j) line += small_.a[i][j] * small_.x[j];
      square += small_.x[i] * line;
    }
    const double t = energy_keeping_scale(work, square);  // (2), c = 2 b
    for (std::size_t i = 0; i < part.size(); ++i) impulses[i] = t * small_.x[i];
    return ApplicationStatus::applied;
  }
  if (solve_linked(part, front, 2.0, impulses, pool)) {  // (1)
    double work = 0.0;
    for (std::size_t k = 0; k < part.size(); ++k) {
      work += 2.0 * part[k].b * scale_[k] * impulses[k];
    }
    const double t = energy_keeping_scale(work, pivoting_.square());  // (2)
    for (std::size_t k = 0; k < part.size(); ++k) impulses[k] *= t * scale_[k];
    return ApplicationStatus::applied;
  }
  const WallStopwatch watch(seconds_.other);
  assemble(part, front);
  const ApplicationStatus status = solve(2.0, {}, impulses);
  keep_energy(impulses);
  for (std::size_t k = 0; k < part.size(); ++k) impulses[k] *= scale_[k];
  return status;
}

template <std::size_t D>
ApplicationStatus PartReflection<D>::absorb(std::span<const Violation<D>> part,
                                            const PointFront<D>& front,
                                            std::span<double> impulses) {
  if (solve_small(part, front, 1.0)) {  // (3)
    std::copy_n(small_.x.begin(), part.size(), impulses.begin());
    return ApplicationStatus::applied;
  }
  if (solve_linked(part, front, 1.0, impulses)) {
    for (std::size_t k = 0; k < part.size(); ++k) impulses[k] *= scale_[k];
    return ApplicationStatus::applied;
  }
  const WallStopwatch watch(seconds_.other);
  assemble(part, front);
  guess_.clear();
  for (std::size_t k = 0; k < part.size(); ++k) guess_.push_back(impulses[k] / scale_[k]);
  const bool known = std::any_of(guess_.begin(), guess_.end(), [](double x) { return x > 0.0; });
  const ApplicationStatus status =
      solve(1.0, known ? std::span<const double>(guess_) : std::span<const double>(), impulses);
  for (std::size_t k = 0; k < part.size(); ++k) impulses[k] *= scale_[k];
  return status;
}

template <std::size_t D>
bool PartReflection<D>::solve_small(std::span<const Violation<D>> part, const PointFront<D>& front,
                                    double factor) {
  if (part.size() > solvers::SmallPivoting::kMostRows) return false;
  const std::vector<typename PointFront<D>::Point>& points = front.points();
  small_.count = part.size();
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Violation<D>& row = part[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const Violation<D>& with = part[j];
      double weight = 0.0;
      if (row.self == with.self) weight += points[row.self].weight;
      if (row.other == with.other) weight += points[row.other].weight;
      if (row.self == with.other) weight -= points[row.self].weight;
      if (row.other == with.self) weight -= points[row.other].weight;
      double product = 0.0;
      if (weight != 0.0) {
        for (std::size_t k = 0; k < D; ++k) product += row.normal[k] * with.normal[k];
      }
      small_.a[i][j] = small_.a[j][i] = weight * product;
    }
    small_.c[i] = factor * row.b;
  }
  return small_.solve() && (!least_norm_ || small_.is_unique());
}

template <std::size_t D>
bool PartReflection<D>::solve_linked(std::span<const Violation<D>> part, const PointFront<D>& front,
                                     double factor, std::span<double> impulses, WorkerPool* pool) {
  const WallStopwatch watch(seconds_.linked);
  linker_.link(part, front);
  scale_.assign(linker_.scale().begin(), linker_.scale().end());
  c_.resize(part.size());
  for (std::size_t k = 0; k < part.size(); ++k) c_[k] = factor * part[k].b * scale_[k];
  if (!pivoting_.solve(linker_.system(), c_, impulses, pool)) return false;
  return !least_norm_ || pivoting_.is_unique() || take_least_norm(part, front, factor, impulses);
}

template <std::size_t D>
bool PartReflection<D>::take_least_norm(std::span<const Violation<D>> part,
                                        const PointFront<D>& front, double factor,
                                        std::span<double> impulses) {
  using Standing = typename solvers::LinkedPivoting<D>::Standing;
  if (!sharing_parts_) sharing_parts_ = std::make_unique<PointParts<D>>();
  const std::span<const Standing> standing = pivoting_.standing();
  sharing_.clear();
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (standing[k] == Standing::opens) continue;
    sharing_.push_back(part[k]);
    sharing_.back().row = static_cast<Index>(k);
  }
  sharing_parts_->split(sharing_, front);
  kept_scale_ = scale_;
  bool solved = true;
  for (std::size_t p = 0; p < sharing_parts_->count() && solved; ++p) {
    const std::span<const Violation<D>> rows{sharing_.data() + sharing_parts_->begin(p),
                                             sharing_parts_->size(p)};
    if (std::none_of(rows.begin(), rows.end(), [&](const Violation<D>& row) {
          return standing[row.row] == Standing::doubtful;
        })) {
      continue;
    }
    assemble(rows, front);
    guess_.clear();
    for (const Violation<D>& row : rows) guess_.push_back(impulses[row.row]);
    shared_.resize(rows.size());
    solved = solve(factor, guess_, shared_) == ApplicationStatus::applied;
    for (std::size_t k = 0; k < rows.size() && solved; ++k) impulses[rows[k].row] = shared_[k];
  }
  scale_ = kept_scale_;
  return solved;
}

template <std::size_t D>
void PartLinker<D>::link(std::span<const Violation<D>> part, const PointFront<D>& front) {
  const std::vector<typename PointFront<D>::Point>& points = front.points();
  if (number_of_.size() < front.point_count()) number_of_.assign(front.point_count(), kNone);
  system_.clear();
  scale_.clear();
  const auto number = [&](Index point) {
    if (front.is_wall(point)) return kNone;
    if (number_of_[point] == kNone) {
      number_of_[point] = static_cast<Index>(system_.weight.size());
      system_.weight.push_back(points[point].weight);
    }
    return number_of_[point];
  };
  for (const Violation<D>& row : part) {
    double square = 0.0;
    for (const double x : row.normal) square += x * x;
    const double scale =
        1.0 / std::sqrt(square * (points[row.self].weight + points[row.other].weight));
    typename solvers::LinkedRows<D>::Row linked{number(row.self), number(row.other), row.normal};
    for (double& x : linked.gradient) x *= scale;
    system_.rows.push_back(linked);
    scale_.push_back(scale);
  }
  for (const Violation<D>& row : part) {
    number_of_[row.self] = kNone;
    if (!front.is_wall(row.other)) number_of_[row.other] = kNone;
  }
}

// The part as the solvers want it: its points as blocks, its rows scaled to n' W n = 1.
template <std::size_t D>
void PartReflection<D>::assemble(std::span<const Violation<D>> part, const PointFront<D>& front) {
  const std::vector<typename PointFront<D>::Point>& points = front.points();
  if (block_of_.size() < front.point_count()) block_of_.assign(front.point_count(), kNone);
  rows_.clear();
  scale_.clear();
  b_.clear();
  for (const Violation<D>& row : part) {
    for (const Index point : {row.self, row.other}) {
      if (front.is_wall(point) || block_of_[point] != kNone) continue;
      block_of_[point] = rows_.add_scalar_block(D, points[point].weight);
    }
  }
  for (const Violation<D>& row : part) {
    double square = 0.0;
    for (const double x : row.normal) square += x * x;
    const double scale =
        1.0 / std::sqrt(square * (points[row.self].weight + points[row.other].weight));
    std::array<double, D> at_self{};
    std::array<double, D> at_other{};
    for (std::size_t k = 0; k < D; ++k) {
      at_self[k] = scale * row.normal[k];
      at_other[k] = -at_self[k];
    }
    const std::array<solvers::RowPart, 2> parts{
        solvers::RowPart{block_of_[row.self], at_self},
        solvers::RowPart{front.is_wall(row.other) ? kNone : block_of_[row.other], at_other}};
    rows_.add_row({parts.data(), front.is_wall(row.other) ? std::size_t{1} : std::size_t{2}});
    scale_.push_back(scale);
    b_.push_back(scale * row.b);
  }
  rows_.finish();
  for (const Violation<D>& row : part) {
    for (const Index point : {row.self, row.other}) {
      if (!front.is_wall(point)) block_of_[point] = kNone;
    }
  }
  all_.resize(part.size());
  std::iota(all_.begin(), all_.end(), Index{0});
}

template <std::size_t D>
solvers::QuadraticProgram PartReflection<D>::program(std::span<const Violation<D>> part,
                                                     const PointFront<D>& front) {
  assemble(part, front);
  c_.resize(b_.size());
  for (std::size_t k = 0; k < b_.size(); ++k) c_[k] = 2.0 * b_[k];  // of (1)
  return {&rows_, all_, c_, {}, {}, {}};
}

template <std::size_t D>
ApplicationStatus PartReflection<D>::solve(double factor, std::span<const double> guess,
                                           std::span<double> impulses) {
  c_.resize(b_.size());
  for (std::size_t k = 0; k < b_.size(); ++k) c_[k] = factor * b_[k];
  const solvers::QuadraticProgram program{&rows_, all_, c_, {}, {}, guess};
  const solvers::QpSettings settings{
      .tolerance = 1e-12, .max_iterations = 0, .minimum_norm = least_norm_};
  // Pivoting has been tried; of what is left the interior point is the quickest, if not the surest.
  if (b_.size() > kManyRows) interior_point_->solve(program, settings, result_);
  if (b_.size() <= kManyRows || result_.status != solvers::QpStatus::solved) {
    solver_->solve(program, settings, result_);
  }
  if (result_.status == solvers::QpStatus::unbounded) return ApplicationStatus::locked;
  std::copy(result_.x.begin(), result_.x.end(), impulses.begin());
  return result_.status == solvers::QpStatus::solved ? ApplicationStatus::applied
                                                     : ApplicationStatus::solver_failed;
}

template <std::size_t D>
void PartReflection<D>::keep_energy(std::span<double> impulses) {
  change_.assign(rows_.dof_count(), 0.0);
  double work = 0.0;
  for (Index k = 0; k < impulses.size(); ++k) {
    rows_.apply(k, impulses[k], change_);
    work += b_[k] * impulses[k];
  }
  double square = 0.0;
  for (Index k = 0; k < impulses.size(); ++k) square += impulses[k] * rows_.dot(k, change_);
  const double t = energy_keeping_scale(2.0 * work, square);  // (2)
  for (double& impulse : impulses) impulse *= t;
}

template class PointParts<2>;
template class PointParts<3>;
template class PartLinker<2>;
template class PartLinker<3>;
template class PartReflection<2>;
template class PartReflection<3>;

}  // namespace carom
