// Contacts sorted into orbits of a symmetry group.
#include "carom/contact/detail/contact_orbits.h"

#include <algorithm>

#include "carom/core/assert.h"

namespace carom::detail {

ContactOrbits::ContactOrbits(const ExactSymmetry& symmetry, Index body_count)
    : symmetry_(&symmetry), first_pair_(body_count, kNone), first_shape_(body_count, kNone) {}

void ContactOrbits::arrange(std::vector<Contact>& contacts) {
  if (sort_out(contacts)) return;
  rebuild(contacts);
  const bool closed = sort_out(contacts);
  CAROM_DEMAND(closed);
}

// False where an orbit is not complete or has no leader.
bool ContactOrbits::sort_out(std::span<const Contact> contacts) {
  orbits_.clear();
  members_.assign(contacts.size(), Member());
  const std::span<const SquareOperation> operations = symmetry_->operations();
  bool closed = true;
  for (Index k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    std::vector<Index>& first = contact.body_b == kNone ? first_shape_ : first_pair_;
    if (first[contact.body_a] == kNone) first[contact.body_a] = k;
    const ExactSymmetry::Sides sides = ExactSymmetry::sides_of(contact);
    ExactSymmetry::Sides smallest = sides;
    Member member;
    unsigned stabilizer = 1;  // the identity
    for (std::size_t operation = 1; operation < operations.size(); ++operation) {
      const ExactSymmetry::Sides image = symmetry_->image_of_sides(contact, operation);
      if (image.same(sides)) ++stabilizer;
      if (!image.before(smallest)) continue;
      smallest = image;
      member.operation = inverse(operations[operation]);
    }
    member.reversed = smallest.reversed;
    if (smallest.same(sides)) {
      member.orbit = static_cast<Index>(orbits_.size());
      orbits_.push_back({k, stabilizer, 0});
    } else {
      member.orbit = orbit_of_leader(contacts, smallest);  // it came before
    }
    members_[k] = member;
    if (member.orbit == kNone) {
      closed = false;
    } else {
      ++orbits_[member.orbit].members;
    }
  }
  for (const Contact& contact : contacts) {
    first_pair_[contact.body_a] = kNone;
    first_shape_[contact.body_a] = kNone;
  }
  return closed && std::all_of(orbits_.begin(), orbits_.end(), [&](const Orbit& orbit) {
           return orbit.members * orbit.stabilizer == operations.size();
         });
}

Index ContactOrbits::orbit_of_leader(std::span<const Contact> contacts,
                                     const ExactSymmetry::Sides& leader) const {
  Index k = (leader.body_b == kNone ? first_shape_ : first_pair_)[leader.body_a];
  if (k == kNone) return kNone;
  while (ExactSymmetry::sides_of(contacts[k]).before(leader)) ++k;  // it would be before its image
  return ExactSymmetry::sides_of(contacts[k]).same(leader) ? members_[k].orbit : kNone;
}

void ContactOrbits::rebuild(std::vector<Contact>& contacts) const {
  std::vector<Contact> closed;
  for (const Orbit& orbit : orbits_) {
    for (std::size_t operation = 0; operation < symmetry_->operations().size(); ++operation) {
      closed.push_back(symmetry_->image_of(contacts[orbit.leader], operation));
    }
  }
  std::sort(closed.begin(), closed.end(),
            [](const Contact& a, const Contact& b) { return a.before(b); });
  closed.erase(std::unique(closed.begin(), closed.end(),
                           [](const Contact& a, const Contact& b) { return a.same_pair(b); }),
               closed.end());
  contacts.swap(closed);
}

}  // namespace carom::detail
