#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace carom::detail {

/// A whole number of units 2^(-1074 k) for products of k doubles: two's complement in so many
/// digits that the sum of six products of three differences of any finite doubles has room
/// (3 (1024 + 1074 + 1) + 3 bits). Slow, for numbers that expansions cannot hold.
class WideInteger {
 public:
  static constexpr std::size_t kDigits = 200;

  WideInteger() = default;
  /// Every finite double is a whole number of units 2^-1074.
  explicit WideInteger(double value) {
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    int shift = exponent - 53 + 1074;
    if (shift < 0) {  // below the normal numbers the last bits of the mantissa are zeros
      mantissa >>= static_cast<unsigned>(-shift);
      shift = 0;
    }
    const auto first = static_cast<std::size_t>(shift / 32);
    const auto bits = static_cast<unsigned>(shift % 32);
    digits_[first] = static_cast<std::uint32_t>(mantissa << bits);
    digits_[first + 1] = static_cast<std::uint32_t>((mantissa >> (32 - bits)) & 0xffffffffU);
    digits_[first + 2] = bits == 0 ? 0 : static_cast<std::uint32_t>(mantissa >> (64 - bits));
    if (value < 0.0) *this = WideInteger() - *this;
  }

  friend WideInteger operator-(const WideInteger& a, const WideInteger& b) {
    WideInteger result;
    std::uint64_t carry = 1;  // a + (not b) + 1
    for (std::size_t k = 0; k < kDigits; ++k) {
      carry += std::uint64_t{a.digits_[k]} + static_cast<std::uint32_t>(~b.digits_[k]);
      result.digits_[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    return result;
  }

  /// Modulo 2^(32 kDigits), which is right for either sign while the product has room.
  friend WideInteger operator*(const WideInteger& a, const WideInteger& b) {
    WideInteger result;
    for (std::size_t i = 0; i < kDigits; ++i) {
      const std::uint64_t factor = a.digits_[i];
      if (factor == 0) continue;
      std::uint64_t carry = 0;
      for (std::size_t j = 0; i + j < kDigits; ++j) {
        carry += factor * b.digits_[j] + result.digits_[i + j];
        result.digits_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32U;
      }
    }
    return result;
  }

  [[nodiscard]] int sign() const {
    if ((digits_[kDigits - 1] >> 31U) != 0) return -1;
    for (const std::uint32_t digit : digits_) {
      if (digit != 0) return 1;
    }
    return 0;
  }

 private:
  std::array<std::uint32_t, kDigits> digits_{};  // smallest first
};

}  // namespace carom::detail
