#pragma once

#include <cstdint>
#include <hdf5.h>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace carom::detail {

/// A call of the HDF5 library failed. Never leaves the module: readers make it an InputError,
/// writers a RecordingError.
class Hdf5Error : public std::runtime_error {
 public:
  /// `action` is what was tried; the library's own words are added.
  explicit Hdf5Error(const std::string& action);
};

/// Owns an identifier of the HDF5 library.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close how) : id_(id), close_(how) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }

  [[nodiscard]] hid_t get() const { return id_; }
  void close();

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// While it lives the library does not print its error stack; afterwards it does what it did.
class QuietErrors {
 public:
  QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
  ~QuietErrors();

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The identifier, or Hdf5Error when the call failed.
hid_t checked(hid_t id, const std::string& action);
void demand_ok(herr_t result, const std::string& action);

// Properties that keep times out of the file: the same content gives the same bytes.
[[nodiscard]] Handle new_group(hid_t parent, const std::string& name);
[[nodiscard]] Handle open_group(hid_t parent, const std::string& name);
[[nodiscard]] Handle open_dataset(hid_t parent, const std::string& name);

/// A fixed-length UTF-8 text type of `size` bytes, padded with zeros; at least 1 byte.
[[nodiscard]] Handle text_type(std::size_t size);

void write_attribute(hid_t object, const std::string& name, const std::string& value);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);

[[nodiscard]] std::string read_text_attribute(hid_t object, const std::string& name);
[[nodiscard]] double read_real_attribute(hid_t object, const std::string& name);
[[nodiscard]] std::uint64_t read_integer_attribute(hid_t object, const std::string& name);

/// The extents of a dataset; Hdf5Error when it has another rank.
[[nodiscard]] std::vector<hsize_t> extents(hid_t dataset, std::size_t rank,
                                           const std::string& name);

/// Reads `count` rows from `first` on (a row is everything at one index of the first dimension)
/// into memory that has room for them.
void read_rows(hid_t dataset, hid_t memory_type, std::span<const hsize_t> shape,
               std::pair<hsize_t, hsize_t> rows, void* values);

/// Names of the links in a group, in alphabetical order.
[[nodiscard]] std::vector<std::string> link_names(hid_t group);

}  // namespace carom::detail
