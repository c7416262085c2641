#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/worker_pool.h"
#include "carom/impact/points.h"
#include "carom/impact/resolve.h"

namespace carom {
namespace {

// Spheres on a lattice, bent a little, that fly and spin at random, with rows to neighbours and to
// a floor that may move.
struct Heap {
  int dimension = 3;
  int side = 3;
  double bend = 0.05;
  double spread = 1.0;  ///< masses from 1 to this
  bool floor = true;
  bool moving = false;     ///< the floor
  bool hexagonal = false;  ///< rows across the squares of the lattice too: redundant ones
  double restitution = 0.5;
  double friction = 0.5;
  double spin = 1.0;
  double balls = 0.0;  ///< share of those that do not turn
  std::uint64_t seed = 1;
};

using Vector = std::array<double, 3>;

std::size_t size(int dimension) { return static_cast<std::size_t>(dimension); }

class HeapMaker {
 public:
  explicit HeapMaker(const Heap& heap) : heap_(heap), random_(heap.seed) {}

  PointProblem make() {
    problem_.dimension = heap_.dimension;
    for (int k = 0; k < layers(); ++k) {
      for (int j = 0; j < heap_.side; ++j) {
        for (int i = 0; i < heap_.side; ++i) add_sphere(i, j, k);
      }
    }
    for (int k = 0; k < layers(); ++k) {
      for (int j = 0; j < heap_.side; ++j) {
        for (int i = 0; i < heap_.side; ++i) add_rows(i, j, k);
      }
    }
    return problem_;
  }

 private:
  [[nodiscard]] int layers() const { return heap_.dimension == 3 ? heap_.side : 1; }
  [[nodiscard]] Index number(int i, int j, int k) const {
    return static_cast<Index>((k * heap_.side + j) * heap_.side + i);
  }

  void add_sphere(int i, int j, int k) {
    // Sheared by half a step: every sphere touches the next but one as well.
    const double aside = heap_.hexagonal ? 1.0 * j : 0.0;
    const double up = heap_.hexagonal ? std::sqrt(3.0) * j : 2.0 * j;
    const Vector place{2.0 * i + aside, up, 2.0 * k};
    for (std::size_t axis = 0; axis < size(heap_.dimension); ++axis) {
      problem_.position.push_back(place[axis] + heap_.bend * random_.uniform(-1.0, 1.0));
      problem_.velocity.push_back(random_.uniform(-1.0, 1.0));
    }
    const double mass = std::pow(heap_.spread, random_.uniform(0.0, 1.0));
    problem_.mass.push_back(mass);
    const bool turns = random_.uniform(0.0, 1.0) >= heap_.balls;
    problem_.turn_weight.push_back(turns ? (heap_.dimension == 2 ? 2.0 : 2.5) / mass : 0.0);
    for (std::size_t axis = 0; axis < problem_.turns(); ++axis) {
      problem_.spin.push_back(turns ? heap_.spin * random_.uniform(-1.0, 1.0) : 0.0);
    }
  }

  void join(Index a, Index b) {
    const std::size_t d = size(heap_.dimension);
    PointProblem::Row row;
    row.a = a;
    row.b = b;
    double square = 0.0;
    for (std::size_t x = 0; x < d; ++x) {
      row.normal[x] = problem_.position[a * d + x] - problem_.position[b * d + x];
      square += row.normal[x] * row.normal[x];
    }
    for (double& x : row.normal) x /= std::sqrt(square);
    row.restitution = heap_.restitution;
    problem_.rows.push_back(row);
    const double half = 0.5 * std::sqrt(square);
    problem_.rubbing.push_back({heap_.friction, half, half, {}});
  }

