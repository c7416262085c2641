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
  /// What is known of a body in touch; all of it in one place, as it is asked for together.
  struct Body {
    Index stamp = 0;          ///< the call that it holds for
    Index touches = 0;        ///< contacts
    Index lead = 0;           ///< towards its component's first
    Index component = kNone;  ///< of one that leads, where its component takes part
    Index point = kNone;
    Standing standing = Standing::quiet;  ///< of one that leads a component
  };

  [[nodiscard]] Body& body(Index number) {
    Body& body = bodies_[number];
    if (body.stamp != stamp_) {
      body = Body();
      body.stamp = stamp_;
      body.lead = number;
    }
    return body;
  }
  [[nodiscard]] Index lead(Index number) {
    Index next = bodies_[number].lead;
    while (next != number) {
      number = bodies_[number].lead = bodies_[next].lead;
      next = bodies_[number].lead;
    }
    return number;
  }
  [[nodiscard]] bool is_lone(const Contact& contact) const {
    return bodies_[contact.body_a].touches == 1 &&
           (contact.body_b == kNone || bodies_[contact.body_b].touches == 1);
  }
  [[nodiscard]] const PairCoefficients& coefficients(const Contact& contact) const;
  /// Velocity of what a contact's first body meets.
  [[nodiscard]] const Vec3& other_velocity(const Contact& contact,
                                           const ImpactMoment& moment) const {
    return contact.body_b != kNone ? moment.velocity[contact.body_b] : surface_[contact.shape];
  }
  void find_surfaces(const ImpactMoment& moment);
  void ask_for(const Contact& contact, const ImpactMoment& moment) const;
  void ask_for_rest(const Contact& contact, const ImpactMoment& moment) const;
  /// Finds the components, and in which of them a row closes.
  void survey(std::span<const Contact> contacts, const ImpactMoment& moment,
              std::span<const double> opening_speed);
  /// Answers a contact that is a component by itself and closes.
  void answer_lone(const Contact& contact, Index number, const ImpactMoment& moment,
                   double tolerance);
  [[nodiscard]] Index point(Index number, const ImpactMoment& moment) {
    const Index known = bodies_[number].point;
    return known != kNone ? known : add_point(number, moment);
  }
  [[nodiscard]] Index add_point(Index number, const ImpactMoment& moment);
  void assemble(std::span<const Contact> contacts, const ImpactMoment& moment,
                std::span<const double> opening_speed, double tolerance);
  [[nodiscard]] double restitution(const Contact& contact, Index number,
                                   const ImpactMoment& moment) const;
  [[nodiscard]] PointProblem::Rubbing rubbing(const Contact& contact, double coefficient,
                                              const Vec3& surface) const;

  const Simulation* simulation_;
  const ContactAssembler* assembler_;
  bool rubs_ = false;  ///< some pair of materials does, and a model says how
  PointProblem problem_;
  PointResolver resolver_;
  std::vector<Body> bodies_;   ///< all of the world; up to date where stamped
  Index stamp_ = 0;            ///< of the last call
  std::vector<Vec3> surface_;  ///< velocity of each shape
  std::vector<Lone> lone_;
  std::vector<Index> body_of_;                  ///< per point
  std::vector<Index> first_point_;              ///< per row
  std::vector<Index> contact_of_;               ///< per row
  Index components_ = 0;                        ///< that take part
  Index quiet_components_ = 0;                  ///< that do not
  std::vector<PairCoefficients> coefficients_;  ///< by two materials
  std::vector<double> turn_weight_;             ///< per body; empty where none turns
  bool lossless_ = true;
};

}  // namespace carom::detail
