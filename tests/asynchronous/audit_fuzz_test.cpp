// Random small windows against dense sampling: no fault that sampling sees is missed, no proven gap
// is larger than a sampled distance, no crossing is named where nothing meets.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/core/random.h"

#include "asynchronous/audit_meshes.h"

namespace carom::asynchronous {
namespace {

constexpr int kSamples = 60;

// Distances by minimising over a segment, and over a triangle through its sides and its plane.
double from_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 u = b - a;
  const double f = norm_squared(u) > 0.0 ? dot(p - a, u) / norm_squared(u) : 0.0;
  return norm(p - a - std::clamp(f, 0.0, 1.0) * u);
}

double from_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double sides =
      std::min({from_segment(p, a, b), from_segment(p, b, c), from_segment(p, c, a)});
  const Vec3 normal = cross(b - a, c - a);
  const double square = norm_squared(normal);
  const double on_c = dot(cross(b - a, p - a), normal) / square;
  const double on_b = dot(cross(p - a, c - a), normal) / square;
  const bool inside = on_b >= 0.0 && on_c >= 0.0 && on_b + on_c <= 1.0;
  return inside ? std::min(sides, std::abs(dot(p - a, normal)) / std::sqrt(square)) : sides;
}

double between_segments(std::span<const Vec3> x) {
  double least = std::min({from_segment(x[0], x[2], x[3]), from_segment(x[1], x[2], x[3]),
                           from_segment(x[2], x[0], x[1]), from_segment(x[3], x[0], x[1])});
  const Vec3 u = x[1] - x[0];
  const Vec3 v = x[3] - x[2];
  const Vec3 normal = cross(u, v);
  const double square = norm_squared(normal);
  const double s = dot(cross(v, x[0] - x[2]), normal) / square;
  const double t = dot(cross(u, x[0] - x[2]), normal) / square;
  if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
    least = std::min(least, norm(x[0] + s * u - x[2] - t * v));
  }
  return least;
}

// A pair as in audit.h, found here without the audit's help.
struct Pair {
  AuditPrimitive first;
  AuditPrimitive second;
  std::vector<Index> vertices;
};

using Kind = AuditPrimitive::Kind;

std::vector<Pair> all_pairs(const AuditMesh& mesh, std::span<const std::array<Index, 2>> edges) {
  std::vector<Pair> pairs;
  const auto add = [&](const AuditPrimitive& a, const AuditPrimitive& b, std::vector<Index> v) {
    std::vector<Index> sorted = v;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) {
      pairs.push_back({a, b, std::move(v)});
    }
  };
  for (Index e = 0; e < edges.size(); ++e) {
    for (Index v = 0; v < mesh.vertex_count; ++v) {
      if (mesh.dimension == 2)
        add({Kind::vertex, v}, {Kind::edge, e}, {v, edges[e][0], edges[e][1]});
    }
    for (Index f = 0; f < e && mesh.dimension == 3; ++f) {
      add({Kind::edge, f}, {Kind::edge, e}, {edges[f][0], edges[f][1], edges[e][0], edges[e][1]});
    }
  }
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    const auto& c = mesh.triangles[t];
    for (Index v = 0; v < mesh.vertex_count; ++v) {
      add({Kind::vertex, v}, {Kind::face, t}, {v, c[0], c[1], c[2]});
    }
  }
  return pairs;
}

struct Window {
  test::AuditCase start;
  std::vector<PathKnot> knots;
  std::vector<std::size_t> first_knot = {0};
  std::vector<Vec3> to;
  bool is_straight = true;

  [[nodiscard]] AuditPath path() const {
    AuditPath result;
    result.begin = 2.0;
    result.end = 3.0;
    if (is_straight) {
      result.from = start.places;
      result.to = to;
    } else {
      result.knots = knots;
      result.first_knot = first_knot;
    }
    return result;
  }

  [[nodiscard]] Vec3 at(Index v, double t) const {
    if (is_straight) return start.places[v] + (t - 2.0) * (to[v] - start.places[v]);
    std::size_t k = first_knot[v];
    while (k + 2 < first_knot[v + 1] && knots[k + 1].t < t) ++k;
    const PathKnot& a = knots[k];
    const PathKnot& b = knots[k + 1];
    return a.x + ((t - a.t) / (b.t - a.t)) * (b.x - a.x);
  }

  [[nodiscard]] std::array<Vec3, 4> places(std::span<const Index> vertices, double t) const {
    std::array<Vec3, 4> x;
    for (std::size_t i = 0; i < vertices.size(); ++i) x[i] = at(vertices[i], t);
    return x;
  }
};

