#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// What ends a collision with friction.
enum class RestitutionEnd : std::uint8_t {
  stronge,  ///< energy: the normal impulse gives back e^2 of the work it has taken
  poisson,  ///< impulse: restitution gives e times the normal impulse of compression
};
[[nodiscard]] std::string_view to_string(RestitutionEnd end);
[[nodiscard]] std::vector<std::string> restitution_end_names();
/// Throws InputError on an unknown name.
[[nodiscard]] RestitutionEnd restitution_end(std::string_view name);

/// One contact point at the moment of a collision, in a frame of two tangents and the normal
/// (x, y, z; in two dimensions all numbers with y are 0).
struct Collision {
  /// K, row-major, symmetric positive semidefinite, K_zz > 0: what an impulse at the contact does
  /// to the relative velocity of the contact, 1/mass.
  std::array<double, 9> mobility{};
  std::array<double, 3> velocity{};  ///< u, relative velocity of the contact; z < 0 is closing
  double friction = 0.0;             ///< mu >= 0
  double restitution = 1.0;          ///< e, 0 .. 1
  RestitutionEnd end = RestitutionEnd::stronge;
};

/// How the slip went.
enum class SlipCourse : std::uint8_t {
  none,          ///< the contact was not closing: no impulse
  slides,        ///< slip never vanished
  sticks,        ///< slip vanished and stayed away
  slides_again,  ///< slip vanished, and grew again along the one way out (in 2D: it reversed)
  jams,          ///< neither slip nor closing speed can change: see collide()
};
[[nodiscard]] std::string_view to_string(SlipCourse course);

struct CollisionOutcome {
  std::array<double, 3> impulse{};
  std::array<double, 3> velocity{};  ///< u + K impulse
  SlipCourse course = SlipCourse::none;
  double compression_impulse = 0.0;  ///< normal impulse when the contact first stopped closing
  double normal_work = 0.0;          ///< of the normal impulse, on the bodies
  double friction_work = 0.0;        ///< of the tangential one; never positive
  bool closes_faster =
      false;  ///< Painleve: for a while the normal impulse raised the closing speed
  unsigned recompressions = 0;  ///< how often it closed again before restitution had ended
  unsigned steps = 0;           ///< of the integration; 0 where the closed form was enough
};

/// Resolves one collision with Coulomb friction by following it through the normal impulse p
/// [Mirtich1995, Keller1986; the energetic end: Stronge1990]:
///
///   (1)  du/dp = K (-mu s, 1)                                     s = u_t / |u_t|, slip
///   (2)  du/dp = K (z, 1),  K_tt z + K_tn = 0                     stuck, where |z| <= mu
///   (3)  du/dp = K (-mu s, 1),  (mu K_tt + f) s = K_tn, |s| = 1, f > 0     slip begins anew
///
/// with K in blocks of tangents t and normal n. In (3) |s| falls as f grows, and is |z| / mu at
/// f = 0: where the contact cannot stick there is exactly one way out, and it is straight. Straight
/// slip (in the plane, of balls, and from (3) on) has a closed form. Otherwise its direction theta
/// turns; in the parameter dq = dp / |u_t|
///
///   (4)  theta' = g(theta),  |u_t|' = |u_t| f(theta),  u_n' = |u_t| k(theta),  p' = |u_t|
///
/// has no singularity where slip ends, and is integrated by Taylor series of order 20 to round-off,
/// with the events found on the series themselves.
///
/// The end: restitution ends when what compression has put into store (Stronge: e^2 times the work,
/// Poisson: e times the impulse) is used up. Closing again meanwhile adds to the store.
///
/// Painleve's case, du_n/dp < 0 in (1): the normal impulse makes the contact close faster, as it
/// can at a rod that slides tip first. As K is positive semidefinite this is possible only while
/// d|u_t|/dp < 0; so slip ends, and neither (2) nor (3) can have du_n/dp < 0. The collision goes on
/// as ever and ends; `closes_faster` tells. Only a singular K (a contact with a direction in which
/// no mass resists) allows du_n/dp = 0 and d|u_t|/dp = 0 together: no impulse ends that. Then the
/// answer is the frictionless one, and `course` is `jams`.
///
/// Guarantees: impulse_z >= 0; velocity_z >= 0 to round-off; Stronge never gains energy (Poisson
/// did not in any of the collisions tried, but nothing here proves it); mu = 0 gives impulse_z =
/// -(1 + e) u_z / K_zz; the outcome turns with the frame.
///
/// Departs from the paper: Stronge's end and the store; uniqueness of (3) is proven, not
/// conjectured.
[[nodiscard]] CollisionOutcome collide(const Collision& collision);

}  // namespace carom
