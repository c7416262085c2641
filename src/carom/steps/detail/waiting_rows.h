#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "carom/contact/detection.h"
#include "carom/contact/impact_stage.h"
#include "carom/core/worker_pool.h"
#include "carom/stepping/simulation.h"
#include "carom/steps/detail/step_path.h"

namespace carom::detail {

/// Pairs that are near, around the rows that a round of re-detection found: they wait beside the
/// active rows, and join as soon as the impact gives their bodies velocities that drive them
/// together and nothing else closes. A pulse then goes its whole way in one round, where it would
/// come one row further in each.
class WaitingRows {
 public:
  /// All must outlive it; `detector` is the one whose looks the step's rows come from.
  WaitingRows(const Simulation& simulation, const StepPath& path, const ContactDetector& detector,
              WorkerPool& pool);

  /// None waits.
  void begin_step();
  /// What a round knows of its rows, each list in their order.
  struct Round {
    const std::vector<Contact>& active;
    const std::vector<Contact>& found;  ///< that joined last
    const std::vector<Contact>& left_out;
    int number = 0;          ///< of re-detection, from 1
    std::size_t moved = 0;   ///< bodies that the round before may have made faster or slower
    std::size_t before = 0;  ///< rows that had joined for it
  };
  /// Those around the found rows, in their order.
  void find(const Round& round);

  [[nodiscard]] std::vector<Contact>& contacts() { return contacts_; }
  [[nodiscard]] bool any() const { return !contacts_.empty(); }
  /// When they join. `most`: where more would the impact is not brought to its end.
  [[nodiscard]] ImpactStage::Wakes wakes(Index most) const;

 private:
  [[nodiscard]] double reach() const;
  void make_detector();
  [[nodiscard]] std::size_t enough(const Round& round) const;
  [[nodiscard]] bool wakes(const Contact& contact, const Vec3& velocity_a,
                           const Vec3& velocity_b) const;
  [[nodiscard]] double waking_speed(const Contact& contact) const;

  enum class Reach : std::uint8_t { not_of_this_step, of_this_step };

  const Simulation* simulation_;
  const StepPath* path_;
  const ContactDetector* detector_;
  WorkerPool* pool_;
  std::unique_ptr<ContactDetector> near_;  ///< finds pairs that are near; none before it is asked
  double near_reach_ = 0.0;                ///< for which it was made
  Reach reach_is_ = Reach::not_of_this_step;
  std::vector<Index> around_;  ///< bodies of found rows
  std::vector<Contact> contacts_;
};

}  // namespace carom::detail
