#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detail/lone_contact.h"
#include "carom/contact/detection.h"
#include "carom/contact/impact_scene.h"
#include "carom/core/joined_sets.h"
#include "carom/impact/points.h"

namespace carom {

/// Contacts of balls and spheres as PointProblems, resolved, and back. Components in which no row
/// closes stay as they are, whatever the operator, and are left out of it; so are elastic, smooth
/// contacts between bodies that touch nothing else, which have an answer in closed form.
///
/// Components are resolved in groups of a few thousand contacts, one after the other in the same
/// memory, so that it stays in the cache; what becomes of a component does not depend on the
/// others. Threads share out the groups; in one that is large because a component is, and with
/// friction, where there is one group, they share parts.
class PointImpact {
 public:
  /// Both must outlive it.
  PointImpact(const ImpactScene& scene, const ContactAssembler& assembler);

  /// Whether this way is open to a simulation: balls and spheres, shapes made for them, settings
  /// that PointResolver can meet.
  [[nodiscard]] static bool is_possible(const ImpactScene& scene);

  /// A component of one contact, with its answer.
  struct Lone {
    Index contact = 0;
    detail::LoneResponse response;
  };
  struct Task;
  /// Some of the components, valid while `then` of resolve() looks at it.
  class Group {
   public:
    [[nodiscard]] Index number() const { return number_; }
    /// Every row of a component that closes is elastic and smooth.
    [[nodiscard]] bool lossless() const { return lossless_; }
    [[nodiscard]] const PointResolver& resolver() const { return resolver_; }
    [[nodiscard]] std::span<const Index> bodies() const { return body_of_; }  ///< of the points
    [[nodiscard]] std::span<const Index> contacts() const { return contact_of_; }  ///< of the rows
    [[nodiscard]] Index first_point(Index row) const { return problem_.rows[row].a; }
    [[nodiscard]] std::span<const Lone> lone() const { return lone_; }
    [[nodiscard]] LinearAndAngular velocity(Index point) const;
    /// Whether that is another velocity than before.
    [[nodiscard]] bool changed(Index point) const {
      return differ(problem_.velocity, resolver_.velocity(), point, problem_.dimension) ||
             (!problem_.spin.empty() &&
              differ(problem_.spin, resolver_.spin(), point, static_cast<int>(problem_.turns())));
    }
    [[nodiscard]] Vec3 friction(Index row) const;  ///< on body a

   private:
    friend class PointImpact;
    [[nodiscard]] static bool differ(std::span<const double> before, std::span<const double> after,
                                     Index point, int size) {
      const std::size_t begin = std::size_t{point} * static_cast<std::size_t>(size);
      const std::size_t end = begin + static_cast<std::size_t>(size);
      bool differs = false;
      for (std::size_t k = begin; k < end; ++k) differs |= before[k] != after[k];
      return differs;
    }
    PointProblem problem_;
    PointResolver resolver_;
    const Task* task_ = nullptr;  ///< while it is resolved
    Index number_ = 0;
    std::vector<Lone> lone_;
    std::vector<Index> body_of_;     ///< per point
    std::vector<Index> contact_of_;  ///< per row
    Index components_ = 0;           ///< that take part
    bool lossless_ = true;
    bool is_plain_ = false;  ///< see is_plain()
  };

  struct Task {
    std::span<const Contact> contacts;
    const ImpactMoment* moment = nullptr;
    const ImpactSettings* settings = nullptr;
    /// One per contact: rows are inelastic and open at that speed. Empty: they are as the materials
    /// say.
    std::span<const double> opening_speed = {};
    /// Contacts from this one on wait until `wakes` says of their velocities that they take part,
    /// see PointProblem::waiting_from.
    Index waiting_from = kNone;
    std::function<bool(Index contact, const Vec3& velocity_a, const Vec3& velocity_b)> wakes = {};
    std::function<double(Index contact)> waking_speed = {};
    Index most_woken = kNone;
    /// Where contacts that are open would have to go the general way, which is where locks are
    /// found, the impact is not brought to its end, see PointProblem::is_open.
    bool stops_at_open_locks = false;
  };
  /// Whether the two sides of a contact do not touch yet.
  [[nodiscard]] static bool is_open(const Contact& contact, const ImpactScene& scene);
  /// Contacts of a group, unless a component has more.
  static constexpr std::size_t kGroupContacts = 2048;
  /// `then` is called for each group when it is resolved, by the thread that did it.
  void resolve(const Task& task, const std::function<void(const Group&)>& then);

