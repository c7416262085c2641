// A dataset of HDF5 that grows row by row.
#include "carom/recording/detail/growing_dataset.h"

#include <algorithm>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

// Large enough to compress well, small enough that one frame is read without much else.
constexpr std::size_t kChunkBytes = 1U << 17U;
constexpr std::size_t kChunkRows = 1024;

Handle dataset_properties(const std::vector<hsize_t>& chunk, unsigned compression) {
  const std::string action = "lay out a dataset";
  Handle properties(checked(H5Pcreate(H5P_DATASET_CREATE), action), H5Pclose);
  demand_ok(H5Pset_obj_track_times(properties.get(), false), action);
  demand_ok(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), action);
  if (compression > 0) {
    demand_ok(H5Pset_shuffle(properties.get()), action);
    demand_ok(H5Pset_deflate(properties.get(), compression), action);
  }
  demand_ok(H5Pset_fletcher32(properties.get()), action);
  return properties;
}

}  // namespace

GrowingDataset::GrowingDataset(hid_t group, const DatasetInfo& info, const Layout& layout)
    : name_(info.name),
      type_(checked(H5Tcopy(layout.type), "copy a type"), H5Tclose),
      row_(layout.row) {
  const std::string action = "create the dataset " + name_;
  const std::size_t value_size = H5Tget_size(type_.get());
  row_size_ = value_size;
  for (const hsize_t extent : row_) row_size_ *= extent;
  chunk_rows_ = std::clamp<std::size_t>(kChunkBytes / std::max<std::size_t>(row_size_, 1), 1,
                                        row_.empty() && value_size == 1 ? kChunkBytes : kChunkRows);
  if (layout.expected_rows > 0) chunk_rows_ = std::min(chunk_rows_, layout.expected_rows);

  std::vector<hsize_t> extent = {0};
  std::vector<hsize_t> limit = {H5S_UNLIMITED};
  std::vector<hsize_t> chunk = {chunk_rows_};
  for (const hsize_t size : row_) {
    extent.push_back(size);
    limit.push_back(size == 0 ? H5S_UNLIMITED : size);
    chunk.push_back(std::clamp<hsize_t>(size, 1, kChunkBytes / (3 * sizeof(double))));
  }
  const int rank = static_cast<int>(extent.size());
  const Handle space(checked(H5Screate_simple(rank, extent.data(), limit.data()), action),
                     H5Sclose);
  const Handle properties = dataset_properties(chunk, layout.compression);
  dataset_ = Handle(checked(H5Dcreate2(group, name_.c_str(), type_.get(), space.get(), H5P_DEFAULT,
                                       properties.get(), H5P_DEFAULT),
                            action),
                    H5Dclose);
  if (!info.unit.empty()) write_attribute(dataset_.get(), "unit", info.unit);
  write_attribute(dataset_.get(), "description", info.description);
}

void GrowingDataset::append(std::span<const std::byte> rows) {
  if (row_size_ == 0) return;
  CAROM_ASSERT(rows.size() % row_size_ == 0);
  const std::size_t full = chunk_rows_ * row_size_;
  while (!rows.empty()) {
    const std::size_t taken = std::min(full - gathered_.size(), rows.size());
    gathered_.insert(gathered_.end(), rows.begin(),
                     rows.begin() + static_cast<std::ptrdiff_t>(taken));
    rows = rows.subspan(taken);
    if (gathered_.size() == full) write_gathered();
  }
}

void GrowingDataset::finish() {
  if (!gathered_.empty()) write_gathered();
}

void GrowingDataset::write_gathered() {
  const std::string action = "write the dataset " + name_;
  std::vector<hsize_t> start(row_.size() + 1, 0);
  std::vector<hsize_t> count = {gathered_.size() / row_size_};
  count.insert(count.end(), row_.begin(), row_.end());
  std::vector<hsize_t> extent = count;
  start[0] = written_;
  extent[0] = written_ + count[0];
  demand_ok(H5Dset_extent(dataset_.get(), extent.data()), action);
  const Handle file_space(checked(H5Dget_space(dataset_.get()), action), H5Sclose);
  demand_ok(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                count.data(), nullptr),
            action);
  const Handle memory_space(
      checked(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), action),
      H5Sclose);
  demand_ok(H5Dwrite(dataset_.get(), type_.get(), memory_space.get(), file_space.get(), H5P_DEFAULT,
                     gathered_.data()),
            action);
  written_ = extent[0];
  gathered_.clear();
}

}  // namespace carom::detail
