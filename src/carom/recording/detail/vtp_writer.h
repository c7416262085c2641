#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/recording/detail/output_file.h"

namespace carom::detail {

/// One array of a .vtp file: its XML element and its bytes in the appended block.
struct DataArray {
  std::string name;
  std::string type;
  int components = 1;
  std::span<const std::byte> bytes;
};

template <typename T>
[[nodiscard]] DataArray array_of(const std::string& name, const std::string& type,
                                 const std::vector<T>& values, int components = 1) {
  return {name, type, components, std::as_bytes(std::span(values))};
}

/// Writes the elements first, with the places that the arrays will have, and then the arrays.
class VtpWriter {
 public:
  explicit VtpWriter(OutputFile& out) : out_(out) {}

  void element(const DataArray& array) {
    out_ << "<DataArray type=\"" << array.type << "\" Name=\"" << array.name
         << "\" NumberOfComponents=\"" << array.components << "\" format=\"appended\" offset=\""
         << offset_ << "\"/>\n";
    offset_ += sizeof(std::uint64_t) + array.bytes.size();
    arrays_.push_back(array.bytes);
  }

  void appended() {
    out_ << "<AppendedData encoding=\"raw\">\n_";
    for (const std::span<const std::byte> bytes : arrays_) {
      const std::uint64_t size = bytes.size();
      out_.write(std::as_bytes(std::span(&size, 1)));
      out_.write(bytes);
    }
    out_ << "\n</AppendedData>\n";
  }

 private:
  OutputFile& out_;
  std::uint64_t offset_ = 0;
  std::vector<std::span<const std::byte>> arrays_;
};

/// How each file begins.
inline constexpr std::string_view kVtpBegin =
    "<?xml version=\"1.0\"?>\n<!-- made by Carom -->\n<VTKFile type=\"PolyData\" version=\"1.0\" "
    "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";

}  // namespace carom::detail
