#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/impact/detail/point_inelastic.h"
#include "carom/impact/points.h"

namespace carom {

/// Interpolated restitution of components of a PointFront whose elastic response is there:
///   l = C l1 + (1 - C) l0, (1)
/// l1 the elastic and l0 the inelastic impulses, C the coefficients. Where these differ from row to
/// row (MixedRestitution::direct), the inelastic response from there follows, and where the energy
/// balance W would have risen, l is moved toward l0 until it has not.
template <std::size_t D>
class PointBlend {
 public:
  struct Task {
    PointFront<D>* front = nullptr;  ///< velocities after the elastic response; then after (1)
    const PointProblem* problem = nullptr;
    std::span<const std::uint8_t> takes_part;  ///< per component: some coefficient is below 1
    std::span<double> impulses;                ///< per row, likewise
  };

  /// Keeps the velocities before the elastic response.
  void keep_start(const PointFront<D>& front);
  /// Components that could not be solved are returned.
  [[nodiscard]] const std::vector<Index>& run(const Task& task);
  [[nodiscard]] Index largest_part() const { return largest_part_; }
  /// The solver, for others that want an inelastic response.
  [[nodiscard]] PointInelastic<D>& inelastic() { return inelastic_; }

 private:
  using Vector = std::array<double, D>;
  /// W and what it is made of, of one component.
  struct Balance {
    double square = 0.0;      ///< l'Al
    double work = 0.0;        ///< b'l
    double work_least = 0.0;  ///< the same of l0
    double square_least = 0.0;
    double square_between = 0.0;  ///< of l - l0
  };

  void absorb(const Task& task, std::span<const std::uint8_t> takes_part);
  void blend(const Task& task);
  void finish_mixed(const Task& task);
  void clip_energy(const Task& task);

  PointInelastic<D> inelastic_;
  std::vector<Vector> start_;
  std::vector<Vector> elastic_;  ///< velocities
  std::vector<Vector> least_;    ///< those of the inelastic response
  std::vector<Index> stamp_;
  std::vector<double> elastic_impulses_;
  std::vector<double> least_impulses_;
  std::vector<double> further_;
  std::vector<std::uint8_t> mixed_;  ///< per component
  std::vector<Balance> balances_;
  std::vector<Index> failed_;
  Index largest_part_ = 0;
};

extern template class PointBlend<2>;
extern template class PointBlend<3>;

}  // namespace carom
