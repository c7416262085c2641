#pragma once

#include <cstddef>
#include <vector>

#include "carom/asynchronous/detail/flights.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

/// The held vertices on their paths: at each point of a path the vertex turns towards the next one,
/// with the speed that brings it there in time from where it is.
class Leads {
 public:
  /// Also gives all held vertices their first plans.
  Leads(const Problem& problem, Flights& flights);

  /// The next turn; kNever: none.
  [[nodiscard]] Tick next() const { return cursor < turns_.size() ? turns_[cursor].at : kNever; }
  /// The turns of this moment; the vertices are added to `turned`.
  void fire(Flights& flights, Tick now, std::vector<Index>& turned);

  std::size_t cursor = 0;  ///< the next turn; state

 private:
  struct Turn {
    Tick at = 0;
    Index vertex = 0;
    Tick until = 0;  ///< 0: it rests from now on
    Vec3 target;
    Vec3 place;  ///< of this point of the path
  };
  std::vector<Turn> turns_;
};

}  // namespace carom::asynchronous::detail
