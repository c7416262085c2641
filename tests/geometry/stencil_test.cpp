#include "carom/geometry/stencil.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/types.h"

namespace carom {
namespace {

Vec3 random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// The squared distance of two convex primitives by a search that knows no regions: minimum over the
// weights, one after the other, golden sections; convex, so that it converges.
double golden(const std::function<double(double)>& f) {
  double low = 0.0;
  double high = 1.0;
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  for (int k = 0; k < 60; ++k) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f(0.5 * (low + high));
}

double slow_vertex_face(const Vec3& p, const std::array<Vec3, 3>& f) {
  return std::sqrt(golden([&](double s) {
    return golden([&](double t) {
      return norm_squared(p - (1.0 - s) * f[0] - s * ((1.0 - t) * f[1] + t * f[2]));
    });
  }));
}

double slow_edge_edge(const std::array<Vec3, 2>& p, const std::array<Vec3, 2>& q) {
  return std::sqrt(golden([&](double s) {
    return golden([&](double t) {
      return norm_squared((1.0 - s) * p[0] + s * p[1] - (1.0 - t) * q[0] - t * q[1]);
    });
  }));
}

void expect_consistent(const Stencil& stencil, const std::array<Vec3, 4>& x, std::size_t of_a) {
  Vec3 gap;
  double sum_a = 0.0;
  double sum_b = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double c = stencil.coefficient[i];
    gap += c * x[i];
    (i < of_a ? sum_a : sum_b) += c;
    EXPECT_TRUE(i < of_a ? c >= -1e-15 : c <= 1e-15);
  }
  EXPECT_NEAR(sum_a, 1.0, 1e-15);
  EXPECT_NEAR(sum_b, -1.0, 1e-15);
  EXPECT_NEAR(norm(gap - stencil.distance * stencil.normal), 0.0, 1e-13);
  if (stencil.distance > 0.0) {
    EXPECT_NEAR(norm(stencil.normal), 1.0, 1e-15);
  }
}

TEST(Stencil, DistancesAreThoseOfASearchOverAllWeights) {
  Random random(7);
  for (int n = 0; n < 300; ++n) {
    std::array<Vec3, 4> x;
    for (Vec3& v : x) v = random_vector(random, 1.0);
    const Stencil face = vertex_face(x[0], {x[1], x[2], x[3]});
    EXPECT_NEAR(face.distance, slow_vertex_face(x[0], {x[1], x[2], x[3]}), 1e-7);
    expect_consistent(face, x, 1);
    const Stencil edges = edge_edge({x[0], x[1]}, {x[2], x[3]});
    EXPECT_NEAR(edges.distance, slow_edge_edge({x[0], x[1]}, {x[2], x[3]}), 1e-7);
    expect_consistent(edges, x, 2);
    const Stencil edge = vertex_edge(x[0], x[1], x[2]);
    EXPECT_NEAR(edge.distance, slow_edge_edge({x[0], x[0]}, {x[1], x[2]}), 1e-7);
    expect_consistent(edge, x, 1);
    expect_consistent(vertex_vertex(x[0], x[1]), x, 1);
  }
}

// grad_i d = c_i n, by central differences of the distance.
TEST(Stencil, CoefficientsTimesNormalAreTheGradient) {
  Random random(11);
  const double step = 1e-6;
  for (int n = 0; n < 200; ++n) {
    std::array<Vec3, 4> x;
    for (Vec3& v : x) v = random_vector(random, 1.0);
    const bool faces = n % 2 == 0;
    const auto measure = [&](const std::array<Vec3, 4>& y) {
      return faces ? vertex_face(y[0], {y[1], y[2], y[3]}) : edge_edge({y[0], y[1]}, {y[2], y[3]});
    };
    const Stencil stencil = measure(x);
    if (stencil.distance < 0.05) continue;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 direction = random_vector(random, 1.0);
      std::array<Vec3, 4> plus = x;
      std::array<Vec3, 4> minus = x;
      plus[i] += step * direction;
      minus[i] -= step * direction;
      const double slope = (measure(plus).distance - measure(minus).distance) / (2.0 * step);
      EXPECT_NEAR(slope, stencil.coefficient[i] * dot(stencil.normal, direction), 1e-5);
    }
  }
}

TEST(Stencil, ParallelAndCollinearEdgesHaveTheirDistance) {
  const Stencil beside =
      edge_edge({Vec3{0, 0, 0}, Vec3{1, 0, 0}}, {Vec3{0.5, 2, 0}, Vec3{3, 2, 0}});
  EXPECT_DOUBLE_EQ(beside.distance, 2.0);
  const Stencil apart = edge_edge({Vec3{0, 0, 0}, Vec3{1, 0, 0}}, {Vec3{4, 4, 0}, Vec3{9, 4, 0}});
  EXPECT_DOUBLE_EQ(apart.distance, 5.0);
  const Stencil line = edge_edge({Vec3{0, 0, 0}, Vec3{1, 0, 0}}, {Vec3{3, 0, 0}, Vec3{2, 0, 0}});
  EXPECT_DOUBLE_EQ(line.distance, 1.0);
  EXPECT_EQ(line.normal, (Vec3{-1, 0, 0}));
  // Nearly parallel, at all angles: never more than the distance of the ends, and continuous.
  for (int power = 0; power <= 34; ++power) {
    const double angle = std::pow(0.3, power);
    const Stencil stencil =
        edge_edge({Vec3{-1, 0, 0}, Vec3{1, 0, 0}}, {Vec3{-1, -angle, 0.25}, Vec3{1, angle, 0.25}});
    EXPECT_NEAR(stencil.distance, 0.25, 1e-15) << angle;
  }
}

TEST(Stencil, PrimitivesWithoutExtentAreThoseTheyHaveBecome) {
  const Vec3 p = {0.3, 0.4, 1.2};
  EXPECT_NEAR(vertex_edge(p, {}, {}).distance, 1.3, 1e-15);
  EXPECT_NEAR(vertex_face(p, {Vec3{}, Vec3{}, Vec3{}}).distance, 1.3, 1e-15);
  EXPECT_NEAR(edge_edge({p, p}, {Vec3{}, Vec3{}}).distance, 1.3, 1e-15);
  // A face that is a line: the distance to that line.
  EXPECT_NEAR(
      vertex_face({0.7, 0.0, 2.0}, {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0.5, 0, 0}}).distance, 2.0,
      1e-15);
  // A needle of a face, seen from beyond each side.
  const std::array<Vec3, 3> needle = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1e-9, 0}};
  EXPECT_NEAR(vertex_face({0.5, -0.2, 0.0}, needle).distance, 0.2, 1e-12);
  EXPECT_NEAR(vertex_face({0.5, 0.2, 0.0}, needle).distance, 0.2, 1e-8);
  EXPECT_NEAR(vertex_face({0.5, 0.0, 0.2}, needle).distance, 0.2, 1e-12);
}

TEST(Stencil, WhereTheyMeetTheDistanceIsZeroAndSoIsTheNormal) {
  const Stencil meet = edge_edge({Vec3{-1, 0, 0}, Vec3{1, 0, 0}}, {Vec3{0, -1, 0}, Vec3{0, 1, 0}});
  EXPECT_EQ(meet.distance, 0.0);
  EXPECT_EQ(meet.normal, Vec3{});
  EXPECT_EQ(vertex_vertex({1, 2, 3}, {1, 2, 3}).distance, 0.0);
}

}  // namespace
}  // namespace carom
