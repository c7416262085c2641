#include "carom/solvers/tangent_solver.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/qp_core.h"
#include "carom/solvers/detail/small_box.h"

namespace carom::solvers {
namespace {

constexpr double kAsked = 1e-13;         // KKT residual, relative: what is worked for ...
constexpr double kTolerance = 1e-12;     // ... and what will do
constexpr double kNoCurvature = 1e-26;   // d'Ad over |d|^2 that counts as 0
constexpr std::uint64_t kFresh = 60;     // products between two fresh gradients
constexpr std::uint64_t kProducts = 20;  // budget for each row ...
constexpr std::uint64_t kLeast = 3000;   // ... and for all of them
constexpr int kRestarts = 4;             // at the residual that was asked for
constexpr int kSweeps = 12;              // over all rows, before the gradients

}  // namespace

/// Everything in scaled rows: y = x / scale.
template <std::size_t D>
struct TangentSolver<D>::Work {
  static constexpr std::size_t kTurns = TangentRows<D>::kTurns;
  using Row = typename TangentRows<D>::Row;
  struct Moving {  ///< what impulses do to a body
    std::array<double, D> v;
    std::array<double, kTurns> w;
  };

  SmallBox small;
  std::vector<Row> rows;
  std::span<const typename TangentRows<D>::Body> bodies;
  std::vector<Moving> moving;
  std::vector<double> scale, c, lower, upper;
  std::vector<double> y, g, p, product;
  std::vector<double> phi, beta;
  std::vector<double> reach;  ///< per body: of its rows' gradients, the sum
  double expansion = 0.0;     ///< length of a step along the gradient that cannot overshoot
  double reduced = 0.0;
  double chopped = 0.0;
  double residual = 0.0;
  std::uint64_t products = 0;

  void load(const TangentRows<D>& system, std::span<const double> given, const Bounds& bounds);
  [[nodiscard]] bool solve_small(std::span<double> x);
  [[nodiscard]] bool solve_by_gradients(std::span<double> x);
  [[nodiscard]] double entry(const Row& i, const Row& j) const;
  void multiply(std::span<const double> x, std::span<double> result);
  void find_expansion();
  void sweep_rows();
  void move_bodies(const Row& row, double change);
  [[nodiscard]] double speed_of(const Row& row) const;
  void find_gradient();
  void begin_afresh();
  void split();
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
  for (auto* values : {&scale, &c, &lower, &upper}) values->resize(rows.size());
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
  std::fill(moving.begin(), moving.end(), Moving{});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (x[k] == 0.0) continue;
    const Row& row = rows[k];
    Moving& a = moving[row.a];
    for (std::size_t d = 0; d < D; ++d) a.v[d] += x[k] * row.along[d];
    for (std::size_t d = 0; d < kTurns; ++d) a.w[d] += x[k] * row.turn_a[d];
    if (row.b == kNone) continue;
    Moving& b = moving[row.b];
    for (std::size_t d = 0; d < D; ++d) b.v[d] -= x[k] * row.along[d];
    for (std::size_t d = 0; d < kTurns; ++d) b.w[d] += x[k] * row.turn_b[d];
  }
  for (std::size_t i = 0; i < moving.size(); ++i) {
    for (double& value : moving[i].v) value *= bodies[i].weight;
    for (double& value : moving[i].w) value *= bodies[i].turn_weight;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    result[k] = speed_of(rows[k]);
  }
  ++products;
}

template <std::size_t D>
double TangentSolver<D>::Work::speed_of(const Row& row) const {
  const Moving& a = moving[row.a];
  double sum = 0.0;
  for (std::size_t d = 0; d < D; ++d) sum += row.along[d] * a.v[d];
  for (std::size_t d = 0; d < kTurns; ++d) sum += row.turn_a[d] * a.w[d];
  if (row.b == kNone) return sum;
  const Moving& b = moving[row.b];
  for (std::size_t d = 0; d < D; ++d) sum -= row.along[d] * b.v[d];
  for (std::size_t d = 0; d < kTurns; ++d) sum += row.turn_b[d] * b.w[d];
  return sum;
}

template <std::size_t D>
void TangentSolver<D>::Work::move_bodies(const Row& row, double change) {
  const auto push = [&](Index body, const std::array<double, kTurns>& turn, double impulse) {
    Moving& moved = moving[body];
    const double linear = impulse * bodies[body].weight;
    const double angular = change * bodies[body].turn_weight;
    for (std::size_t d = 0; d < D; ++d) moved.v[d] += linear * row.along[d];
    for (std::size_t d = 0; d < kTurns; ++d) moved.w[d] += angular * turn[d];
  };
  push(row.a, row.turn_a, change);
  if (row.b != kNone) push(row.b, row.turn_b, -change);
}

