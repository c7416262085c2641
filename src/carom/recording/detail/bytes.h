#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace carom::detail {

// The journal is written lowest byte first, without conversion.
static_assert(std::endian::native == std::endian::little, "the journal needs byte swapping here");

/// Packs plain values one behind the other.
class ByteWriter {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    put_array(std::span<const T>(&value, 1));
  }
  template <typename T>
  void put_array(std::span<const T> values) {
    const std::span<const std::byte> raw = std::as_bytes(values);
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    put_array(std::span(text));
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_;
};

/// Unpacks them again. Asking for more than there is gives zeros and makes ok() false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  T get() {
    T value{};
    get_array(std::span<T>(&value, 1));
    return value;
  }
  template <typename T>
  void get_array(std::span<T> values) {
    const std::size_t size = values.size_bytes();
    if (size > bytes_.size()) {
      ok_ = false;
      bytes_ = {};
      return;
    }
    if (size > 0) std::memcpy(values.data(), bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  /// A vector whose length stands in front of it.
  template <typename T>
  std::vector<T> get_vector() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) {
      ok_ = false;
      return {};
    }
    std::vector<T> values(count);
    get_array(std::span<T>(values));
    return values;
  }
  std::string get_text() {
    const std::vector<char> text = get_vector<char>();
    return {text.begin(), text.end()};
  }

  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// True when everything asked for was there.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

}  // namespace carom::detail
