#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/solvers/quadratic_program.h"

/// Ipopt on the same problems: a reference for tests and benchmarks, never part of the library.
/// Defined only where CAROM_HAVE_IPOPT is.
namespace carom::solvers {

struct IpoptAnswer {
  bool solved = false;  ///< Ipopt says so
  std::vector<double> x;
  double kkt_residual = 0.0;  ///< residual (2) of quadratic_program.h
  double seconds = 0.0;       ///< of the solve alone: set-up and assembly of A are not counted
  std::uint64_t iterations = 0;
};

/// The application is initialised once; each solve hands it A_SS as a constant sparse Hessian.
class IpoptReference {
 public:
  explicit IpoptReference(double tolerance = 1e-12);
  ~IpoptReference();
  IpoptReference(const IpoptReference&) = delete;
  IpoptReference& operator=(const IpoptReference&) = delete;

  [[nodiscard]] IpoptAnswer solve(const QuadraticProgram& problem);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace carom::solvers
