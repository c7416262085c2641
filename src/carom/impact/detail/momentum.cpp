// Momentum and angular momentum of a component.
#include "carom/impact/detail/momentum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace carom {
namespace {

void add(Vector3& sum, const Vector3& term) {
  for (std::size_t k = 0; k < 3; ++k) sum[k] += term[k];
}

// Linear and angular impulse of a wrench given as the numbers of one body (a momentum, or the
// gradient of a row), about the component's centre.
struct Wrench {
  Vector3 linear{};
  Vector3 angular{};
};

Wrench wrench_of(const ImpactProblem::Body& body, std::span<const double> numbers,
                 const Vector3& centre) {
  Wrench wrench;
  std::copy_n(numbers.begin(), linear_size(body), wrench.linear.begin());
  Vector3 arm{};
  for (std::size_t k = 0; k < 3; ++k) arm[k] = body.position[k] - centre[k];
  wrench.angular = cross(arm, wrench.linear);
  if (body.kind == BodyKind::rigid_2d) wrench.angular[2] += numbers[2];
  if (body.kind == BodyKind::rigid_3d) {
    for (std::size_t k = 0; k < 3; ++k) wrench.angular[k] += numbers[3 + k];
  }
  return wrench;
}

Vector3 centre_of(const ComponentSystem& system) {
  Vector3 centre{};
  for (const Index body : system.bodies) add(centre, system.problem->body(body).position);
  for (double& x : centre) x /= static_cast<double>(system.bodies.size());
  return centre;
}

using Matrix3 = std::array<Vector3, 3>;

bool turns(const ImpactProblem::Body& body) { return body.kind != BodyKind::ball; }

// The bodies that an impact moved: their mass, their centre, and how they resist a rigid turn.
class MovedBodies {
 public:
  MovedBodies(const ComponentSystem& system, std::span<const double> velocity) : system_(system) {
    for (const Index block : system.all_blocks) {
      if (is_moved(block, velocity)) blocks_.push_back(block);
    }
    for (const Index block : blocks_) {
      const double mass = mass_of(block);
      mass_ += mass;
      for (std::size_t k = 0; k < 3; ++k) centre_[k] += mass * body(block).position[k];
    }
    for (double& x : centre_) x /= mass_;
    for (const Index block : blocks_) add_inertia(block);
  }

  [[nodiscard]] bool any_turns() const {
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [&](Index block) { return turns(body(block)); });
  }

  // What the bodies gained.
  [[nodiscard]] Wrench gain(std::span<const double> velocity) const {
    Wrench sum;
    for (const Index block : blocks_) {
      const ImpactProblem::Body& b = body(block);
      const std::span<const double> mass = system_.problem->mass_matrix(system_.bodies[block]);
      const Index at = system_.rows.block_dof(block);
      std::array<double, Numbers::kCapacity> p{};
      for (Index k = 0; k < b.size; ++k) {
        for (Index l = 0; l < b.size; ++l) {
          p[k] += mass[k * b.size + l] / system_.mass_unit *
                  (velocity[at + l] - system_.velocity[at + l]);
        }
      }
      const Wrench wrench = wrench_of(b, {p.data(), b.size}, centre_);
      add(sum.linear, wrench.linear);
      add(sum.angular, wrench.angular);
    }
    return sum;
  }

  void take_back(const Wrench& gained, std::span<double> velocity) const {
    const Vector3 turn = turn_of(gained.angular);
    for (const Index block : blocks_) {
      const ImpactProblem::Body& b = body(block);
      double* v = velocity.data() + system_.rows.block_dof(block);
      const Vector3 swing = cross(turn, arm_of(block));
      for (Index k = 0; k < linear_size(b); ++k) v[k] -= gained.linear[k] / mass_ + swing[k];
      if (b.kind == BodyKind::rigid_2d) v[2] -= turn[2];
      if (b.kind == BodyKind::rigid_3d) {
        for (std::size_t k = 0; k < 3; ++k) v[3 + k] -= turn[k];
      }
    }
  }

 private:
  [[nodiscard]] const ImpactProblem::Body& body(Index block) const {
    return system_.problem->body(system_.bodies[block]);
  }
  [[nodiscard]] double mass_of(Index block) const { return body(block).mass / system_.mass_unit; }

  [[nodiscard]] bool is_moved(Index block, std::span<const double> velocity) const {
    const Index at = system_.rows.block_dof(block);
    const Index size = system_.rows.block_size(block);
    return !std::equal(velocity.begin() + at, velocity.begin() + at + size,
                       system_.velocity.begin() + at);
  }

