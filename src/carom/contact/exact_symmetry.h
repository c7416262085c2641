#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/contact/detection.h"
#include "carom/core/types.h"
#include "carom/geometry/square_symmetry.h"

namespace carom {

/// Operations of the square, about one centre, that map a start onto itself.
struct SymmetryGroup {
  Vec3 center;
  /// Places are multiples of this, a power of two near the last digit of the farthest coordinate:
  /// on such a grid `center + R (q - center)` is exact. 0 where the centre is the origin: nothing
  /// is rounded there anyway.
  double grid = 0.0;
  std::vector<SquareOperation> operations;      ///< closed under products; the identity first
  std::vector<std::vector<Index>> body_image;   ///< per operation, per body
  std::vector<std::vector<Index>> shape_image;  ///< per operation, per shape
};

/// Keeps a symmetry of the start to the last bit (docs/stepping.md, "Exact symmetry").
///
/// Bodies fall into orbits under the group G of operations. The smallest number of an orbit stands
/// for it; place and velocity of the others are those of the representative under an operation,
/// which is exact. So nothing can drift, whatever round-off does to the representatives.
///
/// A body that some operations leave where it is (its stabilizer) moves along their mirror line, or
/// not at all.
class ExactSymmetry {
 public:
  /// `world` must outlive it.
  ExactSymmetry(const World& world, SymmetryGroup group);

  [[nodiscard]] std::span<const SquareOperation> operations() const { return group_.operations; }
  [[nodiscard]] Index representative(Index body) const { return representative_[body]; }
  /// Takes the representative to the body.
  [[nodiscard]] SquareOperation from_representative(Index body) const { return from_[body]; }
  /// How many operations leave the body where it is.
  [[nodiscard]] unsigned stabilizer(Index body) const { return stabilizer_[body]; }
  [[nodiscard]] Index body_image(std::size_t operation, Index body) const {
    return group_.body_image[operation][body];
  }
  /// The part of a vector at a representative that its stabilizer leaves alone.
  [[nodiscard]] Vec3 projected(Index body, const Vec3& v) const;

  /// Takes the round-off off a start.
  void make_exact(State& start) const;
  /// Places at the end of a motion from `begin`, which is symmetric: representatives stay where
  /// their stabilizer wants them, all others follow them.
  void complete_positions(std::span<const Vec3> begin, std::span<Vec3> end) const;
  void complete_velocities(std::span<Vec3> velocity) const;
  /// The mean over the group, for the orbit of one representative: the symmetric velocities that
  /// are nearest.
  void average_velocity(Index representative, std::span<Vec3> velocity) const;

  /// What a contact is between.
  struct Sides {
    Index body_a = kNone;
    Index body_b = kNone;
    Index shape = kNone;
    Index feature = 0;
    bool reversed = false;  ///< a is the image of what was b

    [[nodiscard]] bool same(const Sides& other) const {
      return body_a == other.body_a && body_b == other.body_b && shape == other.shape &&
             feature == other.feature;
    }
    /// As Contact::before, for sides of the same kind.
    [[nodiscard]] bool before(const Sides& other) const {
      if (body_a != other.body_a) return body_a < other.body_a;
      if (body_b != other.body_b) return body_b < other.body_b;
      if (shape != other.shape) return shape < other.shape;
      return feature < other.feature;
    }
  };
  [[nodiscard]] static Sides sides_of(const Contact& contact) {
    return {contact.body_a, contact.body_b, contact.shape, contact.feature, false};
  }
  /// The sides of a contact under operations()[operation], in their order.
  [[nodiscard]] Sides image_of_sides(const Contact& contact, std::size_t operation) const;
  /// The whole contact; gaps and normal are carried along.
  [[nodiscard]] Contact image_of(const Contact& contact, std::size_t operation) const;

 private:
  /// What a stabilizer leaves of a vector.
  enum class Freedom : std::uint8_t { all, along_x, along_y, diagonal, antidiagonal, none };

  void find_orbits();
  [[nodiscard]] Freedom freedom_of(Index body) const;
  [[nodiscard]] Vec3 place(SquareOperation operation, const Vec3& q) const;
  [[nodiscard]] Vec3 on_grid(const Vec3& q) const;
  [[nodiscard]] Vec3 fixed_place(Freedom freedom, const Vec3& begin, const Vec3& end) const;
  [[nodiscard]] static Vec3 projected(Freedom freedom, const Vec3& v);

  const World* world_;
  SymmetryGroup group_;
  std::vector<Index> representative_;
  std::vector<SquareOperation> from_;
  std::vector<std::uint8_t> stabilizer_;
  std::vector<Freedom> freedom_;
};

}  // namespace carom
