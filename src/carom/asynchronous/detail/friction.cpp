// Friction of contact pairs: anchored and as printed.
#include "carom/asynchronous/detail/friction.h"

#include <algorithm>
#include <cmath>

namespace carom::asynchronous::detail {
namespace {

bool has_wall_at_rest(const ContactPair& pair) {
  return pair.kind == PairKind::vertex_wall && pair.size == 1;
}

// The place of the vertex as its wall sees it.
Vec3 against_wall(const ContactPair& pair, const std::vector<Vec3>& position) {
  const Vec3& place = position[pair.vertex[0]];
  return pair.size == 1 ? place : place - position[pair.vertex[1]];
}

}  // namespace

Friction::Friction(const Problem& problem, const Settings& settings)
    : problem_(problem), is_printed_(settings.friction == FrictionModel::printed) {}

void Friction::begin(Index memory) {
  if (anchors.size() <= memory) anchors.resize(memory + 1);
  anchors[memory] = Anchor{};
  if (!is_printed_) return;
  if (trails.size() <= memory) trails.resize(memory + 1);
  trails[memory].seen.fill(-kNever);
}

Friction::Slip Friction::slip_of(const ContactPair& pair, const Stencil& stencil,
                                 const std::vector<Vec3>& position, const Flights& flights) const {
  const Anchor& anchor = anchors[pair.memory];
  Slip slip;
  for (unsigned k = 0; k < pair.size; ++k) {
    const double c = stencil.coefficient[k];
    slip.inverse_mass += c * c * flights.inverse_mass[pair.vertex[k]];
    slip.along += (anchor.weight[k] - c) * position[pair.vertex[k]];
  }
  if (pair.kind == PairKind::vertex_wall) {
    slip.along = against_wall(pair, position) - anchor.place;
    slip.along -= dot(slip.along, stencil.normal) * stencil.normal;
  }
  slip.length = norm(slip.along);
  return slip;
}

// A new anchor where the pair is closest now.
void Friction::fasten(const Contact& contact, const Flights& flights) {
  const ContactPair& pair = *contact.pair;
  Anchor& anchor = anchors[pair.memory];
  sums->lost_to_friction +=
      0.5 * problem_.contact[pair.law].stiffness * anchor.stretch * anchor.stretch;
  anchor = Anchor{};
  anchor.weight = contact.stencil->coefficient;
  if (pair.kind == PairKind::vertex_wall) anchor.place = against_wall(pair, flights.position);
}

void Friction::fire_anchor(const Contact& contact, const Flights& flights) {
  const ContactPair& pair = *contact.pair;
  const Stencil& stencil = *contact.stencil;
  Anchor& anchor = anchors[pair.memory];
  const double bound = problem_.contact[pair.law].friction * contact.normal_force;
  if (anchor.seen != contact.now - period(pair.top_level) || bound == 0.0) {
    fasten(contact, flights);
  }
  // Whether a pair out of contact ticks at all is up to its certificate: nothing is remembered.
  anchor.seen = bound > 0.0 ? contact.now : -kNever;
  if (bound == 0.0) return;
  const double stiffness = problem_.contact[pair.law].stiffness;
  const double step = std::ldexp(flights.unit, pair.top_level);
  const Slip slip = slip_of(pair, stencil, flights.position, flights);
  if (slip.inverse_mass == 0.0) return;
  // (4)
  const double viscosity = std::sqrt(stiffness / slip.inverse_mass);
  const double elastic = stiffness * slip.length;
  const double wanted = elastic + viscosity * (slip.length - anchor.stretch) / step;
  const double force = std::clamp(wanted, 0.0, bound);
  const double left = std::min(slip.length, bound / stiffness);
  // The work of the force along the slip, less what stays stored.
  sums->lost_to_friction += 0.5 * (anchor.force + force) * (slip.length - anchor.stretch) -
                            0.5 * stiffness * (left * left - anchor.stretch * anchor.stretch);
  if (slip.length > 0.0 && force > 0.0) {
    const double kappa = contact.share * step * force / slip.length;
    const Vec3 gap = stencil.distance * stencil.normal;
    for (unsigned k = 0; k < pair.size; ++k) {
      // (3), with xi = s + d n
      Vec3 along =
          anchor.weight[k] * slip.along + (anchor.weight[k] - stencil.coefficient[k]) * gap;
      if (pair.kind == PairKind::vertex_wall) along = stencil.coefficient[k] * slip.along;
      impulses->add(pair.vertex[k], -kappa * along, flights);
    }
    if (has_wall_at_rest(pair)) sums->wall_impulse += kappa * slip.along;
  }
  if (left < slip.length) {
    const double keep = left / slip.length;
    for (unsigned k = 0; k < pair.size; ++k) {
      const double c = stencil.coefficient[k];
      anchor.weight[k] = c + keep * (anchor.weight[k] - c);
    }
    anchor.place += (1.0 - keep) * slip.along;
  }
  anchor.stretch = left;
  anchor.force = force;
}

void Friction::fire_printed(const Contact& contact, int octave, double impulse,
                            const Flights& flights) {
  const ContactPair& pair = *contact.pair;
  const Stencil& stencil = *contact.stencil;
  Trail& trail = trails[pair.memory];
  const auto j = static_cast<std::size_t>(octave);
  const bool is_known = trail.seen[j] == contact.now - period(pair.top_level - octave);
  Vec3 slip;
  for (unsigned k = 0; k < pair.size; ++k) {
    const Index i = pair.vertex[k];
    const double c = stencil.coefficient[k];
    slip += c * (flights.position[i] - trail.place[j][k]);
    trail.place[j][k] = flights.position[i];
  }
  trail.seen[j] = impulse > 0.0 ? contact.now : -kNever;
  slip -= dot(slip, stencil.normal) * stencil.normal;
  const double length = norm(slip);
  if (!is_known || !(length > 0.0) || impulse == 0.0) return;
  const double size = problem_.contact[pair.law].friction * impulse;
  const Vec3 direction = (1.0 / length) * slip;
  impulses->book_work(pair, stencil, size * direction, sums->lost_to_friction);
  for (unsigned k = 0; k < pair.size; ++k) {
    impulses->add(pair.vertex[k], (-size * stencil.coefficient[k]) * direction, flights);
  }
  if (has_wall_at_rest(pair)) sums->wall_impulse += size * direction;
}

double Friction::synchronise(const Contact& contact, double since, const Flights& flights,
                             std::vector<Vec3>& velocity, const std::vector<Vec3>& position) const {
  const ContactPair& pair = *contact.pair;
  if (is_printed_ || pair.memory == kNone) return 0.0;
  const Anchor& anchor = anchors[pair.memory];
  if (anchor.seen <= contact.now - period(pair.top_level)) return 0.0;
  const Stencil& stencil = *contact.stencil;
  const Slip slip = slip_of(pair, stencil, position, flights);
  const double stiffness = problem_.contact[pair.law].stiffness;
  const double stretch =
      std::min(slip.length, problem_.contact[pair.law].friction * contact.normal_force / stiffness);
  if (!(stretch > 0.0)) return 0.0;
  const double kappa = since * stiffness * stretch / slip.length;
  const Vec3 gap = stencil.distance * stencil.normal;
  for (unsigned k = 0; k < pair.size; ++k) {
    const Index i = pair.vertex[k];
    Vec3 along = anchor.weight[k] * slip.along + (anchor.weight[k] - stencil.coefficient[k]) * gap;
    if (pair.kind == PairKind::vertex_wall) along = stencil.coefficient[k] * slip.along;
    velocity[i] -= (kappa * flights.inverse_mass[i]) * along;
  }
  return 0.5 * stiffness * stretch * stretch;
}

}  // namespace carom::asynchronous::detail
