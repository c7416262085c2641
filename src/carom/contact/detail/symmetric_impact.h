#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detail/contact_orbits.h"
#include "carom/contact/detection.h"
#include "carom/contact/exact_symmetry.h"
#include "carom/contact/impact_scene.h"
#include "carom/core/types.h"
#include "carom/impact/problem.h"
#include "carom/impact/resolve.h"

namespace carom::detail {

/// An impact with symmetry, on one body of each orbit and one row of each orbit of contacts.
///
/// With G the group, S_i the operation that takes the representative to body i, P the projection on
/// what a stabilizer leaves free, and v_i = S_i w the symmetric velocities, a row n.(v_a - v_b)
/// becomes
///
///   (1)  g = P_a S_a' n  at a's representative,  -P_b S_b' n  at b's; the sum where they are one
///
/// and, with |G_i| and |G_r| the numbers of operations that leave body and row alone,
///
///   (2)  m^_i = m_i / |G_i|,   g^ = s g,   s = 1 / sqrt |G_r|,   l^ = s l.
///
/// Kinetic energy and work are then those of all bodies and rows over |G|, and so is sum l^2: what
/// is a reflection, a projection, a least norm or a box in the whole is one here, with the same
/// response. Two things are not of that kind and are told to the problem: the answer of a pair by
/// itself (RowDefinition::own_diagonal) and, for a force k d^eta, the stiffness
///
///   (3)  k^ = k s^(1 - eta).
///
/// Every row of an orbit gets the impulse of its leader, every body the velocity of its
/// representative.
///
/// What was resolved with all rows, and is symmetric but for round-off, is averaged over G instead.
/// That is the nearest symmetric outcome, and as good a one: rows that do not close, impulses that
/// push and momentum are kept because they are convex and the same for all images; the kinetic
/// energy loses the square of the round-off.
class SymmetricImpact {
 public:
  /// All must outlive it.
  SymmetricImpact(const ImpactScene& scene, const ExactSymmetry& symmetry);

  /// Brings contacts into whole orbits. To be called before the others whenever they have changed.
  void arrange(std::vector<Contact>& contacts) { orbits_.arrange(contacts); }
  [[nodiscard]] const ContactOrbits& orbits() const { return orbits_; }

  /// The reduced problem. A row that symmetry keeps from ever closing is left out; one that it
  /// keeps closing (moving walls on both sides of a ball that cannot evade) is `squeezed`.
  void assemble(std::span<const Contact> contacts, const ImpactMoment& moment);
  [[nodiscard]] const ImpactProblem& problem() const { return problem_; }
  [[nodiscard]] Index orbit_of_row(Index row) const { return orbit_of_row_[row]; }
  [[nodiscard]] Index body_of(Index problem_body) const { return body_of_[problem_body]; }
  [[nodiscard]] const std::vector<Index>& squeezed() const { return squeezed_; }  ///< contacts

  /// Impulses and velocities of all from those of the reduced problem.
  void expand(const ImpactResult& result, std::vector<Vec3>& velocity,
              std::vector<double>& impulses, std::vector<Vec3>& friction) const;
  /// Impulses and velocities that are symmetric but for round-off: the mean over the group.
  void average(std::span<const Contact> contacts, std::vector<Vec3>& velocity,
               std::vector<double>& impulses, std::vector<Vec3>& friction);

  /// Components of all contacts, and the sum over them of the applications that the components of
  /// the reduced problem took.
  struct Count {
    Index components = 0;
    std::uint64_t applications = 0;
  };
  [[nodiscard]] Count count(std::span<const Contact> contacts, const ImpactReport& report);

 private:
  /// A direction of a contact, as the representatives of its sides see it: (1). With one
  /// representative for both, all of it is at a.
  struct Gradient {
    Vec3 at_a;
    Vec3 at_b;
  };
  [[nodiscard]] Gradient reduced(const Contact& contact, const Vec3& direction) const;
  [[nodiscard]] Index problem_body(Index body, const ImpactMoment& moment);
  void add_row(const Contact& contact, const ContactOrbits::Orbit& orbit,
               const ImpactMoment& moment);
  [[nodiscard]] PairCoefficients coefficients(const Contact& contact) const;
  [[nodiscard]] Index root(Index body);
  /// Gives every contact of an orbit what its leader has.
  void follow_leaders(std::vector<double>& impulses, std::vector<Vec3>& friction) const;

  ImpactScene scene_;
  const ExactSymmetry* symmetry_;
  bool rubs_;               ///< there is a model of friction
  double spring_exponent_;  ///< eta of (3)
  ContactAssembler surfaces_;
  ContactOrbits orbits_;
  ImpactProblem problem_;
  std::vector<Index> problem_body_;  ///< per body; kNone: not in the problem
  std::vector<Index> body_of_;       ///< per body of the problem
  std::vector<Index> orbit_of_row_;
  std::vector<double> row_factor_;  ///< s, per row of the problem
  std::vector<Vec3> tangent_;       ///< of the leader, per row of the problem
  std::vector<Index> squeezed_;
  std::vector<Index> parent_;  ///< per body, while components are counted; kNone between calls
  std::vector<std::uint8_t> averaged_;  ///< per body, while velocities are; 0 between calls
};

}  // namespace carom::detail
