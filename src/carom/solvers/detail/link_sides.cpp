// Which rows change sides in a round of block pivoting: in blocks, by repair, or one by one.
#include "carom/solvers/detail/link_sides.h"

#include <algorithm>

#include "carom/core/stretches.h"

namespace carom::solvers {
namespace {

// Who changes sides next is chosen more carefully once the number of rows of wrong sign falls to no
// less than this share of what it was.
constexpr double kAllFall = 0.8;
constexpr double kSomeFall = 0.95;
constexpr int kPatience = 3;           // rounds without fewer of them than ever
constexpr double kFew = 0.03;          // of many rows: few enough for a first repair
constexpr double kFewOfCheap = 0.001;  // of rows whose rounds are cheap
constexpr int kRepairs = 8;            // before rows change sides one by one
constexpr std::size_t kWorse = 2;      // times as many wrong rows as before a repair ...
constexpr std::size_t kMany = 20;      // ... and more than these
constexpr int kRepairSteps = 2;        // from row to row ...
constexpr int kStepsOfCheap = 5;
constexpr int kFurther = 4;            // ... and more of them for each repair
constexpr std::size_t kDisputed = 64;  // wrong rows that are few enough to be answered at once
constexpr int kDisputeSteps = 1;       // from these to rows that are answered with them
constexpr int kAnswers = 30;           // to one dispute that grows

}  // namespace

template <std::size_t D>
void LinkSides<D>::begin(LinkState<D>& state, LinkFactor& factor) {
  state_ = &state;
  factor_ = &factor;
  taken_.clear();
  round_ = 0;
  way_ = Way::in_blocks;
  spread_ = Spread::all;
  stage_ = Stage::none;
  last_ = fewest_ = state.size() + 1;
  patience_ = kPatience;
  repairs_ = 0;
}

template <std::size_t D>
bool LinkSides<D>::find_wrong(double slack_x, double slack_g) {
  wrong_.clear();
  const auto look = [&](const Stretch& stretch, std::vector<Wrong>& found) {
    for (auto k = static_cast<Index>(stretch.first); k < stretch.last; ++k) {
      const bool active = state_->active[k] != 0;
      const double by = active ? -state_->x[k] : -state_->gradient[k];
      if (by > (active ? slack_x : slack_g)) found.push_back({by, k});
    }
  };
  if (state_->pool == nullptr) {
    look({0, 0, state_->size(), 0}, wrong_);
    return !wrong_.empty();
  }
  wrong_in_.resize(stretch_count(state_->size(), kLinkStretch));
  for_each_stretch(state_->pool, state_->size(), kLinkStretch, [&](const Stretch& stretch) {
    wrong_in_[stretch.number].clear();
    look(stretch, wrong_in_[stretch.number]);
  });
  for (const auto& found : wrong_in_) wrong_.insert(wrong_.end(), found.begin(), found.end());
  return !wrong_.empty();
}

template <std::size_t D>
void LinkSides<D>::change(std::uint64_t round) {
  round_ = round;
  if (go_on_disputing() || take_repair_back()) return;
  const std::size_t count = wrong_.size();
  const bool fewer = count < fewest_;
  if (way_ == Way::one_by_one && !fewer) {
    exchange_one();
    return;
  }
  const auto falls_to = [&](double share) {
    return static_cast<double>(count) <= share * static_cast<double>(last_);
  };
  if (spread_ == Spread::all && !falls_to(kAllFall)) {
    spread_ = Spread::no_common_point;
  } else if (spread_ == Spread::no_common_point && !falls_to(kSomeFall)) {
    spread_ = Spread::no_common_neighbour;
  }
  patience_ = fewer ? kPatience : patience_ - 1;
  last_ = count;
  fewest_ = std::min(fewest_, count);
  way_ = Way::in_blocks;
  if (spread_ == Spread::all) {
    for (const Wrong& row : wrong_) exchange(row.place);
    return;
  }
  state_->list_rows_at();
  const bool cheap = state_->size() < kCheapRows;
  const double share = cheap ? kFewOfCheap : kFew;
  const bool few =
      static_cast<double>(count) < share * static_cast<double>(state_->size()) && repairs_ == 0;
  const bool stuck = patience_ < 0;
  if ((stuck || !cheap) && dispute_wrong()) return;
  if ((few || (stuck && repairs_ < kRepairs)) && repair_around_wrong()) return;
  if (stuck) {
    way_ = Way::one_by_one;
    exchange_one();
  } else {
    exchange_far_apart();
  }
}

// A repair that made it worse: the rows around had no answer of their own.
template <std::size_t D>
bool LinkSides<D>::take_repair_back() {
  if (way_ != Way::by_repair) return false;
  way_ = Way::in_blocks;
  if (wrong_.size() <= kWorse * last_ + kMany) return false;
  for (const Index place : repair_.changes()) exchange(place);
  return true;
}

template <std::size_t D>
bool LinkSides<D>::repair_around_wrong() {
  name_wrong();
  const int steps = state_->size() < kCheapRows ? kStepsOfCheap : kRepairSteps;
  if (!repair_.find(*state_, wrong_places_, steps + kFurther * repairs_)) return false;
  for (const Index place : repair_.changes()) exchange(place);
  ++repairs_;
  way_ = Way::by_repair;
  patience_ = kPatience;
  return true;
}

template <std::size_t D>
void LinkSides<D>::name_wrong() {
  wrong_places_.clear();
  for (const Wrong& row : wrong_) wrong_places_.push_back(row.place);
}

// False: there is no dispute, or it ends without a solution.
template <std::size_t D>
bool LinkSides<D>::go_on_disputing() {
  if (stage_ == Stage::none) return false;
  if (stage_ == Stage::taken_out) {
    if (answer_dispute()) return true;
  } else if (wrong_.size() <= kWorse * last_ + kMany) {
    const auto is_disputed = [&](const Wrong& row) { return dispute_.names(row.place); };
    if (!std::all_of(wrong_.begin(), wrong_.end(), is_disputed)) {
      if (dispute_wrong()) return true;
    } else if (++answers_ <= kAnswers) {
      exchange_far_apart();  // what the answer could not tell from round-off
      return true;
    }
  }
  stage_ = Stage::none;
  return false;
}

template <std::size_t D>
bool LinkSides<D>::answer_dispute() {
  stage_ = Stage::answered;
  if (!dispute_.answer(*state_, *factor_)) return false;
  for (std::size_t i = 0; i < dispute_.rows().size(); ++i) {
    if (dispute_.carries()[i] != 0) exchange(dispute_.rows()[i]);
  }
  return true;
}

// Takes the wrong rows out, with those that are disputed already.
template <std::size_t D>
bool LinkSides<D>::dispute_wrong() {
  if (stage_ == Stage::none) {
    dispute_.clear();
    answers_ = 0;
  }
  if (wrong_.size() > kDisputed || ++answers_ > kAnswers) return false;
  name_wrong();
  if (!dispute_.add(*state_, wrong_places_, kDisputeSteps)) return false;
  for (const Index place : dispute_.rows()) {
    if (state_->active[place] != 0) exchange(place);
  }
  stage_ = Stage::taken_out;
  last_ = wrong_.size();
  return true;
}

// One row, the last in the order of elimination: by such a rule no set of rows comes twice
// [Murty1974], and the fewest columns of the factor depend on it.
template <std::size_t D>
void LinkSides<D>::exchange_one() {
  const auto last_row = std::max_element(
      wrong_.begin(), wrong_.end(),
      [](const Wrong& first, const Wrong& second) { return first.place < second.place; });
  exchange(last_row->place);
}

// The worst rows first; none that is too close to one before it.
template <std::size_t D>
void LinkSides<D>::exchange_far_apart() {
  std::sort(wrong_.begin(), wrong_.end(), [](const Wrong& first, const Wrong& second) {
    return first.by != second.by ? first.by > second.by : first.place < second.place;
  });
  taken_.resize(state_->point_count(), 0);
  const auto take = [&](Index point) {
    taken_[point] = round_;
    if (spread_ == Spread::no_common_point) return;
    for (const Index k : state_->rows_of(point)) {
      taken_[state_->rows[k].a] = round_;
      if (state_->rows[k].b != kNone) taken_[state_->rows[k].b] = round_;
    }
  };
  for (const Wrong& found : wrong_) {
    const auto& row = state_->rows[found.place];
    if (taken_[row.a] == round_ || (row.b != kNone && taken_[row.b] == round_)) continue;
    exchange(found.place);
    take(row.a);
    if (row.b != kNone) take(row.b);
  }
}

template class LinkSides<2>;
template class LinkSides<3>;

}  // namespace carom::solvers
