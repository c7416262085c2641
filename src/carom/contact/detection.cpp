#include "carom/contact/detection.h"

#include <algorithm>
#include <tuple>

#include "carom/collision/narrow_phase.h"
#include "carom/core/worker_pool.h"

namespace carom {

bool Contact::before(const Contact& other) const {
  const auto key = [](const Contact& c) {
    return std::make_tuple(c.body_b == kNone, c.body_a, c.body_b, c.shape, c.feature);
  };
  return key(*this) < key(other);
}

ContactDetector::ContactDetector(const ContactWorld& world, const DetectionSettings& settings,
                                 WorkerPool* pool)
    : world_(world),
      settings_(settings),
      broad_phase_(make_broad_phase(settings.broad_phase)),
      pool_(pool) {}

void ContactDetector::Stretch::note_end_gap(double gap, double radius) {
  if (!(gap < 0.0)) return;
  penetration.depth = std::max(penetration.depth, -gap);
  penetration.relative = std::max(penetration.relative, -gap / radius);
}

bool ContactDetector::is_active(const Contact& contact, double radius, double path_gap,
                                double path_where) const {
  const double activation = settings_.activation * radius;
  if (contact.gap_end < activation) return true;
  // Balls that part all the way have their smallest gap at the beginning: they are left alone.
  return settings_.sweep && path_where > 0.0 && path_gap < activation;
}

void ContactDetector::find_pairs(const StepMotion& motion) {
  BallSweep sweep;
  sweep.dimension = world_.dimension;
  sweep.begin = motion.begin;
  sweep.end = motion.end;
  sweep.radius = world_.bodies->radius;
  sweep.margin = settings_.activation;
  sweep.period_lower = world_.periodicity->lower;
  sweep.period_length = world_.periodicity->length;
  broad_phase_->find_pairs(sweep, pairs_);
}

void ContactDetector::place_shapes(const StepMotion& motion) {
  shape_begin_.clear();
  shape_end_.clear();
  for (const PlacedShape& placed : *world_.shapes) {
    shape_begin_.push_back(offset_at(placed.motion, motion.time));
    shape_end_.push_back(offset_at(placed.motion, motion.time + motion.step));
  }
}

void ContactDetector::look_at_pairs(const StepMotion& motion, std::size_t first, std::size_t last,
                                    Stretch& out) const {
  const BodySet& bodies = *world_.bodies;
  for (std::size_t k = first; k < last; ++k) {
    const BallPair& pair = pairs_[k];
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
    out.note_end_gap(contact.gap_end, smaller);
    const PathGap path = smallest_pair_gap(begin, end, radius_a + radius_b);
    if (!is_active(contact, smaller, path.gap, path.where)) continue;
    const BallPairGap at_begin = ball_pair_contact(begin, radius_a, radius_b);
    contact.body_a = pair.a;
    contact.body_b = pair.b;
    contact.normal = at_begin.normal;
    contact.gap = at_begin.gap;
    out.contacts.push_back(contact);
  }
}

void ContactDetector::look_at_shape(const StepMotion& motion, Index ball, Index shape,
                                    Stretch& out) const {
  const PlacedShape& placed = (*world_.shapes)[shape];
  const double radius = world_.bodies->radius[ball];
  // the shape's own frame
  const Vec3 begin = motion.begin[ball] - shape_begin_[shape];
  const Vec3 end = motion.end[ball] - shape_end_[shape];
  const Index features = feature_count(placed.shape, world_.dimension);
  for (Index feature = 0; feature < features; ++feature) {
    Contact contact;
    contact.gap_end = ball_contact(placed.shape, feature, end, radius).gap;
    out.note_end_gap(contact.gap_end, radius);
    const PathGap path = smallest_gap_on_path(placed.shape, feature, begin, end, radius);
    if (!is_active(contact, radius, path.gap, path.where)) continue;
    const SurfaceContact at_begin = ball_contact(placed.shape, feature, begin, radius);
    contact.body_a = ball;
    contact.shape = shape;
    contact.feature = feature;
    contact.normal = at_begin.normal;
    contact.gap = at_begin.gap;
    out.contacts.push_back(contact);
  }
}

void ContactDetector::look_at_shapes(const StepMotion& motion, Index first, Index last,
                                     Stretch& out) const {
  for (Index ball = first; ball < last; ++ball) {
    for (Index shape = 0; shape < world_.shapes->size(); ++shape) {
      look_at_shape(motion, ball, shape, out);
    }
  }
}

// Pairs first, then balls against shapes; each in stretches of a fixed length, which threads may
// share and which are laid end to end in their order.
void ContactDetector::detect(const StepMotion& motion, std::vector<Contact>& contacts) {
  constexpr std::size_t kStretch = 4096;
  find_pairs(motion);
  place_shapes(motion);
  const std::size_t balls = world_.shapes->empty() ? 0 : world_.bodies->size();
  const std::size_t pair_stretches = (pairs_.size() + kStretch - 1) / kStretch;
  const std::size_t all = pair_stretches + (balls + kStretch - 1) / kStretch;
  if (stretches_.size() < all) stretches_.resize(all);
  const auto look = [&](std::size_t number, unsigned /*worker*/) {
    Stretch& out = stretches_[number];
    out.contacts.clear();
    out.penetration = {};
    if (number < pair_stretches) {
      const std::size_t first = number * kStretch;
      look_at_pairs(motion, first, std::min(first + kStretch, pairs_.size()), out);
    } else {
      const std::size_t first = (number - pair_stretches) * kStretch;
      look_at_shapes(motion, static_cast<Index>(first),
                     static_cast<Index>(std::min(first + kStretch, balls)), out);
    }
    // Centres that coincide, or a ball in the middle of a drum that it fills: no direction to push.
    std::erase_if(out.contacts, [](const Contact& c) { return c.normal == Vec3{}; });
  };
  if (pool_ != nullptr && all > 1) {
    pool_->run(all, look);
  } else {
    for (std::size_t number = 0; number < all; ++number) look(number, 0);
  }
  contacts.clear();
  penetration_ = {};
  for (std::size_t number = 0; number < all; ++number) {
    const Stretch& stretch = stretches_[number];
    contacts.insert(contacts.end(), stretch.contacts.begin(), stretch.contacts.end());
    penetration_.depth = std::max(penetration_.depth, stretch.penetration.depth);
    penetration_.relative = std::max(penetration_.relative, stretch.penetration.relative);
  }
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
