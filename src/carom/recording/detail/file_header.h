#pragma once

#include <string>
#include <vector>

#include "carom/recording/detail/hdf5.h"
#include "carom/recording/recording.h"

namespace carom::detail {

// All rows of a dataset of rank 1, or of rank 2 with `width` values per row.
template <typename T>
[[nodiscard]] std::vector<T> read_array(hid_t group, const std::string& name, hid_t type) {
  const Handle dataset = open_dataset(group, name);
  const std::vector<hsize_t> shape = extents(dataset.get(), 1, name);
  std::vector<T> values(shape[0]);
  read_rows(dataset.get(), type, shape, {0, shape[0]}, values.data());
  return values;
}

/// What a recording's file says of its run, its scene and its bodies; columns and body columns
/// stand with their rows. Throws Hdf5Error.
void read_header(hid_t file, RecordingHeader& header);

}  // namespace carom::detail
