// How fast rows closed, where restitution falls with the speed.
#include "carom/contact/impact_speeds.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

// A difference between coefficients that is worth another round.
constexpr double kDifference = 1e-3;

}  // namespace

ImpactSpeeds::ImpactSpeeds(const World& world, const ContactAssembler& assembler,
                           const ExactSymmetry* symmetry)
    : world_(&world), assembler_(&assembler) {
  if (!world.bodies.all_round() || symmetry != nullptr) return;
  const MaterialTable& materials = world.materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b < materials.size(); ++b) {
      needed_ = needed_ || materials.coefficients(a, b).restitution_speed > 0.0;
    }
  }
}

void ImpactSpeeds::begin_step() {
  seen_.clear();
  found_.clear();
}

PairCoefficients ImpactSpeeds::coefficients(const Contact& contact) const {
  const BodySet& bodies = world_->bodies;
  const Index other = contact.body_b != kNone ? bodies.material[contact.body_b]
                                              : world_->shapes[contact.shape].material;
  return world_->materials.coefficients(bodies.material[contact.body_a], other);
}

double ImpactSpeeds::mobility(const Contact& contact) const {
  const std::vector<double>& mass = world_->bodies.mass;
  return 1.0 / mass[contact.body_a] + (contact.body_b != kNone ? 1.0 / mass[contact.body_b] : 0.0);
}

void ImpactSpeeds::meet(std::span<const Contact> found, const ImpactMoment& after) {
  found_.clear();
  // Where a ball is touched does not matter to its speed along the normal.
  ImpactMoment moment = after;
  moment.angular_velocity = {};
  for (const Contact& contact : found) {
    found_.push_back({contact, assembler_->closing_speed(contact, 0, moment)});
  }
}

bool ImpactSpeeds::learn(std::span<const Contact> contacts, std::span<const double> impulses) {
  bool differs = false;
  seen_.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double c = restitution_[k];
    const double met = impulses[k] * mobility(contacts[k]) / (1.0 + c);  // (1)
    seen_.push_back({contacts[k], std::max(speed_[k], met)});
    if (met <= speed_[k]) continue;
    differs = differs || c - restitution_at(coefficients(contacts[k]), met) > kDifference;
  }
  return differs;
}

std::span<const double> ImpactSpeeds::restitution(std::span<const Contact> contacts,
                                                  const ImpactMoment& moment) {
  ImpactMoment linear = moment;
  linear.angular_velocity = {};
  speed_.clear();
  restitution_.clear();
  auto seen = seen_.begin();
  auto found = found_.begin();
  const auto speed_in = [](const Contact& contact, auto& next, const auto& end) {
    while (next != end && next->contact.before(contact)) ++next;
    return next != end && next->contact.same_pair(contact) ? next->speed : 0.0;
  };
  for (const Contact& contact : contacts) {
    const double speed =
        std::max({assembler_->closing_speed(contact, 0, linear),
                  speed_in(contact, seen, seen_.end()), speed_in(contact, found, found_.end())});
    const PairCoefficients pair = coefficients(contact);
    speed_.push_back(speed);
    restitution_.push_back(pair.restitution_speed > 0.0 ? restitution_at(pair, speed)
                                                        : pair.restitution);
  }
  return restitution_;
}

}  // namespace carom
