#include <fstream>
#include <ostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace carom::test {
namespace {

using Json = nlohmann::json;

std::string write_file(const std::string& name, const std::string& text) {
  const std::filesystem::path path = scratch_directory() / name;
  std::ofstream(path) << text;
  return "'" + path.string() + "'";
}

void expect_contains(const std::string& text, const std::string& piece) {
  EXPECT_NE(text.find(piece), std::string::npos) << "'" << piece << "' is not in:\n" << text;
}

TEST(CommandLine, HelpAndVersionAreFine) {
  for (const char* arguments : {"--help", "impact --help", "operators --help", "gallery --help",
                                "gallery check --help", "gallery list --help"}) {
    const CommandResult result = run_carom(arguments);
    EXPECT_EQ(result.code, 0) << arguments;
    EXPECT_EQ(result.errors, "") << arguments;
    expect_contains(result.output, "Usage: carom");
  }
  expect_contains(run_carom("--help").output, "Exit codes:");
  expect_contains(run_carom("impact --help").output, "Examples:");
  const CommandResult version = run_carom("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.output.starts_with("carom ")) << version.output;
}

struct Misuse {
  const char* arguments;
  const char* message;
};

// Names the case where GoogleTest would show its bytes.
void PrintTo(const Misuse& misuse, std::ostream* out) { *out << "carom " << misuse.arguments; }

class BadUsage : public testing::TestWithParam<Misuse> {};

TEST_P(BadUsage, IsOneLineAndCodeTwo) {
  const CommandResult result = run_carom(GetParam().arguments);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("carom: error: ")) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  expect_contains(result.errors, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadUsage,
    testing::Values(
        Misuse{"", "a command is missing; known: run, compare, sweep, plot, check, audit, info,"},
        Misuse{"impcat", "unknown command 'impcat'"}, Misuse{"impac", "did you mean 'impact'?"},
        Misuse{"gallery", "a command is missing; known: list, check, run, chart"},
        Misuse{"gallery chek", "did you mean 'check'?"}, Misuse{"impact", "FILE"},
        Misuse{"impact gallery/G4-cradle.toml --oprator gr", "did you mean '--operator'?"},
        Misuse{"impact gallery/G4-cradle.toml other.toml", "unexpected argument 'other.toml'"},
        Misuse{"impact no-such-file.toml",
               "no-such-file.toml: cannot be opened: No such file or directory"},
        Misuse{"impact .", ".: is a directory"},
        Misuse{"impact gallery/G4-cradle.toml --operator gs",
               "--operator: unknown impact operator"},
        Misuse{"impact gallery/G4-cradle.toml --set tolerance=0",
               "--set tolerance: must be between"},
        Misuse{"impact gallery/G4-cradle.toml --set tolerence=1", "did you mean 'tolerance'?"},
        Misuse{"impact gallery/G4-cradle.toml --set tolerance", "expected key=value"},
        Misuse{"impact gallery/G4-cradle.toml --set operator=gr", "use --operator"},
        Misuse{"impact gallery/G4-cradle.toml --restitution-model x", "--restitution-model"},
        Misuse{"impact gallery/G1-desiderata.toml", "describes no bodies"},
        Misuse{"gallery check G44", "did you mean 'G4'?"},
        Misuse{"gallery list --gallery no/such", "no/such: is not a directory"},
        Misuse{"gallery list --gallery src", "is not a gallery"}));

TEST(CommandLine, FaultsOfAFileNameThePlace) {
  const std::string file =
      write_file("bad.toml", "kind = \"instant\"\n[[body]]\nvelocity = 1\nmas = 2\n");
  const CommandResult result = run_carom("impact " + file);
  EXPECT_EQ(result.code, 2);
  expect_contains(result.errors, "bad.toml:4:1: body[0]: unknown key 'mas'; did you mean 'mass'?");
}

TEST(CommandLine, ImpactPrintsOneColumnPerOperator) {
  const CommandResult result = run_carom("impact gallery/G4-cradle.toml -o gr --operator lcp");
  EXPECT_EQ(result.code, 0) << result.errors;
  expect_contains(result.output, "before  gr         lcp");
  expect_contains(result.output, "-0.3333333");
  expect_contains(result.output, "gr: 12 of 12 as expected");
}

TEST(CommandLine, AFailedExpectationIsCodeOne) {
  const std::string file = write_file(
      "wrong.toml",
      "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = -1\n[[contact]]\nbodies = [\"a\"]\n"
      "normal = 1\n[expect.velocity]\na = 2\n");
  const CommandResult result = run_carom("impact " + file);
  EXPECT_EQ(result.code, 1);
  expect_contains(result.output, "FAILED  velocity of a[0]: 1 = 2");
  EXPECT_EQ(run_carom("impact --no-expect " + file).code, 0);
}

TEST(CommandLine, ANumericalOutcomeIsCodeThreeUnlessExpected) {
  const std::string text =
      "kind = \"instant\"\n[impact]\nanti_locking = \"off\"\nmax_applications = 10\n"
      "[[body]]\nname = \"a\"\nvelocity = 1\n[[contact]]\nbodies = [\"a\"]\nnormal = 1\n"
      "[[contact]]\nbodies = [\"a\"]\nnormal = -1\n";
  const CommandResult result = run_carom("impact " + write_file("locked.toml", text));
  EXPECT_EQ(result.code, 3);
  expect_contains(result.output, "budget_exhausted");
  const std::string expected = text + "[expect]\nstatus = \"budget_exhausted\"\n";
  EXPECT_EQ(run_carom("impact " + write_file("expected.toml", expected)).code, 0);
}

TEST(CommandLine, AnInfeasibleSqueezeNamesTheRows) {
  const std::string text =
      "kind = \"instant\"\n[[body]]\nname = \"a\"\nvelocity = 0\n"
      "[[body]]\nname = \"left\"\nscripted = true\nvelocity = 1\n"
      "[[body]]\nname = \"right\"\nscripted = true\nvelocity = -1\n"
      "[[contact]]\nname = \"left wall\"\nbodies = [\"a\", \"left\"]\nnormal = 1\n"
      "[[contact]]\nname = \"right wall\"\nbodies = [\"a\", \"right\"]\nnormal = -1\n";
  const CommandResult result = run_carom("impact " + write_file("squeeze.toml", text));
  EXPECT_EQ(result.code, 3);
  expect_contains(result.output, "infeasible");
  expect_contains(result.output, "left wall; right wall");
}

TEST(CommandLine, TraceShowsEveryApplication) {
  const CommandResult result = run_carom("impact gallery/G4-cradle.toml -o gauss_seidel --trace");
  EXPECT_EQ(result.code, 0);
  expect_contains(result.output, "application 1\n    violated  left-middle\n");
  expect_contains(result.output, "application 2\n    violated  middle-right\n");
}

TEST(CommandLine, CertificateShowsMarginAndBound) {
  const CommandResult result = run_carom("impact gallery/A3-wedge.toml --certificate -o gr");
  EXPECT_EQ(result.code, 0);
  // Two unit normals 170 degrees apart: their mean has length sin(5 degrees).
  expect_contains(result.output, "margin 0.08715574");
  expect_contains(result.output, "applications, used 14");
}

TEST(CommandLine, JsonHoldsTheWholeReport) {
  const CommandResult result = run_carom("impact gallery/G4-cradle.toml --json --trace");
  EXPECT_EQ(result.code, 0);
  const Json document = Json::parse(result.output);
  EXPECT_EQ(document["title"], "Newton's cradle of three balls");
  EXPECT_EQ(document["exit_code"], 0);
  ASSERT_EQ(document["runs"].size(), 7U);
  const Json& lcp = document["runs"][3];
  EXPECT_EQ(lcp["operator"], "lcp");
  EXPECT_NEAR(lcp["velocities"]["left"][0].get<double>(), -1.0 / 3.0, 1e-15);
  EXPECT_NEAR(lcp["impulses"][0]["normal"].get<double>(), 4.0 / 3.0, 1e-15);
  EXPECT_EQ(lcp["impulses"][0]["name"], "left-middle");
  EXPECT_EQ(lcp["report"]["components"].size(), 1U);
  EXPECT_TRUE(lcp["report"]["components"][0]["margin"].is_null());
  EXPECT_TRUE(lcp["expect"]["passed"].get<bool>());
  EXPECT_EQ(document["runs"][4]["trace"].size(), 2U);
  EXPECT_EQ(result.output.find("nan"), std::string::npos);
}

TEST(CommandLine, OperatorsListsTheRegistry) {
  const CommandResult text = run_carom("operators");
  EXPECT_EQ(text.code, 0);
  expect_contains(text.output, "gauss_seidel");
  expect_contains(text.output, "order=lexicographic|random|worst");
  const Json list = Json::parse(run_carom("operators --json").output);
  ASSERT_EQ(list.size(), 6U);
  for (const Json& info : list) {
    EXPECT_EQ(info["promises"].size(), 9U);
    EXPECT_EQ(info["promises"]["ONE"], "yes");
  }
}

TEST(CommandLine, GalleryListsChecksAndWritesCurves) {
  const CommandResult list = run_carom("gallery list");
  EXPECT_EQ(list.code, 0);
  expect_contains(list.output, "G4-bernoulli");
  EXPECT_GE(Json::parse(run_carom("gallery list --json").output).size(), 12U);
  const std::filesystem::path out = scratch_directory() / "curves";
  const CommandResult check =
      run_carom("gallery check Q1 U1 --verbose --out '" + out.string() + "'");
  EXPECT_EQ(check.code, 0) << check.output;
  expect_contains(check.output, "mass ratio 1e+06: digits of pi: 3141 = 3141");
  EXPECT_TRUE(std::filesystem::exists(out / "Q1-three_ball_chain.csv"));
  const Json json = Json::parse(run_carom("gallery check A5 --json").output);
  EXPECT_TRUE(json[0]["passed"].get<bool>());
}

TEST(CommandLine, AFailedCheckIsCodeOne) {
  const std::filesystem::path gallery = scratch_directory() / "gallery";
  std::filesystem::create_directories(gallery);
  std::ofstream(gallery / "U1-wrong.toml")
      << "kind = \"instant\"\n[check]\nname = \"galperin\"\nratios = [100]\ndigits = [32]\n";
  const CommandResult result = run_carom("gallery check --gallery '" + gallery.string() + "'");
  EXPECT_EQ(result.code, 1);
  expect_contains(result.output, "FAIL  mass ratio 100: digits of pi: 31 = 32");
}

TEST(CommandLine, ChartShowsWhatEachOperatorBreaks) {
  const CommandResult result = run_carom("gallery chart");
  EXPECT_EQ(result.code, 0);
  std::istringstream lines(result.output);
  std::string line;
  int rows = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "gr" || name == "qce" || name == "lcp") ++rows;
  }
  EXPECT_EQ(rows, 3) << result.output;
  expect_contains(result.output, "Bernoulli's problem");
  expect_contains(result.output, "Newton's cradle");
}

}  // namespace
}  // namespace carom::test