  void add_rows(int i, int j, int k) {
    if (i > 0) join(number(i - 1, j, k), number(i, j, k));
    if (j > 0) join(number(i, j - 1, k), number(i, j, k));
    if (k > 0) join(number(i, j, k - 1), number(i, j, k));
    if (heap_.hexagonal && j > 0 && i + 1 < heap_.side)
      join(number(i + 1, j - 1, k), number(i, j, k));
    if (j > 0 || !heap_.floor) return;
    PointProblem::Row row;
    row.a = number(i, 0, k);
    row.normal[1] = 1.0;
    row.restitution = heap_.restitution;
    PointProblem::Rubbing rubbing{heap_.friction, 1.0, 0.0, {}};
    if (heap_.moving) {
      rubbing.surface = {0.7, 0.4, 0.0};
      row.offset = 0.4;
    }
    problem_.rows.push_back(row);
    problem_.rubbing.push_back(rubbing);
  }

  Heap heap_;
  Random random_;
  PointProblem problem_;
};

PointProblem make(const Heap& heap) { return HeapMaker(heap).make(); }

// The same as bodies and contacts at their places.
ImpactProblem general(const PointProblem& problem) {
  ImpactProblem result;
  const std::size_t d = size(problem.dimension);
  for (Index i = 0; i < problem.point_count(); ++i) {
    const double* place = problem.position.data() + i * d;
    const double* velocity = problem.velocity.data() + i * d;
    BodyDefinition body;
    body.mass = problem.mass[i];
    body.position = Numbers(std::span<const double>(place, d));
    std::vector<double> numbers(velocity, velocity + d);
    if (problem.turn_weight[i] > 0.0) {
      const double moment = 1.0 / problem.turn_weight[i];
      body.kind = d == 2 ? BodyKind::rigid_2d : BodyKind::rigid_3d;
      body.inertia = d == 2 ? std::vector<double>{moment}
                            : std::vector<double>{moment, 0, 0, 0, moment, 0, 0, 0, moment};
      const double* spin = problem.spin.data() + i * problem.turns();
      numbers.insert(numbers.end(), spin, spin + problem.turns());
    }
    body.velocity = Numbers(numbers);
    result.add_body(body);
  }
  Index belt = kNone;
  for (Index r = 0; r < problem.rows.size(); ++r) {
    const PointProblem::Row& row = problem.rows[r];
    const PointProblem::Rubbing& rubbing = problem.rubbing[r];
    ContactDefinition contact;
    contact.body_a = row.a;
    contact.body_b = row.b;
    contact.normal = Numbers(std::span<const double>(row.normal.data(), d));
    contact.point = Numbers(std::span<const double>(problem.position.data() + row.a * d, d));
    for (std::size_t k = 0; k < d; ++k) (*contact.point)[k] -= rubbing.arm_a * row.normal[k];
    contact.restitution = row.restitution;
    contact.friction = rubbing.friction;
    if (row.b == kNone && rubbing.surface != Vector{}) {
      if (belt == kNone) {
        ScriptedDefinition surface;
        surface.velocity = Numbers(std::span<const double>(rubbing.surface.data(), d));
        belt = result.add_scripted(surface);
      }
      contact.body_b = belt;
    }
    if (row.b != kNone) contact.offset = row.offset;
    result.add_contact(contact);
  }
  return result;
}

struct Sums {
  double energy = 0.0;
  Vector momentum{};
  Vector angular{};
};

Sums sums(const PointProblem& problem, std::span<const double> velocity,
          std::span<const double> spin) {
  Sums sum;
  const std::size_t d = size(problem.dimension);
  for (Index i = 0; i < problem.point_count(); ++i) {
    Vector q{};
    Vector v{};
    for (std::size_t k = 0; k < d; ++k) {
      q[k] = problem.position[i * d + k];
      v[k] = velocity[i * d + k];
      sum.momentum[k] += problem.mass[i] * v[k];
      sum.energy += 0.5 * problem.mass[i] * v[k] * v[k];
    }
    sum.angular[0] += problem.mass[i] * (q[1] * v[2] - q[2] * v[1]);
    sum.angular[1] += problem.mass[i] * (q[2] * v[0] - q[0] * v[2]);
    sum.angular[2] += problem.mass[i] * (q[0] * v[1] - q[1] * v[0]);
    if (!(problem.turn_weight[i] > 0.0)) continue;
    for (std::size_t k = 0; k < problem.turns(); ++k) {
      const double w = spin[i * problem.turns() + k];
      sum.energy += 0.5 * w * w / problem.turn_weight[i];
      sum.angular[d == 2 ? 2 : k] += w / problem.turn_weight[i];
    }
  }
  return sum;
}

void expect_same(const PointProblem& problem, const ImpactSettings& settings, double tolerance) {
  PointResolver resolver;
  resolver.resolve(problem, settings);
  const ImpactProblem other = general(problem);
  const ImpactResult expected = resolve_impacts(other, settings);
  EXPECT_EQ(resolver.report().status, expected.status);
  EXPECT_EQ(resolver.report().components, expected.report.components.size());
  const std::size_t d = size(problem.dimension);
  for (Index i = 0; i < problem.point_count(); ++i) {
    const std::span<const double> velocity = expected.velocity(other, i);
    for (std::size_t k = 0; k < d; ++k) {
      ASSERT_NEAR(resolver.velocity()[i * d + k], velocity[k], tolerance) << "sphere " << i;
    }
    for (std::size_t k = d; k < velocity.size(); ++k) {
      ASSERT_NEAR(resolver.spin()[i * problem.turns() + k - d], velocity[k], tolerance)
          << "spin of sphere " << i;
    }
  }
  for (std::size_t r = 0; r < expected.impulses.size(); ++r) {
    ASSERT_NEAR(resolver.impulses()[r], expected.impulses[r], 1e3 * tolerance) << "row " << r;
  }
}

Heap random_heap(std::uint64_t seed) {
  Heap heap;
  heap.seed = seed;
  heap.dimension = seed % 3 == 0 ? 2 : 3;
  heap.side = heap.dimension == 3 ? 2 + static_cast<int>(seed % 3) : 2 + static_cast<int>(seed % 7);
  heap.spread = seed % 4 == 0 ? 100.0 : 1.0;
  heap.floor = seed % 2 == 0;
  heap.moving = seed % 6 == 0;
  heap.restitution = std::array<double, 3>{0.0, 0.5, 1.0}[seed % 3];
  heap.friction = std::array<double, 4>{0.1, 0.3, 0.5, 2.0}[seed % 4];
  heap.balls = seed % 5 == 0 ? 0.5 : 0.0;
  return heap;
}

ImpactSettings with_friction(const std::string& model, const std::string& name = "gr") {
  ImpactSettings settings;
  settings.impact_operator = name;
  settings.friction_model = model;
  return settings;
}

class SphereFrictionContract : public ::testing::TestWithParam<std::string> {};

TEST_P(SphereFrictionContract, AgreesWithTheGeneralWay) {
  for (const char* name : {"gr", "qce", "gauss_seidel"}) {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(seed));
      expect_same(make(random_heap(seed)), with_friction(GetParam(), name), 1e-10);
    }
  }
}

