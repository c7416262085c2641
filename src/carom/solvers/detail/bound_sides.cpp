// Who is free and who at which bound, and who changes sides next.
#include "carom/solvers/detail/bound_sides.h"

namespace carom::solvers {

void BoundSides::reset(std::size_t size, int grace) {
  side_.assign(size, Side::lower);
  moves_.clear();
  most_grace_ = grace;
  begin_anew();
}

void BoundSides::begin_anew() {
  fewest_ = side_.size() + 1;
  grace_ = most_grace_;
}

// Written so that what is not a number is on the wrong side.
void BoundSides::find_moves(const Standing& standing) {
  moves_.clear();
  for (Index i = 0; i < side_.size(); ++i) {
    switch (side_[i]) {
      case Side::free:
        if (!(standing.y[i] >= standing.lower[i] - standing.slack_y)) {
          add_move(i, Side::lower);
        } else if (!(standing.y[i] <= standing.upper[i] + standing.slack_y)) {
          add_move(i, Side::upper);
        }
        break;
      case Side::lower:
        if (!(standing.gradient[i] >= -standing.slack_gradient)) add_move(i, Side::free);
        break;
      case Side::upper:
        if (!(standing.gradient[i] <= standing.slack_gradient)) add_move(i, Side::free);
        break;
    }
  }
}

void BoundSides::exchange_some() {
  if (moves_.size() < fewest_) {
    fewest_ = moves_.size();
    grace_ = most_grace_;
    exchange_all();
  } else if (grace_ > 0) {
    --grace_;
    exchange_all();
  } else {
    exchange_from(moves_.size() - 1);
  }
}

void BoundSides::exchange_from(std::size_t first) {
  for (std::size_t k = first; k < moves_.size(); ++k) side_[moves_[k].row] = moves_[k].to;
}

}  // namespace carom::solvers
