#include "carom/impact/points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/impact/detail/point_expansion.h"
#include "carom/impact/resolve.h"

namespace carom {
namespace {

// Balls of unit radius on a square or cubic lattice, bent a little, with rows to neighbours and to
// the floor.
struct Lattice {
  int dimension = 2;
  int side = 4;
  double bend = 0.05;
  double spread = 1.0;  ///< masses from 1 to this
  bool floor = true;
  std::uint64_t seed = 1;
};

PointProblem make(const Lattice& lattice) {
  Random random(lattice.seed);
  PointProblem problem;
  problem.dimension = lattice.dimension;
  const int layers = lattice.dimension == 3 ? lattice.side : 1;
  const auto number = [&](int i, int j, int k) {
    return static_cast<Index>((k * lattice.side + j) * lattice.side + i);
  };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < lattice.side; ++j) {
      for (int i = 0; i < lattice.side; ++i) {
        const std::array<double, 3> place{2.0 * i, 2.0 * j, 2.0 * k};
        for (int axis = 0; axis < lattice.dimension; ++axis) {
          problem.position.push_back(place[static_cast<std::size_t>(axis)] +
                                     lattice.bend * random.uniform(-1.0, 1.0));
          problem.velocity.push_back(random.uniform(-1.0, 1.0));
        }
        problem.mass.push_back(std::pow(lattice.spread, random.uniform(0.0, 1.0)));
      }
    }
  }
  const auto d = static_cast<std::size_t>(lattice.dimension);
  const auto join = [&](Index a, Index b) {
    PointProblem::Row row;
    row.a = a;
    row.b = b;
    double square = 0.0;
    for (std::size_t x = 0; x < d; ++x) {
      row.normal[x] = problem.position[a * d + x] - problem.position[b * d + x];
      square += row.normal[x] * row.normal[x];
    }
    for (double& x : row.normal) x /= std::sqrt(square);
    problem.rows.push_back(row);
  };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < lattice.side; ++j) {
      for (int i = 0; i < lattice.side; ++i) {
        if (i > 0) join(number(i - 1, j, k), number(i, j, k));
        if (j > 0) join(number(i, j - 1, k), number(i, j, k));
        if (k > 0) join(number(i, j, k - 1), number(i, j, k));
        if (j == 0 && lattice.floor) {
          PointProblem::Row row;
          row.a = number(i, 0, k);
          row.normal[1] = 1.0;
          problem.rows.push_back(row);
        }
      }
    }
  }
  return problem;
}

ImpactProblem general(const PointProblem& problem) {
  ImpactProblem result;
  const auto d = static_cast<std::size_t>(problem.dimension);
  const auto numbers = [d](const double* from) {
    return Numbers(std::span<const double>(from, d));
  };
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    BodyDefinition body;
    body.mass = problem.mass[i];
    body.velocity = numbers(problem.velocity.data() + i * d);
    if (!problem.position.empty()) body.position = numbers(problem.position.data() + i * d);
    result.add_body(body);
  }
  for (const PointProblem::Row& row : problem.rows) {
    ContactDefinition contact;
    contact.body_a = row.a;
    contact.body_b = row.b;
    contact.normal = numbers(row.normal.data());
    contact.offset = row.offset;
    contact.restitution = row.restitution;
    result.add_contact(contact);
  }
  return result;
}

void expect_same(const PointProblem& problem, const ImpactSettings& settings, double tolerance) {
  PointResolver resolver;
  resolver.resolve(problem, settings);
  const ImpactResult expected = resolve_impacts(general(problem), settings);
  EXPECT_EQ(resolver.report().status, expected.status);
  EXPECT_EQ(resolver.report().applications, expected.report.applications);
  EXPECT_EQ(resolver.report().applications_total, expected.report.applications_total);
  EXPECT_EQ(resolver.report().components, expected.report.components.size());
  for (std::size_t i = 0; i < expected.velocities.size(); ++i) {
    ASSERT_NEAR(resolver.velocity()[i], expected.velocities[i], tolerance) << "velocity " << i;
  }
  for (std::size_t i = 0; i < expected.impulses.size(); ++i) {
    ASSERT_NEAR(resolver.impulses()[i], expected.impulses[i], 1e3 * tolerance) << "row " << i;
  }
}

