#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carom/solvers/detail/link_dispute.h"
#include "carom/solvers/detail/link_factor.h"
#include "carom/solvers/detail/link_repair.h"
#include "carom/solvers/detail/link_state.h"

namespace carom::solvers {

/// Fewer rows than these an interior point solves in the time of some rounds of pivoting, and
/// rounds are cheaper than repairs and answers as long as rows settle.
inline constexpr std::size_t kCheapRows = 20'000;
/// Rows that a thread takes at a time.
inline constexpr std::size_t kLinkStretch = 8192;

/// Who changes sides in the next round of block pivoting: which rows have the wrong sign, and which
/// of them are taken.
///
///   in blocks    all of them; where their number hardly falls, only such as share no point, then
///   no
///                neighbour
///   by repair    the rows around few wrong ones solve them by themselves (link_repair.h)
///   one by one   where nothing else goes on: then pivoting ends [Murty1974]
///
/// Beside these a few rows that go to and fro are taken out in one round and answered together in
/// the next (link_dispute.h).
template <std::size_t D>
class LinkSides {
 public:
  /// The rows of a problem, in the order of their elimination. Not owned.
  void begin(LinkState<D>& state, LinkFactor& factor);
  /// Finds the rows of wrong sign: impulses below -slack_x, gradients below -slack_g. Whether there
  /// are some.
  bool find_wrong(double slack_x, double slack_g);
  /// Changes the sides of some of them; `round` rises.
  void change(std::uint64_t round);
  [[nodiscard]] bool has_repaired() const { return repairs_ > 0; }

 private:
  struct Wrong {
    double by;
    Index place;
  };
  /// How rows changed sides last.
  enum class Way : std::uint8_t { in_blocks, by_repair, one_by_one };
  /// Rows that may change sides in the same round.
  enum class Spread : std::uint8_t { all, no_common_point, no_common_neighbour };
  /// Of rows that are answered together.
  enum class Stage : std::uint8_t { none, taken_out, answered };

  void exchange(Index place) {
    state_->active[place] ^= 1U;
    factor_->touch(place);
  }
  [[nodiscard]] bool take_repair_back();
  [[nodiscard]] bool repair_around_wrong();
  [[nodiscard]] bool go_on_disputing();
  [[nodiscard]] bool answer_dispute();
  [[nodiscard]] bool dispute_wrong();
  void name_wrong();
  void exchange_far_apart();
  void exchange_one();

  LinkState<D>* state_ = nullptr;
  LinkFactor* factor_ = nullptr;
  LinkRepair<D> repair_;
  LinkDispute<D> dispute_;
  std::vector<Wrong> wrong_;
  std::vector<std::vector<Wrong>> wrong_in_;  ///< by stretch of rows
  std::vector<Index> wrong_places_;
  std::vector<std::uint64_t> taken_;  ///< per point: the last round in which it was out of bounds
  std::uint64_t round_ = 0;
  Way way_ = Way::in_blocks;
  Spread spread_ = Spread::all;
  Stage stage_ = Stage::none;
  std::size_t last_ = 0;    ///< wrong rows before this round
  std::size_t fewest_ = 0;  ///< of any round
  int patience_ = 0;        ///< rounds without fewer than ever
  int repairs_ = 0;
  int answers_ = 0;  ///< to the dispute
};

}  // namespace carom::solvers
