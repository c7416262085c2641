// The looks at a step: pairs of balls, balls against shapes, and the deepest overlap.
#include "carom/contact/detection.h"

#include <algorithm>
#include <array>

#include "carom/collision/narrow_phase.h"
#include "carom/contact/detail/list_margin.h"
#include "carom/contact/detail/near_list.h"
#include "carom/contact/detail/ordered_rows.h"
#include "carom/contact/detail/pair_motion.h"
#include "carom/contact/detail/solid_detection.h"
#include "carom/core/assert.h"
#include "carom/core/stretches.h"
#include "carom/core/worker_pool.h"

namespace carom {
namespace {

DetectionSettings widened(const World& world, DetectionSettings settings, double reach) {
  settings.activation = detail::list_margin(world, settings, reach);
  return settings;
}

// Of a ball against another, or a shape, at the end of a motion.
double end_gap(const World& world, const StepMotion& motion, const Contact& contact) {
  const BodySet& bodies = world.bodies;
  const Index a = contact.body_a;
  if (contact.body_b == kNone) {
    const PlacedShape& placed = world.shapes[contact.shape];
    const Vec3 to = offset_at(placed.motion, motion.time + motion.step);
    return ball_contact(placed.shape, contact.feature, motion.end[a] - to, bodies.radius[a]).gap;
  }
  const Periodicity* periodicity = world.periods();
  const Index b = contact.body_b;
  const Vec3 end =
      detail::pair_motion(detail::BallMotion(motion, a), detail::BallMotion(motion, b), periodicity)
          .end;
  return ball_pair_contact(end, bodies.radius[a], bodies.radius[b]).gap;
}

}  // namespace

void take_out(std::span<const Contact> others, std::vector<Contact>& contacts) {
  auto next = others.begin();
  std::erase_if(contacts, [&](const Contact& contact) {
    while (next != others.end() && next->before(contact)) ++next;
    return next != others.end() && next->same_pair(contact);
  });
}

/// Answers whether rows are known, for rows that come in their order.
class ContactDetector::KnownCursor {
 public:
  explicit KnownCursor(KnownRows known) {
    CAROM_DEMAND(known.size() <= rest_.size());
    for (std::size_t k = 0; k < known.size(); ++k) rest_[k].rows = known[k];
  }

  [[nodiscard]] bool knows(const Contact& row) {
    return std::any_of(rest_.begin(), rest_.end(), [&](Rest& rest) { return rest.knows(row); });
  }

 private:
  struct Rest {
    std::span<const Contact> rows;
    bool is_begun = false;