ImpactSettings with_operator(const std::string& name) {
  ImpactSettings settings;
  settings.impact_operator = name;
  return settings;
}

class PointResolverContract : public ::testing::TestWithParam<std::string> {};

TEST_P(PointResolverContract, AgreesWithTheGeneralWay) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Lattice lattice;
    lattice.seed = seed;
    lattice.dimension = seed % 4 == 0 ? 3 : 2;
    lattice.side = lattice.dimension == 3 ? 3 : 2 + static_cast<int>(seed % 6);
    lattice.spread = seed % 3 == 0 ? 100.0 : 1.0;
    lattice.floor = seed % 2 == 0;
    expect_same(make(lattice), with_operator(GetParam()), 1e-11);
  }
}

TEST_P(PointResolverContract, AgreesWithTheGeneralWayWhereEnergyIsLost) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Lattice lattice;
    lattice.seed = seed;
    lattice.dimension = seed % 4 == 0 ? 3 : 2;
    lattice.side = lattice.dimension == 3 ? 3 : 2 + static_cast<int>(seed % 8);
    lattice.spread = seed % 3 == 0 ? 100.0 : 1.0;
    lattice.floor = seed % 2 == 0;
    PointProblem problem = make(lattice);
    for (PointProblem::Row& row : problem.rows) row.restitution = seed % 5 == 0 ? 0.0 : 0.6;
    expect_same(problem, with_operator(GetParam()), 1e-11);
  }
}

TEST_P(PointResolverContract, KeepsTheLawsAtSize) {
  Lattice lattice;
  lattice.side = 40;
  for (const bool floor : {false, true}) {
    lattice.floor = floor;
    const PointProblem problem = make(lattice);
    PointResolver resolver;
    resolver.resolve(problem, with_operator(GetParam()));
    EXPECT_EQ(resolver.report().status, ImpactStatus::resolved);
    EXPECT_LT(std::abs(resolver.report().energy), 1e-12);
    EXPECT_LT(resolver.report().momentum_linear, 1e-13);
    EXPECT_EQ(resolver.report().handed_over, 0U);
    for (const double impulse : resolver.impulses()) EXPECT_GE(impulse, 0.0);
    for (const PointProblem::Row& row : problem.rows) {
      double b = 0.0;
      for (std::size_t k = 0; k < 2; ++k) {
        b += row.normal[k] * resolver.velocity()[2 * row.a + k];
        if (row.b != kNone) b -= row.normal[k] * resolver.velocity()[2 * row.b + k];
      }
      EXPECT_GT(b, -1e-9);
    }
  }
}

TEST_P(PointResolverContract, GivesTheSameBitsTwice) {
  Lattice lattice;
  lattice.side = 12;
  const PointProblem problem = make(lattice);
  PointResolver resolver;
  resolver.resolve(problem, with_operator(GetParam()));
  const std::vector<double> first(resolver.velocity().begin(), resolver.velocity().end());
  Lattice other = lattice;
  other.dimension = 3;
  other.side = 4;
  resolver.resolve(make(other), with_operator(GetParam()));
  resolver.resolve(problem, with_operator(GetParam()));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), resolver.velocity().begin()));
}

TEST_P(PointResolverContract, GivesTheSameBitsWhereTheCallerKnowsTheComponents) {
  Lattice lattice;
  lattice.side = 12;
  PointProblem problem = make(lattice);
  // Every other row gone: many components, numbered in a jumble of points.
  std::erase_if(problem.rows, [](const PointProblem::Row& row) { return (row.a * 7 + 3) % 5 < 3; });
  PointResolver resolver;
  resolver.resolve(problem, with_operator(GetParam()));
  const std::vector<double> found(resolver.velocity().begin(), resolver.velocity().end());
  ASSERT_GT(resolver.report().components, 10U);
  problem.component.assign(resolver.component_of().begin(), resolver.component_of().end());
  resolver.resolve(problem, with_operator(GetParam()));
  EXPECT_TRUE(std::equal(found.begin(), found.end(), resolver.velocity().begin()));
}

