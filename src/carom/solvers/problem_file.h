#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "carom/solvers/block_rows.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {

/// A quadratic program that owns all it refers to.
struct StoredProblem {
  BlockRows rows;
  std::vector<Index> selection;
  std::vector<double> c;
  std::vector<double> lower;  ///< empty: all 0
  std::vector<double> upper;  ///< empty: all +infinity

  [[nodiscard]] QuadraticProgram view() const { return {&rows, selection, c, lower, upper, {}}; }
};

/// Writes a problem as plain text, one item a line, numbers with all their digits:
///
///   carom-qp 1
///   blocks 2
///   block 1 0.5                     size, then size x size inverse masses, row by row
///   block 2 1 0 0 1
///   rows 1
///   row 2 0 -1 1 0.5 0.25           number of parts; each: block, then as many numbers as it has
///   selection 1
///   select 0 -2.5 0 inf             row, c, lower, upper
///   end
///
/// All rows are written, the selected and the others; empty lines and lines that begin with # are
/// left out by the reader. A start is not written.
void write_problem(std::ostream& out, const QuadraticProgram& problem);

/// Reads what write_problem writes, bit for bit. Throws InputError with file, line and column on
/// anything else: unknown words, numbers that are not finite (an upper bound may be inf), indices
/// out of range, blocks that are not symmetric positive definite, rows
/// selected twice, bounds in the wrong order, counts that the rest of the file cannot hold, and
/// text after the end.
[[nodiscard]] StoredProblem read_problem(std::istream& in, const std::string& file_name);

}  // namespace carom::solvers
