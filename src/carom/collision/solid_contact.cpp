// Where two solids touch: the places of all their parts, those that say the same merged.
#include "carom/collision/solid_contact.h"

#include <algorithm>

#include "carom/collision/detail/part_contact.h"
#include "carom/collision/detail/shape_contact.h"
#include "carom/core/assert.h"

namespace carom {
namespace {

using detail::ContactTolerance;
using detail::PartContact;

/// Part of a solid's own size that counts as nothing.
constexpr double kRelativeTolerance = 1e-9;
/// Round-off of places as far from the middle of the query as the two solids reach.
constexpr double kRoundOffs = 64.0;

ContactTolerance tolerance_of(double size, double reach) {
  return {std::max(kRelativeTolerance * size, kRoundOffs * kRoundOff * reach)};
}

Pose shifted(const Pose& pose, const Vec3& origin) {
  return {pose.position - origin, pose.rotation};
}

// One name for two parts and a feature of each. The usual case keeps the numbers apart: ten bits
// for each part, 22 for each feature. Larger numbers are mixed in; a coincidence of 64 bits is left
// to chance then.
std::uint64_t name_of(Index part_a, Index part_b, const PartContact& found) {
  constexpr std::uint64_t kParts = 1U << 10U;
  constexpr std::uint64_t kFeatures = 1U << 22U;
  const std::uint64_t parts = part_a * kParts + part_b;
  if (part_a < kParts && part_b < kParts && found.feature_a < kFeatures &&
      found.feature_b < kFeatures) {
    return (parts * kFeatures + found.feature_a) * kFeatures + found.feature_b;
  }
  std::uint64_t name = 0;
  for (const std::uint64_t number :
       {std::uint64_t{part_a}, std::uint64_t{part_b}, std::uint64_t{found.feature_a},
        std::uint64_t{found.feature_b}}) {
    name = (name ^ (number + 1U)) * 0x9e3779b97f4a7c15U;
    name ^= name >> 29U;
  }
  return name;
}

void take_over(std::vector<PartContact>& found, Index part_a, Index part_b, const Vec3& origin,
               std::vector<SolidContact>& contacts) {
  for (PartContact& part : found) {
    part.contact.point_a += origin;
    part.contact.point_b += origin;
    part.contact.feature = name_of(part_a, part_b, part);
    contacts.push_back(part.contact);
  }
  found.clear();
}

// Parts of a compound may share vertices, and vertices of two meshes may meet. Of contacts at one
// place that with the smallest name stays, whatever the order they were found in; it is nobody's if
// they did not agree on the owner.
void merge_contacts(double tolerance, std::vector<SolidContact>& contacts) {
  std::sort(contacts.begin(), contacts.end(),
            [](const SolidContact& left, const SolidContact& right) {
              return left.point_a.x != right.point_a.x ? left.point_a.x < right.point_a.x
                                                       : left.feature < right.feature;
            });
  thread_local std::vector<char> is_dropped;
  is_dropped.assign(contacts.size(), 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (std::size_t j = i + 1; j < contacts.size(); ++j) {
      if (contacts[j].point_a.x - contacts[i].point_a.x > tolerance) break;
      if (!detail::are_same_place(contacts[i], contacts[j], tolerance)) continue;
      const bool is_first = contacts[i].feature < contacts[j].feature;
      is_dropped[is_first ? j : i] = 1;
      if (contacts[i].owner != contacts[j].owner) {
        contacts[is_first ? i : j].owner = SolidContact::Owner::neither;
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (is_dropped[k] == 0) contacts[kept++] = contacts[k];
  }
  contacts.resize(kept);
  std::sort(contacts.begin(), contacts.end(),
            [](const SolidContact& left, const SolidContact& right) {
              return left.feature < right.feature;
            });
}

// Parts that may show the same place twice.
bool has_many_pieces(const std::vector<SolidPart>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const SolidPart& part) {
    return std::holds_alternative<MeshPart>(part) || std::holds_alternative<HelixPart>(part);
  });
}

}  // namespace

void find_solid_contacts(const PlacedSolid& a, const PlacedSolid& b, double margin,
                         std::vector<SolidContact>& contacts) {
  CAROM_ASSERT(a.solid->dimension() == b.solid->dimension());
  contacts.clear();
  const double reach = a.solid->bounding_radius() + b.solid->bounding_radius();
  const double near = reach + std::max(margin, 0.0);
  const Vec3 between = a.pose.position - b.pose.position;
  if (norm_squared(between) > near * near) return;

  // Far from the world's origin places have few digits left; the middle of the two keeps them.
  const Vec3 origin = 0.5 * a.pose.position + 0.5 * b.pose.position;
  const Pose pose_a = shifted(a.pose, origin);
  const Pose pose_b = shifted(b.pose, origin);
  const ContactTolerance tolerance =
      tolerance_of(std::min(a.solid->size(), b.solid->size()), reach);
  const std::vector<SolidPart>& parts_a = a.solid->parts();
  const std::vector<SolidPart>& parts_b = b.solid->parts();
  const int dimension = a.solid->dimension();
  thread_local std::vector<PartContact> found;
  found.clear();
  for (Index i = 0; i < parts_a.size(); ++i) {
    for (Index j = 0; j < parts_b.size(); ++j) {
      detail::add_part_contacts({parts_a[i], pose_a, dimension, a.solid->bounding_radius()},
                                {parts_b[j], pose_b, dimension, b.solid->bounding_radius()},
                                {margin, tolerance}, found);
      take_over(found, i, j, origin, contacts);
    }
  }
  const bool may_repeat = parts_a.size() > 1 || parts_b.size() > 1 || has_many_pieces(parts_a) ||
                          has_many_pieces(parts_b);
  if (may_repeat) merge_contacts(tolerance.lateral(), contacts);
}

void find_solid_contacts(const PlacedSolid& a, const OffsetShape& b, double margin,
                         std::vector<SolidContact>& contacts) {
  if (const auto* obstacle = std::get_if<SolidObstacle>(b.shape)) {
    const Pose pose = {obstacle->pose.position + b.offset, obstacle->pose.rotation};
    find_solid_contacts(a, PlacedSolid{obstacle->solid.get(), pose}, margin, contacts);
    return;
  }
  contacts.clear();
  // The middle of the solid is the origin.
  const Vec3 origin = a.pose.position;
  const Pose pose = shifted(a.pose, origin);
  const detail::PlacedShape shape{*b.shape, b.offset - origin};
  const ContactTolerance tolerance = tolerance_of(a.solid->size(), a.solid->bounding_radius());
  const int dimension = a.solid->dimension();
  const double reach = a.solid->bounding_radius();
  if (!detail::may_touch(shape, reach + std::max(margin, 0.0), dimension)) return;
  const std::vector<SolidPart>& parts = a.solid->parts();
  thread_local std::vector<PartContact> found;
  found.clear();
  for (Index i = 0; i < parts.size(); ++i) {
    detail::add_shape_contacts({parts[i], pose, dimension, reach}, shape, {margin, tolerance},
                               found);
    take_over(found, i, 0, origin, contacts);
  }
  if (parts.size() > 1) merge_contacts(tolerance.lateral(), contacts);
}

}  // namespace carom
