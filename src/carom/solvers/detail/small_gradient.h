#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/solvers/small_factor.h"

namespace carom::solvers {

/// What A x + c is, and how large its terms are, for a program with `count`, `a`, `c` and `x`.
struct SmallGradient {
  double largest_x = 0.0;
  double size = 0.0;  ///< |c|_inf + |A|_inf |x|_inf

  template <class Program>
  SmallGradient(const Program& program, SmallFactor::Line& gradient) {
    double largest_c = 0.0;
    double largest_a = 0.0;
    for (std::size_t i = 0; i < program.count; ++i) {
      double g = program.c[i];
      double line = 0.0;
      for (std::size_t j = 0; j < program.count; ++j) {
        g += program.a[i][j] * program.x[j];
        line += std::abs(program.a[i][j]);
      }
      gradient[i] = g;
      largest_c = std::max(largest_c, std::abs(program.c[i]));
      largest_x = std::max(largest_x, std::abs(program.x[i]));
      largest_a = std::max(largest_a, line);
    }
    size = largest_c + largest_a * largest_x;
  }
};

}  // namespace carom::solvers
