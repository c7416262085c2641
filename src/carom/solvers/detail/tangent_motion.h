#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/two.h"
#include "carom/solvers/tangent_solver.h"

namespace carom::solvers {

/// What tangential rows do to their bodies: A x by way of velocities, each times the root of its
/// mass or moment of inertia.
template <std::size_t D>
class TangentMotion {
 public:
  /// Everything stands still.
  void load(const std::vector<typename TangentRows<D>::Row>& rows,
            std::span<const typename TangentRows<D>::Body> bodies);
  void stop() { std::fill(moving_.begin(), moving_.end(), Moving{}); }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// An impulse along a row.
  void push(std::size_t row, double impulse) {
    add(ends_[row].at_a, impulse, moving_[ends_[row].a]);
    add(ends_[row].at_b, impulse, moving_[ends_[row].b]);
  }
  /// How fast a row slides.
  [[nodiscard]] double speed(std::size_t row) const;
  /// |A| is at most the largest sum over a row's bodies of its own gradient's length there times
  /// those of all rows: that bound.
  [[nodiscard]] double largest_stretch();

 private:
  static constexpr std::size_t kTurns = TangentRows<D>::kTurns;
  /// What impulses do to a body; in space six numbers, in the plane three and a zero.
  static constexpr std::size_t kMoves = D == 2 ? 4 : 6;
  using Moving = std::array<double, kMoves>;
  struct Ends {  ///< of a row: what it does to its bodies
    Index a = 0;
    Index b = 0;  ///< of a wall: the one behind the last, which is not moved
    Moving at_a{};
    Moving at_b{};
  };

  static void add(const Moving& gradient, double change, Moving& to) {
    const Two by = Two::of(change);
    for (std::size_t d = 0; d < kMoves; d += 2) {
      (Two::at(&to[d]) + by * Two::at(&gradient[d])).store(&to[d]);
    }
  }

  std::vector<Ends> ends_;
  std::vector<Moving> moving_;
  std::vector<double> reach_;  ///< per body: of its rows' gradients, the sum
};

template <std::size_t D>
void TangentMotion<D>::load(const std::vector<typename TangentRows<D>::Row>& rows,
                            std::span<const typename TangentRows<D>::Body> bodies) {
  using Row = typename TangentRows<D>::Row;
  moving_.assign(bodies.size() + 1, Moving{});
  ends_.assign(rows.size(), Ends{});
  const auto find = [&](const Row& row, Index body, double sign,
                        const std::array<double, kTurns>& turn, Moving& at) {
    const double weight = sign * std::sqrt(bodies[body].weight);
    const double turn_weight = std::sqrt(bodies[body].turn_weight);
    for (std::size_t d = 0; d < D; ++d) at[d] = weight * row.along[d];
    for (std::size_t d = 0; d < kTurns; ++d) at[D + d] = turn_weight * turn[d];
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    ends_[k].a = row.a;
    ends_[k].b = row.b == kNone ? static_cast<Index>(bodies.size()) : row.b;
    find(row, row.a, 1.0, row.turn_a, ends_[k].at_a);
    if (row.b != kNone) find(row, row.b, -1.0, row.turn_b, ends_[k].at_b);
  }
}

template <std::size_t D>
double TangentMotion<D>::speed(std::size_t number) const {
  const Ends& row = ends_[number];
  const Moving& a = moving_[row.a];
  const Moving& b = moving_[row.b];
  Two at_a = Two::at(row.at_a.data()) * Two::at(a.data());
  Two at_b = Two::at(row.at_b.data()) * Two::at(b.data());
  for (std::size_t d = 2; d < kMoves; d += 2) {
    at_a = at_a + Two::at(&row.at_a[d]) * Two::at(&a[d]);
    at_b = at_b + Two::at(&row.at_b[d]) * Two::at(&b[d]);
  }
  const Two sum = at_a + at_b;
  return sum.first() + sum.second();
}

template <std::size_t D>
double TangentMotion<D>::largest_stretch() {
  const auto length = [](const Moving& gradient) {
    double square = 0.0;
    for (const double value : gradient) square += value * value;
    return std::sqrt(square);
  };
  reach_.assign(moving_.size(), 0.0);
  for (const Ends& row : ends_) {
    reach_[row.a] += length(row.at_a);
    reach_[row.b] += length(row.at_b);
  }
  double norm = 0.0;
  for (const Ends& row : ends_) {
    norm = std::max(norm, length(row.at_a) * reach_[row.a] + length(row.at_b) * reach_[row.b]);
  }
  return norm;
}

}  // namespace carom::solvers
