#pragma once

#include <array>
#include <vector>

#include "carom/asynchronous/detail/lattice.h"
#include "carom/asynchronous/layers.h"
#include "carom/core/types.h"

namespace carom::asynchronous::detail {

/// What restitution remembers of each pair: its distance at each octave's last tick at which a
/// layer of it acted, and when that was. It counts only if that was the octave's tick just before
/// this one. Else the octave was inactive there, so the pair was farther apart than where the
/// octave's layers begin. Few pairs ever act behind the first octaves; those have room elsewhere.
class GapMemories {
 public:
  struct Seen {
    double distance = 0.0;
    Tick when = -kNever;
  };

  /// Room for one more pair.
  [[nodiscard]] Index take() {
    if (free_.empty()) {
      shallow_.emplace_back();
      return static_cast<Index>(shallow_.size() - 1);
    }
    const Index memory = free_.back();
    free_.pop_back();
    shallow_[memory] = Shallow{};
    return memory;
  }
  void give_back(Index memory) {
    free_.push_back(memory);
    if (shallow_[memory].deep == kNone) return;
    free_deep_.push_back(shallow_[memory].deep);
    shallow_[memory].deep = kNone;
  }

  [[nodiscard]] Seen seen(Index memory, int octave) const {
    const Shallow& shallow = shallow_[memory];
    if (octave < kShallow) return shallow.octave[static_cast<std::size_t>(octave)];
    if (shallow.deep == kNone) return {};
    return deep_[shallow.deep][static_cast<std::size_t>(octave - kShallow)];
  }
  void see(Index memory, int octave, const Seen& now) {
    Shallow& shallow = shallow_[memory];
    if (octave < kShallow) {
      shallow.octave[static_cast<std::size_t>(octave)] = now;
      return;
    }
    if (shallow.deep == kNone) shallow.deep = take_deep();
    deep_[shallow.deep][static_cast<std::size_t>(octave - kShallow)] = now;
  }

  template <class Archive>
  void transfer_state(Archive& archive) {
    transfer_all(archive, shallow_, deep_, free_, free_deep_);
  }

 private:
  static constexpr int kShallow = 4;  ///< up to layer 3
  struct Shallow {
    std::array<Seen, kShallow> octave;
    Index deep = kNone;
  };
  using Deep = std::array<Seen, kOctaves - kShallow>;

  [[nodiscard]] Index take_deep() {
    if (free_deep_.empty()) {
      deep_.emplace_back();
      return static_cast<Index>(deep_.size() - 1);
    }
    const Index place = free_deep_.back();
    free_deep_.pop_back();
    deep_[place] = Deep{};
    return place;
  }

  template <class Archive>
  friend void transfer(Archive& archive, Seen& seen) {
    transfer_all(archive, seen.distance, seen.when);
  }
  template <class Archive>
  friend void transfer(Archive& archive, Shallow& shallow) {
    transfer_all(archive, shallow.octave, shallow.deep);
  }

  std::vector<Shallow> shallow_;
  std::vector<Deep> deep_;
  std::vector<Index> free_;
  std::vector<Index> free_deep_;
};

}  // namespace carom::asynchronous::detail
