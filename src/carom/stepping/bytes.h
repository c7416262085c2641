#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "carom/geometry/vec3.h"

namespace carom {

// Checkpoints as little-endian words of 64 bits.

inline void put_word(std::string& bytes, std::uint64_t word) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(word >> shift)));
  }
}

inline void put_number(std::string& bytes, double number) {
  put_word(bytes, std::bit_cast<std::uint64_t>(number));
}

inline void put_vector(std::string& bytes, const Vec3& v) {
  for (const double number : {v.x, v.y, v.z}) put_number(bytes, number);
}

/// The caller has looked that there are as many.
inline std::uint64_t take_word(std::string_view& bytes) {
  std::uint64_t word = 0;
  for (unsigned k = 0; k < 8; ++k) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[k])) << (8 * k);
  }
  bytes.remove_prefix(8);
  return word;
}

inline double take_number(std::string_view& bytes) {
  return std::bit_cast<double>(take_word(bytes));
}

inline Vec3 take_vector(std::string_view& bytes) {
  Vec3 v;
  for (double* number : {&v.x, &v.y, &v.z}) *number = take_number(bytes);
  return v;
}

}  // namespace carom
