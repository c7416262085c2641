#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"
#include "carom/impact/points.h"
#include "carom/stepping/detail/lone_contact.h"
#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Contacts of balls and spheres as a PointProblem, resolved, and back. Components in which no row
/// closes stay as they are, whatever the operator, and are left out of it; so are elastic, smooth
/// contacts between bodies that touch nothing else, which have an answer in closed form.
class PointImpact {
 public:
  /// Both must outlive it.
  PointImpact(const Simulation& simulation, const ContactAssembler& assembler);

  /// Whether this way is open to a simulation: balls and spheres, shapes made for them, settings
  /// that PointResolver can meet.
  [[nodiscard]] static bool is_possible(const Simulation& simulation);

  /// With `opening_speed` (one per contact) rows are inelastic and open at that speed; without,
  /// they are as the materials say.
  void resolve(std::span<const Contact> contacts, const ImpactMoment& moment,
               const ImpactSettings& settings, std::span<const double> opening_speed = {});

  /// Of the last contacts: every row of a component that closes is elastic and smooth.
  [[nodiscard]] bool lossless() const { return lossless_; }
  [[nodiscard]] const PointResolver& resolver() const { return resolver_; }
  [[nodiscard]] std::span<const Index> bodies() const { return body_of_; }  ///< of the points
  [[nodiscard]] std::span<const Index> first_points() const { return first_point_; }  ///< of rows
  [[nodiscard]] std::span<const Index> contacts() const { return contact_of_; }       ///< of rows
  [[nodiscard]] Index quiet_components() const { return quiet_components_; }          ///< left out
  /// A component of one contact, with its answer.
  struct Lone {
    Index contact = 0;
    LoneResponse response;
  };
  [[nodiscard]] std::span<const Lone> lone() const { return lone_; }
  [[nodiscard]] LinearAndAngular velocity(Index point) const;
  [[nodiscard]] bool rubs() const { return rubs_; }  ///< some row may
  [[nodiscard]] Vec3 friction(Index row) const;      ///< on body a

 private:
  enum class Standing : std::uint8_t { quiet, closes, left_out };

  /// Answers contacts that are components by themselves, as far as they are elastic and smooth.
  void answer_lone(std::span<const Contact> contacts, const ImpactMoment& moment, double tolerance);
  [[nodiscard]] bool is_lone(const Contact& contact) const {
    return touches_[contact.body_a] == 1 &&
           (contact.body_b == kNone || touches_[contact.body_b] == 1);
  }
  [[nodiscard]] const PairCoefficients& coefficients(const Contact& contact) const;
  /// Finds the components of the others, and in which of them a row closes.
  void find_closing(std::span<const Contact> contacts, const ImpactMoment& moment,
                    std::span<const double> opening_speed);
  [[nodiscard]] Index lead(Index body);
  /// Velocity of what a contact's first body meets.
  [[nodiscard]] Vec3 other_velocity(const Contact& contact, const ImpactMoment& moment) const;
  Index point(Index body, const ImpactMoment& moment);
  void assemble(std::span<const Contact> contacts, const ImpactMoment& moment,
                std::span<const double> opening_speed);
  [[nodiscard]] PointProblem::Rubbing rubbing(const Contact& contact, double coefficient,
                                              const Vec3& surface) const;

  const Simulation* simulation_;
  const ContactAssembler* assembler_;
  bool rubs_ = false;  ///< some pair of materials does, and a model says how
  PointProblem problem_;
  PointResolver resolver_;
  std::vector<Index> touches_;  ///< contacts per body in touch
  std::vector<Index> joined_;   ///< contacts that are not answered alone
  std::vector<Lone> lone_;
  std::vector<Index> point_of_;     ///< per body; kNone between calls
  std::vector<Index> body_of_;      ///< per point
  std::vector<Index> first_point_;  ///< per row
  std::vector<Index> contact_of_;   ///< per row
  std::vector<Index> lead_;         ///< per body in touch: towards its component's first
  std::vector<Standing> standing_;  ///< per body that leads a component
  std::vector<Index> component_;    ///< likewise, where the component takes part
  Index components_ = 0;            ///< that take part
  Index quiet_components_ = 0;      ///< that do not
  std::vector<PairCoefficients> coefficients_;  ///< by two materials
  std::vector<double> turn_weight_;             ///< per body; empty where none turns
  bool lossless_ = true;
};

}  // namespace carom::detail