    [[nodiscard]] bool knows(const Contact& row) {
      std::size_t first = 0;
      if (!is_begun) {
        const auto comes_before = [](const Contact& a, const Contact& b) { return a.before(b); };
        first = static_cast<std::size_t>(
            std::lower_bound(rows.begin(), rows.end(), row, comes_before) - rows.begin());
        is_begun = true;
      }
      while (first < rows.size() && rows[first].before(row)) ++first;
      rows = rows.subspan(first);
      return !rows.empty() && rows.front().same_pair(row);
    }
  };
  std::array<Rest, kMostKnown> rest_;
};

ContactDetector::ContactDetector(const World& world, const DetectionSettings& settings,
                                 WorkerPool* pool, double resting_reach)
    : world_(&world),
      settings_(settings),
      resting_reach_(resting_reach),
      pool_(pool != nullptr && pool->size() > 1 ? pool : nullptr),
      near_(std::make_unique<detail::NearList>(world, widened(world, settings, resting_reach),
                                               pool_)),
      solids_(detail::SolidDetection::is_needed(world)
                  ? std::make_unique<detail::SolidDetection>(world, settings, resting_reach)
                  : nullptr),
      ordered_(std::make_unique<detail::OrderedRows>()) {}

ContactDetector::~ContactDetector() = default;

void ContactDetector::Found::note_end_gap(double gap, double radius) {
  if (!(gap < 0.0)) return;
  penetration.depth = std::max(penetration.depth, -gap);
  // A quotient only where it may be the largest.
  constexpr double kRounding = 1.0 - 4.0 * kRoundOff;
  if (-gap > penetration.relative * radius * kRounding) {
    penetration.relative = std::max(penetration.relative, -gap / radius);
  }
}

void ContactDetector::place_shapes(const StepMotion& motion) {
  shape_begin_.clear();
  shape_end_.clear();
  for (const PlacedShape& placed : world_->shapes) {
    shape_begin_.push_back(offset_at(placed.motion, motion.time));
    shape_end_.push_back(offset_at(placed.motion, motion.time + motion.step));
  }
}

template <ContactDetector::Look kLook>
void ContactDetector::look_at_pairs(const StepMotion& motion, const Stretch& stretch,
                                    KnownRows known, Found& out) const {
  const std::vector<double>& radius = world_->bodies.radius;
  const Periodicity* periodicity = world_->periods();
  KnownCursor cursor(known);
  const bool some_are_known = !known.empty();
  const double relative_activation = settings_.activation;
  const bool sweep = settings_.sweep;
  const double resting_reach = kLook == Look::first_rows ? resting_reach_ : 0.0;
  near_->visit_partners(stretch, [&](Index a, std::span<const Index> partners) {
    const double radius_a = radius[a];
    const detail::BallMotion motion_a(motion, a);
    for (const Index b : partners) {
      const double radius_b = radius[b];
      const detail::PairMotion between =
          detail::pair_motion(motion_a, detail::BallMotion(motion, b), periodicity);
      const double smaller = std::min(radius_a, radius_b);
      const double activation = relative_activation * smaller;
      const double reach = activation + resting_reach;
      if (!detail::may_be_active(between, radius_a + radius_b + reach, sweep)) continue;
      const detail::PairGaps gaps = detail::pair_gaps(between, radius_a, radius_b);
      out.note_end_gap(gaps.end, smaller);
      if (kLook == Look::depth) continue;
      if (!(gaps.end < activation) &&
          !detail::rests_near(gaps.begin.gap, gaps.end, resting_reach)) {
        // Balls that part all the way have their smallest gap at the beginning: they are left
        // alone.
        const PathGap path = smallest_pair_gap(between.begin, between.end, radius_a + radius_b);
        if (!sweep || !(path.where > 0.0) || !(path.gap < activation)) continue;
      }
      if (gaps.begin.normal == Vec3{}) {  // centres that coincide: no direction to push
        near_->changes().note_nameless();
        continue;
      }
      if (some_are_known && cursor.knows({a, b, kNone, 0, {}, 0.0, 0.0})) continue;
      // Written in place: a row made elsewhere would be waited for until it could be copied.
      Contact& row = out.contacts->emplace_back();
      row.body_a = a;
      row.body_b = b;
      row.normal = gaps.begin.normal;
      row.gap = gaps.begin.gap;
      row.gap_end = gaps.end;
    }
  });
}

template <ContactDetector::Look kLook>
void ContactDetector::look_at_shape(const StepMotion& motion, const BallAndShape& pair,
                                    KnownCursor& cursor, Found& out) const {
  const PlacedShape& placed = world_->shapes[pair.shape];
  const double radius = world_->bodies.radius[pair.ball];
  const double activation = settings_.activation * radius;
  const double resting_reach = kLook == Look::first_rows ? resting_reach_ : 0.0;
  // the shape's own frame
  const Vec3 begin = motion.begin[pair.ball] - shape_begin_[pair.shape];
  const Vec3 end = motion.end[pair.ball] - shape_end_[pair.shape];
  const Index features = feature_count(placed.shape, world_->dimension);
  for (Index feature = 0; feature < features; ++feature) {
    const double gap_end = ball_contact(placed.shape, feature, end, radius).gap;
    out.note_end_gap(gap_end, radius);
    if (kLook == Look::depth) continue;
    const SurfaceContact at_begin = ball_contact(placed.shape, feature, begin, radius);
    if (!(gap_end < activation) && !detail::rests_near(at_begin.gap, gap_end, resting_reach)) {
      if (!settings_.sweep) continue;
      const PathGap path = smallest_gap_on_path(placed.shape, feature, begin, end, radius);
      if (!(path.where > 0.0) || !(path.gap < activation)) continue;
    }
    if (at_begin.normal == Vec3{}) {  // in the middle of a drum that it fills
      near_->changes().note_nameless();
      continue;
    }
    const Contact row = {pair.ball,       kNone,        pair.shape, feature,
                         at_begin.normal, at_begin.gap, gap_end};
    if (!cursor.knows(row)) out.contacts->push_back(row);
  }
}

template <ContactDetector::Look kLook>
void ContactDetector::look_at_shapes(const StepMotion& motion, const Stretch& stretch,
                                     KnownRows known, Found& out) const {
  KnownCursor cursor(known);
  const auto shapes = static_cast<Index>(world_->shapes.size());
  for (std::size_t k = stretch.first; k < stretch.last; ++k) {
    const Index ball = near_->near_shapes()[k];
    for (Index shape = 0; shape < shapes; ++shape) {
      look_at_shape<kLook>(motion, {ball, shape}, cursor, out);
    }
  }
}

template <ContactDetector::Look kLook>
void ContactDetector::look(const StepMotion& motion, KnownRows known,
                           std::vector<Contact>& contacts) {
  near_->prepare(motion);
  look_at_near<kLook>(motion, known, contacts);
}

// Pairs first, then balls against shapes, each in stretches that threads may share.
template <ContactDetector::Look kLook>
void ContactDetector::look_at_near(const StepMotion& motion, KnownRows known,
                                   std::vector<Contact>& contacts) {
  constexpr std::size_t kLength = detail::NearList::kStretch;
  place_shapes(motion);
  const std::size_t balls = motion.begin.size();
  const std::size_t near = near_->near_shapes().size();
  const std::size_t pair_stretches = stretch_count(balls, kLength);
  const std::size_t stretches = pair_stretches + stretch_count(near, kLength);
  penetrations_.resize(stretches);
  if (pool_ != nullptr) {
    ordered_->begin(stretches, pool_->size(), contacts);
  } else {
    contacts.clear();
  }
  for_each_stretch(pool_, stretches, 1, [&](const Stretch& job) {
    Found found;
    found.contacts = pool_ != nullptr ? &ordered_->room(job.worker) : &contacts;
    if (job.number < pair_stretches) {
      const std::size_t first = job.number * kLength;
      look_at_pairs<kLook>(motion, {job.number, first, std::min(first + kLength, balls), 0}, known,
                           found);
    } else {
      const std::size_t first = (job.number - pair_stretches) * kLength;
      look_at_shapes<kLook>(motion, {job.number, first, std::min(first + kLength, near), 0}, known,
                            found);
    }
    penetrations_[job.number] = found.penetration;
    if (pool_ != nullptr) ordered_->put(job.number, job.worker);
  });
  if (pool_ != nullptr) ordered_->finish();
  penetration_ = {};
  for (const Penetration& of_stretch : penetrations_) {
    penetration_.depth = std::max(penetration_.depth, of_stretch.depth);
    penetration_.relative = std::max(penetration_.relative, of_stretch.relative);
  }
}

void ContactDetector::detect(const StepMotion& motion, std::vector<Contact>& contacts) {
  if (solids_ != nullptr) {
    solids_->begin_step();
    penetration_ = solids_->look(motion, {}, &contacts, true);
    return;
  }
  near_->changes().begin_step();
  look<Look::first_rows>(motion, {}, contacts);
  if (settings_.redetect) near_->changes().remember(motion);
}

void ContactDetector::detect_further(const StepMotion& motion, KnownRows known,
                                     std::vector<Contact>& contacts,
                                     const std::vector<Index>* moved) {
  if (solids_ != nullptr) {
    penetration_ = solids_->look(motion, known, &contacts);
    return;
  }
  near_->changes().find(motion, moved);
  look<Look::rows>(motion, known, contacts);
  const std::span<const std::uint8_t> changed = near_->changes().marks();
  if (!contacts.empty() || changed.empty()) return;
  // Pairs that were not looked at again: those that are not rows were apart.
  const std::vector<double>& radius = world_->bodies.radius;
  Found found;
  found.penetration = penetration_;
  for (const std::span<const Contact> rows : known) {
    for (const Contact& row : rows) {
      const bool is_pair = row.body_b != kNone;
      if (changed[row.body_a] != 0 || (is_pair && changed[row.body_b] != 0)) continue;
      const double radius_a = radius[row.body_a];
      found.note_end_gap(end_gap(*world_, motion, row),
                         is_pair ? std::min(radius_a, radius[row.body_b]) : radius_a);
    }
  }
  penetration_ = found.penetration;
}

void ContactDetector::detect_around(const StandingBalls& all, std::span<const Index> balls,
                                    std::size_t enough, std::vector<Contact>& contacts) {
  CAROM_DEMAND(solids_ == nullptr);
  const StepMotion motion{all.time, 0.0, all.places, all.places};
  near_->prepare_around(motion, balls, enough);
  look_at_near<Look::rows>(motion, {}, contacts);
}

bool ContactDetector::would_be_active(const StepMotion& motion, const Contact& row,
                                      const Vec3& end_a, const Vec3& end_b) const {
  const double radius_a = world_->bodies.radius[row.body_a];
  if (row.body_b == kNone) {
    const PlacedShape& placed = world_->shapes[row.shape];
    const double activation = settings_.activation * radius_a;
    const Vec3 begin = motion.begin[row.body_a] - shape_begin_[row.shape];
    const Vec3 end = end_a - shape_end_[row.shape];
    if (ball_contact(placed.shape, row.feature, end, radius_a).gap < activation) return true;
    if (!settings_.sweep) return false;
    const PathGap path = smallest_gap_on_path(placed.shape, row.feature, begin, end, radius_a);
    return path.where > 0.0 && path.gap < activation;
  }
  const Periodicity* periodicity = world_->periods();
  const double radius_b = world_->bodies.radius[row.body_b];
  const double activation = settings_.activation * std::min(radius_a, radius_b);
  const double radii = radius_a + radius_b;
  const detail::PairMotion between = detail::pair_motion(
      {motion.begin[row.body_a], end_a}, {motion.begin[row.body_b], end_b}, periodicity);
  if (!detail::may_be_active(between, radii + activation, settings_.sweep)) return false;
  if (detail::pair_gaps(between, radius_a, radius_b).end < activation) return true;
  const PathGap path = smallest_pair_gap(between.begin, between.end, radii);
  return settings_.sweep && path.where > 0.0 && path.gap < activation;
}

void ContactDetector::measure(const StepMotion& motion) {
  if (solids_ != nullptr) {
    penetration_ = solids_->look(motion, {}, nullptr);
    return;
  }
  std::vector<Contact> none;
  near_->changes().begin_step();
  look<Look::depth>(motion, {}, none);
}

Vec3 ContactDetector::place(const StepMotion& motion, const Contact& contact) const {
  if (solids_ != nullptr) return solids_->place(motion, contact);
  return detail::ball_place(motion, world_->bodies, contact);
}

void ContactDetector::update_end(const StepMotion& motion, std::vector<Contact>& contacts) const {
  if (solids_ != nullptr) {
    solids_->update_end(motion, contacts);
    return;
  }
  for (Contact& contact : contacts) contact.gap_end = end_gap(*world_, motion, contact);
}

}  // namespace carom
