// Tangential rows of spheres: proportioning, expansion and sweeps.
#include "carom/solvers/tangent_solver.h"

#include <algorithm>
#include <cmath>

#include "carom/core/two.h"
#include "carom/solvers/detail/qp_core.h"
#include "carom/solvers/detail/small_box.h"
#include "carom/solvers/detail/tangent_motion.h"

namespace carom::solvers {
namespace {

constexpr double kAsked = 1e-13;         // KKT residual, relative: what is worked for ...
constexpr double kTolerance = 1e-12;     // ... and what will do
constexpr double kNoCurvature = 1e-26;   // d'Ad over |d|^2 that counts as 0
constexpr std::uint64_t kFresh = 60;     // products between two fresh gradients
constexpr std::uint64_t kProducts = 20;  // budget for each row ...
constexpr std::uint64_t kLeast = 3000;   // ... and for all of them
constexpr int kRestarts = 4;             // at the residual that was asked for
constexpr int kSweeps = 8;               // over all rows, before the gradients

}  // namespace

/// Everything in scaled rows: y = x / scale.
template <std::size_t D>
struct TangentSolver<D>::Work {
  static constexpr std::size_t kTurns = TangentRows<D>::kTurns;
  using Row = typename TangentRows<D>::Row;
  SmallBox small;
  std::vector<Row> rows;
  std::span<const typename TangentRows<D>::Body> bodies;
  TangentMotion<D> motion;
  /// Numbers of each row, and zeros up to an even count.
  std::vector<double> scale, c, lower, upper;
  std::vector<double> y, g, p, product;
  std::vector<double> phi, beta;
  std::vector<double> ahead;  ///< y after a step, where it may leave its bounds
  std::size_t padded = 0;
  double expansion = 0.0;  ///< length of a step along the gradient that cannot overshoot
  double reduced = 0.0;
  double chopped = 0.0;
  double residual = 0.0;
  double phi_product = 0.0;  ///< phi' product of the last split()
  std::uint64_t products = 0;

  void load(const TangentRows<D>& system, std::span<const double> given, const Bounds& bounds);
  [[nodiscard]] bool solve_small(std::span<double> x);
  [[nodiscard]] bool solve_by_gradients(std::span<double> x);
  [[nodiscard]] double entry(const Row& i, const Row& j) const;
  void multiply(std::span<const double> x, std::span<double> result);
  void sweep_rows();
  void find_gradient();
  void begin_afresh();
  void split(double step);
  [[nodiscard]] bool step_stays_inside(double step);
  [[nodiscard]] double terms() const;
  [[nodiscard]] double room(std::span<const double> direction) const;
  void move(std::span<const double> direction, double length);
  void conjugate_step();
  void proportion();
};

template <std::size_t D>
void TangentSolver<D>::Work::load(const TangentRows<D>& system, std::span<const double> given,
                                  const Bounds& bounds) {
  bodies = system.bodies;
  rows = system.rows;
  padded = rows.size() + rows.size() % 2;
  for (auto* values : {&scale, &c, &lower, &upper}) values->assign(padded, 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Row& row = rows[k];
    scale[k] = 1.0 / std::sqrt(entry(row, row));
    for (double& value : row.along) value *= scale[k];
    for (double& value : row.turn_a) value *= scale[k];
    for (double& value : row.turn_b) value *= scale[k];
    c[k] = given[k] * scale[k];
    lower[k] = bounds.lower[k] / scale[k];
    upper[k] = bounds.upper[k] / scale[k];
  }
}

// A_ij
template <std::size_t D>
double TangentSolver<D>::Work::entry(const Row& i, const Row& j) const {
  double weight = 0.0;
  double turned = 0.0;
  const auto meet = [&](Index body_i, Index body_j, const auto& turn_i, const auto& turn_j,
                        double sign) {
    if (body_i == kNone || body_i != body_j) return;
    weight += sign * bodies[body_i].weight;
    double product_of_turns = 0.0;
    for (std::size_t k = 0; k < kTurns; ++k) product_of_turns += turn_i[k] * turn_j[k];
    turned += bodies[body_i].turn_weight * product_of_turns;
  };
  meet(i.a, j.a, i.turn_a, j.turn_a, 1.0);
  meet(i.b, j.b, i.turn_b, j.turn_b, 1.0);
  meet(i.a, j.b, i.turn_a, j.turn_b, -1.0);
  meet(i.b, j.a, i.turn_b, j.turn_a, -1.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < D; ++k) sum += i.along[k] * j.along[k];
  return weight * sum + turned;
}

template <std::size_t D>
bool TangentSolver<D>::Work::solve_small(std::span<double> x) {
  if (rows.size() > SmallBox::kMostRows) return false;
  small.count = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      small.a[i][j] = small.a[j][i] = entry(rows[i], rows[j]);
    }
    small.c[i] = c[i];
    small.lower[i] = lower[i];
    small.upper[i] = upper[i];
  }
  if (!small.solve()) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) x[i] = small.x[i];
  return true;
}

