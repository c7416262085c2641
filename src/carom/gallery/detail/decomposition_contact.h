#pragma once

#include <array>
#include <memory>
#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/geometry/stencil.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// Decomposition contact response [Cirak2005] without friction, to compare with: central
/// differences of one step for all elements; behind each predictor what lies too near is handled in
/// two parts that know nothing of each other. Positions: the pair is moved apart along the gradient
/// of its distance, each vertex by its inverse mass, until the thickness is kept again (closest
/// point projection). Momenta: where the pair closes, the part along that gradient is reversed.
///
/// Departs from the paper: penetration is that of a vertex into the thickness before a face, not a
/// signed volume of intersection, and pairs are answered one by one, in their order.
class DecompositionContact {
 public:
  /// Surfaces without walls, leads and forces on single vertices; materials all of one law.
  DecompositionContact(const asynchronous::Problem& problem, double step);

  void advance();
  [[nodiscard]] double time() const { return time_; }
  /// Of positions and velocities at time().
  [[nodiscard]] double kinetic() const;
  [[nodiscard]] double energy() const;
  [[nodiscard]] std::size_t impacts() const { return impacts_; }

 private:
  struct Pair {
    Index vertex = 0;
    Index face = 0;
  };

  void kick(double step);
  void find_pairs();
  void respond(const Pair& pair);
  [[nodiscard]] std::array<Vec3, 3> places_of(Index face) const;

  const asynchronous::Problem& problem_;
  double step_;
  double thickness_;
  double time_ = 0.0;
  std::size_t taken_ = 0;
  std::size_t impacts_ = 0;
  std::vector<double> inverse_mass_;
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;                ///< half a kick behind the positions
  std::vector<Index> part_;                   ///< which surface a vertex belongs to
  std::vector<std::vector<double>> memory_;   ///< of the force families
  std::vector<std::vector<Index>> elements_;  ///< likewise, all of them
  std::vector<Pair> pairs_;
};

}  // namespace carom::detail
