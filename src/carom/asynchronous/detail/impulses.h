#pragma once

#include <array>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/detail/ledger_sums.h"
#include "carom/asynchronous/detail/pairs.h"

namespace carom::asynchronous::detail {

/// The impulses of contacts at one moment. They act together once all have been found, so that what
/// is booked sees the velocities before any of them and, after all forces of the moment, those
/// behind them: an impulse does work with the mean of both, whatever order they come in.
class Impulses {
 public:
  /// Where impulses on held vertices are booked.
  void book_in(LedgerSums& sums) { sums_ = &sums; }

  /// An impulse on a vertex.
  void add(Index vertex, const Vec3& impulse, const Flights& flights) {
    if (flights.is_held(vertex)) {
      book_held(*sums_, impulse, flights.velocity[vertex]);
    } else {
      kicks_.push_back({vertex, flights.inverse_mass[vertex] * impulse});
    }
  }

  /// To `sum` goes the work of an impulse of some size along a direction on a pair's relative
  /// motion, c_i of its stencil: half of it now, half in book_after().
  void book_work(const ContactPair& pair, const Stencil& stencil, const Vec3& impulse,
                 LongSum& sum) {
    works_.push_back({pair.vertex, stencil.coefficient, impulse, &sum, pair.size});
  }

  /// Before any force of the moment has acted: all impulses act, and their vertices go to `moved`.
  void act(Flights& flights, std::vector<Index>& moved) {
    for (const Work& work : works_) *work.sum += 0.5 * work.with(flights);
    for (const Kick& kick : kicks_) {
      flights.velocity[kick.vertex] += kick.change;
      moved.push_back(kick.vertex);
    }
    kicks_.clear();
  }

  /// After all forces of the moment.
  void book_after(const Flights& flights) {
    for (const Work& work : works_) *work.sum += 0.5 * work.with(flights);
    works_.clear();
  }

 private:
  struct Kick {
    Index vertex = 0;
    Vec3 change;
  };
  struct Work {
    std::array<Index, 4> vertex;
    std::array<double, 4> coefficient;
    Vec3 impulse;
    LongSum* sum;
    unsigned size;

    [[nodiscard]] double with(const Flights& flights) const {
      double speed = 0.0;
      for (unsigned k = 0; k < size; ++k) {
        speed += coefficient[k] * dot(impulse, flights.velocity[vertex[k]]);
      }
      return speed;
    }
  };

  LedgerSums* sums_ = nullptr;
  std::vector<Kick> kicks_;
  std::vector<Work> works_;
};

}  // namespace carom::asynchronous::detail
