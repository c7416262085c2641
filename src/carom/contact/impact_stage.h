#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"
#include "carom/contact/exact_symmetry.h"
#include "carom/contact/impact_scene.h"
#include "carom/contact/point_impact.h"
#include "carom/impact/resolve.h"

namespace carom {

namespace detail {
class SymmetricImpact;
}  // namespace detail

/// The impact of one step: contacts in, velocities and impulses out. Balls and spheres whose
/// settings allow it take the way made for points, all else the general one. With a symmetry to
/// keep, the outcome for points is averaged over its group; the general way resolves the impact of
/// the representatives.
class ImpactStage {
 public:
  /// What `scene` points at, `pool` and `symmetry` (may be none) must outlive it.
  ImpactStage(const ImpactScene& scene, WorkerPool& pool, const ExactSymmetry* symmetry);
  ~ImpactStage();
  ImpactStage(const ImpactStage&) = delete;
  ImpactStage& operator=(const ImpactStage&) = delete;

  struct Summary {
    ImpactStatus status = ImpactStatus::resolved;
    Index components = 0;
    std::uint64_t applications = 0;
    std::uint64_t applications_total = 0;
    double lineality_energy = 0.0;
    Index largest_part = 0;
    SolverSeconds seconds;   ///< of the last resolve() alone
    bool open_lock = false;  ///< likewise: it stopped, see stop_at_open_locks()
    bool lossless = true;    ///< every row elastic, none taken by anti-locking
    /// Contacts found to be implicit equalities, by the last resolve() alone.
    std::vector<Index> lineality_rows;
    std::vector<std::string> squeezed;  ///< names of what an infeasible squeeze involves
  };

  /// Rows count as closing from a smaller speed on than the simulation says.
  void tighten(double tolerance) { settings_.tolerance = std::min(settings_.tolerance, tolerance); }
  /// Brings contacts into whole orbits of the symmetry, if there is one; to be called before
  /// resolve().
  void arrange(std::vector<Contact>& contacts);
  /// From now on an impact (if it may_wait()) is not brought to its end where contacts that are
  /// open may lock each other.
  void stop_at_open_locks(bool stops) { stops_at_open_locks_ = stops; }
  /// To be called at the beginning of a step: no impact went before.
  void begin_step();
  /// What the last resolve() did to these contacts is done: from now on resolve() is shown the
  /// velocities that it left, and impulses and summary are those of all together.
  void go_on(std::span<const Contact> contacts);
  /// Writes the velocities after the impact over those of the bodies that take part. Where there
  /// are points() these may be the memory of the moment's velocities: each is read before it is
  /// written.
  struct Velocities {
    std::vector<Vec3>* linear = nullptr;
    std::vector<Vec3>* angular = nullptr;  ///< empty where no body turns
  };
  void resolve(std::span<const Contact> contacts, const ImpactMoment& moment,
               const Velocities& velocities);
  /// Whether contacts may wait for what others do to their bodies.
  [[nodiscard]] bool may_wait() const { return points_ != nullptr; }
  struct Wakes {
    std::function<bool(const Contact& contact, const Vec3& velocity_a, const Vec3& velocity_b)> ask;
    /// A contact that does not close faster need not be asked.
    std::function<double(const Contact& contact)> least_speed;
    Index most = kNone;  ///< where more would wake the impact is not brought to its end
  };
  /// The same with contacts that wait, both lists in the order of rows: those that wake move from
  /// one to the other. Where every row is elastic and smooth, and only if they may.
  void resolve(std::vector<Contact>& contacts, std::vector<Contact>& waiting, const Wakes& wakes,
               const ImpactMoment& moment, const Velocities& velocities);

  /// Makes velocities and impulses that were changed since symmetric again, to the bit.
  void make_symmetric(std::span<const Contact> contacts, std::vector<Vec3>& velocity);

  [[nodiscard]] const Summary& summary() const { return summary_; }
  [[nodiscard]] std::vector<double>& impulses() { return impulses_; }  ///< per contact
  [[nodiscard]] std::vector<Vec3>& friction() { return friction_; }    ///< on body a, per contact
  [[nodiscard]] const std::vector<double>& impulses() const { return impulses_; }
  [[nodiscard]] const std::vector<Vec3>& friction() const { return friction_; }
  [[nodiscard]] const ImpactSettings& settings() const { return settings_; }
  [[nodiscard]] ContactAssembler& assembler() { return assembler_; }
  /// None where impacts go the general way.
  [[nodiscard]] PointImpact* points() { return points_.get(); }

 private:
  struct Done {
    Contact contact;
    double impulse = 0.0;
  };
  /// Nothing has happened to so many contacts.
  void begin_impulses(std::size_t contacts);
  void add_done(std::span<const Contact> contacts);
  void add_impulses(std::span<const Done> done, std::span<const Contact> contacts);
  /// What the general way says of a component of a group.
  struct GeneralNote {
    Index group = 0;
    std::vector<Index> lineality_rows;
    std::vector<std::string> squeezed;
  };
  void resolve_points(const PointImpact::Task& task, const Velocities& velocities);
  void join_woken(std::vector<Contact>& contacts, std::vector<Contact>& waiting);
  void write(const PointImpact::Group& group, std::span<const Contact> contacts,
             const Velocities& velocities);
  void note_group(const PointImpact::Group& group, std::span<const Contact> contacts);
  void resolve_general(std::span<const Contact> contacts, const ImpactMoment& moment,
                       const Velocities& velocities);
  void resolve_symmetric(std::span<const Contact> contacts, const ImpactMoment& moment,
                         std::vector<Vec3>& velocity);
  void note_symmetric(const ComponentReport& component, std::span<const Contact> contacts);
  void note(const ComponentReport& component, std::span<const Contact> contacts,
            std::span<const Index> scene_bodies, Index group = 0);
  void gather_notes();

  ImpactScene scene_;
  ImpactSettings settings_;  ///< the scene's, with the pool
  ContactAssembler assembler_;
  std::unique_ptr<PointImpact> points_;                 ///< none where that way is not open
  std::unique_ptr<detail::SymmetricImpact> symmetric_;  ///< none without a symmetry
  std::vector<double> impulses_;
  std::vector<Vec3> friction_;
  Summary summary_;
  std::mutex noting_;  ///< of the summary, by the threads that resolve groups
  std::vector<GeneralNote> general_notes_;
  bool stops_at_open_locks_ = false;
  std::vector<Done> done_;  ///< in the order of rows; what pushed nothing is not listed
  Summary done_summary_;
  // With contacts that wait:
  std::vector<Contact> all_;            ///< those that wait come last
  std::vector<std::uint8_t> is_woken_;  ///< of each
  std::vector<Contact> merging_;        ///< room
  std::vector<Done> pushes_;
  std::vector<Done> merging_pushes_;
};

}  // namespace carom
