// Stored problems: what is written is read back bit for bit, and nothing else is read at all.

#include "carom/solvers/problem_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/solvers/linked_pivoting.h"

#include "solvers/qp_families.h"
#include "support/directories.h"

namespace carom::solvers {
namespace {

using families::Instance;

std::string written(const QuadraticProgram& problem) {
  std::ostringstream out;
  write_problem(out, problem);
  return out.str();
}

StoredProblem read(const std::string& text) {
  std::istringstream in(text);
  return read_problem(in, "test.qp");
}

TEST(ProblemFile, ComesBackBitForBit) {
  for (const Instance& instance :
       {families::rack(4), families::box_stack(3, 1), families::random_graph(5, 9, 3, 2),
        families::boxed(families::random_graph(5, 9, 6, 3), 1),
        families::badly_scaled(families::chain(9, 1e6, families::Rows::violated, 3), 2)}) {
    const StoredProblem stored = read(written(instance.view()));
    EXPECT_EQ(stored.selection, instance.selection) << instance.name;
    EXPECT_EQ(stored.c, instance.c) << instance.name;
    EXPECT_EQ(stored.lower, instance.lower) << instance.name;
    EXPECT_EQ(stored.upper, instance.upper) << instance.name;
    ASSERT_EQ(stored.rows.row_count(), instance.rows.row_count()) << instance.name;
    for (Index row = 0; row < stored.rows.row_count(); ++row) {
      ASSERT_EQ(stored.rows.entries(row).size(), instance.rows.entries(row).size());
      for (std::size_t k = 0; k < stored.rows.entries(row).size(); ++k) {
        const std::span<const double> a = stored.rows.gradient(stored.rows.entries(row)[k]);
        const std::span<const double> b = instance.rows.gradient(instance.rows.entries(row)[k]);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << instance.name;
      }
    }
    EXPECT_EQ(written(stored.view()), written(instance.view())) << instance.name;
  }
}

TEST(ProblemFile, EmptyLinesCommentsAndWindowsLineEndsAreSkipped) {
  const StoredProblem stored = read(
      "# a ball on the ground\r\n\ncarom-qp 1\r\nblocks 1\r\n  block 1 0.5\r\n# one row\r\nrows 1\n"
      "row 1 0 1\nselection 1\nselect 0 -2 0 inf\n\nend\n\n# done\n");
  EXPECT_EQ(stored.c, std::vector<double>{-2.0});
  EXPECT_TRUE(stored.upper.empty());
  EXPECT_EQ(solve_qp(stored.view()).x, std::vector<double>{4.0});
}

struct BadFile {
  const char* name;
  const char* text;
  int line;
  int column;
  const char* says;
};

class BadProblemFile : public testing::TestWithParam<BadFile> {};

TEST_P(BadProblemFile, IsRefusedWithItsPlace) {
  const BadFile& bad = GetParam();
  try {
    static_cast<void>(read(bad.text));
    FAIL() << "it was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, "test.qp");
    EXPECT_EQ(error.place().line, bad.line) << error.what();
    EXPECT_EQ(error.place().column, bad.column) << error.what();
    EXPECT_NE(error.message().find(bad.says), std::string::npos) << error.what();
  }
}

#define CAROM_HEAD "carom-qp 1\nblocks 1\nblock 2 1 0 0 1\n"
#define CAROM_ROWS CAROM_HEAD "rows 2\nrow 1 0 1 0\nrow 1 0 0 1\n"

INSTANTIATE_TEST_SUITE_P(
    All, BadProblemFile,
    testing::Values(
        BadFile{"Empty", "", 1, 1, "carom-qp 1"},
        BadFile{"OtherFormat", "solid cube\n", 1, 1, "carom-qp 1"},
        BadFile{"OtherVersion", "carom-qp 2\n", 1, 1, "carom-qp 1"},
        BadFile{"NothingAfterTheFirstLine", "carom-qp 1\n", 1, 1, "blocks"},
        BadFile{"WrongWord", "carom-qp 1\nbodies 1\n", 2, 1, "'bodies'"},
        BadFile{"NegativeCount", "carom-qp 1\nblocks -1\n", 2, 8, "'-1'"},
        BadFile{"FractionalCount", "carom-qp 1\nblocks 1.5\n", 2, 8, "'1.5'"},
        BadFile{"HugeCount", "carom-qp 1\nblocks 4000000000\n", 2, 8, "at most"},
        BadFile{"OverflowingCount", "carom-qp 1\nblocks 99999999999999999999999\n", 2, 8,
                "too large"},
        BadFile{"NoCount", "carom-qp 1\nblocks\n", 2, 7, "the line ends"},
        BadFile{"TextAfterCount", "carom-qp 1\nblocks 1 1\nblock 1 1\n", 2, 10, "'1'"},
        BadFile{"BlockOfNothing", "carom-qp 1\nblocks 1\nblock 0\nrows 0\n", 3, 7, "1 to 6"},
        BadFile{"BlockOfSeven", "carom-qp 1\nblocks 1\nblock 7\nrows 0\n", 3, 7, "at most 6"},
        BadFile{"BlockTooShort", "carom-qp 1\nblocks 1\nblock 2 1 0 0\nrows 0\n", 3, 14,
                "the line ends"},
        BadFile{"BlockTooLong", "carom-qp 1\nblocks 1\nblock 1 1 2\nrows 0\n", 3, 11, "'2'"},
        BadFile{"BlockNotSymmetric", "carom-qp 1\nblocks 1\nblock 2 1 0.5 0.25 1\nrows 0\n", 3, 15,
                "symmetric"},
        BadFile{"BlockNegative", "carom-qp 1\nblocks 1\nblock 1 -1\nrows 0\n", 3, 9, "positive"},
        BadFile{"BlockIndefinite", "carom-qp 1\nblocks 1\nblock 2 1 2 2 1\nrows 0\n", 3, 15,
                "positive definite"},
        BadFile{"BlockNotANumber", "carom-qp 1\nblocks 1\nblock 1 nan\nrows 0\n", 3, 9, "finite"},
        BadFile{"BlockInfinite", "carom-qp 1\nblocks 1\nblock 1 inf\nrows 0\n", 3, 9, "finite"},
        BadFile{"BlockOverflow", "carom-qp 1\nblocks 1\nblock 1 1e999\nrows 0\n", 3, 9, "double"},
        BadFile{"BlockWord", "carom-qp 1\nblocks 1\nblock 1 one\nrows 0\n", 3, 9, "'one'"},
        BadFile{"FewerBlocks", "carom-qp 1\nblocks 2\nblock 1 1\nrows 0\n", 4, 1, "'block'"},
        BadFile{"RowOutOfRange", CAROM_HEAD "rows 1\nrow 1 1 1 0\n", 5, 7, "at most 0"},
        BadFile{"RowTooManyParts", CAROM_HEAD "rows 1\nrow 2 0 1 0 0 0 1\n", 5, 5, "at most 1"},
        BadFile{"RowTooShort", CAROM_HEAD "rows 1\nrow 1 0 1\n", 5, 10, "the line ends"},
        BadFile{"RowNotANumber", CAROM_HEAD "rows 1\nrow 1 0 1 nan\n", 5, 11, "finite"},
        BadFile{"BlockTwice", "carom-qp 1\nblocks 2\nblock 1 1\nblock 1 1\nrows 1\nrow 2 0 1 0 1\n",
                6, 11, "twice"},
        BadFile{"SelectionMissing", CAROM_ROWS, 6, 1, "selection"},
        BadFile{"SelectionOutOfRange", CAROM_ROWS "selection 1\nselect 2 0 0 1\nend\n", 8, 8,
                "at most 1"},
        BadFile{"SelectedTwice", CAROM_ROWS "selection 2\nselect 1 0 0 1\nselect 1 0 0 1\nend\n", 9,
                8, "twice"},
        BadFile{"InfiniteLower", CAROM_ROWS "selection 1\nselect 1 0 -inf 1\nend\n", 8, 12,
                "finite"},
        BadFile{"CrossedBounds", CAROM_ROWS "selection 1\nselect 1 0 2 1\nend\n", 8, 14, "below"},
        BadFile{"NoEnd", CAROM_ROWS "selection 0\n", 7, 1, "'end'"},
        BadFile{"WordForEnd", CAROM_ROWS "selection 0\nstop\n", 8, 1, "'end'"},
        BadFile{"TextAfterEnd", CAROM_ROWS "selection 0\nend\nselect 0 0 0 0\n", 9, 1, "after"},
        BadFile{"TextBehindEnd", CAROM_ROWS "selection 0\nend now\n", 8, 5, "'now'"}),
    [](const auto& bad) { return std::string(bad.param.name); });

#undef CAROM_ROWS
#undef CAROM_HEAD

// Every prefix of a good file is a bad file, and none of them does more than say so.
TEST(ProblemFile, ATornFileIsRefused) {
  const std::string whole = written(families::boxed(families::rack(2), 1).view());
  for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
    EXPECT_THROW(static_cast<void>(read(whole.substr(0, length))), InputError) << length;
  }
}

std::vector<std::filesystem::path> files_in(const std::string& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_directory() + directory)) {
    if (entry.path().extension() == ".qp") files.push_back(entry.path());
  }
  return files;
}