Window random_window(Random& random, int dimension) {
  Window window;
  do {
    window.start = test::random_soup(random, dimension);
  } while (audit_state(window.start.mesh, window.start.places).status != AuditStatus::passed);
  window.is_straight = random.below(2) == 0;
  const double reach = std::pow(10.0, random.uniform(-3.0, 0.3));
  const auto moved = [&](Vec3 x) {
    x += Vec3{random.uniform(-reach, reach), random.uniform(-reach, reach),
              dimension == 3 ? random.uniform(-reach, reach) : 0.0};
    return x;
  };
  for (const Vec3& x : window.start.places) {
    window.to.push_back(moved(x));
    Vec3 last = x;
    window.knots.push_back({2.0 - random.uniform(), x});
    for (Index k = random.below(4); k > 0; --k) {
      last = moved(last);
      window.knots.push_back({window.knots.back().t + random.uniform(0.01, 0.3), last});
    }
    window.knots.push_back({std::max(3.0, window.knots.back().t + 0.1), moved(last)});
    window.first_knot.push_back(window.knots.size());
  }
  return window;
}

double distance(const Pair& pair, std::span<const Vec3> x) {
  if (pair.second.kind == Kind::face) return from_triangle(x[0], x[1], x[2], x[3]);
  if (pair.first.kind == Kind::edge) return between_segments(x);
  return from_segment(x[0], x[1], x[2]);
}

double determinant(const Pair& pair, std::span<const Vec3> x) {
  const Vec3 normal = cross(x[1] - x[0], x[2] - x[0]);
  return pair.vertices.size() == 4 ? dot(normal, x[3] - x[0]) : normal.z;
}

// When between two samples, at which the determinants differ in sign, it is zero, if the primitives
// meet there.
std::optional<double> crossing_between(const Window& window, const Pair& pair, double s, double e) {
  const double before = determinant(pair, window.places(pair.vertices, s));
  for (int step = 0; step < 60; ++step) {
    const double t = 0.5 * (s + e);
    (before * determinant(pair, window.places(pair.vertices, t)) > 0.0 ? s : e) = t;
  }
  if (distance(pair, window.places(pair.vertices, s)) > 1e-12) return std::nullopt;
  return s;
}

struct Sampled {
  double least = kInfinity;
  std::optional<double> crossing;
};

Sampled sampled(const Window& window, const std::vector<Pair>& pairs) {
  const std::size_t count = window.to.size();
  std::vector<Vec3> places;  // of all vertices, sample after sample
  for (int k = 0; k <= kSamples; ++k) {
    for (Index v = 0; v < count; ++v) places.push_back(window.at(v, 2.0 + 1.0 * k / kSamples));
  }
  Sampled result;
  for (const Pair& pair : pairs) {
    double before = 0.0;
    for (int k = 0; k <= kSamples; ++k) {
      std::array<Vec3, 4> x;
      for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
        x[i] = places[static_cast<std::size_t>(k) * count + pair.vertices[i]];
      }
      result.least = std::min(result.least, distance(pair, x));
      const double now = determinant(pair, x);
      if (before * now < 0.0) {
        const double e = 2.0 + 1.0 * k / kSamples;
        const std::optional<double> crossing =
            crossing_between(window, pair, e - 1.0 / kSamples, e);
        if (crossing) result.crossing = std::min(*crossing, result.crossing.value_or(kInfinity));
      }
      before = now;
    }
  }
  return result;
}

void check_fault(const Window& window, const std::vector<Pair>& pairs, const AuditFault& fault) {
  const auto is_meant = [&](const Pair& p) {
    return (p.first == fault.first && p.second == fault.second) ||
           (p.first == fault.second && p.second == fault.first);
  };
  const auto pair = std::find_if(pairs.begin(), pairs.end(), is_meant);
  ASSERT_NE(pair, pairs.end());
  const std::array<Vec3, 4> x = window.places(pair->vertices, *fault.time);
  EXPECT_LE(distance(*pair, x), 1e-11);
  const bool is_edge = pair->first.kind == Kind::edge;
  const double beside_first = from_segment(fault.place, x[0], is_edge ? x[1] : x[0]);
  const double beside_other = is_edge ? from_segment(fault.place, x[2], x[3]) : 0.0;
  EXPECT_LE(std::max(beside_first, beside_other), 1e-9);
}

struct Counts {
  int passed = 0;
  int faults = 0;
  int undecided = 0;
  int bisected = 0;
};

