// A file below HDF5 that remembers the first write that failed.
#include "carom/recording/detail/latched_file.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <unistd.h>

#include "carom/recording/detail/hdf5.h"

namespace carom::detail {
namespace {

// HDF5's view of an open file: its own fields first, then ours.
struct DriverFile {
  H5FD_t common{};
  LatchedFile* file = nullptr;
  haddr_t end_of_allocation = 0;
};

// What travels in the property list.
struct DriverSettings {
  LatchedFile* file = nullptr;
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*maximum*/) {
  const auto* settings = static_cast<const DriverSettings*>(H5Pget_driver_info(access));
  if (settings == nullptr) return nullptr;
  auto opened = std::make_unique<DriverFile>();
  opened->file = settings->file;
  return reinterpret_cast<H5FD_t*>(opened.release());
}

herr_t close_file(H5FD_t* file) {
  const std::unique_ptr<DriverFile> owned(&of(file));
  return 0;
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  if (flags != nullptr) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return of(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  of(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return of(file).file->size(); }

herr_t read_file(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address,
                 std::size_t size, void* buffer) {
  of(file).file->read(std::span(static_cast<std::byte*>(buffer), size), address);
  return 0;
}

herr_t write_file(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address,
                  std::size_t size, const void* buffer) {
  of(file).file->write(std::span(static_cast<const std::byte*>(buffer), size), address);
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  of(file).file->resize(of(file).end_of_allocation);
  return 0;
}

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
  driver.name = "carom_latched";
  driver.maxaddr = HADDR_MAX - 1;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverSettings);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.get_eoa = end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = end_of_file;
  driver.read = read_file;
  driver.write = write_file;
  driver.truncate = truncate_file;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return driver;
}

// Registered once and for good: HDF5 1.10 lets go of a file's driver before it calls the driver's
// close, so the last file of an unregistered driver would be closed through freed memory.
hid_t driver_id() {
  static const H5FD_class_t driver = make_driver();
  static std::mutex mutex;
  static hid_t id = H5I_INVALID_HID;
  const std::lock_guard lock(mutex);
  // Somebody may have closed the library in between.
  if (id == H5I_INVALID_HID || H5Iget_type(id) != H5I_VFL) {
    id = checked(H5FDregister(&driver), "register a file driver");
  }
  return id;
}

}  // namespace

void LatchedFile::use_in(hid_t access) {
  const DriverSettings settings{this};
  demand_ok(H5Pset_driver(access, driver_id(), &settings), "choose a file driver");
}

void LatchedFile::write(std::span<const std::byte> bytes, std::uint64_t offset) {
  size_ = std::max(size_, offset + bytes.size());
  if (error_ == 0) static_cast<void>(write_at(file_.get(), bytes, offset, error_));
}

void LatchedFile::read(std::span<std::byte> bytes, std::uint64_t offset) {
  const std::size_t count = read_at(file_.get(), bytes, offset);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(count), bytes.end(), std::byte{0});
}

void LatchedFile::resize(std::uint64_t size) {
  size_ = size;
  if (error_ == 0 && ::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) error_ = errno;
}

void LatchedFile::sync() {
  if (error_ == 0 && ::fsync(file_.get()) != 0) error_ = errno;
}

}  // namespace carom::detail