TEST_P(PointResolverContract, SendsLockedAndMixedComponentsTheGeneralWay) {
  // A row of balls between two walls, straight: locked. Beside it a pair with coefficients of its
  // own, and one that bounces.
  PointProblem problem;
  problem.dimension = 2;
  const auto ball = [&](double x, double y, double vx) {
    problem.position.insert(problem.position.end(), {x, y});
    problem.velocity.insert(problem.velocity.end(), {vx, 0.0});
    problem.mass.push_back(1.0);
  };
  const auto row = [&](Index a, Index b, double nx, double restitution) {
    PointProblem::Row added;
    added.a = a;
    added.b = b;
    added.normal = {nx, 0.0, 0.0};
    added.restitution = restitution;
    problem.rows.push_back(added);
  };
  for (int i = 0; i < 3; ++i) ball(2.0 * i, 0.0, i == 0 ? 1.0 : 0.3);
  row(0, kNone, 1.0, 1.0);
  row(0, 1, -1.0, 1.0);
  row(1, 2, -1.0, 1.0);
  row(2, kNone, -1.0, 1.0);
  for (int i = 0; i < 3; ++i) ball(2.0 * i, 10.0, i == 0 ? 1.0 : 0.0);
  row(3, 4, -1.0, 0.5);
  row(4, 5, -1.0, 0.25);
  ball(0.0, 20.0, 1.0);
  ball(2.0, 20.0, -1.0);
  row(6, 7, -1.0, 1.0);
  ImpactSettings settings = with_operator(GetParam());
  PointResolver resolver;
  resolver.resolve(problem, settings);
  EXPECT_EQ(resolver.report().handed_over, 2U);
  EXPECT_EQ(resolver.report().components, 3U);
  ASSERT_EQ(resolver.report().general.size(), 2U);
  EXPECT_EQ(resolver.report().general[0].lineality_rows, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(resolver.report().general[1].rows, (std::vector<Index>{4, 5}));
  EXPECT_DOUBLE_EQ(resolver.velocity()[12], -1.0);
  EXPECT_DOUBLE_EQ(resolver.velocity()[14], 1.0);
  const ImpactResult expected = resolve_impacts(general(problem), settings);
  for (std::size_t i = 0; i < expected.velocities.size(); ++i) {
    EXPECT_NEAR(resolver.velocity()[i], expected.velocities[i], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, PointResolverContract,
                         ::testing::Values("gr", "qce", "gauss_seidel"),
                         [](const auto& chosen) { return chosen.param; });

// All balls fly to the middle: every row closes, in one part.
TEST(PointResolver, UnloadsPartsOfManyRowsAsTheOperatorDoes) {
  for (const int dimension : {2, 3}) {
    for (const int side : {2, 3, 5, 8}) {
      Lattice lattice;
      lattice.dimension = dimension;
      lattice.side = dimension == 3 ? (side + 2) / 2 : side;
      lattice.spread = 3.0;
      lattice.floor = false;
      lattice.seed = static_cast<std::uint64_t>(side);
      PointProblem problem = make(lattice);
      Random random(7);
      for (std::size_t k = 0; k < problem.velocity.size(); ++k) {
        problem.velocity[k] =
            -(problem.position[k] - lattice.side + 1.0) + 0.1 * random.uniform(-1.0, 1.0);
      }
      PointResolver resolver;
      resolver.resolve(problem, with_operator("qce"));
      EXPECT_EQ(resolver.report().largest_part, problem.rows.size());
      expect_same(problem, with_operator("qce"), 1e-11);
    }
  }
}

// Closing speed of a row.
double opening_speed(const PointProblem& problem, Index row, std::span<const double> velocity) {
  const auto d = static_cast<std::size_t>(problem.dimension);
  const PointProblem::Row& r = problem.rows[row];
  double b = 0.0;
  for (std::size_t k = 0; k < d; ++k) {
    b += r.normal[k] * velocity[r.a * d + k];
    if (r.b != kNone) b -= r.normal[k] * velocity[r.b * d + k];
  }
  return b;
}

// A lattice in which every third row waits until it closes faster than some speed.
struct Drowsy {
  PointProblem problem;
  std::vector<double> speed;  ///< of each row that waits
};

Drowsy drowsy(const Lattice& lattice) {
  Drowsy result;
  PointProblem& problem = result.problem;
  problem = make(lattice);
  std::vector<PointProblem::Row> waiting;
  std::vector<PointProblem::Row> awake;
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    (r % 3 == 1 ? waiting : awake).push_back(problem.rows[r]);
  }
  problem.rows = awake;
  problem.waiting_from = static_cast<Index>(awake.size());
  problem.rows.insert(problem.rows.end(), waiting.begin(), waiting.end());
  for (Index r = problem.waiting_from; r < problem.rows.size(); ++r) {
    const double b = opening_speed(problem, r, problem.velocity);
    result.speed.push_back(std::max(0.2, 0.05 - b));  // none is woken by what is given
  }
  return result;
}

// What rows that wait stand for: rounds, each of which goes on with the rows that the one before
// woke.
TEST(PointResolver, RowsThatWaitJoinAsInRounds) {
  std::size_t most_rounds = 0;
  for (const std::string name : {"gr", "qce"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(name + " " + std::to_string(seed));
      Lattice lattice;
      lattice.seed = seed;
      lattice.dimension = seed % 4 == 0 ? 3 : 2;
      lattice.side = lattice.dimension == 3 ? 3 : 6;
      lattice.floor = seed % 2 == 0;
      const Drowsy scene = drowsy(lattice);
      const auto d = static_cast<std::size_t>(lattice.dimension);
      PointProblem whole = scene.problem;
      whole.waking_speed.assign(scene.speed.size(), 0.2);
      whole.wakes = [&](Index row, const PointProblem::Velocity& a,
                        const PointProblem::Velocity& b) {
        const PointProblem::Row& r = whole.rows[row];
        double speed = 0.0;
        for (std::size_t k = 0; k < 3; ++k) speed += r.normal[k] * (a[k] - b[k]);
        EXPECT_LT(speed, -0.2) << "was not to be asked";
        return speed < -scene.speed[row - whole.waiting_from];
      };
      PointResolver resolver;
      resolver.resolve(whole, with_operator(name));
      EXPECT_EQ(resolver.report().status, ImpactStatus::resolved);
      EXPECT_LT(std::abs(resolver.report().energy), 1e-12);

      PointProblem round = scene.problem;
      round.waiting_from = kNone;
      std::vector<Index> number;  // of the round's rows in the whole
      for (Index r = 0; r < whole.waiting_from; ++r) number.push_back(r);
      std::vector<double> impulses(whole.rows.size(), 0.0);
      std::vector<Index> woken;
      for (std::size_t rounds = 0;; ++rounds) {
        round.rows.clear();
        for (const Index r : number) round.rows.push_back(whole.rows[r]);
        PointResolver step;
        step.resolve(round, with_operator(name));
        for (std::size_t k = 0; k < number.size(); ++k) impulses[number[k]] += step.impulses()[k];
        round.velocity.assign(step.velocity().begin(), step.velocity().end());
        const std::size_t before = number.size();
        for (Index r = whole.waiting_from; r < whole.rows.size(); ++r) {
          const bool is_known = std::find(number.begin(), number.end(), r) != number.end();
          const double b = opening_speed(whole, r, round.velocity);
          if (!is_known && b < -scene.speed[r - whole.waiting_from]) number.push_back(r);
        }
        most_rounds = std::max(most_rounds, rounds);
        if (number.size() == before) break;
      }
      woken.assign(number.begin() + whole.waiting_from, number.end());
      std::vector<Index> found(resolver.woken().begin(), resolver.woken().end());
      std::sort(woken.begin(), woken.end());
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, woken);
      EXPECT_FALSE(woken.empty());
      for (std::size_t i = 0; i < whole.mass.size() * d; ++i) {
        ASSERT_NEAR(resolver.velocity()[i], round.velocity[i], 1e-10) << i;
      }
      for (std::size_t r = 0; r < impulses.size(); ++r) {
        ASSERT_NEAR(resolver.impulses()[r], impulses[r], 1e-9) << r;
      }
    }
  }
  EXPECT_GT(most_rounds, 2U);
}

// Along x; the normal is 1 or -1.
void add_row(PointProblem& problem, Index a, Index b, double normal) {
  PointProblem::Row row;
  row.a = a;
  row.b = b;
  row.normal = {normal, 0.0, 0.0};
  problem.rows.push_back(row);
}

// Three balls between walls are locked, and go the general way: without the one that waits.
TEST(PointResolver, RowsThatWaitHaveNoSayInWhatIsLocked) {
  PointProblem problem;
  problem.dimension = 2;
  for (int i = 0; i < 4; ++i) {
    problem.position.insert(problem.position.end(), {2.0 * i, 0.0});
    problem.velocity.insert(problem.velocity.end(), {i == 0 ? 1.0 : 0.3, 0.0});
    problem.mass.push_back(1.0);
  }
  add_row(problem, 0, kNone, 1.0);
  add_row(problem, 0, 1, -1.0);
  add_row(problem, 1, 2, -1.0);
  add_row(problem, 2, kNone, -1.0);
  PointResolver without;
  PointProblem three = problem;
  three.velocity.resize(6);
  three.position.resize(6);
  three.mass.resize(3);
  without.resolve(three, with_operator("gr"));
  ASSERT_EQ(without.report().handed_over, 1U);
  problem.waiting_from = 4;
  add_row(problem, 2, 3, -1.0);
  problem.waking_speed = {0.0};
  problem.wakes = [](Index, const PointProblem::Velocity&, const PointProblem::Velocity&) {
    return false;
  };
  PointResolver with;
  with.resolve(problem, with_operator("gr"));
  EXPECT_EQ(with.report().handed_over, 1U);
  EXPECT_TRUE(with.woken().empty());
  ASSERT_EQ(with.report().general.size(), 1U);
  EXPECT_EQ(with.report().general[0].lineality_rows, (std::vector<Index>{0, 1, 2, 3}));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(with.velocity()[i], without.velocity()[i]);
  EXPECT_EQ(with.velocity()[6], 0.3);
  EXPECT_EQ(with.impulses()[4], 0.0);
}

// A cradle: its second ball hits the third after the first application.
TEST(PointResolver, AsksForPlacesOnlyWhereALockIsLookedFor) {
  PointProblem problem;
  problem.velocity = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  problem.mass = {1.0, 1.0, 1.0};
  add_row(problem, 0, 1, -1.0);
  add_row(problem, 1, 2, -1.0);
  ImpactSettings settings = with_operator("gr");
  settings.anti_locking_after = 1;
  PointResolver resolver;
  resolver.resolve(problem, settings);
  EXPECT_EQ(resolver.report().handed_over, 1U) << "nobody knows that it could blow up";
  std::size_t asked = 0;
  problem.place_of = [&](Index point) {
    ++asked;
    return std::array<double, 3>{2.0 * point, 0.0, 0.0};
  };
  resolver.resolve(problem, settings);
  EXPECT_EQ(resolver.report().handed_over, 0U);
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(resolver.velocity()[4], 1.0);
  asked = 0;
  settings.anti_locking_after = 10;
  resolver.resolve(problem, settings);
  EXPECT_EQ(asked, 0U);
  EXPECT_EQ(resolver.velocity()[4], 1.0);
}

// Two balls in a row between walls, locked, and a third that hits a fourth somewhere else.
TEST(PointResolver, StopsWhereOpenRowsAreLocked) {
  PointProblem problem;
  problem.position = {0.0, 0.0, 2.0, 0.0, 9.0, 0.0, 11.0, 0.0};
  problem.velocity = {1.0, 0.0, 0.3, 0.0, 1.0, 0.0, 0.0, 0.0};
  problem.mass = {1.0, 1.0, 1.0, 1.0};
  add_row(problem, 0, kNone, 1.0);
  add_row(problem, 0, 1, -1.0);
  add_row(problem, 1, kNone, -1.0);
  add_row(problem, 2, 3, -1.0);
  struct Case {
    std::vector<bool> open;
    bool stops;
  };
  for (const Case& c :
       {Case{{}, false}, Case{{false, false, false, false}, false},
        Case{{false, false, false, true}, false}, Case{{false, true, false, false}, true},
        Case{{true, true, true, true}, true}}) {
    problem.is_open = nullptr;
    if (!c.open.empty()) problem.is_open = [&](Index r) { return c.open[r]; };
    PointResolver resolver;
    resolver.resolve(problem, with_operator("gr"));
    EXPECT_EQ(resolver.report().open_lock, c.stops);
    EXPECT_EQ(resolver.report().status,
              c.stops ? ImpactStatus::budget_exhausted : ImpactStatus::resolved);
    EXPECT_EQ(resolver.report().handed_over, c.stops ? 0U : 1U);
    EXPECT_EQ(resolver.velocity()[6], 1.0) << "not locked";
  }
}

TEST(PointResolver, MovingWallsDoWork) {
  PointProblem problem;
  problem.velocity = {0.0, 0.0};
  problem.position = {0.0, 0.0};
  problem.mass = {2.0};
  PointProblem::Row row;
  row.normal = {0.0, 1.0, 0.0};
  row.offset = 3.0;  // the floor comes up
  problem.rows = {row};
  PointResolver resolver;
  resolver.resolve(problem, {});
  EXPECT_DOUBLE_EQ(resolver.velocity()[1], 6.0);
  EXPECT_DOUBLE_EQ(resolver.impulses()[0], 12.0);
}

TEST(PointResolver, ShowsItsPartsWithoutBeingDisturbed) {
  Lattice lattice;
  lattice.seed = 5;
  const PointProblem problem = make(lattice);
  PointResolver plain;
  plain.resolve(problem, with_operator("gr"));
  PointResolver shown;
  Index largest = 0;
  shown.observe_parts([&](const solvers::QuadraticProgram& part) {
    ASSERT_GE(part.selection.size(), 2U);
    largest = std::max(largest, static_cast<Index>(part.selection.size()));
    for (std::size_t k = 0; k < part.c.size(); ++k) {
      EXPECT_LT(part.c[k], 0.0) << "a row that is not violated";
      EXPECT_NEAR(part.rows->diagonal(part.selection[k]), 1.0, 1e-14);
    }
  });
  shown.resolve(problem, with_operator("gr"));
  EXPECT_EQ(largest, shown.report().largest_part);
  EXPECT_TRUE(std::ranges::equal(plain.velocity(), shown.velocity()));
}

TEST(PointResolver, SaysWhatItSupports) {
  ImpactSettings settings;
  EXPECT_TRUE(PointResolver::supports(settings));
  settings.friction_model = "slip";
  EXPECT_TRUE(PointResolver::supports(settings));
  settings.friction_passes = 3;
  EXPECT_FALSE(PointResolver::supports(settings));
  settings = with_operator("lzb");
  EXPECT_FALSE(PointResolver::supports(settings));
  settings = {};
  settings.certificate = true;
  EXPECT_FALSE(PointResolver::supports(settings));
}

TEST(CanExpand, TellsAHeapFromAPlug) {
  const auto all = [](Index) { return true; };
  Lattice lattice;
  EXPECT_TRUE(can_expand<2>(make(lattice), all)) << "on a floor";
  lattice.floor = false;
  EXPECT_TRUE(can_expand<2>(make(lattice), all)) << "free";
  PointProblem plug = make(lattice);
  for (const double side : {1.0, -1.0}) {
    for (Index j = 0; j < 4; ++j) {
      PointProblem::Row row;
      row.a = side > 0.0 ? 4 * j : 4 * j + 3;
      row.normal = {side, 0.0, 0.0};
      plug.rows.push_back(row);
    }
  }
  EXPECT_FALSE(can_expand<2>(plug, all)) << "between two walls";
  PointProblem nowhere = make(lattice);
  nowhere.position.clear();
  EXPECT_FALSE(can_expand<2>(nowhere, all)) << "places unknown";
}

}  // namespace
}  // namespace carom
