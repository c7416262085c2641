#include "carom/contact/detection.h"

#include <algorithm>
#include <tuple>

#include "carom/collision/narrow_phase.h"
#include "carom/core/assert.h"

namespace carom {

bool Contact::before(const Contact& other) const {
  const auto key = [](const Contact& c) {
    return std::make_tuple(c.body_b == kNone, c.body_a, c.body_b, c.shape, c.feature);
  };
  return key(*this) < key(other);
}

ContactDetector::ContactDetector(const ContactWorld& world, const DetectionSettings& settings)
    : world_(world), settings_(settings), broad_phase_(make_broad_phase(settings.broad_phase)) {}

void ContactDetector::note_end_gap(double gap, double radius) {
  if (!(gap < 0.0)) return;
  penetration_.depth = std::max(penetration_.depth, -gap);
  penetration_.relative = std::max(penetration_.relative, -gap / radius);
}

bool ContactDetector::is_active(const Contact& contact, double radius, double path_gap,
                                double path_where) const {
  const double activation = settings_.activation * radius;
  if (contact.gap_end < activation) return true;
  // Balls that part all the way have their smallest gap at the beginning: they are left alone.
  return settings_.sweep && path_where > 0.0 && path_gap < activation;
}

void ContactDetector::detect_pairs(const StepMotion& motion, std::vector<Contact>& contacts) {
  const BodySet& bodies = *world_.bodies;
  BallSweep sweep;
  sweep.dimension = world_.dimension;
  sweep.begin = motion.begin;
  sweep.end = motion.end;
  sweep.radius = bodies.radius;
  sweep.margin = settings_.activation;
  sweep.period_lower = world_.periodicity->lower;
  sweep.period_length = world_.periodicity->length;
  broad_phase_->find_pairs(sweep, pairs_);
  for (const BallPair& pair : pairs_) {
    const double radius_a = bodies.radius[pair.a];
    const double radius_b = bodies.radius[pair.b];
    // The copy that is nearest at the beginning stays the partner for the whole step.
    const Vec3 begin =
        nearest_image(*world_.periodicity, motion.begin[pair.a] - motion.begin[pair.b]);
    const Vec3 moved =
        (motion.end[pair.a] - motion.begin[pair.a]) - (motion.end[pair.b] - motion.begin[pair.b]);
    const Vec3 end = begin + moved;
    const double smaller = std::min(radius_a, radius_b);
    Contact contact;
    contact.gap_end = ball_pair_contact(end, radius_a, radius_b).gap;
    note_end_gap(contact.gap_end, smaller);
    const PathGap path = smallest_pair_gap(begin, end, radius_a + radius_b);
    if (!is_active(contact, smaller, path.gap, path.where)) continue;
    const BallPairGap at_begin = ball_pair_contact(begin, radius_a, radius_b);
    contact.body_a = pair.a;
    contact.body_b = pair.b;
    contact.normal = at_begin.normal;
    contact.gap = at_begin.gap;
    contacts.push_back(contact);
  }
}

void ContactDetector::detect_shape(const StepMotion& motion, Index shape,
                                   std::vector<Contact>& contacts) {
  const BodySet& bodies = *world_.bodies;
  const PlacedShape& placed = (*world_.shapes)[shape];
  const Vec3 from = offset_at(placed.motion, motion.time);
  const Vec3 to = offset_at(placed.motion, motion.time + motion.step);
  const Index features = feature_count(placed.shape, world_.dimension);
  for (Index i = 0; i < bodies.size(); ++i) {
    const double radius = bodies.radius[i];
    const Vec3 begin = motion.begin[i] - from;  // the shape's own frame
    const Vec3 end = motion.end[i] - to;
    for (Index feature = 0; feature < features; ++feature) {
      Contact contact;
      contact.gap_end = ball_contact(placed.shape, feature, end, radius).gap;
      note_end_gap(contact.gap_end, radius);
      const PathGap path = smallest_gap_on_path(placed.shape, feature, begin, end, radius);
      if (!is_active(contact, radius, path.gap, path.where)) continue;
      const SurfaceContact at_begin = ball_contact(placed.shape, feature, begin, radius);
      contact.body_a = i;
      contact.shape = shape;
      contact.feature = feature;
      contact.normal = at_begin.normal;
      contact.gap = at_begin.gap;
      contacts.push_back(contact);
    }
  }
}

void ContactDetector::detect(const StepMotion& motion, std::vector<Contact>& contacts) {
  contacts.clear();
  penetration_ = {};
  detect_pairs(motion, contacts);
  const std::size_t pairs_end = contacts.size();
  for (Index shape = 0; shape < world_.shapes->size(); ++shape) {
    detect_shape(motion, shape, contacts);
  }
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(pairs_end), contacts.end(),
            [](const Contact& a, const Contact& b) { return a.before(b); });
  // Centres that coincide, or a ball in the middle of a drum that it fills: no direction to push.
  std::erase_if(contacts, [](const Contact& c) { return c.normal == Vec3{}; });
}

void ContactDetector::update_end(const StepMotion& motion, std::vector<Contact>& contacts) const {
  const BodySet& bodies = *world_.bodies;
  for (Contact& contact : contacts) {
    const Index a = contact.body_a;
    if (contact.body_b != kNone) {
      const Index b = contact.body_b;
      const Vec3 begin = nearest_image(*world_.periodicity, motion.begin[a] - motion.begin[b]);
      const Vec3 moved = (motion.end[a] - motion.begin[a]) - (motion.end[b] - motion.begin[b]);
      contact.gap_end = ball_pair_contact(begin + moved, bodies.radius[a], bodies.radius[b]).gap;
    } else {
      const PlacedShape& placed = (*world_.shapes)[contact.shape];
      const Vec3 to = offset_at(placed.motion, motion.time + motion.step);
      contact.gap_end =
          ball_contact(placed.shape, contact.feature, motion.end[a] - to, bodies.radius[a]).gap;
    }
  }
}

}  // namespace carom