  /// Of the last contacts.
  [[nodiscard]] Index quiet_components() const { return quiet_components_; }  ///< left out
  [[nodiscard]] bool rubs() const { return rubs_; }                           ///< some row may

 private:
  // Marks of bodies in touch. Of those that lead a component, also what it does.
  static constexpr std::uint8_t kTouches = 1;
  static constexpr std::uint8_t kTouchesOften = 2;
  static constexpr std::uint8_t kCloses = 4;
  static constexpr std::uint8_t kLeftOut = 8;
  /// A label that is a component's number in its group; another one is that of the group.
  static constexpr Index kNumbered = Index{1} << 31U;

  void touch(Index body) {
    std::uint8_t& mark = mark_[body];
    const auto again = static_cast<std::uint8_t>((mark & kTouches) << 1U);
    mark = static_cast<std::uint8_t>(mark | kTouches | again);
  }
  [[nodiscard]] Index lead(Index body) { return smallest_joined(lead_, body); }
  [[nodiscard]] bool is_lone(const Contact& contact) const {
    return (mark_[contact.body_a] & kTouchesOften) == 0 &&
           (contact.body_b == kNone || (mark_[contact.body_b] & kTouchesOften) == 0);
  }
  [[nodiscard]] double mass(Index body) const {
    return same_mass_ > 0.0 ? same_mass_ : scene_.world->bodies.mass[body];
  }
  [[nodiscard]] const PairCoefficients& coefficients(const Contact& contact) const;
  /// Velocity of what a contact's first body meets.
  [[nodiscard]] const Vec3& other_velocity(const Contact& contact,
                                           const ImpactMoment& moment) const {
    return contact.body_b != kNone ? moment.velocity[contact.body_b] : surface_[contact.shape];
  }
  void find_surfaces(const ImpactMoment& moment);
  /// Few of many bodies touch, and what is decided about one contact is hard to foresee: memory is
  /// asked for in time. Inlined, as a call that changes nothing is left out by the compiler.
  [[gnu::always_inline]] void ask_for(const Contact& contact, const ImpactMoment& moment) const {
    __builtin_prefetch(lead_.data() + contact.body_a, 1);
    __builtin_prefetch(moment.velocity.data() + contact.body_a);
    if (contact.body_b == kNone) return;
    __builtin_prefetch(lead_.data() + contact.body_b, 1);
    __builtin_prefetch(moment.velocity.data() + contact.body_b);
  }
  /// What the second pass reads as well.
  [[gnu::always_inline]] void ask_for_rest(const Contact& contact) const {
    if (same_mass_ > 0.0) return;
    __builtin_prefetch(scene_.world->bodies.mass.data() + contact.body_a);
    if (contact.body_b != kNone) {
      __builtin_prefetch(scene_.world->bodies.mass.data() + contact.body_b);
    }
  }
  /// Finds the components, and in which of them a row closes.
  void survey(const Task& task);
  /// How many groups are worth while.
  [[nodiscard]] Index wanted_groups(const Task& task);
  /// Whether a component has most of the contacts.
  [[nodiscard]] bool one_has_most(std::span<const Contact> contacts);
  /// Gives components to groups.
  void deal(const Task& task, Index groups);
  [[nodiscard]] std::span<const Index> members(std::size_t group) const {
    return {members_.data() + first_member_[group],
            first_member_[group + 1] - first_member_[group]};
  }
  void resolve_groups(const Task& task, const std::function<void(const Group&)>& then);
  /// Whether the component of a leader takes part; those that do not are counted on the way, unless
  /// all their contacts wait.
  [[nodiscard]] bool takes_part(Index leader, bool waits) {
    std::uint8_t& mark = mark_[leader];
    if ((mark & kCloses) != 0) return true;
    if ((mark & kLeftOut) == 0 && !waits) ++quiet_components_;
    mark = static_cast<std::uint8_t>(mark | kLeftOut);
    return false;
  }
  /// Answers a contact that is a component by itself and closes.
  void answer_lone(const Task& task, Index number, Group& group) const;
  [[nodiscard]] Index point(Index number, const ImpactMoment& moment, Group& group) {
    const Index known = point_[number];
    return known != kNone ? known : add_point(number, moment, group);
  }
  [[nodiscard]] Index add_point(Index number, const ImpactMoment& moment, Group& group);
  void add_row(const Task& task, Index number, Group& group);
  /// Where every pair of materials has the same constant restitution, nothing rubs and nothing is
  /// to open.
  [[nodiscard]] bool is_plain(const Task& task) const {
    return coefficients_.size() == 1 && !(coefficients_.front().restitution_speed > 0.0) &&
           !rubs_ && task.opening_speed.empty() && task.moment->restitution.empty();
  }
  void add_plain_row(const Task& task, Index number, Group& group);
  void clear(const Task& task, Group& group) const;
  void let_wait(const Task& task, Group& group) const;
  void stop_at_open_locks(const Task& task, Group& group) const;
  void assemble_all(const Task& task, Group& group);
  void assemble_members(const Task& task, std::span<const Index> members, Group& group);
  /// Its bodies have no points any more.
  void leave(const Group& group);
  void finish(const Task& task, Group& group) const;
  /// Makes the arrays of bodies what they are between calls.
  void forget(std::span<const Contact> contacts);
  /// Does so however a call ends.
  struct ForgetOnExit {
    PointImpact* points;
    std::span<const Contact> contacts;
    ForgetOnExit(PointImpact* of, std::span<const Contact> these) : points(of), contacts(these) {}
    ForgetOnExit(const ForgetOnExit&) = delete;
    ForgetOnExit& operator=(const ForgetOnExit&) = delete;
    ~ForgetOnExit() { points->forget(contacts); }
  };
  [[nodiscard]] double restitution(const Contact& contact, Index number,
                                   const ImpactMoment& moment) const;
  [[nodiscard]] PointProblem::Rubbing rubbing(const Contact& contact, double coefficient,
                                              const Vec3& surface) const;

