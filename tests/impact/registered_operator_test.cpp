// Operators that a program registers: what is refused, and that their form for points is what the
// path for points calls.

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/impact/operator.h"
#include "carom/impact/point_operator.h"
#include "carom/impact/points.h"
#include "carom/solvers/linked_pivoting.h"

namespace carom {
namespace {

OperatorInfo info_named(const std::string& name) {
  OperatorInfo info = *find_operator("gr");
  info.name = name;
  info.point_form = PointForm::registered;
  return info;
}

// The general way of gr under another name.
class Renamed final : public ImpactOperator {
 public:
  explicit Renamed(OperatorInfo info) : info_(std::move(info)) {}
  [[nodiscard]] const OperatorInfo& info() const override { return info_; }
  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    return inner_->apply(application, impulses);
  }

 private:
  OperatorInfo info_;
  std::unique_ptr<ImpactOperator> inner_ = make_operator("gr");
};

std::atomic<int> parts_answered = 0;

// The reflection by linked pivoting alone, `size` times too large or too small: the path for points
// has to bring that back.
class ReflectionOfPoints final : public PointOperator {
 public:
  explicit ReflectionOfPoints(double size) : size_(size) {}
  ApplicationStatus apply(const PointPart<2>& part, std::span<double> impulses) override {
    return solve(part, in_plane_, impulses);
  }
  ApplicationStatus apply(const PointPart<3>& part, std::span<double> impulses) override {
    return solve(part, in_space_, impulses);
  }

 private:
  template <std::size_t D>
  ApplicationStatus solve(const PointPart<D>& part, solvers::LinkedPivoting<D>& pivoting,
                          std::span<double> impulses) {
    ++parts_answered;
    std::vector<double> right_side;
    for (const double b : part.b) {
      EXPECT_LT(b, 0.0);
      right_side.push_back(2.0 * b);
    }
    const bool solved = pivoting.solve(*part.system, right_side, impulses);
    for (double& impulse : impulses) impulse *= size_;
    return solved ? ApplicationStatus::applied : ApplicationStatus::solver_failed;
  }

  double size_;
  solvers::LinkedPivoting<2> in_plane_;
  solvers::LinkedPivoting<3> in_space_;
};

OperatorRegistration registration(const std::string& name) {
  OperatorRegistration it;
  it.info = info_named(name);
  it.make = [name](std::string_view) { return std::make_unique<Renamed>(info_named(name)); };
  it.make_for_points = [](std::string_view options) {
    return std::make_unique<ReflectionOfPoints>(options == "large" ? 1.5 : 1.0);
  };
  return it;
}

// A row of balls on a floor of walls, pushed together at random.
PointProblem heap(int dimension, std::uint64_t seed) {
  Random random(seed);
  PointProblem problem;
  problem.dimension = dimension;
  constexpr Index kSide = 12;
  for (Index i = 0; i < kSide * kSide; ++i) {
    const std::array<double, 3> place{2.0 * (i % kSide), 2.0 * (i / kSide), 0.0};
    for (int k = 0; k < dimension; ++k) {
      problem.position.push_back(place[static_cast<std::size_t>(k)]);
      problem.velocity.push_back(random.uniform(-1.0, 1.0));
    }
    problem.mass.push_back(random.uniform(1.0, 2.0));
    if (i % kSide > 0) problem.rows.push_back({i, i - 1, {1.0, 0.0, 0.0}});
    if (i >= kSide) problem.rows.push_back({i, i - kSide, {0.0, 1.0, 0.0}});
    if (i < kSide) problem.rows.push_back({i, kNone, {0.0, 1.0, 0.0}});
  }
  return problem;
}

TEST(RegisteredOperator, AnswersPointsByItsOwnForm) {
  register_operator(registration("guest"));
  for (const int dimension : {2, 3}) {
    const PointProblem problem = heap(dimension, 7);
    ImpactSettings settings;
    PointResolver resolver;
    resolver.resolve(problem, settings);
    const std::vector<double> expected(resolver.velocity().begin(), resolver.velocity().end());
    for (const std::string specification : {"guest", "guest:large"}) {
      settings.impact_operator = specification;
      ASSERT_TRUE(PointResolver::supports(settings)) << specification;
      parts_answered = 0;
      resolver.resolve(problem, settings);
      EXPECT_GT(parts_answered, 0) << specification;
      EXPECT_EQ(resolver.report().status, ImpactStatus::resolved);
      EXPECT_LT(std::abs(resolver.report().energy), 1e-13) << specification;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(resolver.velocity()[i], expected[i], 1e-11) << specification << ' ' << i;
      }
    }
  }
}

TEST(RegisteredOperator, IsRefusedWhereItCouldNotBeUsed) {
  const auto message_of = [](const std::function<void(OperatorRegistration&)>& spoil) {
    OperatorRegistration it = registration("newcomer");
    spoil(it);
    try {
      register_operator(std::move(it));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto expect = [&](const std::string& part,
                          const std::function<void(OperatorRegistration&)>& spoil) {
    EXPECT_NE(message_of(spoil).find(part), std::string::npos) << message_of(spoil);
  };
  expect("of that name already", [](auto& it) { it.info.name = "gr"; });
  expect("cannot have the name 'a b'", [](auto& it) { it.info.name = "a b"; });
  expect("cannot have the name ''", [](auto& it) { it.info.name.clear(); });
  expect("needs make", [](auto& it) { it.make = nullptr; });
  expect("make_for_points belongs", [](auto& it) { it.make_for_points = nullptr; });
  expect("make_for_points belongs", [](auto& it) { it.info.point_form = PointForm::none; });
  expect("promise of KIN", [](auto& it) { it.info.promises = {}; });
  EXPECT_EQ(find_operator("newcomer"), nullptr);
}

TEST(RegisteredOperator, WithOptionsOfCaromsOwnGoesTheGeneralWay) {
  ImpactSettings settings;
  settings.impact_operator = "gauss_seidel";
  EXPECT_TRUE(PointResolver::supports(settings));
  settings.impact_operator = "gauss_seidel:order=worst";
  EXPECT_FALSE(PointResolver::supports(settings));
  settings.impact_operator = "nobody";
  EXPECT_FALSE(PointResolver::supports(settings));
}

}  // namespace
}  // namespace carom