TEST_P(SphereFrictionContract, AgreesWithTheGeneralWayWhereRowsAreRedundant) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Heap heap;
    heap.seed = seed;
    heap.dimension = 2;
    heap.side = 2 + static_cast<int>(seed % 5);
    heap.bend = 0.0;
    heap.hexagonal = true;
    heap.floor = seed % 2 == 0;
    heap.restitution = seed % 3 == 0 ? 0.0 : 0.6;
    PointProblem problem = make(heap);
    // Pressed together: nearly all rows carry.
    for (Index i = 0; i < problem.point_count(); ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        problem.velocity[2 * i + k] =
            0.1 * problem.velocity[2 * i + k] - 0.3 * problem.position[2 * i + k];
      }
    }
    expect_same(problem, with_friction(GetParam()), 1e-9);
  }
}

TEST_P(SphereFrictionContract, KeepsTheLawsAtSize) {
  for (const int dimension : {2, 3}) {
    Heap heap;
    heap.dimension = dimension;
    heap.side = dimension == 2 ? 40 : 12;
    heap.floor = false;
    const PointProblem problem = make(heap);
    PointResolver resolver;
    resolver.resolve(problem, with_friction(GetParam()));
    EXPECT_EQ(resolver.report().status, ImpactStatus::resolved);
    EXPECT_EQ(resolver.report().handed_over, 0U);
    const Sums before = sums(problem, problem.velocity, problem.spin);
    const Sums after = sums(problem, resolver.velocity(), resolver.spin());
    EXPECT_LT(after.energy, before.energy);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(after.momentum[k], before.momentum[k], 1e-11);
      EXPECT_NEAR(after.angular[k], before.angular[k], 1e-9);
    }
    const std::size_t d = size(dimension);
    const double corner = GetParam() == "box" ? std::sqrt(2.0) : 1.0;
    for (Index r = 0; r < problem.rows.size(); ++r) {
      const PointProblem::Row& row = problem.rows[r];
      EXPECT_GE(resolver.impulses()[r], 0.0);
      const Vector& friction = resolver.friction()[r];
      const double size = std::hypot(friction[0], friction[1], friction[2]);
      EXPECT_LE(size, corner * 0.5 * resolver.impulses()[r] * (1.0 + 1e-9) + 1e-12);
      double b = 0.0;
      for (std::size_t k = 0; k < d; ++k) {
        b += row.normal[k] *
             (resolver.velocity()[row.a * d + k] - resolver.velocity()[row.b * d + k]);
      }
      EXPECT_GT(b, -1e-8);
    }
  }
}

