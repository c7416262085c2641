#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"

namespace carom {

class ExactSymmetry;

/// Restitution that falls with the closing speed, of balls in a step whose impact is resolved in
/// rounds.
///
/// A contact that rests, or closes only because others do, has no closing speed before the impact:
/// a law of that speed would make it elastic, and a layer that lands as one would bounce. What it
/// went through is known from its impulse. The speed of a row is therefore the largest of
///   v = max(0, -b)                  before the impact,
///   v = max(0, -b)                  in the motion that made it active, and
///   v = l n'M^-1 n / (1 + c)        in every round before this one:                        (1)
/// the speed with which two bodies that meet alone would have got the impulse l at restitution c.
class ImpactSpeeds {
 public:
  /// The first two must outlive it. With a symmetry to keep (else null) the speed before the impact
  /// counts alone.
  ImpactSpeeds(const World& world, const ContactAssembler& assembler,
               const ExactSymmetry* symmetry);

  /// False: no coefficient depends on speeds, or other bodies than balls take part, for which the
  /// speed before the impact counts.
  [[nodiscard]] bool are_needed() const { return needed_; }
  void begin_step();
  /// Of rows that a round has found, with the velocities that made them active.
  void meet(std::span<const Contact> found, const ImpactMoment& after);
  /// (1) of a round's rows and impulses. Whether a coefficient would be another one now.
  [[nodiscard]] bool learn(std::span<const Contact> contacts, std::span<const double> impulses);
  /// The coefficients of contacts, which are in the order of rows.
  [[nodiscard]] std::span<const double> restitution(std::span<const Contact> contacts,
                                                    const ImpactMoment& moment);
  /// Those of the last round; empty where none are needed.
  [[nodiscard]] std::span<const double> last() const { return restitution_; }

 private:
  struct Seen {
    Contact contact;
    double speed = 0.0;
  };
  [[nodiscard]] PairCoefficients coefficients(const Contact& contact) const;
  [[nodiscard]] double mobility(const Contact& contact) const;

  const World* world_;
  const ContactAssembler* assembler_;
  bool needed_ = false;
  std::vector<Seen> seen_;   ///< in the order of rows
  std::vector<Seen> found_;  ///< since the last round, likewise
  std::vector<double> speed_;
  std::vector<double> restitution_;
};

}  // namespace carom
