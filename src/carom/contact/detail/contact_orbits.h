#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detection.h"
#include "carom/contact/exact_symmetry.h"
#include "carom/core/types.h"

namespace carom::detail {

/// Contacts sorted into orbits under a group of symmetries. The first contact of an orbit, in their
/// order, leads it: whether an orbit is active, its normal and its gaps are those of its leader.
class ContactOrbits {
 public:
  /// `symmetry` must outlive it.
  ContactOrbits(const ExactSymmetry& symmetry, Index body_count);

  struct Orbit {
    Index leader = 0;         ///< a contact
    unsigned stabilizer = 0;  ///< operations that map the leader onto itself
    Index members = 0;
  };
  struct Member {
    Index orbit = kNone;
    SquareOperation operation = SquareOperation::identity;  ///< takes the leader here ...
    bool reversed = false;                                  ///< ... and its sides to the other ones
  };

  /// Adds what a leader has no image of, removes what has no leader, and sorts into orbits. Where
  /// detection treats mirror images alike, to the bit, there is nothing to add or remove.
  void arrange(std::vector<Contact>& contacts);

  [[nodiscard]] std::span<const Orbit> orbits() const { return orbits_; }
  [[nodiscard]] std::span<const Member> members() const { return members_; }  ///< per contact

 private:
  [[nodiscard]] bool sort_out(std::span<const Contact> contacts);
  [[nodiscard]] Index orbit_of_leader(std::span<const Contact> contacts,
                                      const ExactSymmetry::Sides& leader) const;
  void rebuild(std::vector<Contact>& contacts) const;

  const ExactSymmetry* symmetry_;
  std::vector<Orbit> orbits_;
  std::vector<Member> members_;
  std::vector<Index> first_pair_;   ///< per body: its first contact as body a; kNone between calls
  std::vector<Index> first_shape_;  ///< likewise, against shapes
};

}  // namespace carom::detail
