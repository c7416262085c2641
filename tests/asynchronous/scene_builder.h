#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "carom/asynchronous/problem.h"

#include "asynchronous/test_forces.h"

namespace carom::asynchronous::test {

/// Small scenes of sheets, chains, spikes and particles with springs.
class SceneBuilder {
 public:
  Problem problem;

  /// n x n vertices with springs along edges and diagonals, and weak ones that bend it.
  void add_sheet(int n, double size, const Vec3& center, const Vec3& velocity) {
    const auto first = static_cast<Index>(problem.mass.size());
    const double h = size / (n - 1);
    const auto id = [&](int i, int j) { return first + static_cast<Index>(i * n + j); };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Vec3 place = center + Vec3{i * h - 0.5 * size, j * h - 0.5 * size, 0.0};
        add_vertex(place, 0.2 * h * h, velocity);
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (i + 1 < n) add_spring(id(i, j), id(i + 1, j), 300.0);
        if (j + 1 < n) add_spring(id(i, j), id(i, j + 1), 300.0);
        if (i + 2 < n) add_spring(id(i, j), id(i + 2, j), 3.0);
        if (j + 2 < n) add_spring(id(i, j), id(i, j + 2), 3.0);
        if (i + 1 == n || j + 1 == n) continue;
        add_spring(id(i, j), id(i + 1, j + 1), 100.0);
        add_spring(id(i + 1, j), id(i, j + 1), 100.0);
        problem.faces.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
        problem.faces.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
      }
    }
  }

  /// A held pyramid of three sides, point up.
  void add_spike(const Vec3& foot, double radius, double height) {
    const auto first = static_cast<Index>(problem.mass.size());
    for (int k = 0; k < 3; ++k) {
      const double angle = 2.0943951 * k + 0.3;
      add_vertex(foot + Vec3{radius * std::cos(angle), radius * std::sin(angle), 0.0}, 1.0, {});
    }
    add_vertex(foot + Vec3{0.0, 0.0, height}, 1.0, {});
    for (Index k = 0; k < 4; ++k) problem.held.push_back({first + k, {}});
    for (Index k = 0; k < 3; ++k) {
      problem.faces.push_back({first + k, first + (k + 1) % 3, first + 3});
    }
  }

  void add_chain(const std::vector<Vec3>& places, double mass, const Vec3& velocity) {
    const auto first = static_cast<Index>(problem.mass.size());
    for (const Vec3& place : places) add_vertex(place, mass, velocity);
    for (Index k = 0; k + 1 < places.size(); ++k) {
      problem.edges.push_back({first + k, first + k + 1});
      add_spring(first + k, first + k + 1, 500.0);
    }
  }

  void add_vertex(const Vec3& place, double mass, const Vec3& velocity) {
    problem.position.push_back(place);
    problem.velocity.push_back(velocity);
    problem.mass.push_back(mass);
  }

  void add_spring(Index a, Index b, double stiffness) {
    springs_.push_back({{a, b}, stiffness, norm(problem.position[a] - problem.position[b])});
  }

  Problem finish(const Vec3& gravity) {
    problem.forces.push_back(std::make_shared<TestSprings>(springs_));
    problem.forces.push_back(std::make_shared<TestGravity>(gravity, problem.mass));
    return problem;
  }

 private:
  std::vector<TestSprings::Spring> springs_;
};

}  // namespace carom::asynchronous::test
