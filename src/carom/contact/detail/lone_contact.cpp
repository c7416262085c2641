// The closed answer of an elastic, smooth contact whose bodies touch nothing else.
#include "carom/contact/detail/lone_contact.h"

#include <algorithm>

namespace carom::detail {

// In the order of PointFront and PointLoop, so that every rounding is theirs.
LoneResponse respond_alone(const LoneContact& contact, double tolerance) {
  const bool has_b = contact.mass_b > 0.0;
  const Vec3& n = contact.normal;
  Vec3 frame;
  if (has_b) {
    const double mass = contact.mass_a + contact.mass_b;
    frame += contact.mass_a * contact.velocity_a;
    frame += contact.mass_b * contact.velocity_b;
    frame = {frame.x / mass, frame.y / mass, frame.z / mass};
  }
  Vec3 a = contact.velocity_a - frame;
  Vec3 b = has_b ? contact.velocity_b - frame : contact.offset * n;
  const double weight_a = 1.0 / contact.mass_a;
  const double weight_b = has_b ? 1.0 / contact.mass_b : 0.0;
  const double weight = weight_a + weight_b;
  double scale = contact.mass_a * norm_squared(a);
  if (has_b) scale = std::max(scale, contact.mass_b * norm_squared(b));
  if (!has_b && contact.offset != 0.0) {
    scale = std::max(scale, contact.offset * contact.offset / weight);
  }
  LoneResponse response{0.0, contact.velocity_a, contact.velocity_b};
  const double closing = dot(n, a - b);
  const double threshold = tolerance * tolerance * scale;
  if (!(closing < 0.0) || !(closing * closing > threshold * weight)) return response;
  response.impulse = -2.0 * closing / (norm_squared(n) * weight);
  a += (response.impulse * weight_a) * n;
  b -= (response.impulse * weight_b) * n;
  response.velocity_a = frame + a;
  response.velocity_b = frame + b;
  return response;
}

}  // namespace carom::detail
