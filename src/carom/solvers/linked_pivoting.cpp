// Block pivoting on a factor that follows the graph of contacts.
#include "carom/solvers/linked_pivoting.h"

#include <algorithm>
#include <cmath>

#include "carom/core/stretches.h"
#include "carom/solvers/detail/link_factor.h"
#include "carom/solvers/detail/link_order.h"
#include "carom/solvers/detail/link_sides.h"
#include "carom/solvers/detail/link_state.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {
namespace {

constexpr std::uint64_t kRounds = 1000;
constexpr std::uint64_t kCheapRounds = 100;
// Where more than this share of the rows opens at first, sweeps tell better who will carry.
constexpr double kManyOpen = 0.1;
constexpr int kSweeps = 10;
constexpr std::size_t kMostSweeps = 100;   // in space, where factors fill up and rounds are dear
constexpr double kRegularisation = 1e-12;  // beside a diagonal of about 1: rows may be redundant
constexpr double kSigns = 5e-14;           // slack in the comparison of signs, relative
constexpr double kSignsAtLast = 4e-13;     // where few are left, and round-off makes sets alternate
constexpr double kRoughly = 1e-11;         // the same before x is refined
constexpr double kResidual = 5e-13;
constexpr int kRefinements = 4;
constexpr double kLargest = 1e8;    // x beside c: beyond it round-off would hide that there is none
constexpr double kFullRank = 1e-8;  // smallest pivot that proves rows independent
constexpr double kAtRest = 1e-12;   // gradient, relative

}  // namespace

/// Everything by places in the order of elimination.
template <std::size_t D>
struct LinkedPivoting<D>::Work {
  LinkOrder order;
  LinkState<D> state;
  LinkFactor factor;
  LinkSides<D> sides;
  std::vector<LinkEnds> ends;
  std::vector<double> values;    ///< of A, where the factor has entries
  std::vector<double> diagonal;  ///< regularised
  std::vector<double> step;
  double size_c = 0.0;
  double largest_x = 0.0;

  void load(const LinkedRows<D>& system, std::span<const double> c, WorkerPool* pool);
  [[nodiscard]] int sweeps() const;
  void assemble();
  void assemble(Index j);
  void solve_active();
  void refine();
  [[nodiscard]] bool some_are_wrong(double slack) {
    const double slack_x = slack * largest_x;
    return sides.find_wrong(slack_x, slack * size_c + slack_x);
  }
};

template <std::size_t D>
void LinkedPivoting<D>::Work::load(const LinkedRows<D>& system, std::span<const double> c,
                                   WorkerPool* pool) {
  ends.clear();
  for (const auto& row : system.rows) ends.push_back({row.a, row.b});
  order.find(ends, static_cast<Index>(system.weight.size()));
  state.load(system, c, order.order(), pool);
  const auto open = std::count(state.active.begin(), state.active.end(), 0);
  if (static_cast<double>(open) > kManyOpen * static_cast<double>(c.size())) {
    state.guess_active(sweeps());
  }
  assemble();
  factor.reset(order, {values, diagonal, state.c}, pool);
  size_c = largest_absolute(c);
  step.resize(c.size());
  sides.begin(state, factor);
}

// A round costs as much as some sweeps for each entry of the factor in a column.
template <std::size_t D>
int LinkedPivoting<D>::Work::sweeps() const {
  if (D == 2) return kSweeps;
  const std::size_t fill = order.below().size() / ends.size();
  return static_cast<int>(std::clamp(fill, std::size_t{kSweeps}, kMostSweeps));
}

template <std::size_t D>
void LinkedPivoting<D>::Work::assemble() {
  values.resize(order.below().size());
  diagonal.resize(state.size());
  for_each_stretch(state.pool, state.size(), kLinkStretch, [&](const Stretch& stretch) {
    for (auto j = static_cast<Index>(stretch.first); j < stretch.last; ++j) assemble(j);
  });
}

template <std::size_t D>
void LinkedPivoting<D>::Work::assemble(Index j) {
  diagonal[j] = state.coupling(j, j) + kRegularisation;
  for (Index p = order.start()[j]; p < order.start()[j + 1]; ++p) {
    values[p] = state.coupling(j, order.below()[p]);
  }
}

template <std::size_t D>
void LinkedPivoting<D>::Work::solve_active() {
  factor.update(state.active);
  factor.solve_system(state.active, state.x);
  state.respond_of_others();
  largest_x = largest_absolute(state.x);
}

// Takes back what the regularisation did, against the true matrix.
template <std::size_t D>
void LinkedPivoting<D>::Work::refine() {
  state.respond();
  for (int refinement = 0; refinement < kRefinements; ++refinement) {
    double worst = 0.0;
    for (Index k = 0; k < state.size(); ++k) {
      step[k] = state.active[k] != 0 ? -state.gradient[k] : 0.0;
      worst = std::max(worst, std::abs(step[k]));
    }
    if (worst <= 8.0 * kRoundOff * (size_c + largest_absolute(state.x))) return;
    factor.solve(state.active, step);
    for (Index k = 0; k < state.size(); ++k) state.x[k] += step[k];
    state.respond();
    largest_x = largest_absolute(state.x);
  }
}

template <std::size_t D>
LinkedPivoting<D>::LinkedPivoting() : work_(std::make_unique<Work>()) {}
template <std::size_t D>
LinkedPivoting<D>::~LinkedPivoting() = default;

template <std::size_t D>
bool LinkedPivoting<D>::solve(const LinkedRows<D>& system, std::span<const double> c,
                              std::span<double> x, WorkerPool* pool) {
  Work& work = *work_;
  const bool is_shared = pool != nullptr && pool->size() > 1 && c.size() >= kThreadedRows;
  work.load(system, c, is_shared ? pool : nullptr);
  const std::uint64_t budget = c.size() < kCheapRows ? kCheapRounds : kRounds;
  for (rounds_ = 0;;) {
    if (rounds_ == budget) return false;
    ++rounds_;
    work.solve_active();
    bool some_are_wrong = work.some_are_wrong(kRoughly);
    if (!some_are_wrong) {
      work.refine();
      some_are_wrong = work.some_are_wrong(work.sides.has_repaired() ? kSignsAtLast : kSigns);
    }
    if (!some_are_wrong) break;
    work.sides.change(rounds_);
  }
  const double largest = largest_absolute(work.state.x);
  if (!(largest <= kLargest * work.size_c)) return false;
  const double terms = work.size_c + largest;
  square_ = 0.0;
  unique_ = true;
  standing_.resize(x.size());
  for (Index k = 0; k < work.state.size(); ++k) {
    const double value = std::max(0.0, work.state.x[k]);
    x[work.order.order()[k]] = value;
    square_ += value * work.state.response[k];
    const bool active = work.state.active[k] != 0;
    const bool opens = !active && work.state.gradient[k] > kAtRest * terms;
    const bool independent = active && work.factor.pivot(k) > kFullRank;
    standing_[work.order.order()[k]] = opens         ? Standing::opens
                                       : independent ? Standing::carries
                                                     : Standing::doubtful;
    unique_ = unique_ && (opens || independent);
    if (!(std::abs(std::min(value, work.state.gradient[k])) <= kResidual * terms)) return false;
  }
  return true;
}

template class LinkedPivoting<2>;
template class LinkedPivoting<3>;

}  // namespace carom::solvers
