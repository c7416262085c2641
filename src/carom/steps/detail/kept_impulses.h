#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/contact/near_places.h"

namespace carom::detail {

/// What each contact carried in the last step, in the world's directions: where the next one
/// begins.
class KeptImpulses {
 public:
  /// The impulse of one place.
  struct Entry {
    Index body_a = kNone;
    Index body_b = kNone;
    Index shape = kNone;
    std::uint64_t feature = 0;
    Vec3 place;    ///< from the centre of body a, in its coordinates
    Vec3 impulse;  ///< on body a, in the world's
  };

  /// What the places of a pair begin with, none where nothing is known of them. `turned`: body
  /// coordinates of a to the world's; `length`: how far a place may have gone.
  struct Question {
    const NearPair* pair = nullptr;
    std::span<const NearPlace> places;  ///< of the pair
    Pose pose_a;
    double length = 0.0;
  };
  void find(const Question& question, std::span<Vec3> impulses) const;

  /// Forgets all, then adds in the order of pairs.
  void clear() { entries_.clear(); }
  void add(const Entry& entry) { entries_.push_back(entry); }

  void save(std::string& bytes) const;
  /// Throws InputError where the bytes are too few or name bodies that are not there.
  void load(std::string_view& bytes, Index bodies, Index shapes);

 private:
  std::vector<Entry> entries_;
};

}  // namespace carom::detail
