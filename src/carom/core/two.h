#pragma once

#include <cmath>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace carom {

/// Two numbers that are treated alike, in one register where the processor has such. Every
/// operation is that of two doubles, to the bit.
class Two {
 public:
#if defined(__SSE2__)
  static Two at(const double* from) { return Two(_mm_loadu_pd(from)); }
  static Two of(double both) { return Two(_mm_set1_pd(both)); }
  static Two of(double first, double second) { return Two(_mm_set_pd(second, first)); }
  void store(double* to) const { _mm_storeu_pd(to, both_); }
  [[nodiscard]] double first() const { return _mm_cvtsd_f64(both_); }
  [[nodiscard]] double second() const { return _mm_cvtsd_f64(_mm_unpackhi_pd(both_, both_)); }
  friend Two operator+(Two a, Two b) { return Two(_mm_add_pd(a.both_, b.both_)); }
  friend Two operator-(Two a, Two b) { return Two(_mm_sub_pd(a.both_, b.both_)); }
  friend Two operator*(Two a, Two b) { return Two(_mm_mul_pd(a.both_, b.both_)); }
  friend Two operator/(Two a, Two b) { return Two(_mm_div_pd(a.both_, b.both_)); }
  friend Two square_roots(Two a) { return Two(_mm_sqrt_pd(a.both_)); }
  /// b where one of the two is not a number.
  friend Two larger(Two a, Two b) { return Two(_mm_max_pd(a.both_, b.both_)); }
  friend Two smaller(Two a, Two b) { return Two(_mm_min_pd(a.both_, b.both_)); }
  /// value where a > 0, else 0.
  friend Two where_positive(Two a, Two value) {
    return Two(_mm_and_pd(_mm_cmpgt_pd(a.both_, _mm_setzero_pd()), value.both_));
  }

 private:
  explicit Two(__m128d both) : both_(both) {}
  __m128d both_;
#else
  static Two at(const double* from) { return {from[0], from[1]}; }
  static Two of(double both) { return {both, both}; }
  static Two of(double first, double second) { return {first, second}; }
  void store(double* to) const {
    to[0] = first_;
    to[1] = second_;
  }
  [[nodiscard]] double first() const { return first_; }
  [[nodiscard]] double second() const { return second_; }
  friend Two operator+(Two a, Two b) { return {a.first_ + b.first_, a.second_ + b.second_}; }
  friend Two operator-(Two a, Two b) { return {a.first_ - b.first_, a.second_ - b.second_}; }
  friend Two operator*(Two a, Two b) { return {a.first_ * b.first_, a.second_ * b.second_}; }
  friend Two operator/(Two a, Two b) { return {a.first_ / b.first_, a.second_ / b.second_}; }
  friend Two square_roots(Two a) { return {std::sqrt(a.first_), std::sqrt(a.second_)}; }
  /// b where one of the two is not a number.
  friend Two larger(Two a, Two b) {
    return {a.first_ > b.first_ ? a.first_ : b.first_,
            a.second_ > b.second_ ? a.second_ : b.second_};
  }
  friend Two smaller(Two a, Two b) {
    return {a.first_ < b.first_ ? a.first_ : b.first_,
            a.second_ < b.second_ ? a.second_ : b.second_};
  }
  /// value where a > 0, else 0.
  friend Two where_positive(Two a, Two value) {
    return {a.first_ > 0.0 ? value.first_ : 0.0, a.second_ > 0.0 ? value.second_ : 0.0};
  }

 private:
  Two(double first, double second) : first_(first), second_(second) {}
  double first_;
  double second_;
#endif
};

}  // namespace carom