StoredProblem read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return read_problem(in, path.string());
}

void expect_solved_by_every_solver(const StoredProblem& problem) {
  for (const std::string& name : qp_solver_names()) {
    if (name == "closed_form") continue;
    QpResult result;
    make_qp_solver(name)->solve(problem.view(), {}, result);
    EXPECT_EQ(result.status, QpStatus::solved) << name;
    EXPECT_LE(kkt_residual(problem.view(), result.x), 1e-12) << name;
  }
}

TEST(StoredProblems, AllOfThemAreSolvedByEverySolver) {
  const std::vector<std::filesystem::path> files = files_in("/tests/problems");
  EXPECT_GE(files.size(), 6U);
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    expect_solved_by_every_solver(read(file));
  }
}

TEST(StoredProblems, PartsOfImpactsAreSolvedAlongTheirContacts) {
  const std::vector<std::filesystem::path> files = files_in("/tests/problems/parts");
  EXPECT_GE(files.size(), 50U);
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    const StoredProblem part = read(file);
    expect_solved_by_every_solver(part);
    const std::optional<LinkedRows<2>> links = linked_rows<2>(part.view());
    ASSERT_TRUE(links.has_value());
    std::vector<double> x(part.c.size(), 0.0);
    EXPECT_TRUE(LinkedPivoting<2>().solve(*links, part.c, x));
    EXPECT_LE(kkt_residual(part.view(), x), 1e-13);
  }
}

}  // namespace
}  // namespace carom::solvers
