#pragma once

#include <algorithm>
#include <cmath>

#include "carom/core/types.h"

namespace carom::detail {

/// One loading contact of qce (quadratic_contact_energy.h), last brought up to date at s.
struct LoadingContact {
  double load = 0.0;    ///< F
  double slope = 0.0;   ///< a
  double speed = 0.0;   ///< v(s)
  double energy = 0.0;  ///< E(s) / F
  double s = 0.0;
  double end = kInfinity;  ///< the s at which it will end, as things stand
  double impulse = 0.0;    ///< P, once ended
  bool inelastic = false;
  bool loading = true;
};

/// The first s >= contact.s at which the contact ends; infinity where it must wait.
[[nodiscard]] inline double end_of(const LoadingContact& contact) {
  const double v = contact.speed;
  const double a = contact.slope;
  if (contact.inelastic) {
    if (v >= 0.0) return contact.s;
    return a > 0.0 ? contact.s - v / a : kInfinity;
  }
  // a/2 x^2 + v x - e = 0, the smallest root x >= 0, written without cancellation.
  const double e = std::max(0.0, contact.energy);
  const double discriminant = v * v + 2.0 * a * e;
  if (v > 0.0) {
    return discriminant < 0.0 ? kInfinity : contact.s + 2.0 * e / (v + std::sqrt(discriminant));
  }
  if (a <= 0.0) return kInfinity;
  return contact.s + (std::sqrt(discriminant) - v) / a;
}

inline void bring_to(LoadingContact& contact, double s) {
  const double x = s - contact.s;
  contact.energy -= x * (contact.speed + 0.5 * contact.slope * x);  // (3)
  contact.speed += contact.slope * x;                               // (2)
  contact.s = s;
}

/// When contacts end, the first on top; of several at once the one with the smallest number.
struct ContactEnd {
  double s;
  Index contact;
  bool operator>(const ContactEnd& other) const {
    return s > other.s || (s == other.s && contact > other.contact);
  }
};

}  // namespace carom::detail