TEST_P(SphereFrictionContract, GivesTheSameBitsForAnyNumberOfThreads) {
  Heap heap;
  heap.side = 8;
  heap.restitution = 0.3;
  const PointProblem problem = make(heap);
  ImpactSettings settings = with_friction(GetParam());
  PointResolver alone;
  alone.resolve(problem, settings);
  WorkerPool pool(3);
  settings.pool = &pool;
  PointResolver together;
  together.resolve(problem, settings);
  EXPECT_TRUE(
      std::equal(alone.velocity().begin(), alone.velocity().end(), together.velocity().begin()));
  EXPECT_TRUE(std::equal(alone.spin().begin(), alone.spin().end(), together.spin().begin()));
  together.resolve(problem, settings);
  EXPECT_TRUE(std::equal(alone.spin().begin(), alone.spin().end(), together.spin().begin()));
}

TEST_P(SphereFrictionContract, KeepsAMirrorSymmetry) {
  // Two halves that are images of each other in the plane x = 0, numbered in opposite orders.
  Heap heap;
  heap.side = 3;
  heap.seed = 7;
  const PointProblem half = make(heap);
  PointProblem problem = half;
  const Index count = half.point_count();
  problem.clear();
  for (int image = 0; image < 2; ++image) {
    for (Index n = 0; n < count; ++n) {
      const Index i = image == 0 ? n : count - 1 - n;
      const double sign = image == 0 ? 1.0 : -1.0;
      problem.mass.push_back(half.mass[i]);
      problem.turn_weight.push_back(half.turn_weight[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        const double mirror = k == 0 ? sign : 1.0;
        problem.position.push_back(mirror * (half.position[3 * i + k] + (k == 0 ? 1.0 : 0.0)));
        problem.velocity.push_back(mirror * half.velocity[3 * i + k]);
        problem.spin.push_back(sign * mirror * half.spin[3 * i + k]);
      }
    }
    for (Index r = 0; r < half.rows.size(); ++r) {
      PointProblem::Row row = half.rows[image == 0 ? r : half.rows.size() - 1 - r];
      const PointProblem::Rubbing rubbing = half.rubbing[image == 0 ? r : half.rows.size() - 1 - r];
      if (image == 1) {
        row.normal[0] = -row.normal[0];
        row.a = 2 * count - 1 - row.a;
        if (row.b != kNone) {
          row.b = 2 * count - 1 - row.b;
          std::swap(row.a, row.b);
          for (double& x : row.normal) x = -x;
        }
      }
      problem.rows.push_back(row);
      problem.rubbing.push_back(rubbing);
    }
  }
  // The spheres nearest to the mirror touch their images.
  for (Index i = 0; i < count; ++i) {
    if (half.position[3 * i] > 0.5) continue;
    problem.rows.push_back({i, 2 * count - 1 - i, {1.0, 0.0, 0.0}, 0.0, 0.5});
    problem.rubbing.push_back({0.5, 1.0, 1.0, {}});
  }
  PointResolver resolver;
  resolver.resolve(problem, with_friction(GetParam()));
  ASSERT_EQ(resolver.report().status, ImpactStatus::resolved);
  for (Index i = 0; i < count; ++i) {
    const Index image = 2 * count - 1 - i;
    for (std::size_t k = 0; k < 3; ++k) {
      const double mirror = k == 0 ? -1.0 : 1.0;
      EXPECT_NEAR(resolver.velocity()[3 * i + k], mirror * resolver.velocity()[3 * image + k],
                  1e-11);
      EXPECT_NEAR(resolver.spin()[3 * i + k], -mirror * resolver.spin()[3 * image + k], 1e-11);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SphereFrictionContract, ::testing::Values("slip", "box"),
                         [](const auto& chosen) { return chosen.param; });

// A sphere of mass m and radius R that slides over a plane and hits it with the speed u: it gets
// the impulse m u; friction mu m u, unless 2/7 of the slip is less, when it rolls: the tangential
// mobility is 1/m + R^2/(2/5 m R^2) = 7/(2 m).
TEST(SphereFriction, OneSphereOnAPlaneSlidesOrRolls) {
  for (const double slip : {10.0, 1.0}) {
    PointProblem problem;
    problem.dimension = 3;
    problem.mass = {3.0};
    problem.position = {0.0, 0.0, 2.0};
    problem.velocity = {slip, 0.0, -2.0};
    problem.spin = {0.0, 0.0, 0.0};
    problem.turn_weight = {1.0 / (0.4 * 3.0 * 4.0)};
    PointProblem::Row row;
    row.normal = {0.0, 0.0, 1.0};
    row.restitution = 0.0;
    problem.rows = {row};
    problem.rubbing = {{0.5, 2.0, 0.0, {}}};
    for (const char* model : {"slip", "box"}) {
      PointResolver resolver;
      resolver.resolve(problem, with_friction(model));
      const double friction = std::min(0.5 * 3.0 * 2.0, 2.0 / 7.0 * 3.0 * slip);
      EXPECT_NEAR(resolver.velocity()[0], slip - friction / 3.0, 1e-14);
      EXPECT_NEAR(resolver.velocity()[2], 0.0, 1e-15);
      EXPECT_NEAR(resolver.spin()[1], friction * 2.0 / (0.4 * 3.0 * 4.0), 1e-14);
      EXPECT_NEAR(resolver.friction()[0][0], -friction, 1e-14);
    }
  }
}

// The speed at which two spheres are to part: an inelastic row with an offset gives just that.
TEST(SphereFriction, PointsPartAtTheSpeedTheyAreAskedFor) {
  PointProblem problem;
  problem.mass = {1.0, 3.0};
  problem.position = {0.0, 0.0, 2.0, 0.0};
  problem.velocity = {1.0, 0.0, 0.0, 0.0};
  problem.rows = {{0, 1, {-1.0, 0.0, 0.0}, 0.25, 0.0}};
  PointResolver resolver;
  resolver.resolve(problem, {});
  EXPECT_NEAR(resolver.velocity()[2] - resolver.velocity()[0], 0.25, 1e-15);
  EXPECT_NEAR(resolver.velocity()[0] + 3.0 * resolver.velocity()[2], 1.0, 1e-15);
}

// Components with coefficients of their own go the general way, with spin and friction.
TEST(SphereFriction, MixedRestitutionGoesTheGeneralWay) {
  for (const char* model : {"slip", "box"}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Heap heap = random_heap(seed);
      PointProblem problem = make(heap);
      for (Index r = 0; r < problem.rows.size(); ++r) {
        problem.rows[r].restitution = r % 2 == 0 ? 0.3 : 0.8;
      }
      // Hundreds of applications, and a moving floor is seen from another frame.
      expect_same(problem, with_friction(model), 1e-9);
    }
  }
}

// With the direct rule any number of coefficients stays on this way.
TEST(PointBlend, AgreesWithTheGeneralWayWhereCoefficientsDiffer) {
  for (const char* model : {"none", "slip"}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(seed);
      PointProblem problem = make(random_heap(seed));
      Random random(seed);
      for (PointProblem::Row& row : problem.rows) row.restitution = random.uniform(0.0, 1.0);
      ImpactSettings settings = with_friction(model);
      settings.mixed_restitution = MixedRestitution::direct;
      expect_same(problem, settings, 1e-10);
      PointResolver resolver;
      resolver.resolve(problem, settings);
      EXPECT_EQ(resolver.report().handed_over, 0U);
    }
  }
}

// Chains of balls between walls, each row elastic or plastic: in some the blend would gain energy.
struct MixedChain {
  PointProblem points;
  ImpactProblem general;

  explicit MixedChain(std::uint64_t seed) {
    constexpr Index kBalls = 5;
    Random random(seed);
    for (Index i = 0; i < kBalls; ++i) {
      BodyDefinition body;
      body.mass = std::pow(100.0, random.uniform(-1.0, 1.0));
      body.velocity = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
      general.add_body(body);
      points.mass.push_back(body.mass);
      points.velocity.insert(points.velocity.end(), body.velocity.begin(), body.velocity.end());
    }
    const auto join = [&](Index a, Index b, double angle) {
      ContactDefinition contact;
      contact.body_a = a;
      contact.body_b = b;
      contact.normal = {std::cos(angle), std::sin(angle)};
      contact.restitution = random.uniform(0.0, 1.0) < 0.5 ? 1.0 : 0.0;
      general.add_contact(contact);
      points.rows.push_back(
          {a, b, {std::cos(angle), std::sin(angle), 0.0}, 0.0, contact.restitution});
    };
    for (Index a = 0; a < kBalls; ++a) {
      const double bend = random.uniform(-0.6, 0.6);
      const bool last = a + 1 == kBalls;
      join(a, last ? kNone : a + 1, last ? bend + 3.1 : bend);
      if (random.uniform(0.0, 1.0) < 0.5) join(a, kNone, random.uniform(0.0, 6.28));
    }
  }
};

TEST(PointBlend, NeverGainsEnergy) {
  int clipped = 0;
  ImpactSettings settings;
  settings.mixed_restitution = MixedRestitution::direct;
  PointResolver resolver;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const MixedChain chain(seed);
    resolver.resolve(chain.points, settings);
    EXPECT_LE(resolver.report().energy, 1e-13) << seed;
    const ImpactResult expected = resolve_impacts(chain.general, settings);
    if (!expected.report.components[0].energy_clipped) continue;
    ++clipped;
    EXPECT_EQ(resolver.report().handed_over, 0U) << seed;
    for (std::size_t k = 0; k < expected.velocities.size(); ++k) {
      EXPECT_NEAR(resolver.velocity()[k], expected.velocities[k], 1e-10) << seed;
    }
  }
  EXPECT_GT(clipped, 5);
}

}  // namespace
}  // namespace carom
