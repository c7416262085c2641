#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "carom/forces/family.h"

namespace carom::asynchronous::test {

/// Springs between two vertices, in the simplest form.
class TestSprings : public ForceFamily {
 public:
  struct Spring {
    std::array<Index, 2> ends;
    double stiffness;
    double rest_length;
  };
  explicit TestSprings(std::vector<Spring> springs) : springs_(std::move(springs)) {}

  [[nodiscard]] std::string_view name() const override { return "test springs"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(springs_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index e) const override { return springs_[e].ends; }
  [[nodiscard]] double potential(Index e, std::span<const Vec3> x,
                                 std::span<const double> /*memory*/) const override {
    const Spring& s = springs_[e];
    const double stretch = norm(x[s.ends[1]] - x[s.ends[0]]) - s.rest_length;
    return 0.5 * s.stiffness * stretch * stretch;
  }
  void kick(std::span<const Index> elements, const KickTask& task) const override {
    for (const Index e : elements) {
      const Spring& s = springs_[e];
      const Vec3 along = task.position[s.ends[1]] - task.position[s.ends[0]];
      const double length = norm(along);
      const Vec3 impulse = (task.step * s.stiffness * (length - s.rest_length) / length) * along;
      task.velocity[s.ends[0]] += task.inverse_mass[s.ends[0]] * impulse;
      task.velocity[s.ends[1]] -= task.inverse_mass[s.ends[1]] * impulse;
    }
  }
  [[nodiscard]] double stable_step(Index e, std::span<const double> w) const override {
    const Spring& s = springs_[e];
    return 2.0 / std::sqrt(s.stiffness * (w[s.ends[0]] + w[s.ends[1]]));
  }

 private:
  std::vector<Spring> springs_;
};

/// Uniform gravity on all vertices.
class TestGravity : public ForceFamily {
 public:
  TestGravity(Vec3 g, std::vector<double> mass) : g_(g), mass_(std::move(mass)) {
    for (Index i = 0; i < mass_.size(); ++i) index_.push_back(i);
  }
  [[nodiscard]] std::string_view name() const override { return "test gravity"; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(mass_.size()); }
  [[nodiscard]] std::span<const Index> stencil(Index e) const override { return {&index_[e], 1}; }
  [[nodiscard]] double potential(Index e, std::span<const Vec3> x,
                                 std::span<const double> /*memory*/) const override {
    return -mass_[e] * dot(g_, x[e]);
  }
  void kick(std::span<const Index> elements, const KickTask& task) const override {
    for (const Index e : elements) {
      task.velocity[e] += (task.step * mass_[e] * task.inverse_mass[e]) * g_;
    }
  }

 private:
  Vec3 g_;
  std::vector<double> mass_;
  std::vector<Index> index_;
};

}  // namespace carom::asynchronous::test
