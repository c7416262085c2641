#pragma once

#include <cmath>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace carom::detail {

/// Two numbers that are treated alike.
struct Paired {
  double first = 0.0;
  double second = 0.0;
};

/// Both square roots in the time of one, where the processor can; correctly rounded either way.
[[nodiscard]] inline Paired square_roots(double first, double second) {
#if defined(__SSE2__)
  const __m128d roots = _mm_sqrt_pd(_mm_set_pd(second, first));
  return {_mm_cvtsd_f64(roots), _mm_cvtsd_f64(_mm_unpackhi_pd(roots, roots))};
#else
  return {std::sqrt(first), std::sqrt(second)};
#endif
}

/// Both quotients likewise.
[[nodiscard]] inline Paired quotients(double first, double second, double divisor) {
#if defined(__SSE2__)
  const __m128d both = _mm_div_pd(_mm_set_pd(second, first), _mm_set1_pd(divisor));
  return {_mm_cvtsd_f64(both), _mm_cvtsd_f64(_mm_unpackhi_pd(both, both))};
#else
  return {first / divisor, second / divisor};
#endif
}

}  // namespace carom::detail
