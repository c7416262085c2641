#include "carom/solvers/linked_pivoting.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/link_factor.h"
#include "carom/solvers/detail/link_order.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {
namespace {

constexpr std::uint64_t kRounds = 100;
constexpr double kFallsQuickly = 0.8;      // rows of wrong sign, from one round to the next
constexpr int kPatience = 6;               // rounds without fewer of them than ever
constexpr double kRegularisation = 1e-12;  // beside a diagonal of about 1: rows may be redundant
constexpr double kSigns = 1e-14;           // slack in the comparison of signs, relative
constexpr double kRoughly = 1e-11;         // the same before x is refined
constexpr double kResidual = 1e-13;
constexpr int kRefinements = 4;

// Bits without any order in them.
std::uint64_t lot(std::uint64_t row, std::uint64_t round) {
  std::uint64_t bits = row * 0x9e3779b97f4a7c15U + round * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

}  // namespace

/// Everything by places in the order of elimination.
template <std::size_t D>
struct LinkedPivoting<D>::Work {
  using Vector = std::array<double, D>;
  struct Wrong {
    double by;
    Index place;
  };

  LinkOrder order;
  LinkFactor factor;
  std::vector<LinkEnds> ends;
  std::vector<typename LinkedRows<D>::Row> rows;
  std::vector<double> values;    ///< of A, where the factor has entries
  std::vector<double> diagonal;  ///< regularised
  std::vector<double> c, x, response, gradient, step;
  std::vector<Vector> velocity;  ///< of each point: W N x
  std::vector<unsigned char> active;
  std::vector<Wrong> wrong;
  std::vector<Index> first_row;  ///< of each point, in rows_at
  std::vector<Index> rows_at;
  std::vector<std::uint64_t> taken;  ///< per point: the round in which a neighbour changed sides
  double size_c = 0.0;

  void bring(const LinkedRows<D>& system, std::span<const double> given);
  void assemble(const LinkedRows<D>& system);
  void respond(const LinkedRows<D>& system);
  void solve_active(const LinkedRows<D>& system);
  void refine(const LinkedRows<D>& system);
  void find_wrong(double slack);
  void exchange_all();
  void exchange_far_apart(std::uint64_t round, bool by_lot);
  void list_rows_at(Index point_count);
  void exchange(Index place) {
    active[place] ^= 1U;
    factor.touch(place);
  }
};

template <std::size_t D>
void LinkedPivoting<D>::Work::bring(const LinkedRows<D>& system, std::span<const double> given) {
  const std::size_t size = system.rows.size();
  ends.clear();
  for (const auto& row : system.rows) ends.push_back({row.a, row.b});
  order.find(ends, static_cast<Index>(system.weight.size()));
  rows.resize(size);
  c.resize(size);
  for (std::size_t k = 0; k < size; ++k) {
    rows[k] = system.rows[order.order()[k]];
    c[k] = given[order.order()[k]];
  }
  size_c = largest_absolute(c);
  for (auto* numbers : {&x, &response, &gradient, &step}) numbers->resize(size);
  active.resize(size);
  for (std::size_t k = 0; k < size; ++k) active[k] = c[k] < 0.0 ? 1 : 0;
  velocity.resize(system.weight.size());
  taken.clear();
  assemble(system);
  factor.reset(order, values, diagonal);
}

template <std::size_t D>
void LinkedPivoting<D>::Work::assemble(const LinkedRows<D>& system) {
  const std::span<const Index> start = order.start();
  const std::span<const Index> below = order.below();
  values.resize(below.size());
  diagonal.resize(rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const auto& row = rows[j];
    double square = 0.0;
    for (const double g : row.gradient) square += g * g;
    const double weight_a = system.weight[row.a];
    const double weight_b = row.b == kNone ? 0.0 : system.weight[row.b];
    diagonal[j] = square * (weight_a + weight_b) + kRegularisation;
    for (Index p = start[j]; p < start[j + 1]; ++p) {
      const auto& with = rows[below[p]];
      double weight = 0.0;
      if (row.a == with.a) weight += weight_a;
      if (row.a == with.b) weight -= weight_a;
      if (row.b == with.a) weight -= weight_b;
      if (row.b == with.b) weight += weight_b;
      double product = 0.0;
      for (std::size_t d = 0; d < D; ++d) product += row.gradient[d] * with.gradient[d];
      values[p] = weight * product;
    }
  }
}

// What x does to the closing speeds.
template <std::size_t D>
void LinkedPivoting<D>::Work::respond(const LinkedRows<D>& system) {
  std::fill(velocity.begin(), velocity.end(), Vector{});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (x[k] == 0.0) continue;
    const auto& row = rows[k];
    const double at_a = x[k] * system.weight[row.a];
    for (std::size_t d = 0; d < D; ++d) velocity[row.a][d] += at_a * row.gradient[d];
    if (row.b == kNone) continue;
    const double at_b = x[k] * system.weight[row.b];
    for (std::size_t d = 0; d < D; ++d) velocity[row.b][d] -= at_b * row.gradient[d];
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto& row = rows[k];
    double sum = 0.0;
    for (std::size_t d = 0; d < D; ++d) sum += row.gradient[d] * velocity[row.a][d];
    if (row.b != kNone) {
      for (std::size_t d = 0; d < D; ++d) sum -= row.gradient[d] * velocity[row.b][d];
    }
    response[k] = sum;
    gradient[k] = c[k] + sum;
  }
}

