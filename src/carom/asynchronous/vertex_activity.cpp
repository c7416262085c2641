// How deep contact goes at each vertex, and in which steps it is moved.
#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/engine_parts.h"

namespace carom::asynchronous {

using detail::ContactPair;
using detail::Watch;

VertexActivity Engine::activity() const {
  const Parts& parts = *parts_;
  const detail::Flights& flights = parts.flights;
  const LayerTable& layers = LayerTable::of(parts.settings.layers);
  const std::vector<Vec3> position = configuration().position;
  VertexActivity result;
  result.layer.assign(flights.size(), 0);
  for (const int level : flights.certain_level) {
    result.step.push_back(std::ldexp(flights.unit, level));
  }
  for (const ContactPair& pair : parts.pairs.all()) {
    if (pair.watch == Watch::far) continue;
    const Stencil stencil = detail::measure(pair, position, parts.problem);
    const Index deepest = layers.active_layers(stencil.distance / pair.thickness);
    if (deepest == 0) continue;
    const int level = std::max(pair.top_level - layers.octave_of(deepest), 0);
    const double step = std::ldexp(flights.unit, level);
    for (unsigned k = 0; k < pair.size; ++k) {
      if (stencil.coefficient[k] == 0.0) continue;
      const Index i = pair.vertex[k];
      result.layer[i] = std::max(result.layer[i], deepest);
      result.step[i] = std::min(result.step[i], step);
    }
  }
  return result;
}

}  // namespace carom::asynchronous