// A x by way of the bodies.
template <std::size_t D>
void TangentSolver<D>::Work::multiply(std::span<const double> x, std::span<double> result) {
  motion.stop();
  for (std::size_t k = 0; k < motion.size(); ++k) {
    if (x[k] != 0.0) motion.push(k, x[k]);
  }
  for (std::size_t k = 0; k < motion.size(); ++k) result[k] = motion.speed(k);
  ++products;
}

// Each row to its own minimum, to and fro: says soon which rows end at their bounds. What is
// minimised never rises.
template <std::size_t D>
void TangentSolver<D>::Work::sweep_rows() {
  motion.stop();
  const auto relax = [&](std::size_t k) {
    const double next = std::clamp(y[k] - (motion.speed(k) + c[k]), lower[k], upper[k]);
    if (next == y[k]) return;
    motion.push(k, next - y[k]);
    y[k] = next;
  };
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    if (sweep % 2 == 0) {
      for (std::size_t k = 0; k < rows.size(); ++k) relax(k);
    } else {
      for (std::size_t k = rows.size(); k-- > 0;) relax(k);
    }
  }
}

template <std::size_t D>
void TangentSolver<D>::Work::find_gradient() {
  multiply(y, g);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] += c[k];
  split(0.0);
}

template <std::size_t D>
void TangentSolver<D>::Work::begin_afresh() {
  find_gradient();
  p = phi;
}

// Follows the gradient along `step` times the last product, then tells its parts: that of rows
// between their bounds (phi), of rows that want to leave theirs (beta), what a step along phi can
// realise, and the residual. Without branches: which rows are free follows no rule.
template <std::size_t D>
void TangentSolver<D>::Work::split(double step) {
  const Two zero = Two::of(0.0);
  const Two by = Two::of(step);
  const Two stretch = Two::of(1.0 / expansion);
  Two reduced_sum = zero;
  Two chopped_sum = zero;
  Two phi_product_sum = zero;
  Two largest = zero;
  for (std::size_t k = 0; k < g.size(); k += 2) {
    const Two change = Two::at(&product[k]);
    const Two gradient = Two::at(&g[k]) - by * change;
    const Two to_lower = Two::at(&y[k]) - Two::at(&lower[k]);
    const Two to_upper = Two::at(&upper[k]) - Two::at(&y[k]);
    const Two down = larger(gradient, zero);
    const Two up = larger(zero - gradient, zero);
    const Two inward = where_positive(to_lower, down) - where_positive(to_upper, up);
    const Two between = smaller(to_lower, to_upper);
    const Two inner = where_positive(between, gradient);
    const Two leaving = inward - inner;
    gradient.store(&g[k]);
    inner.store(&phi[k]);
    leaving.store(&beta[k]);
    largest = larger(largest, larger(smaller(down, to_lower), smaller(up, to_upper)));
    const Two fall = smaller(down, stretch * to_lower);
    const Two rise = smaller(up, stretch * to_upper);
    reduced_sum = reduced_sum + where_positive(between, down * fall + up * rise);
    chopped_sum = chopped_sum + leaving * leaving;
    phi_product_sum = phi_product_sum + inner * change;
  }
  const auto sum = [](Two x) { return x.first() + x.second(); };
  reduced = sum(reduced_sum);
  chopped = sum(chopped_sum);
  phi_product = sum(phi_product_sum);
  residual = std::max(largest.first(), largest.second());
}

template <std::size_t D>
double TangentSolver<D>::Work::terms() const {
  return largest_absolute(c) + largest_absolute(y);
}

template <std::size_t D>
double TangentSolver<D>::Work::room(std::span<const double> direction) const {
  double most = kInfinity;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (direction[k] > 0.0) most = std::min(most, (y[k] - lower[k]) / direction[k]);
    if (direction[k] < 0.0) most = std::min(most, (upper[k] - y[k]) / -direction[k]);
  }
  return most;
}