template <std::size_t D>
void LinkedPivoting<D>::Work::solve_active(const LinkedRows<D>& system) {
  factor.update(active);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = active[k] != 0 ? -c[k] : 0.0;
  factor.solve(active, x);
  respond(system);
}

// Takes back what the regularisation did, against the true matrix.
template <std::size_t D>
void LinkedPivoting<D>::Work::refine(const LinkedRows<D>& system) {
  for (int round = 0; round < kRefinements; ++round) {
    double worst = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      step[k] = active[k] != 0 ? -gradient[k] : 0.0;
      worst = std::max(worst, std::abs(step[k]));
    }
    if (worst <= 8.0 * kRoundOff * (size_c + largest_absolute(x))) return;
    factor.solve(active, step);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += step[k];
    respond(system);
  }
}

template <std::size_t D>
void LinkedPivoting<D>::Work::find_wrong(double slack) {
  const double slack_x = slack * largest_absolute(x);
  const double slack_g = slack * size_c + slack_x;
  wrong.clear();
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double by = active[k] != 0 ? -x[k] : -gradient[k];
    if (by > (active[k] != 0 ? slack_x : slack_g)) wrong.push_back({by, static_cast<Index>(k)});
  }
}

template <std::size_t D>
void LinkedPivoting<D>::Work::exchange_all() {
  for (const Wrong& row : wrong) exchange(row.place);
}

template <std::size_t D>
void LinkedPivoting<D>::Work::list_rows_at(Index point_count) {
  first_row.assign(point_count + std::size_t{1}, 0);
  for (const auto& row : rows) {
    ++first_row[row.a + 1];
    if (row.b != kNone) ++first_row[row.b + 1];
  }
  for (Index i = 0; i < point_count; ++i) first_row[i + 1] += first_row[i];
  rows_at.resize(first_row[point_count]);
  std::vector<Index> next(first_row.begin(), first_row.end() - 1);
  for (Index k = 0; k < rows.size(); ++k) {
    rows_at[next[rows[k].a]++] = k;
    if (rows[k].b != kNone) rows_at[next[rows[k].b]++] = k;
  }
}

// The worst rows first; none that shares a point with a neighbour of one before it.
template <std::size_t D>
void LinkedPivoting<D>::Work::exchange_far_apart(std::uint64_t round, bool by_lot) {
  const auto point_count = static_cast<Index>(velocity.size());
  if (taken.empty()) {
    taken.assign(point_count, 0);
    list_rows_at(point_count);
  }
  if (by_lot) {
    for (Wrong& row : wrong) row.by = static_cast<double>(lot(row.place, round) >> 11U);
  }
  std::sort(wrong.begin(), wrong.end(), [](const Wrong& first, const Wrong& second) {
    return first.by != second.by ? first.by > second.by : first.place < second.place;
  });
  const auto take = [&](Index point) {
    for (Index p = first_row[point]; p < first_row[point + 1]; ++p) {
      const auto& row = rows[rows_at[p]];
      taken[row.a] = round;
      if (row.b != kNone) taken[row.b] = round;
    }
  };
  for (const Wrong& found : wrong) {
    const auto& row = rows[found.place];
    if (taken[row.a] == round || (row.b != kNone && taken[row.b] == round)) continue;
    exchange(found.place);
    take(row.a);
    if (row.b != kNone) take(row.b);
  }
}

template <std::size_t D>
LinkedPivoting<D>::LinkedPivoting() : work_(std::make_unique<Work>()) {}
template <std::size_t D>
LinkedPivoting<D>::~LinkedPivoting() = default;

template <std::size_t D>
bool LinkedPivoting<D>::solve(const LinkedRows<D>& system, std::span<const double> c,
                              std::span<double> x) {
  Work& work = *work_;
  work.bring(system, c);
  rounds_ = 0;
  bool far_apart = false;
  std::size_t last = c.size() + 1;
  std::size_t fewest = last;
  int patience = kPatience;
  while (true) {
    if (++rounds_ > kRounds) return false;
    work.solve_active(system);
    work.find_wrong(kRoughly);
    if (work.wrong.empty()) {
      work.refine(system);
      work.find_wrong(kSigns);
    }
    const std::size_t count = work.wrong.size();
    if (count == 0) break;
    far_apart = far_apart || static_cast<double>(count) > kFallsQuickly * static_cast<double>(last);
    last = count;
    patience = count < fewest ? kPatience : patience - 1;
    fewest = std::min(fewest, count);
    if (far_apart) {
      work.exchange_far_apart(rounds_, patience < 0);
    } else {
      work.exchange_all();
    }
  }
  const double terms = work.size_c + largest_absolute(work.x);
  square_ = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double value = std::max(0.0, work.x[k]);
    x[work.order.order()[k]] = value;
    square_ += value * work.response[k];
    if (!(std::abs(std::min(value, work.gradient[k])) <= kResidual * terms)) return false;
  }
  return true;
}

template class LinkedPivoting<2>;
template class LinkedPivoting<3>;

}  // namespace carom::solvers
