// Block pivoting on a factor that follows the graph of contacts.
#include "carom/solvers/linked_pivoting.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/stretches.h"
#include "carom/solvers/detail/link_dispute.h"
#include "carom/solvers/detail/link_factor.h"
#include "carom/solvers/detail/link_order.h"
#include "carom/solvers/detail/link_repair.h"
#include "carom/solvers/detail/link_state.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {
namespace {

constexpr std::uint64_t kRounds = 1000;
// Fewer rows than these an interior point solves in the time of so many rounds, and rounds are
// cheaper than repairs and answers as long as rows settle.
constexpr std::size_t kCheapRows = 20'000;
constexpr std::uint64_t kCheapRounds = 100;
// Who changes sides next is chosen more carefully once the number of rows of wrong sign falls to no
// less than this share of what it was.
constexpr double kAllFall = 0.8;
constexpr double kSomeFall = 0.95;
// Where more than this share of the rows opens at first, sweeps tell better who will carry.
constexpr double kManyOpen = 0.1;
constexpr int kSweeps = 10;
constexpr std::size_t kMostSweeps = 100;  // in space, where factors fill up and rounds are dear
constexpr int kPatience = 3;              // rounds without fewer of them than ever
constexpr double kFew = 0.03;             // of many rows: few enough for a first repair
constexpr double kFewOfCheap = 0.001;     // of rows whose rounds are cheap
constexpr int kRepairs = 8;               // before rows change sides one by one
constexpr std::size_t kWorse = 2;         // times as many wrong rows as before a repair ...
constexpr std::size_t kMany = 20;         // ... and more than these
constexpr int kRepairSteps = 2;           // from row to row ...
constexpr int kStepsOfCheap = 5;
constexpr int kFurther = 4;                // ... and more of them for each repair
constexpr std::size_t kDisputed = 64;      // wrong rows that are few enough to be answered at once
constexpr int kDisputeSteps = 1;           // from these to rows that are answered with them
constexpr int kAnswers = 30;               // to one dispute that grows
constexpr double kRegularisation = 1e-12;  // beside a diagonal of about 1: rows may be redundant
constexpr double kSigns = 5e-14;           // slack in the comparison of signs, relative
constexpr double kSignsAtLast = 4e-13;     // where few are left, and round-off makes sets alternate
constexpr double kRoughly = 1e-11;         // the same before x is refined
constexpr double kResidual = 5e-13;
constexpr int kRefinements = 4;
constexpr double kLargest = 1e8;    // x beside c: beyond it round-off would hide that there is none
constexpr double kFullRank = 1e-8;  // smallest pivot that proves rows independent
constexpr double kAtRest = 1e-12;   // gradient, relative
constexpr std::size_t kStretch = 8192;  // rows that a thread takes at a time

/// Rows that may change sides in the same round.
enum class Spread { all, no_common_point, no_common_neighbour };
/// Of rows that are answered at once: they are taken out in one round and put back in the next.
enum class Stage { none, taken_out, answered };

}  // namespace

/// Everything by places in the order of elimination.
template <std::size_t D>
struct LinkedPivoting<D>::Work {
  struct Wrong {
    double by;
    Index place;
  };

  LinkOrder order;
  LinkState<D> state;
  LinkFactor factor;
  LinkRepair<D> repair;
  LinkDispute<D> dispute;
  std::vector<LinkEnds> ends;
  std::vector<double> values;    ///< of A, where the factor has entries
  std::vector<double> diagonal;  ///< regularised
  std::vector<double> step;
  double size_c = 0.0;
  double largest_x = 0.0;

  std::vector<Wrong> wrong;
  std::vector<std::vector<Wrong>> wrong_in;  ///< by stretch of rows
  std::vector<Index> wrong_places;
  std::vector<std::uint64_t> taken;  ///< per point: the last round in which it was out of bounds
  std::uint64_t round = 0;
  Spread spread = Spread::all;
  std::size_t last = 0;
  std::size_t fewest = 0;
  int patience = 0;
  int repairs = 0;
  bool repaired = false;  ///< in the last round
  bool one_by_one = false;
  Stage stage = Stage::none;
  int answers = 0;  ///< to the dispute

