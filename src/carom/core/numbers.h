#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>

#include "carom/core/assert.h"
#include "carom/core/error.h"

namespace carom {

/// A short list of numbers held in place: a vector of the plane or of space, or the velocity of one
/// body (at most 6 numbers). Reads from a braced list: `Numbers v = {1.0, 0.0};`
class Numbers {
 public:
  static constexpr std::size_t kCapacity = 6;

  constexpr Numbers() = default;
  // Implicit on purpose: definitions are written with braces.
  Numbers(std::initializer_list<double> values)
      : Numbers(std::span<const double>(values.begin(), values.size())) {}
  explicit Numbers(std::span<const double> values) : size_(values.size()) {
    if (size_ > kCapacity) {
      throw InputError({}, "at most 6 numbers are possible here, found " + std::to_string(size_));
    }
    for (std::size_t k = 0; k < size_; ++k) values_[k] = values[k];
  }
  static Numbers zeros(std::size_t size) {
    Numbers result;
    CAROM_DEMAND(size <= kCapacity);
    result.size_ = size;
    return result;
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  double& operator[](std::size_t k) { return values_[k]; }
  double operator[](std::size_t k) const { return values_[k]; }
  [[nodiscard]] const double* begin() const { return values_.data(); }
  [[nodiscard]] const double* end() const { return values_.data() + size_; }
  [[nodiscard]] double* begin() { return values_.data(); }
  [[nodiscard]] double* end() { return values_.data() + size_; }

 private:
  std::array<double, kCapacity> values_{};
  std::size_t size_ = 0;
};

}  // namespace carom
