#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/solvers/problem_file.h"

namespace carom::bench {

/// One way to solve a part.
class PartMethod {
 public:
  PartMethod() = default;
  PartMethod(const PartMethod&) = delete;
  PartMethod& operator=(const PartMethod&) = delete;
  virtual ~PartMethod() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Takes the part in; false where it is not made for it.
  virtual bool prepare(const solvers::StoredProblem& part) = 0;
  /// What is timed. False: no solution.
  virtual bool solve() = 0;
};

/// small_pivoting (what fits), linked_pivoting, and those of the QpSolvers that are made for it.
[[nodiscard]] std::vector<std::unique_ptr<PartMethod>> part_methods();

}  // namespace carom::bench
