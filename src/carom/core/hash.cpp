// XXH64 of what was added so far.
#include "carom/core/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace carom {
namespace {

constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87U;
constexpr std::uint64_t kPrime2 = 0xc2b2ae3d27d4eb4fU;
constexpr std::uint64_t kPrime3 = 0x165667b19e3779f9U;
constexpr std::uint64_t kPrime4 = 0x85ebca77c2b2ae63U;
constexpr std::uint64_t kPrime5 = 0x27d4eb2f165667c5U;

// The lanes' first values in the header: seed + p1 + p2, seed + p2, seed, seed - p1.
static_assert(kPrime1 + kPrime2 == 0x60ea27eeadc0b5d6U);
static_assert(0U - kPrime1 == 0x61c8864e7a143579U);

std::uint64_t in_byte_order(std::uint64_t word) {
  if constexpr (std::endian::native == std::endian::little) {
    return word;
  } else {
    std::uint64_t swapped = 0;
    for (int k = 0; k < 8; ++k, word >>= 8U) swapped = (swapped << 8U) | (word & 0xffU);
    return swapped;
  }
}

std::uint64_t word_at(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return in_byte_order(word);
}

std::uint64_t half_word_at(const std::byte* bytes) {
  std::uint64_t word = 0;
  for (unsigned k = 0; k < 4; ++k) word |= std::to_integer<std::uint64_t>(bytes[k]) << (8U * k);
  return word;
}

std::uint64_t round_of(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

std::uint64_t finish(std::uint64_t hash) {
  hash = (hash ^ (hash >> 33U)) * kPrime2;
  hash = (hash ^ (hash >> 29U)) * kPrime3;
  return hash ^ (hash >> 32U);
}

}  // namespace

void Hash64::take_stripe(const std::byte* stripe) {
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    lanes_[k] = round_of(lanes_[k], word_at(stripe + 8 * k));
  }
}

void Hash64::add(std::span<const std::byte> bytes) {
  const std::size_t held = length_ % kStripe;
  length_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(kStripe - held, bytes.size());
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(taken);
    if (held + taken < kStripe) return;
    take_stripe(rest_.data());
  }
  for (; bytes.size() >= kStripe; bytes = bytes.subspan(kStripe)) take_stripe(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

void Hash64::add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }

void Hash64::add(double value) { add(std::bit_cast<std::uint64_t>(value)); }

void Hash64::add(std::uint64_t value) {
  const std::uint64_t word = in_byte_order(value);
  add(std::as_bytes(std::span(&word, 1)));
}

void Hash64::add(std::span<const double> values) {
  if constexpr (std::endian::native == std::endian::little) {
    add(std::as_bytes(values));
  } else {
    for (const double value : values) add(value);
  }
}

void Hash64::add(std::span<const std::uint64_t> values) {
  if constexpr (std::endian::native == std::endian::little) {
    add(std::as_bytes(values));
  } else {
    for (const std::uint64_t value : values) add(value);
  }
}

std::uint64_t Hash64::value() const {
  std::uint64_t hash = kPrime5;
  if (length_ >= kStripe) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ round_of(0, lane)) * kPrime1 + kPrime4;
  }
  hash += length_;
  const std::byte* at = rest_.data();
  std::size_t left = length_ % kStripe;
  for (; left >= 8; left -= 8, at += 8) {
    hash = std::rotl(hash ^ round_of(0, word_at(at)), 27) * kPrime1 + kPrime4;
  }
  if (left >= 4) {
    hash = std::rotl(hash ^ (half_word_at(at) * kPrime1), 23) * kPrime2 + kPrime3;
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) {
    hash = std::rotl(hash ^ (std::to_integer<std::uint64_t>(*at) * kPrime5), 11) * kPrime1;
  }
  return finish(hash);
}

}  // namespace carom
