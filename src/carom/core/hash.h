#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace carom {

/// A running 64-bit hash: XXH64 with seed 0 (Yann Collet's xxHash), of everything added so far as
/// one string of bytes. Numbers enter as their eight bytes, lowest first, on every platform, so any
/// implementation of XXH64 reproduces the value from the same bytes. How the bytes are split over
/// calls does not matter. Doubles enter by their bits: 0.0 and -0.0 differ.
///
/// Made for state hashes and for checksums against accidents; it does not resist intent.
class Hash64 {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  void add(double value);
  void add(std::uint64_t value);
  void add(std::span<const double> values);
  void add(std::span<const std::uint64_t> values);

  /// The hash of what was added; more may follow.
  [[nodiscard]] std::uint64_t value() const;

 private:
  static constexpr std::size_t kStripe = 32;  ///< bytes that the four lanes take in at once

  void take_stripe(const std::byte* stripe);

  std::array<std::uint64_t, 4> lanes_ = {0x60ea27eeadc0b5d6U, 0xc2b2ae3d27d4eb4fU, 0U,
                                         0x61c8864e7a143579U};
  std::array<std::byte, kStripe> rest_{};  ///< the bytes of a stripe that is not complete yet
  std::uint64_t length_ = 0;
};

}  // namespace carom
