#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// Normal first, then two tangents.
using ConeVector = std::array<double, 3>;

/// One contact: what the velocities of its bodies do to its relative velocity, row by row. Along
/// a direction that does not exist (the second tangent in the plane) all entries are 0.
struct ConeContact {
  static constexpr std::size_t kNumbers = 6;          ///< velocity numbers of a body
  using Gradient = std::array<double, 3 * kNumbers>;  ///< J M^-1/2: three rows
  Index body_a = kNone;                               ///< kNone: nothing that moves
  Index body_b = kNone;
  Gradient gradient_a{};
  Gradient gradient_b{};
  ConeVector bias{};      ///< b
  double friction = 0.0;  ///< mu >= 0
};

/// Unilateral contacts with Coulomb's friction, for given free velocities [DeSaxce1998]:
///
///   (1)  x = x_0 + J' r,   u = J x + b
///   (2)  u~ = (u_n + mu |u_t|, u_t),   K* contains u~,  K contains r,   u~ . r = 0
///
/// x velocities times the root of the mass, six numbers for each body; J rows of the contacts in
/// that scale; r impulses; K = {r_n >= 0, |r_t| <= mu r_n} Coulomb's cone, K* its dual. (2) says
/// that contacts do not close, push only where they do not part, and rub with mu r_n against the
/// slip, or with less where there is none: no pyramid, no flight upwards of what slides.
struct ConeProgram {
  std::vector<double> free_velocity;  ///< x_0
  std::vector<ConeContact> contacts;
  double speed = 1.0;  ///< > 0: residuals are relative to it
};

enum class ConeMethod : std::uint8_t {
  automatic,  ///< newton for small programs, gradient for large ones
  newton,     ///< proximal multipliers, inner problems by a semismooth Newton method
  gradient,   ///< accelerated projected gradients
};

struct ConeSettings {
  double tolerance = 1e-10;  ///< on the residual (3)
  /// Of gradients, or of Newton steps; the newton method also ends after 300 outer iterations.
  std::uint64_t max_iterations = 10'000;
  ConeMethod method = ConeMethod::automatic;
};

enum class ConeStatus : std::uint8_t {
  solved,            ///< the residual is at most the tolerance, or what rounding leaves
  budget_exhausted,  ///< the best iterate
};

struct ConeResult {
  ConeStatus status = ConeStatus::solved;
  /// Largest component of w |r - P(r - u~ / w)| / speed over all contacts, P the projection on K,
  /// w a third of the trace of the contact's block of J J'.                                  (3)
  double residual = 0.0;
  std::uint64_t iterations = 0;      ///< steps of the method; 0: the start was good enough
  std::uint64_t factorizations = 0;  ///< of the newton method
};

/// Solves (2) from the impulses given as a start, and leaves impulses and the velocities (1) that
/// belong to them. Whatever the iteration does: r is in K (one-sided, within Coulomb's bound), and
/// x follows from r, so that impulses act and react. Neither depends on the order of the contacts
/// but by rounding.
[[nodiscard]] ConeResult solve_cone_program(const ConeProgram& program,
                                            const ConeSettings& settings,
                                            std::vector<ConeVector>& impulses,
                                            std::vector<double>& velocity);

/// The point of K next to z.
[[nodiscard]] ConeVector project_on_cone(const ConeVector& z, double friction);

/// (1) from scratch.
void cone_velocity(const ConeProgram& program, std::span<const ConeVector> impulses,
                   std::vector<double>& velocity);
/// u of one contact.
[[nodiscard]] ConeVector cone_slip(const ConeContact& contact, std::span<const double> velocity);
/// (3), computed afresh.
[[nodiscard]] double cone_residual(const ConeProgram& program, std::span<const ConeVector> impulses,
                                   std::span<const double> velocity);

}  // namespace carom::solvers
