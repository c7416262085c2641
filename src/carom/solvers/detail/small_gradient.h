#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "carom/solvers/small_factor.h"

namespace carom::solvers {

/// What A x + c is, and how large its terms are, for the first `count` rows.
struct SmallGradient {
  double largest_x = 0.0;
  double size = 0.0;  ///< |c|_inf + |A|_inf |x|_inf

  SmallGradient(std::size_t count, const std::array<SmallFactor::Line, SmallFactor::kMostRows>& a,
                const SmallFactor::Line& c, const SmallFactor::Line& x,
                SmallFactor::Line& gradient) {
    double largest_c = 0.0;
    double largest_a = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      double g = c[i];
      double line = 0.0;
      for (std::size_t j = 0; j < count; ++j) {
        g += a[i][j] * x[j];
        line += std::abs(a[i][j]);
      }
      gradient[i] = g;
      largest_c = std::max(largest_c, std::abs(c[i]));
      largest_x = std::max(largest_x, std::abs(x[i]));
      largest_a = std::max(largest_a, line);
    }
    size = largest_c + largest_a * largest_x;
  }
};

}  // namespace carom::solvers
