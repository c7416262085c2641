// Held vertices along their paths.
#include "carom/asynchronous/detail/leads.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace carom::asynchronous::detail {

Leads::Leads(const Problem& problem, Flights& flights) {
  for (const HeldVertex& held : problem.held) {
    const Index i = held.vertex;
    if (!held.path.empty()) flights.velocity[i] = {};
    std::vector<Turn> own;
    for (const PathPoint& point : held.path) {
      const auto at = static_cast<Tick>(std::round(std::min(point.time / flights.unit, 0x1p61)));
      // Points that the lattice does not tell apart: the later one counts.
      if (!own.empty() && own.back().at == at) own.pop_back();
      own.push_back({at, i, 0, {}, point.position});
    }
    for (std::size_t k = 0; k + 1 < own.size(); ++k) {
      own[k].until = own[k + 1].at;
      own[k].target = own[k + 1].place;
    }
    turns_.insert(turns_.end(), own.begin(), own.end());
    flights.turns[i] = own.empty() ? 0 : 1;
    flights.plan[i] = {flights.position[i], flights.unit * flights.velocity[i], 0, 0.0};
  }
  std::sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.at, a.vertex) < std::tie(b.at, b.vertex);
  });
}

void Leads::fire(Flights& flights, Tick now, std::vector<Index>& turned) {
  for (; next() == now; ++cursor) {
    const Turn& turn = turns_[cursor];
    const Index i = turn.vertex;
    flights.touch(i, now);
    Vec3 motion;
    if (turn.until > now) {
      motion = (1.0 / static_cast<double>(turn.until - now)) * (turn.target - flights.position[i]);
    } else {
      flights.turns[i] = 0;
    }
    flights.velocity[i] = (1.0 / flights.unit) * motion;
    flights.plan[i] = {flights.position[i], motion, now, 0.0};
    turned.push_back(i);
  }
}

}  // namespace carom::asynchronous::detail