void compare(const Window& window, Counts& counts) {
  Audit audit(window.start.mesh);
  const MotionReport near = audit.motion(window.path());
  AuditSettings settings;
  settings.all_pairs = true;
  settings.reach = 1e3;
  const MotionReport report = audit.motion(window.path(), settings);
  ASSERT_EQ(near.status, report.status);
  ASSERT_EQ(near.fault.has_value(), report.fault.has_value());
  const std::vector<Pair> pairs = all_pairs(window.start.mesh, audit.edges());
  const Sampled samples = sampled(window, pairs);
  counts.bisected += report.bisected > 0 ? 1 : 0;
  if (report.status == AuditStatus::passed) {
    ++counts.passed;
    EXPECT_GE(samples.least, report.smallest_gap * (1.0 - 1e-12) - 1e-14);
    EXPECT_FALSE(samples.crossing.has_value());
    if (near.smallest_gap < kInfinity) {
      EXPECT_GE(near.smallest_gap, report.smallest_gap);
    }
  } else if (report.status == AuditStatus::fault) {
    ++counts.faults;
    ASSERT_EQ(*near.fault->time, *report.fault->time);
    check_fault(window, pairs, *report.fault);
    if (samples.crossing) {
      EXPECT_LE(*report.fault->time, *samples.crossing + 1e-9);
    }
  } else {
    ++counts.undecided;
  }
}

void judge_random_windows(std::uint64_t seed, int count) {
  Random random(seed);
  Counts counts;
  for (int trial = 0; trial < count; ++trial) {
    compare(random_window(random, trial % 4 == 0 ? 2 : 3), counts);
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", trial " << trial;
  }
  EXPECT_GT(counts.passed, count / 5);
  EXPECT_GT(counts.faults, count / 5);
  EXPECT_GT(counts.bisected, count / 5);
  EXPECT_LE(counts.undecided, count / 200);
}

TEST(AuditMotion, RandomWindowsAreJudgedAsDenseSamplingSeesThem) {
  judge_random_windows(330, 1'000);
}

TEST(SlowAuditMotion, TenThousandRandomWindowsAreJudgedAsDenseSamplingSeesThem) {
  judge_random_windows(332, 10'000);
}

// Vertices that go from whole numbers to whole numbers are in exact places at every eighth of the
// window, often on one line or in one plane. What meets at such a moment must not pass.
TEST(AuditMotion, WhatTouchesAtAnExactMomentIsNeverPassed) {
  Random random(331);
  const int count = 2'000;
  int met_inside = 0;
  int passed = 0;
  for (int trial = 0; trial < count; ++trial) {
    const bool in_space = random.below(3) != 0;
    AuditMesh mesh = in_space ? test::mesh_of(6, {{3, 4}}, {{0, 1, 2}})
                              : test::mesh_of(5, {{0, 1}, {1, 2}, {3, 4}}, {});
    mesh.dimension = in_space ? 3 : 2;
    const auto draw = [&] { return static_cast<double>(random.below(7)); };
    std::vector<Vec3> from(mesh.vertex_count);
    std::vector<Vec3> to(mesh.vertex_count);
    for (std::vector<Vec3>* places : {&from, &to}) {
      for (Vec3& x : *places) x = {draw(), draw(), in_space ? draw() : 0.0};
    }
    Audit audit(mesh);
    if (audit.state(from).status != AuditStatus::passed) continue;
    AuditPath path;
    path.end = 1.0;
    path.from = from;
    path.to = to;
    const MotionReport report = audit.motion(path);
    passed += report.status == AuditStatus::passed ? 1 : 0;
    for (int k = 1; k <= 8; ++k) {
      std::vector<Vec3> x = from;
      for (std::size_t v = 0; v < x.size(); ++v) x[v] += (k / 8.0) * (to[v] - from[v]);
      const StateReport state = audit.state(x);
      // Edges without length and triangles without area are no pairs.
      const auto is_own = [&](const AuditFault& fault) {
        if (fault.first.kind != Kind::vertex || fault.second.kind == Kind::face) return false;
        if (!in_space || fault.second.kind == Kind::vertex)
          return fault.second.kind == Kind::vertex;
        return fault.first.number < 3 && audit.edges()[fault.second.number][0] < 3;
      };
      if (std::all_of(state.faults.begin(), state.faults.end(), is_own)) continue;
      ++met_inside;
      ASSERT_NE(report.status, AuditStatus::passed) << "trial " << trial << ", eighth " << k;
      const double fault = report.fault ? *report.fault->time : kInfinity;
      const double undecided = report.undecided ? *report.undecided->time : kInfinity;
      ASSERT_LE(std::min(fault, undecided), k / 8.0);
      break;
    }
  }
  EXPECT_GT(met_inside, count / 20);
  EXPECT_GT(passed, count / 20);
}

}  // namespace
}  // namespace carom::asynchronous
