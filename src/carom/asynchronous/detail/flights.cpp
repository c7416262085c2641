// The vertices of a problem at the start.
#include "carom/asynchronous/detail/flights.h"

namespace carom::asynchronous::detail {

Flights::Flights(const Problem& problem)
    : turns(problem.mass.size(), 0),
      mass(problem.mass),
      position(problem.position),
      velocity(problem.velocity),
      last(problem.mass.size(), 0),
      certain_level(problem.mass.size(), kBaseLevel),
      plan(problem.mass.size()),
      plan_end(problem.mass.size(), 0),
      plan_share(problem.mass.size(), 0.01),
      range(problem.mass.size()) {
  inverse_mass.resize(mass.size());
  for (std::size_t i = 0; i < mass.size(); ++i) inverse_mass[i] = 1.0 / mass[i];
  for (const HeldVertex& held : problem.held) inverse_mass[held.vertex] = 0.0;
}

}  // namespace carom::asynchronous::detail
