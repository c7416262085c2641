#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/numbers.h"
#include "carom/core/types.h"

namespace carom {

/// What the velocity numbers of a body mean.
enum class BodyKind : std::uint8_t {
  ball,      ///< 1, 2 or 3 numbers: the linear velocity of a point (a ball that does not turn)
  rigid_2d,  ///< 3 numbers: linear velocity in the plane, then angular velocity
  rigid_3d,  ///< 6 numbers: world linear velocity, then world angular velocity
};

[[nodiscard]] std::string_view to_string(BodyKind kind);

/// A body that impulses can move. SI units or any consistent ones.
struct BodyDefinition {
  BodyKind kind = BodyKind::ball;
  double mass = 1.0;  ///< > 0
  Numbers velocity;   ///< its length is the number of velocity numbers
  /// rigid_2d: 1 number, the moment of inertia about the centre of mass. rigid_3d: 9 numbers,
  /// row-major, the inertia tensor about the centre of mass in world axes. ball: empty.
  std::vector<double> inertia = {};
  /// Instead of mass and inertia: the whole block, size x size, row-major, symmetric positive
  /// definite. The centre-of-mass frame and angular momentum are not defined for such a body.
  std::vector<double> mass_matrix = {};
  std::optional<Numbers> position = std::nullopt;  ///< centre of mass; rigid bodies need it
  std::string name = {};                           ///< for messages; may be empty
};

/// A body that no impulse moves: fixed (velocity all zero) or scripted (given velocity).
struct ScriptedDefinition {
  BodyKind kind = BodyKind::ball;
  Numbers velocity;
  std::optional<Numbers> position = std::nullopt;
  std::string name = {};
};

/// One contact point between two bodies, or between a body and something fixed (body_b = kNone).
struct ContactDefinition {
  Index body_a = kNone;
  Index body_b = kNone;
  /// Points from b to a; made unit length. Its length is the dimension of the bodies' space.
  Numbers normal;
  std::optional<Numbers> point = std::nullopt;  ///< world; needed where a rigid body is touched
  /// The same place as body_b knows it, where the world repeats itself; none: `point`.
  std::optional<Numbers> point_b = std::nullopt;
  double restitution = 1.0;  ///< 0 .. 1
  double friction = 0.0;     ///< Coulomb coefficient, >= 0
  double stiffness = 1.0;    ///< relative stiffness, > 0; only `lzb` uses it
  double offset = 0.0;  ///< further normal speed w of the other side (beyond body_b's velocity)
  std::string name = {};
};

/// One row given by its numbers: b = n_a . v_a + n_b . v_b - offset, negative while it is closing.
struct RowDefinition {
  Index body_a = kNone;
  Index body_b = kNone;  ///< kNone: the row touches one body
  Numbers gradient_a;
  Numbers gradient_b = {};
  double offset = 0.0;
  double restitution = 1.0;
  double friction = 0.0;
  double stiffness = 1.0;
  /// n' M^-1 n of the contact by itself, where the row stands for several that share bodies (one of
  /// each orbit of a symmetric problem); 0: that of the gradients. It scales the row (impulses of
  /// least norm) and is what `jacobi` answers with.
  double own_diagonal = 0.0;
  /// Gradients of the tangential speeds, in the order a, b; needed when friction > 0. Orthonormal
  /// directions of the contact plane: one in 2D, two in 3D.
  struct Tangent {
    Numbers gradient_a;
    Numbers gradient_b = {};
    double offset = 0.0;
  };
  std::vector<Tangent> tangents = {};
  std::string name = {};
};

/// Bodies and touching rows at one frozen instant. Adding checks every number at once: bad input is
/// an InputError that names the body or row, and leaves the problem as it was.
class ImpactProblem {
 public:
  Index add_body(const BodyDefinition& definition);
  Index add_scripted(const ScriptedDefinition& definition);
  Index add_contact(const ContactDefinition& definition);
  Index add_row(const RowDefinition& definition);
  /// Replaces a body's velocity, e.g. between steps of somebody else's loop.
  void set_velocity(Index body, std::span<const double> velocity);

  struct Body {
    BodyKind kind;
    bool scripted;
    bool plain_mass;  ///< mass and inertia, not a general block
    bool has_position;
    Index dof;              ///< where its numbers begin in velocities()
    Index size;             ///< how many
    Index inverse_mass_at;  ///< where its inverse-mass block begins; kNone for scripted ones
    double mass;            ///< linear mass; 0 where not plain or scripted
    std::array<double, 3> position;
    std::string name;
  };

  struct Row {
    Index body_a;
    Index body_b;
    Index values;         ///< where its gradients begin: a's numbers, then b's
    Index tangents;       ///< where its tangents' values begin
    Index tangent_count;  ///< 0, 1 or 2; each tangent: a's numbers, b's numbers, offset
    double offset;
    double restitution;
    double friction;
    double stiffness;
    double own_diagonal;  ///< 0: that of the gradients
    std::string name;
  };

  [[nodiscard]] Index body_count() const { return static_cast<Index>(bodies_.size()); }
  [[nodiscard]] Index row_count() const { return static_cast<Index>(rows_.size()); }
  [[nodiscard]] const Body& body(Index i) const { return bodies_[i]; }
  [[nodiscard]] const Row& row(Index i) const { return rows_[i]; }
  /// All velocities, body after body.
  [[nodiscard]] std::span<const double> velocities() const { return velocities_; }
  [[nodiscard]] std::span<const double> velocity(Index body) const {
    return {velocities_.data() + bodies_[body].dof, bodies_[body].size};
  }
  /// size x size numbers, row-major; empty for scripted bodies.
  [[nodiscard]] std::span<const double> mass_matrix(Index body) const;
  [[nodiscard]] std::span<const double> inverse_mass(Index body) const;
  [[nodiscard]] std::span<const double> gradient_a(Index row) const;
  [[nodiscard]] std::span<const double> gradient_b(Index row) const;
  [[nodiscard]] std::span<const double> tangent_a(Index row, Index tangent) const;
  [[nodiscard]] std::span<const double> tangent_b(Index row, Index tangent) const;
  [[nodiscard]] double tangent_offset(Index row, Index tangent) const;
  /// "body 3 (cue)" or "body 3"
  [[nodiscard]] std::string describe_body(Index body) const;
  /// "row 2 (cue, rack-1)"
  [[nodiscard]] std::string describe_row(Index row) const;

 private:
  [[nodiscard]] Index sides_size(const Row& row) const;

  std::vector<Body> bodies_;
  std::vector<Row> rows_;
  std::vector<double> velocities_;
  std::vector<double> mass_;
  std::vector<double> inverse_mass_;
  std::vector<double> gradients_;
  std::vector<double> tangents_;
};

}  // namespace carom