  ImpactScene scene_;
  const ContactAssembler* assembler_;
  bool rubs_ = false;  ///< some pair of materials does, and a model says how
  // What is known of the bodies, in arrays so small that caches hold those of a million; in
  // brackets what stands there between calls.
  std::vector<Index> lead_;         ///< towards the first body of its component (itself)
  std::vector<std::uint8_t> mark_;  ///< (0)
  std::vector<Index> label_;        ///< of one that leads: a group + 1, or kNumbered (0)
  std::vector<Index> point_;        ///< in its group (kNone)
  std::vector<Vec3> surface_;       ///< velocity of each shape
  std::vector<std::unique_ptr<Group>> thread_groups_;  ///< one for each thread: the group at hand
  std::vector<Index> group_of_;                 ///< per contact; before deal() its first body
  std::vector<Index> first_member_;             ///< of each group
  std::vector<Index> members_;                  ///< contacts
  std::vector<Index> small_groups_;             ///< what threads share out
  Index quiet_components_ = 0;                  ///< that do not take part
  std::vector<PairCoefficients> coefficients_;  ///< by two materials
  double same_mass_ = 0.0;                      ///< of all bodies; 0: they differ
  std::vector<double> turn_weight_;             ///< per body; empty where none turns
};

}  // namespace carom
