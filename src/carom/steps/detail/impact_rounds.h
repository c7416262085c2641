#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carom/contact/detection.h"
#include "carom/contact/exact_symmetry.h"
#include "carom/contact/impact_speeds.h"
#include "carom/contact/impact_stage.h"
#include "carom/core/worker_pool.h"
#include "carom/stepping/stepper.h"
#include "carom/steps/detail/step_path.h"
#include "carom/steps/detail/waiting_rows.h"

namespace carom::detail {

/// What makes a step too long for its scene, so that it is left for two halves.
struct TooLong {
  bool when_many_join = false;       ///< more rows than it began with
  bool when_open_rows_lock = false;  ///< rows that do not touch yet
};

/// The impact of one step, (2) and (3) of steps/synchronous.h, in rounds of re-detection: rows that
/// the motion after a round makes active join those that are, and the impact is done again with
/// all, or goes on where nothing is lost.
///
///   begin -> resolve -> look_further -> join_found -> resolve -> ... until nothing is found
class ImpactRounds {
 public:
  /// What the rounds happen to and with; not owned.
  struct Parts {
    StepPath* path = nullptr;
    ImpactStage* impact = nullptr;
    WorkerPool* pool = nullptr;
    const ExactSymmetry* symmetry = nullptr;  ///< to be kept; may be none
  };
  ImpactRounds(const Simulation& simulation, const Parts& parts);

  /// Whether rows can wait for what others do to their bodies.
  [[nodiscard]] bool lets_rows_wait() const;

  /// The rows that the motion with the velocities before the step makes active.
  void begin(const TooLong& too_long, StepReport& report);
  /// The impact with the rows that there are, less those that lock although they are open.
  void resolve(StepReport& report);
  /// Looks at the motion that the impact leads to. Whether there are further rows.
  [[nodiscard]] bool look_further(StepReport& report);
  /// They join; where it pays, near ones wait beside them.
  void join_found(StepReport& report);
  /// The next round is one of the same rows, from the velocities before the step.
  void repeat() { path_->begin_round_again(); }
  /// Restitution that falls with the speed wants to know what the rows went through: whether it
  /// would be another one now.
  [[nodiscard]] bool learn_speeds();
  /// Only the penetration at the end of the motion.
  void measure() { detector_.measure(path_->motion()); }

  /// Shorter steps bring open rows in touch one after the other where a long one finds them locked.
  [[nodiscard]] bool is_too_long() const;
  /// One look that finds half as many rows as would be too many says it before more work is done.
  [[nodiscard]] bool will_be_too_long() const;

  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
  [[nodiscard]] std::span<const Vec3> places() const { return places_; }  ///< see ImpactMoment
  [[nodiscard]] Index left_out() const { return static_cast<Index>(left_out_.size()); }
  [[nodiscard]] std::span<const double> restitution() const { return speeds_.last(); }
  [[nodiscard]] Penetration penetration() const { return detector_.penetration(); }
  /// The gaps at the end of the motion that the path has come to.
  void update_ends() { detector_.update_end(path_->motion(), contacts_); }
  void forget() { contacts_.clear(); }

 private:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  enum class NextRound : std::uint8_t { begins_again, goes_on };
  [[nodiscard]] static NextRound next_round(const Simulation& simulation);
  [[nodiscard]] std::size_t most_joining() const;
  void resolve_once(StepReport& report);
  bool leave_out_locked_gaps();
  void find_places();
  void merge_found();

  const Simulation* simulation_;
  StepPath* path_;
  ImpactStage* impact_;
  WorkerPool* pool_;
  const ExactSymmetry* symmetry_;
  NextRound next_round_;
  ContactDetector detector_;
  ImpactSpeeds speeds_;
  WaitingRows waiting_;
  TooLong too_long_;            ///< this step
  std::size_t first_rows_ = 0;  ///< that the step began with
  std::size_t last_found_ = 0;  ///< rows that joined for this round
  std::size_t last_moved_ = 0;  ///< bodies that the round before may have made faster or slower
  std::vector<Contact> contacts_;
  std::vector<Contact> found_;     ///< further rows of the last look
  std::vector<Contact> left_out_;  ///< open rows that would lock others, of this step
  std::vector<Contact> merging_;   ///< room
  std::vector<Vec3> places_;       ///< where each contact acts; empty where no body turns
};

}  // namespace carom::detail
