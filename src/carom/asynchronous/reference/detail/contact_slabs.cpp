// Certificates of the pairs of primitives in the reference engine: slabs, and of lengths bounds.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/asynchronous/reference/detail/contacts.h"

namespace carom::asynchronous::reference {
namespace {

// Round-off of a coordinate in (1) of reference_engine.h.
constexpr double kSlabRoundOff = 64.0 * kRoundOff;
// How vagueness follows what happens: narrower with every slab that fails (widened by breaks).
constexpr double kNarrower = 0.97;

double size_of(const Vec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

}  // namespace

std::array<Vec3, 4> Contacts::places(const MadePair& made, double time) const {
  std::array<Vec3, 4> x;
  for (unsigned k = 0; k < made.size; ++k) x[k] = trajectories_.place(made.vertex[k], time);
  return x;
}

// As slab_until, of a largest length: |x_a - x_b| stays below its bound less the reach.
double Contacts::length_until(const Pair& pair, double time, double reach) const {
  const auto [a, b] = std::array{pair.made.vertex[0], pair.made.vertex[1]};
  const Vec3 x_a = trajectories_.place(a, time);
  const Vec3 x_b = trajectories_.place(b, time);
  const double length = problem_.limits[pair.made.number].length;
  const double size = size_of(x_a) + size_of(x_b) + length;
  const double bound = length - reach - kSlabRoundOff * size;
  const double certain = (1.0 - 1e-9) * faults_.certificate_length;
  return time + certain * detail::time_within(
                              x_a - x_b, trajectories_.counted[a] - trajectories_.counted[b],
                              trajectories_.vagueness[a] + trajectories_.vagueness[b], bound);
}

// The root of (1) of reference_engine.h for the nearest of its inequalities, not after it.
double Contacts::slab_until(const Pair& pair, double time) const {
  const MadePair& made = pair.made;
  const double reach =
      layers_.thickness(static_cast<Index>(pair.layers.size()) + 1) * made.thickness;
  if (made.kind == PairKind::longest_length) return length_until(pair, time, reach);
  std::array<double, 4> along{};
  std::array<double, 4> speed{};
  double size = 0.0;
  for (unsigned k = 0; k < made.size; ++k) {
    const Index i = made.vertex[k];
    const Vec3 x = trajectories_.place(i, time);
    size = std::max(size, size_of(x));
    along[k] = dot(pair.normal, x);
    const double vague = trajectories_.vagueness[i];
    speed[k] = dot(pair.normal, trajectories_.counted[i]) + (k < made.size_a ? -vague : vague);
  }
  if (made.kind == PairKind::vertex_wall) {
    size = std::max(size, std::abs(problem_.walls[made.number].offset));
  }
  double room = reach + kSlabRoundOff * (size + reach);
  if (made.kind == PairKind::shortest_length) room += problem_.limits[made.number].length;
  const double certain = (1.0 - 1e-9) * faults_.certificate_length;
  double until = kInfinity;
  const auto meet = [&](double spare, double closing) {
    if (!(spare >= 0.0)) {
      until = time;
    } else if (closing > 0.0) {
      until = std::min(until, time + certain * spare / closing);
    }
  };
  if (made.kind == PairKind::vertex_wall) {
    meet(along[0] - along[1] - problem_.walls[made.number].offset - room, speed[1] - speed[0]);
    return until;
  }
  for (unsigned a = 0; a < made.size_a; ++a) {
    for (unsigned b = made.size_a; b < made.size; ++b) {
      meet(along[a] - along[b] - room, speed[b] - speed[a]);
    }
  }
  return until;
}

void Contacts::reschedule_slab(Index p, double time, Agenda& agenda) {
  ++reschedules;
  agenda.set(pairs_[p].slab_event, slab_until(pairs_[p], time));
}

// Algorithms 4 and 5 of [Vouga2011].
bool Contacts::renew_slab(Index p, double time, Agenda& agenda) {
  Pair& pair = pairs_[p];
  ++slabs;
  const Stencil stencil = measure(pair.made, places(pair.made, time), problem_);
  note_gap(pair, stencil.distance);
  pair.normal = stencil.normal;
  for (unsigned k = 0; k < pair.made.size; ++k) {
    trajectories_.vagueness[pair.made.vertex[k]] *= kNarrower;
  }
  const Index most = layers_.last_layer(kOctaves - 1);
  for (;;) {
    if (pair.layers.size() == faults_.last_layer) {
      agenda.set(pair.slab_event, kInfinity);
      return true;
    }
    const double reach =
        layers_.thickness(static_cast<Index>(pair.layers.size()) + 1) * pair.made.thickness;
    if ((1.0 - margin_) * stencil.distance > reach) {
      const double until = slab_until(pair, time);
      if (until > time) {
        agenda.set(pair.slab_event, until);
        return true;
      }
    }
    if (pair.layers.size() >= most) return false;
    wake(p, time, agenda);
  }
}

}  // namespace carom::asynchronous::reference