template <std::size_t D>
void TangentSolver<D>::Work::move(std::span<const double> direction, double length) {
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (direction[k] == 0.0) continue;
    y[k] = std::clamp(y[k] - length * direction[k], lower[k], upper[k]);
  }
}

// y - step p in `ahead`: whether no row leaves its bounds.
template <std::size_t D>
bool TangentSolver<D>::Work::step_stays_inside(double step) {
  const Two by = Two::of(step);
  Two beyond = Two::of(0.0);
  for (std::size_t k = 0; k < y.size(); k += 2) {
    const Two there = Two::at(&y[k]) - by * Two::at(&p[k]);
    there.store(&ahead[k]);
    beyond = larger(beyond, larger(Two::at(&lower[k]) - there, there - Two::at(&upper[k])));
  }
  return !(beyond.first() > 0.0) && !(beyond.second() > 0.0);
}

template <std::size_t D>
void TangentSolver<D>::Work::conjugate_step() {
  multiply(p, product);
  Two curvatures = Two::of(0.0);
  Two squares = Two::of(0.0);
  Two slopes = Two::of(0.0);
  for (std::size_t k = 0; k < p.size(); k += 2) {
    const Two direction = Two::at(&p[k]);
    curvatures = curvatures + direction * Two::at(&product[k]);
    squares = squares + direction * direction;
    slopes = slopes + direction * Two::at(&g[k]);
  }
  const double curvature = curvatures.first() + curvatures.second();
  const double square = squares.first() + squares.second();
  const double slope = slopes.first() + slopes.second();
  if (!(curvature > kNoCurvature * square)) {
    move(p, room(p));
    begin_afresh();
    return;
  }
  const double step = slope / curvature;
  if (step_stays_inside(step)) {
    y.swap(ahead);
    split(step);
    const double ratio = phi_product / curvature;
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = phi[k] - ratio * p[k];
    return;
  }
  const double most = std::min(step, room(p));
  move(p, most);
  split(most);
  move(phi, expansion);
  begin_afresh();
}

template <std::size_t D>
void TangentSolver<D>::Work::proportion() {
  multiply(beta, product);
  const double curvature = dot_product(beta.data(), product.data(), beta.size());
  double step = room(beta);
  if (curvature > kNoCurvature * chopped) {
    step = std::min(step, dot_product(g.data(), beta.data(), beta.size()) / curvature);
  }
  move(beta, step);
  split(step);
  p = phi;
}

template <std::size_t D>
bool TangentSolver<D>::Work::solve_by_gradients(std::span<double> x) {
  for (auto* values : {&y, &g, &p, &product, &phi, &beta, &ahead}) values->assign(padded, 0.0);
  motion.load(rows, bodies);
  expansion = 1.9 / motion.largest_stretch();
  sweep_rows();
  begin_afresh();
  const std::uint64_t budget = kLeast + kProducts * rows.size();
  std::uint64_t fresh = products;  // when the gradient was last computed from y
  int restarts = 0;
  while (products < budget) {
    if (residual <= kAsked * terms()) {
      begin_afresh();
      fresh = products;
      if (residual <= kAsked * terms() || ++restarts == kRestarts) break;
      continue;
    }
    if (products - fresh >= kFresh) {  // against what round-off adds up to; p stays conjugate
      find_gradient();
      fresh = products;
    }
    if (chopped <= reduced) {
      conjugate_step();
    } else {
      proportion();
    }
  }
  find_gradient();
  std::copy_n(y.begin(), x.size(), x.begin());
  return residual <= kTolerance * terms();
}

template <std::size_t D>
TangentSolver<D>::TangentSolver() : work_(std::make_unique<Work>()) {}
template <std::size_t D>
TangentSolver<D>::~TangentSolver() = default;

template <std::size_t D>
bool TangentSolver<D>::solve(const TangentRows<D>& system, std::span<const double> c,
                             const Bounds& bounds, std::span<double> x) {
  Work& work = *work_;
  work.products = 0;
  work.load(system, c, bounds);
  const bool solved = work.solve_small(x) || work.solve_by_gradients(x);
  products_ = work.products;
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = std::clamp(x[k] * work.scale[k], bounds.lower[k], bounds.upper[k]);
  }
  return solved;
}

template class TangentSolver<2>;
template class TangentSolver<3>;

}  // namespace carom::solvers
