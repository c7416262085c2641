#include "carom/integrators/free_rotation.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"

namespace carom {
namespace {

constexpr RotationScheme kSecond = RotationScheme::moser_veselov;
constexpr RotationScheme kFourth = RotationScheme::moser_veselov_4;

Vec3 body_velocity(const Turning& turning) {
  return transposed_times(matrix_of(turning.orientation), turning.angular_velocity);
}

Vec3 spatial_momentum(const Vec3& moments, const Turning& turning) {
  const Vec3 omega = body_velocity(turning);
  return matrix_of(turning.orientation) *
         Vec3{moments.x * omega.x, moments.y * omega.y, moments.z * omega.z};
}

double energy(const Vec3& moments, const Turning& turning) {
  const Vec3 omega = body_velocity(turning);
  return 0.5 * (moments.x * omega.x * omega.x + moments.y * omega.y * omega.y +
                moments.z * omega.z * omega.z);
}

double difference(const Mat3& a, const Mat3& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) sum += norm_squared(a.row[k] - b.row[k]);
  return std::sqrt(sum);
}

Turning advanced(const Vec3& moments, Turning turning, double time, int steps,
                 RotationScheme scheme) {
  for (int k = 0; k < steps; ++k) turning = free_rotation(moments, turning, time / steps, scheme);
  return turning;
}

// Jacobi's sn, cn, dn by descending Landen transformations.
struct Elliptic {
  double sn;
  double cn;
  double dn;
};
Elliptic jacobi(double u, double m) {
  std::array<double, 12> a{};
  std::array<double, 12> c{};
  a[0] = 1.0;
  c[0] = std::sqrt(m);
  double b = std::sqrt(1.0 - m);
  std::size_t last = 0;
  while (last < 10 && std::abs(c[last]) > 1e-16) {
    a[last + 1] = 0.5 * (a[last] + b);
    c[last + 1] = 0.5 * (a[last] - b);
    b = std::sqrt(a[last] * b);
    ++last;
  }
  double phi = std::ldexp(a[last] * u, static_cast<int>(last));
  for (std::size_t k = last; k > 0; --k) phi = 0.5 * (phi + std::asin(c[k] * std::sin(phi) / a[k]));
  return {std::sin(phi), std::cos(phi), std::sqrt(1.0 - m * std::sin(phi) * std::sin(phi))};
}

// Free rotation with moments I_1 < I_2 < I_3 that begins with omega = (w1, 0, w3), where
// L^2 > 2 E I_2, in closed form [Landau and Lifshitz, Mechanics, section 37]; the angle about the
// momentum is an integral.
class ExactTop {
 public:
  ExactTop(const Vec3& moments, double w1, double w3) : i_(moments), w1_(w1), w3_(w3) {
    const double twice_energy = i_.x * w1 * w1 + i_.z * w3 * w3;
    const double square = i_.x * i_.x * w1 * w1 + i_.z * i_.z * w3 * w3;
    momentum_ = std::sqrt(square);
    w2_ = std::sqrt((twice_energy * i_.z - square) / (i_.y * (i_.z - i_.y)));
    rate_ = std::sqrt((i_.z - i_.y) * (square - twice_energy * i_.x) / (i_.x * i_.y * i_.z));
    m_ = (i_.y - i_.x) * (twice_energy * i_.z - square) /
         ((i_.z - i_.y) * (square - twice_energy * i_.x));
  }

  [[nodiscard]] Vec3 omega(double t) const {
    const Elliptic e = jacobi(rate_ * t, m_);
    return {w1_ * e.cn, w2_ * e.sn, w3_ * e.dn};
  }
  // Body to a world whose z lies along the momentum; the angle about it is 0 at the start.
  [[nodiscard]] Mat3 rotation(double t) const {
    const Vec3 w = omega(t);
    const Vec3 y = {i_.x * w.x, i_.y * w.y, i_.z * w.z};
    const double theta = std::acos(y.z / momentum_);
    const double psi = std::atan2(y.x, y.y);
    const Quaternion q = rotation_about({0, 0, 1}, precession(t)) *
                         rotation_about({1, 0, 0}, theta) * rotation_about({0, 0, 1}, psi);
    return matrix_of(q);
  }

 private:
  [[nodiscard]] double precession(double t) const {
    const int panels = 4000;  // Simpson's rule
    double sum = 0.0;
    for (int k = 0; k <= 2 * panels; ++k) {
      const Vec3 w = omega(t * k / (2.0 * panels));
      const double above = i_.x * w.x * w.x + i_.y * w.y * w.y;
      const double below = i_.x * i_.x * w.x * w.x + i_.y * i_.y * w.y * w.y;
      const double weight = k == 0 || k == 2 * panels ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0);
      sum += weight * momentum_ * above / below;
    }
    return sum * t / (6.0 * panels);
  }

  Vec3 i_;
  double w1_;
  double w2_;
  double w3_;
  double momentum_;
  double rate_;
  double m_;
};

constexpr Vec3 kMoments{1.0, 2.0, 2.5};

