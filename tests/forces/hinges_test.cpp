// Hinges, by angle and quadratic, against closed forms.

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/forces/bend_hinges.h"
#include "carom/forces/quadratic_hinges.h"

#include "forces/lone_element.h"

namespace carom {
namespace {

using std::numbers::pi;
using test::energy_growth;
using test::LoneElement;

// Edge along z; the first flap along +x, the second turned down from -x by an angle. The normals
// point up (+y), so that the hinge is convex seen from above.
std::array<Vec3, 4> folded(double angle, double height_a = 0.7, double height_b = 0.4) {
  return {Vec3{0, 0, 0},
          {0, 0, 1},
          {height_a, 0, 0.3},
          {-height_b * std::cos(angle), -height_b * std::sin(angle), 0.6}};
}

std::vector<Vec3> list(const std::array<Vec3, 4>& p) { return {p.begin(), p.end()}; }

BendHinge hinge(double stiffness, double yield = kInfinity) {
  return {.body = {0, 1, 2, 3},
          .rest = folded(0.0),
          .rest_angle = {},
          .stiffness = stiffness,
          .damping = 0.0,
          .yield = yield};
}

// 3 |e|^2 / A of folded().
constexpr double kFactor = 3.0 / (0.5 * (0.7 + 0.4));

TEST(HingeAngle, IsTheAngleOfAFoldAllTheWayRound) {
  for (int k = -31; k <= 31; ++k) {
    const double angle = 0.1 * k;
    EXPECT_NEAR(hinge_angle(folded(angle)), angle, 4.0 * kRoundOff * 4.0) << angle;
  }
}

TEST(HingeAngle, IsPositiveOnAConvexBodySeenFromOutside) {
  // A regular octahedron: dihedral angle acos(-1/3).
  const std::array<Vec3, 4> edge = {Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
  EXPECT_NEAR(hinge_angle(edge), pi - std::acos(-1.0 / 3.0), 8.0 * kRoundOff);
  const std::array<Vec3, 4> from_inside = {edge[0], edge[1], edge[3], edge[2]};
  EXPECT_NEAR(hinge_angle(from_inside), -hinge_angle(edge), 8.0 * kRoundOff);
}

TEST(BendHinges, HaveTheEnergyOfDiscreteShells) {
  const BendHinges hinges({hinge(2.0)});
  for (const double angle : {-2.0, -0.3, 0.5, 3.0}) {
    const double expected = 2.0 * kFactor * angle * angle;
    EXPECT_NEAR(hinges.potential(0, folded(angle), {}), expected, 1e-13 * expected);
  }
}

TEST(BendHinges, BendAboutAGivenRestAngleOrThatOfTheRestPositions) {
  BendHinge given = hinge(2.0);
  given.rest = folded(1.0);
  EXPECT_NEAR(BendHinges({given}).potential(0, folded(1.0), {}), 0.0, 1e-28);
  given.rest_angle = 0.0;
  EXPECT_NEAR(BendHinges({given}).potential(0, folded(1.0), {}), 2.0 * kFactor, 1e-13);
}

// k = D / 6: a mesh of equilateral triangles on a flat cylinder, in every direction of bending.
TEST(BendHinges, OfEquilateralTrianglesAreAPlateOfSixTimesTheirStiffness) {
  constexpr double kCurvature = 1e-3;
  const double height = std::sqrt(0.75);
  for (const double direction : {0.0, 0.2, 0.7, 1.3}) {
    const auto bent = [&](const Vec3& p) {
      const double along = p.x * std::cos(direction) + p.y * std::sin(direction);
      return Vec3{p.x, p.y, 0.5 * kCurvature * along * along};
    };
    double density = 0.0;
    for (int side = 0; side < 3; ++side) {  // the three edges of a triangle, a third of 2 A each
      const double turn = pi / 3.0 * side;
      const Vec3 t = {std::cos(turn), std::sin(turn), 0};
      const Vec3 n = {-t.y, t.x, 0};
      BendHinge edge = hinge(1.0);
      edge.rest = {Vec3{}, t, 0.5 * t + height * n, 0.5 * t - height * n};
      std::vector<Vec3> position;
      for (const Vec3& p : edge.rest) position.push_back(bent(p));
      density += BendHinges({edge}).potential(0, position, {}) / height;
    }
    EXPECT_NEAR(density, 0.5 * 6.0 * kCurvature * kCurvature, 1e-5 * density);
  }
}

TEST(BendHinges, AreStableUpToTheirStableStepAndNotBeyond) {
  for (const double damping : {0.0, 1e-3, 0.1}) {
    BendHinge damped = hinge(2.0);
    damped.damping = damping;
    const BendHinges hinges({damped});
    const LoneElement element(hinges, 0, list(folded(1e-8)), {1.0, 2.0, 0.5, 3.0});
    const double step = element.stable_step();
    EXPECT_LT(energy_growth(element, 0.99 * step, 3000), 500.0) << damping;
    EXPECT_GT(energy_growth(element, 1.01 * step, 1000), 1e6) << damping;
  }
}

// A flap turned about a held edge is a pendulum on a spring: m h^2 theta'' = -2 c theta.
TEST(BendHinges, SwingAFlapLikeATorsionSpring) {
  const BendHinges hinges({hinge(0.1)});
  LoneElement element(hinges, 0, list(folded(1e-3)), {0.0, 0.0, 0.0, 2.0});
  const double omega = std::sqrt(2.0 * 0.1 * kFactor * 2.0 / (0.4 * 0.4));
  EXPECT_NEAR(element.stable_step(), 2.0 / omega, 1e-12);
  const double step = pi / omega / 1000.0;
  for (int k = 0; k < 1000; ++k) element.advance(step);
  const auto& x = element.position();
  EXPECT_NEAR(hinge_angle({x[0], x[1], x[2], x[3]}), -1e-3, 1e-8) << "half a period";
}

TEST(BendHinges, CountWholeTurns) {
  const BendHinges hinges({hinge(2.0)});
  LoneElement element(hinges, 0, list(folded(0.0)), {0.0, 0.0, 0.0, 0.0});
  for (int k = 1; k <= 50; ++k) {
    element.position() = list(folded(0.15 * k));
    element.kick(0.01);
  }
  EXPECT_NEAR(element.potential(), 2.0 * kFactor * 7.5 * 7.5, 1e-10);
}

// Slowly bent to an angle t beyond the yield y and back: c y^2 is stored, 2 c y (t - y) is gone,
// and the hinge rests at t - y.
TEST(BendHinges, KeepWhatTheyWereBentBeyondTheYield) {
  const double c = 2.0 * kFactor;
  const double yield = 0.3;
  const double turned = 1.1;
  const BendHinges hinges({hinge(2.0, yield)});
  LoneElement element(hinges, 0, list(folded(0.0)), {0.0, 0.0, 0.0, 0.0});
  constexpr int kSteps = 20000;
  for (int k = 1; k <= kSteps; ++k) {
    element.position() = list(folded(turned * k / kSteps));
    element.kick(0.01);
  }
  EXPECT_NEAR(element.potential(), c * yield * yield, 1e-12);
  EXPECT_NEAR(element.dissipated(), 2.0 * c * yield * (turned - yield), 1e-3);
  element.position() = list(folded(turned - yield));
  element.kick(0.01);
  EXPECT_NEAR(element.potential(), 0.0, 1e-24);
  EXPECT_NEAR(element.memory()[1], turned - yield, 1e-12);
}

TEST(BendHinges, WithoutANormalNothingIsInfinite) {
  const BendHinges hinges({hinge(2.0)});
  std::vector<Vec3> position = list(folded(0.5));
  position[2] = {0, 0, 0.4};  // on the edge
  LoneElement element(hinges, 0, position, {1.0, 1.0, 1.0, 1.0});
  element.kick(0.1);
  for (const Vec3& v : element.velocity()) EXPECT_EQ(v, Vec3{});
}

TEST(BendHinges, RefuseWhatCannotBeAHinge) {
  const auto key_of = [](BendHinge bad) {
    try {
      const BendHinges hinges({hinge(1.0), bad});
    } catch (const InputError& error) {
      return error.place().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of(hinge(-1.0)), "bend_hinges[1].stiffness");
  EXPECT_EQ(key_of(hinge(1.0, -0.1)), "bend_hinges[1].yield");
  BendHinge bad = hinge(1.0);
  bad.body[3] = 2;
  EXPECT_EQ(key_of(bad), "bend_hinges[1].body");
  bad = hinge(1.0);
  bad.rest[2] = {0, 0, 3};
  EXPECT_EQ(key_of(bad), "bend_hinges[1].rest");
  bad = hinge(1.0);
  bad.rest_angle = kInfinity;
  EXPECT_EQ(key_of(bad), "bend_hinges[1].rest_angle");
  bad = hinge(1.0);
  bad.damping = -1.0;
  EXPECT_EQ(key_of(bad), "bend_hinges[1].damping");
}

// ----- Quadratic ---------------------------------------------------------------------------------

QuadraticHinges quadratic(double stiffness, const std::array<Vec3, 4>& rest, double damping = 0.0) {
  return QuadraticHinges({{{0, 1, 2, 3}, rest, stiffness, damping}});
}

TEST(QuadraticHinges, AreHingesWithTheSquareOfTheChordInPlaceOfTheAngle) {
  const QuadraticHinges hinges = quadratic(2.0, folded(0.0));
  for (const double angle : {-2.0, -0.3, 1e-3, 0.5, 3.0}) {
    const double chord = 2.0 * std::sin(0.5 * angle);
    const double expected = 2.0 * kFactor * chord * chord;
    EXPECT_NEAR(hinges.potential(0, folded(angle), {}), expected, 1e-12 * expected) << angle;
  }
}

TEST(QuadraticHinges, KnowTheLengthsOfAFoldedRestShapeAndNotItsAngle) {
  EXPECT_NEAR(quadratic(2.0, folded(1.0)).potential(0, folded(0.0), {}), 0.0, 1e-28);
}

TEST(QuadraticHinges, DoNotResistWhatStaysInAPlane) {
  std::vector<Vec3> position;
  for (const Vec3& p : folded(0.0)) position.push_back({1.3 * p.x + 0.2 * p.z, 5.0, p.z - p.x});
  EXPECT_NEAR(quadratic(2.0, folded(0.0)).potential(0, position, {}), 0.0, 1e-28);
}

TEST(QuadraticHinges, AreStableUpToTheirStableStepAndNotBeyond) {
  for (const double damping : {0.0, 1e-3, 0.1}) {
    const QuadraticHinges hinges = quadratic(2.0, folded(0.0), damping);
    const LoneElement element(hinges, 0, list(folded(0.5)), {1.0, 2.0, 0.5, 3.0});
    const double step = element.stable_step();
    EXPECT_LT(energy_growth(element, 0.99 * step, 3000), 500.0) << damping;
    EXPECT_GT(energy_growth(element, 1.01 * step, 1000), 1e6) << damping;
  }
}

}  // namespace
}  // namespace carom