// Each row to its own minimum, to and fro: says soon which rows end at their bounds. What is
// minimised never rises.
template <std::size_t D>
void TangentSolver<D>::Work::sweep_rows() {
  std::fill(moving.begin(), moving.end(), Moving{});
  const auto relax = [&](std::size_t k) {
    const double next = std::clamp(y[k] - (speed_of(rows[k]) + c[k]), lower[k], upper[k]);
    if (next == y[k]) return;
    move_bodies(rows[k], next - y[k]);
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

// |A| is at most the largest sum over a row's bodies of its own gradient's length there times those
// of all rows.
template <std::size_t D>
void TangentSolver<D>::Work::find_expansion() {
  const auto length = [&](const Row& row, bool at_a) {
    const auto& body = bodies[at_a ? row.a : row.b];
    const auto& turn = at_a ? row.turn_a : row.turn_b;
    double square = 0.0;
    double turned = 0.0;
    for (const double value : row.along) square += value * value;
    for (const double value : turn) turned += value * value;
    return std::sqrt(body.weight * square + body.turn_weight * turned);
  };
  reach.assign(bodies.size(), 0.0);
  for (const Row& row : rows) {
    reach[row.a] += length(row, true);
    if (row.b != kNone) reach[row.b] += length(row, false);
  }
  double norm = 0.0;
  for (const Row& row : rows) {
    double sum = length(row, true) * reach[row.a];
    if (row.b != kNone) sum += length(row, false) * reach[row.b];
    norm = std::max(norm, sum);
  }
  expansion = 1.9 / norm;
}

template <std::size_t D>
void TangentSolver<D>::Work::find_gradient() {
  multiply(y, g);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] += c[k];
  split();
}

template <std::size_t D>
void TangentSolver<D>::Work::begin_afresh() {
  find_gradient();
  p = phi;
}

// The gradient of rows between their bounds (phi), of rows that want to leave theirs (beta), what a
// step along phi can realise, and the residual.
template <std::size_t D>
void TangentSolver<D>::Work::split() {
  reduced = 0.0;
  chopped = 0.0;
  residual = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double to_lower = y[k] - lower[k];
    const double to_upper = upper[k] - y[k];
    phi[k] = 0.0;
    beta[k] = 0.0;
    if (to_lower <= 0.0) {
      beta[k] = std::min(g[k], 0.0);
      residual = std::max(residual, std::min(-beta[k], to_upper));
    } else if (to_upper <= 0.0) {
      beta[k] = std::max(g[k], 0.0);
      residual = std::max(residual, std::min(beta[k], to_lower));
    } else {
      phi[k] = g[k];
      reduced += g[k] * (g[k] > 0.0 ? std::min(to_lower / expansion, g[k])
                                    : std::max(-to_upper / expansion, g[k]));
      residual =
          std::max(residual, g[k] > 0.0 ? std::min(g[k], to_lower) : std::min(-g[k], to_upper));
    }
    chopped += beta[k] * beta[k];
  }
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

template <std::size_t D>
void TangentSolver<D>::Work::conjugate_step() {
  multiply(p, product);
  const double curvature = dot_product(p.data(), product.data(), p.size());
  const double most = room(p);
  if (!(curvature > kNoCurvature * dot_product(p.data(), p.data(), p.size()))) {
    move(p, most);
    begin_afresh();
    return;
  }
  const double step = dot_product(g.data(), p.data(), p.size()) / curvature;
  if (step <= most) {
    move(p, step);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] -= step * product[k];
    split();
    const double ratio = dot_product(phi.data(), product.data(), phi.size()) / curvature;
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = phi[k] - ratio * p[k];
    return;
  }
  move(p, most);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] -= most * product[k];
  split();
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
  for (std::size_t k = 0; k < g.size(); ++k) g[k] -= step * product[k];
  split();
  p = phi;
}

template <std::size_t D>
bool TangentSolver<D>::Work::solve_by_gradients(std::span<double> x) {
  moving.resize(bodies.size());
  y.assign(rows.size(), 0.0);
  for (auto* values : {&g, &p, &product, &phi, &beta}) values->resize(rows.size());
  find_expansion();
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
  std::copy(y.begin(), y.end(), x.begin());
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
