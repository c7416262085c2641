#include "carom/scene/expression.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace carom {
namespace {

double value_of(const std::string& text) {
  const ExpressionResult result = evaluate_expression(text);
  EXPECT_TRUE(result.ok()) << text << ": " << result.fault;
  return result.value;
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value_of("7 - 4 - 2"), 1.0);
  EXPECT_EQ(value_of("8 / 4 / 2"), 1.0);
  EXPECT_EQ(value_of("-1/3"), -1.0 / 3.0);
  EXPECT_EQ(value_of("--2"), 2.0);
  EXPECT_EQ(value_of("2*-3"), -6.0);
  EXPECT_EQ(value_of(" 1e-3 "), 1e-3);
  EXPECT_EQ(value_of(".5"), 0.5);
}

TEST(Expression, KnowsRootsAnglesAndPi) {
  EXPECT_EQ(value_of("sqrt(3)/2"), std::sqrt(3.0) / 2.0);
  EXPECT_EQ(value_of("7 - 4*sqrt(3)"), 7.0 - 4.0 * std::sqrt(3.0));
  EXPECT_EQ(value_of("pi"), std::numbers::pi);
  EXPECT_EQ(value_of("180 deg"), std::numbers::pi);
  EXPECT_EQ(value_of("180*deg"), std::numbers::pi);
  EXPECT_NEAR(value_of("sin(30 deg)"), 0.5, 1e-15);
  EXPECT_NEAR(value_of("cos(pi/3)"), 0.5, 1e-15);
  EXPECT_NEAR(value_of("tan(45deg)"), 1.0, 1e-15);
  EXPECT_NEAR(value_of("-sin(-(30) deg)"), 0.5, 1e-15);
}

struct Fault {
  const char* text;
  const char* message;
  std::size_t at;
};

class ExpressionFaults : public testing::TestWithParam<Fault> {};

TEST_P(ExpressionFaults, AreNamedWithTheirPlace) {
  const ExpressionResult result = evaluate_expression(GetParam().text);
  EXPECT_FALSE(result.ok());
  EXPECT_NE(result.fault.find(GetParam().message), std::string::npos) << result.fault;
  EXPECT_EQ(result.at, GetParam().at);
}

INSTANTIATE_TEST_SUITE_P(
    All, ExpressionFaults,
    testing::Values(Fault{"", "expected a number, found end", 0},
                    Fault{"1 +", "expected a number, found end", 3},
                    Fault{"1 2", "unexpected '2'", 2}, Fault{"(1", "expected ')'", 2},
                    Fault{"1/0", "division by zero", 2}, Fault{"sqrt(0-1)", "negative", 0},
                    Fault{"sqrt 2", "expected '('", 5}, Fault{"cosh(1)", "unknown name 'cosh'", 0},
                    Fault{"nan", "unknown name", 0}, Fault{"inf", "unknown name", 0},
                    Fault{"1e999", "out of range", 0}, Fault{"1e300*1e300", "not finite", 0},
                    Fault{"hello", "unknown name", 0}, Fault{"\x01", "expected a number", 0}));

TEST(Expression, SurvivesDepthAndLength) {
  EXPECT_NE(evaluate_expression(std::string(500, '(')).fault.find("deep"), std::string::npos);
  EXPECT_NE(evaluate_expression(std::string(500, '-')).fault.find("deep"), std::string::npos);
  EXPECT_NE(evaluate_expression(std::string(100000, '1')).fault.find("longer"), std::string::npos);
}

const std::vector<ExpressionVariable> kPlace = {{"x", 0.5}, {"y", -2.0}, {"z", 3.0}};

bool holds(const std::string& text) {
  const ExpressionResult result = evaluate_condition(text, kPlace);
  EXPECT_TRUE(result.ok()) << text << ": " << result.fault;
  return result.value != 0.0;
}

TEST(Condition, ComparesExpressions) {
  EXPECT_TRUE(holds("x < 1"));
  EXPECT_FALSE(holds("x > 1"));
  EXPECT_TRUE(holds("x <= 1/2"));
  EXPECT_TRUE(holds("x >= sqrt(1/4)"));
  EXPECT_TRUE(holds("x == 0.5"));
  EXPECT_TRUE(holds("abs(y) != y"));
  EXPECT_TRUE(holds("2*(x + 1) == 3"));
  EXPECT_TRUE(holds("(x + 1)*2 == z"));
}

TEST(Condition, SeveralComparisonsGoWithTheNext) {
  EXPECT_TRUE(holds("0 < x < 1"));
  EXPECT_FALSE(holds("0 < x < 0.4"));
  EXPECT_FALSE(holds("0.6 < x < 1"));
  EXPECT_TRUE(holds("y < x <= 0.5 < z"));
}

TEST(Condition, AndBindsMoreTightlyThanOr) {
  EXPECT_TRUE(holds("x < 1 || x > 9 && z < 0"));
  EXPECT_FALSE(holds("(x < 1 || x > 9) && z < 0"));
  EXPECT_TRUE(holds("!(x > 1) && !(z < 0 || y > 0)"));
  EXPECT_TRUE(holds("((x < 1) && ((y) < 0))"));
  EXPECT_FALSE(holds("!x < 1"));
}

TEST(Condition, FaultsSayWhat) {
  const auto fault = [](const std::string& text) { return evaluate_condition(text, kPlace).fault; };
  EXPECT_EQ(fault("x"), "expected a comparison such as <, found end");
  EXPECT_EQ(fault("(x + 1)"), "expected a comparison such as <, found end");
  EXPECT_EQ(fault("x = 1"), "expected a comparison such as <, found '='");
  EXPECT_EQ(fault("x < 1 & y > 2"), "unexpected '&'");
  EXPECT_EQ(fault("x < 1 &&"), "expected a number, found end");
  EXPECT_EQ(fault("w < 1"), "unknown name 'w'; known: x, y, z, abs, sqrt, sin, cos, tan, pi, deg");
  EXPECT_EQ(fault("(x < 1"), "expected ')', found end");
  EXPECT_EQ(fault("x < 1)"), "unexpected ')'");
  EXPECT_EQ(fault("1 / (x - 0.5) > 0"), "division by zero");
  EXPECT_EQ(fault(std::string(200, '!') + "x < 1"), "nested too deeply");
  EXPECT_EQ(fault(std::string(200, '(') + "x < 1"), "nested too deeply");
  EXPECT_NE(fault(std::string(2000, ' ') + "x < 1"), "");
  EXPECT_NE(fault(""), "");
}

TEST(Condition, NumbersKnowNoVariables) {
  EXPECT_FALSE(evaluate_expression("x").ok());
  EXPECT_FALSE(evaluate_expression("1 < 2").ok());
  EXPECT_EQ(evaluate_expression("abs(-2)").value, 2.0);
}

}  // namespace
}  // namespace carom