Turning start_of(const ExactTop& top) {
  const Mat3 rotation = top.rotation(0.0);
  return {quaternion_of(rotation), rotation * top.omega(0.0)};
}

TEST(FreeRotation, FollowsTheExactRotationWithItsOrder) {
  const ExactTop top(kMoments, 0.4, 1.1);
  const Turning start = start_of(top);
  const Mat3 exact = top.rotation(10.0);
  const auto error = [&](int steps, RotationScheme scheme) {
    return difference(matrix_of(advanced(kMoments, start, 10.0, steps, scheme).orientation), exact);
  };
  EXPECT_NEAR(std::log2(error(200, kSecond) / error(400, kSecond)), 2.0, 0.05);
  EXPECT_NEAR(std::log2(error(200, kFourth) / error(400, kFourth)), 4.0, 0.1);
  EXPECT_LT(error(2000, kSecond), 2e-3);
  EXPECT_LT(error(2000, kFourth), 1e-8);
}

TEST(FreeRotation, KeepsEnergyAndMomentumForAMillionSteps) {
  const Turning start = {normalized({1, 2, -1, 0.5}), {0.3, 1.0, 0.2}};
  for (const RotationScheme scheme : {kSecond, kFourth}) {
    const Turning end = advanced(kMoments, start, 1e5, 1'000'000, scheme);
    const Vec3 before = spatial_momentum(kMoments, start);
    EXPECT_LT(norm(spatial_momentum(kMoments, end) - before), 1e-11 * norm(before));
    EXPECT_NEAR(energy(kMoments, end) / energy(kMoments, start), 1.0, 1e-11);
  }
}

TEST(FreeRotation, ASymmetricTopPrecesses) {
  // I = (1, 1, 3): the axis goes round the momentum at |L| / I_1.
  const Vec3 moments = {1, 1, 3};
  const Turning start = {{}, {0.5, 0.0, 1.0}};
  const Vec3 momentum = spatial_momentum(moments, start);
  const double period = 2.0 * std::numbers::pi / norm(momentum);
  const Turning end = advanced(moments, start, period, 500, kFourth);
  EXPECT_LT(norm(matrix_of(end.orientation).column(2) - Vec3{0, 0, 1}), 1e-9);
}

TEST(FreeRotation, FastBodiesAreFollowedInParts) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const auto number = [&] { return random.uniform(-40.0, 40.0); };
    const Turning start = {normalized({number(), number(), number(), number()}),
                           {number(), number(), number()}};
    const Turning end = advanced({0.1, 3.0, 3.05}, start, 1.0, 10, kSecond);
    const Vec3 before = spatial_momentum({0.1, 3.0, 3.05}, start);
    EXPECT_LT(norm(spatial_momentum({0.1, 3.0, 3.05}, end) - before), 1e-12 * norm(before));
    EXPECT_NEAR(energy({0.1, 3.0, 3.05}, end) / energy({0.1, 3.0, 3.05}, start), 1.0, 1e-10)
        << "trial " << trial;
  }
}

TEST(FreeRotation, EvenTheFastestKeepsItsMomentum) {
  const Turning start = {normalized({1, 2, 3, 4}), {1e9, -2e9, 3e9}};
  const Turning end = free_rotation(kMoments, start, 0.1, kFourth);
  const Vec3 before = spatial_momentum(kMoments, start);
  EXPECT_LT(norm(spatial_momentum(kMoments, end) - before), 1e-12 * norm(before));
}

TEST(FreeRotation, EqualMomentsTurnAboutAFixedAxis) {
  const Turning start = {{}, {0, 0, 2.0}};
  const Turning end = free_rotation({2, 2, 2}, start, 0.7, kSecond);
  EXPECT_LT(difference(matrix_of(end.orientation), matrix_of(rotation_about({0, 0, 1}, 1.4))),
            4 * kRoundOff);
  EXPECT_EQ(end.angular_velocity, start.angular_velocity);
}

TEST(FreeRotation, RunsBackwardsToWhereItBegan) {
  const Turning start = {normalized({1, 0.2, -0.3, 0.4}), {0.3, -1.0, 0.2}};
  for (const RotationScheme scheme : {kSecond, kFourth}) {
    const Turning there = advanced(kMoments, start, 5.0, 50, scheme);
    const Turning back = advanced(kMoments, there, -5.0, 50, scheme);
    EXPECT_LT(difference(matrix_of(back.orientation), matrix_of(start.orientation)), 1e-12);
  }
}

TEST(FreeRotation, InThePlaneTurnsExactly) {
  const Turning end = free_rotation_2d({{}, {0, 0, 3.0}}, 0.5);
  EXPECT_LT(difference(matrix_of(end.orientation), matrix_of(rotation_about({0, 0, 1}, 1.5))),
            4 * kRoundOff);
}

TEST(FreeRotation, UnknownSchemeIsNamed) {
  EXPECT_EQ(rotation_scheme("moser_veselov_4"), kFourth);
  try {
    static_cast<void>(rotation_scheme("moser_veslov"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("moser_veselov"), std::string::npos);
  }
}

}  // namespace
}  // namespace carom