  [[nodiscard]] Vector3 arm_of(Index block) const {
    Vector3 arm = body(block).position;
    for (std::size_t k = 0; k < 3; ++k) arm[k] -= centre_[k];
    return arm;
  }

  void add_inertia(Index block) {
    const ImpactProblem::Body& b = body(block);
    const Vector3 arm = arm_of(block);
    const double mass = mass_of(block);
    const double square = arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2];
    const std::span<const double> given = system_.problem->mass_matrix(system_.bodies[block]);
    for (std::size_t k = 0; k < 3; ++k) {
      inertia_[k][k] += mass * square;
      for (std::size_t l = 0; l < 3; ++l) {
        inertia_[k][l] -= mass * arm[k] * arm[l];
        if (b.kind == BodyKind::rigid_3d) {
          inertia_[k][l] += given[(3 + k) * b.size + 3 + l] / system_.mass_unit;
        }
      }
    }
    if (b.kind == BodyKind::rigid_2d) inertia_[2][2] += given[8] / system_.mass_unit;
  }

  // The angular velocity with this angular momentum. In the plane only z turns.
  [[nodiscard]] Vector3 turn_of(const Vector3& momentum) const {
    if (linear_size(body(blocks_.front())) == 2) return {0.0, 0.0, momentum[2] / inertia_[2][2]};
    const Matrix3 columns = {cross(inertia_[1], inertia_[2]), cross(inertia_[2], inertia_[0]),
                             cross(inertia_[0], inertia_[1])};
    double determinant = 0.0;
    for (std::size_t k = 0; k < 3; ++k) determinant += inertia_[0][k] * columns[0][k];
    Vector3 turn{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t l = 0; l < 3; ++l) turn[k] += momentum[l] * columns[l][k] / determinant;
    }
    return turn;
  }

  const ComponentSystem& system_;
  std::vector<Index> blocks_;
  double mass_ = 0.0;
  Vector3 centre_{};
  Matrix3 inertia_{};
};

}  // namespace

Momentum momentum_of(const ComponentSystem& system, std::span<const double> velocity) {
  Momentum sum;
  const Vector3 centre = centre_of(system);
  for (Index block = 0; block < system.bodies.size(); ++block) {
    const Index body = system.bodies[block];
    const ImpactProblem::Body& b = system.problem->body(body);
    const std::span<const double> mass = system.problem->mass_matrix(body);
    const double* v = velocity.data() + system.rows.block_dof(block);
    std::array<double, Numbers::kCapacity> p{};
    for (Index k = 0; k < b.size; ++k) {
      for (Index l = 0; l < b.size; ++l) p[k] += mass[k * b.size + l] / system.mass_unit * v[l];
    }
    const Wrench wrench = wrench_of(b, {p.data(), b.size}, centre);
    Vector3 arm = b.position;
    for (std::size_t k = 0; k < 3; ++k) arm[k] -= centre[k];
    add(sum.linear, wrench.linear);
    add(sum.angular, wrench.angular);
    sum.linear_size += length(wrench.linear);
    sum.angular_size += length(arm) * length(wrench.linear) + length(wrench.angular);
  }
  return sum;
}

bool angular_is_defined(const ComponentSystem& system, std::span<const double> tangential) {
  const ImpactProblem& problem = *system.problem;
  for (const Index body : system.bodies) {
    if (!problem.body(body).has_position || !problem.body(body).plain_mass) return false;
  }
  const Vector3 centre = centre_of(system);
  constexpr double kSame = 1e-9;
  const auto balanced = [&](Index row, std::span<const double> a, std::span<const double> b) {
    Wrench sum = wrench_of(problem.body(problem.row(row).body_a), a, centre);
    const double size = length(sum.angular) + length(sum.linear);
    const Wrench other = wrench_of(problem.body(problem.row(row).body_b), b, centre);
    add(sum.angular, other.angular);
    return length(sum.angular) <= kSame * size;
  };
  for (Index local = 0; local < system.row_ids.size(); ++local) {
    const Index row = system.row_ids[local];
    if (!balanced(row, problem.gradient_a(row), problem.gradient_b(row))) return false;
    for (Index t = 0; t < problem.row(row).tangent_count; ++t) {
      if (tangential.empty() || tangential[2 * local + t] == 0.0) continue;
      if (!balanced(row, problem.tangent_a(row, t), problem.tangent_b(row, t))) return false;
    }
  }
  return true;
}

void restore_momentum(const ComponentSystem& system, std::span<const double> tangential,
                      std::span<double> velocity) {
  if (!system.in_centre_of_mass || !angular_is_defined(system, tangential)) return;
  const MovedBodies moved(system, velocity);
  if (moved.any_turns()) moved.take_back(moved.gain(velocity), velocity);
}

}  // namespace carom