  void load(const LinkedRows<D>& system, std::span<const double> c, WorkerPool* pool);
  [[nodiscard]] int sweeps() const;
  void assemble();
  void assemble(Index j);
  void solve_active();
  void refine();
  void find_wrong(double slack);
  void change_sides();
  [[nodiscard]] bool take_repair_back();
  [[nodiscard]] bool repair_around_wrong();
  [[nodiscard]] bool go_on_disputing();
  [[nodiscard]] bool answer_dispute();
  [[nodiscard]] bool dispute_wrong();
  void name_wrong();
  void exchange_far_apart();
  void exchange_one();
  void exchange(Index place) {
    state.active[place] ^= 1U;
    factor.touch(place);
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
  round = 0;
  spread = Spread::all;
  last = fewest = c.size() + 1;
  patience = kPatience;
  repairs = 0;
  repaired = false;
  one_by_one = false;
  stage = Stage::none;
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
  for_each_stretch(state.pool, state.size(), kStretch, [&](const Stretch& stretch) {
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
void LinkedPivoting<D>::Work::find_wrong(double slack) {
  const double slack_x = slack * largest_x;
  const double slack_g = slack * size_c + slack_x;
  wrong.clear();
  const auto look = [&](const Stretch& stretch, std::vector<Wrong>& found) {
    for (auto k = static_cast<Index>(stretch.first); k < stretch.last; ++k) {
      const bool active = state.active[k] != 0;
      const double by = active ? -state.x[k] : -state.gradient[k];
      if (by > (active ? slack_x : slack_g)) found.push_back({by, k});
    }
  };
  if (state.pool == nullptr) {
    look({0, 0, state.size(), 0}, wrong);
    return;
  }
  wrong_in.resize(stretch_count(state.size(), kStretch));
  for_each_stretch(state.pool, state.size(), kStretch, [&](const Stretch& stretch) {
    wrong_in[stretch.number].clear();
    look(stretch, wrong_in[stretch.number]);
  });
  for (const auto& found : wrong_in) wrong.insert(wrong.end(), found.begin(), found.end());
}

template <std::size_t D>
void LinkedPivoting<D>::Work::change_sides() {
  if (go_on_disputing() || take_repair_back()) return;
  const std::size_t count = wrong.size();
  const bool fewer = count < fewest;
  if (one_by_one && !fewer) {
    exchange_one();
    return;
  }
  const auto falls_to = [&](double share) {
    return static_cast<double>(count) <= share * static_cast<double>(last);
  };
  if (spread == Spread::all && !falls_to(kAllFall)) {
    spread = Spread::no_common_point;
  } else if (spread == Spread::no_common_point && !falls_to(kSomeFall)) {
    spread = Spread::no_common_neighbour;
  }
  patience = fewer ? kPatience : patience - 1;
  last = count;
  fewest = std::min(fewest, count);
  one_by_one = false;
  if (spread == Spread::all) {
    for (const Wrong& row : wrong) exchange(row.place);
    return;
  }
  state.list_rows_at();
  const bool cheap = state.size() < kCheapRows;
  const double share = cheap ? kFewOfCheap : kFew;
  const bool few =
      static_cast<double>(count) < share * static_cast<double>(state.size()) && repairs == 0;
  const bool stuck = patience < 0;
  if ((stuck || !cheap) && dispute_wrong()) return;
  if ((few || (stuck && repairs < kRepairs)) && repair_around_wrong()) return;
  if (stuck) {
    one_by_one = true;
    exchange_one();
  } else {
    exchange_far_apart();
  }
}

// A repair that made it worse: the rows around had no answer of their own.
template <std::size_t D>
bool LinkedPivoting<D>::Work::take_repair_back() {
  if (!std::exchange(repaired, false) || wrong.size() <= kWorse * last + kMany) return false;
  for (const Index place : repair.changes()) exchange(place);
  return true;
}

template <std::size_t D>
bool LinkedPivoting<D>::Work::repair_around_wrong() {
  name_wrong();
  const int steps = state.size() < kCheapRows ? kStepsOfCheap : kRepairSteps;
  if (!repair.find(state, wrong_places, steps + kFurther * repairs)) return false;
  for (const Index place : repair.changes()) exchange(place);
  ++repairs;
  repaired = true;
  patience = kPatience;
  return true;
}

template <std::size_t D>
void LinkedPivoting<D>::Work::name_wrong() {
  wrong_places.clear();
  for (const Wrong& row : wrong) wrong_places.push_back(row.place);
}

// False: there is no dispute, or it ends without a solution.
template <std::size_t D>
bool LinkedPivoting<D>::Work::go_on_disputing() {
  if (stage == Stage::none) return false;
  if (stage == Stage::taken_out) {
    if (answer_dispute()) return true;
  } else if (wrong.size() <= kWorse * last + kMany) {
    const auto is_disputed = [&](const Wrong& row) { return dispute.names(row.place); };
    if (!std::all_of(wrong.begin(), wrong.end(), is_disputed)) {
      if (dispute_wrong()) return true;
    } else if (++answers <= kAnswers) {
      exchange_far_apart();  // what the answer could not tell from round-off
      return true;
    }
  }
  stage = Stage::none;
  return false;
}

template <std::size_t D>
bool LinkedPivoting<D>::Work::answer_dispute() {
  stage = Stage::answered;
  if (!dispute.answer(state, factor)) return false;
  for (std::size_t i = 0; i < dispute.rows().size(); ++i) {
    if (dispute.carries()[i] != 0) exchange(dispute.rows()[i]);
  }
  return true;
}

// Takes the wrong rows out, with those that are disputed already.
template <std::size_t D>
bool LinkedPivoting<D>::Work::dispute_wrong() {
  if (stage == Stage::none) {
    dispute.clear();
    answers = 0;
  }
  if (wrong.size() > kDisputed || ++answers > kAnswers) return false;
  name_wrong();
  if (!dispute.add(state, wrong_places, kDisputeSteps)) return false;
  for (const Index place : dispute.rows()) {
    if (state.active[place] != 0) exchange(place);
  }
  stage = Stage::taken_out;
  last = wrong.size();
  return true;
}

// One row, the last in the order of elimination: by such a rule no set of rows comes twice
// [Murty1974], and the fewest columns of the factor depend on it.
template <std::size_t D>
void LinkedPivoting<D>::Work::exchange_one() {
  const auto last_row = std::max_element(
      wrong.begin(), wrong.end(),
      [](const Wrong& first, const Wrong& second) { return first.place < second.place; });
  exchange(last_row->place);
}

// The worst rows first; none that is too close to one before it.
template <std::size_t D>
void LinkedPivoting<D>::Work::exchange_far_apart() {
  std::sort(wrong.begin(), wrong.end(), [](const Wrong& first, const Wrong& second) {
    return first.by != second.by ? first.by > second.by : first.place < second.place;
  });
  taken.resize(state.point_count(), 0);
  const auto take = [&](Index point) {
    taken[point] = round;
    if (spread == Spread::no_common_point) return;
    for (const Index k : state.rows_of(point)) {
      taken[state.rows[k].a] = round;
      if (state.rows[k].b != kNone) taken[state.rows[k].b] = round;
    }
  };
  for (const Wrong& found : wrong) {
    const auto& row = state.rows[found.place];
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
                              std::span<double> x, WorkerPool* pool) {
  Work& work = *work_;
  const bool is_shared = pool != nullptr && pool->size() > 1 && c.size() >= kThreadedRows;
  work.load(system, c, is_shared ? pool : nullptr);
  work.taken.clear();
  const std::uint64_t budget = c.size() < kCheapRows ? kCheapRounds : kRounds;
  while (true) {
    if (work.round == budget) return false;
    rounds_ = ++work.round;
    work.solve_active();
    work.find_wrong(kRoughly);
    if (work.wrong.empty()) {
      work.refine();
      work.find_wrong(work.repairs > 0 ? kSignsAtLast : kSigns);
    }
    if (work.wrong.empty()) break;
    work.change_sides();
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

namespace {

template <std::size_t D>
bool has_one_weight(std::span<const double> inverse_mass) {
  if (inverse_mass.size() != D * D) return false;
  for (std::size_t i = 0; i < D; ++i) {
    for (std::size_t j = 0; j < D; ++j) {
      if (inverse_mass[i * D + j] != (i == j ? inverse_mass[0] : 0.0)) return false;
    }
  }
  return true;
}

}  // namespace

template <std::size_t D>
std::optional<LinkedRows<D>> linked_rows(const QuadraticProgram& problem) {
  const BlockRows& rows = *problem.rows;
  LinkedRows<D> links;
  for (Index block = 0; block < rows.block_count(); ++block) {
    if (!has_one_weight<D>(rows.inverse_mass(block))) return std::nullopt;
    links.weight.push_back(rows.inverse_mass(block)[0]);
  }
  for (const Index row : problem.selection) {
    const std::span<const BlockRows::Entry> entries = rows.entries(row);
    if (entries.empty() || entries.size() > 2) return std::nullopt;
    typename LinkedRows<D>::Row linked;
    linked.a = entries[0].block;
    if (entries.size() == 2) linked.b = entries[1].block;
    for (std::size_t k = 0; k < D; ++k) {
      linked.gradient[k] = rows.gradient(entries[0])[k];
      if (entries.size() == 2 && rows.gradient(entries[1])[k] != -linked.gradient[k]) {
        return std::nullopt;
      }
    }
    links.rows.push_back(linked);
  }
  return links;
}

template std::optional<LinkedRows<2>> linked_rows(const QuadraticProgram& problem);
template std::optional<LinkedRows<3>> linked_rows(const QuadraticProgram& problem);
template class LinkedPivoting<2>;
template class LinkedPivoting<3>;

}  // namespace carom::solvers
