#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "carom/recording/detail/hdf5.h"

namespace carom::detail {

/// What a dataset is called and what stands in it.
struct DatasetInfo {
  std::string name;
  std::string unit;  ///< "" when there is none
  std::string description;
};

/// A dataset that grows along its first dimension: chunked, shuffled, deflated, every chunk with a
/// checksum (Fletcher 32), so that a damaged one is never read as numbers. Rows are gathered until
/// a row of chunks is full, because a compressed chunk should be written once.
class GrowingDataset {
 public:
  /// `row` is the shape of one row, {} for single values.
  struct Layout {
    hid_t type = H5I_INVALID_HID;  ///< in memory and in the file
    std::vector<hsize_t> row;
    unsigned compression = 0;
    hsize_t expected_rows = 0;  ///< where it is known, so that chunks are not larger; 0: unknown
  };

  GrowingDataset(hid_t group, const DatasetInfo& info, const Layout& layout);

  /// Appends rows; the size of `rows` must be a multiple of the size of one.
  void append(std::span<const std::byte> rows);
  template <typename T>
  void append_values(std::span<const T> values) {
    append(std::as_bytes(values));
  }
  /// Writes what is gathered; to be called once, at the end.
  void finish();

  [[nodiscard]] hid_t id() const { return dataset_.get(); }

 private:
  void write_gathered();

  std::string name_;
  Handle type_;
  Handle dataset_;
  std::vector<hsize_t> row_;
  std::size_t row_size_ = 0;  ///< bytes
  hsize_t chunk_rows_ = 1;    ///< rows that are written together
  hsize_t written_ = 0;
  std::vector<std::byte> gathered_;
};

}  // namespace carom::detail
