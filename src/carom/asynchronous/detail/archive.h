#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "carom/core/error.h"
#include "carom/geometry/vec3.h"
#include "carom/stepping/bytes.h"

namespace carom::asynchronous::detail {

/// Writes state as little-endian words of 64 bits; ArchiveReader reads them in the same order, so
/// that one function, template <class Archive> transfer(Archive&, T&), describes each type once.
class ArchiveWriter {
 public:
  static constexpr bool kReads = false;
  explicit ArchiveWriter(std::string& bytes) : bytes_(&bytes) {}

  void word(std::uint64_t& word) { put_word(*bytes_, word); }

 private:
  std::string* bytes_;
};

class ArchiveReader {
 public:
  static constexpr bool kReads = true;
  explicit ArchiveReader(std::string_view bytes) : bytes_(bytes) {}

  void word(std::uint64_t& word) {
    if (bytes_.size() < 8) throw InputError({}, "the checkpoint is too short");
    word = take_word(bytes_);
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

template <class Archive, class T>
requires(std::is_integral_v<T> || std::is_enum_v<T>) void transfer(Archive& archive, T& value) {
  // Through 64 bits with the sign, so that negative numbers return whatever their size.
  auto word = static_cast<std::uint64_t>(static_cast<long long>(value));
  archive.word(word);
  value = static_cast<T>(word);
}

template <class Archive>
void transfer(Archive& archive, double& value) {
  auto word = std::bit_cast<std::uint64_t>(value);
  archive.word(word);
  value = std::bit_cast<double>(word);
}

template <class Archive>
void transfer(Archive& archive, Vec3& v) {
  for (double* number : {&v.x, &v.y, &v.z}) transfer(archive, *number);
}

template <class Archive, class T, std::size_t N>
void transfer(Archive& archive, std::array<T, N>& values) {
  for (T& value : values) transfer(archive, value);
}

template <class Archive, class T>
void transfer(Archive& archive, std::vector<T>& values) {
  std::uint64_t size = values.size();
  archive.word(size);
  if constexpr (Archive::kReads) {
    if (size > archive.left()) throw InputError({}, "the checkpoint is too short");
    values.resize(size);
  }
  for (T& value : values) transfer(archive, value);
}

/// Several one after the other.
template <class Archive, class... Values>
void transfer_all(Archive& archive, Values&... values) {
  (transfer(archive, values), ...);
}

}  // namespace carom::asynchronous::detail
