// Calls of HDF5 with their failures.
#include "carom/recording/detail/hdf5.h"

#include <algorithm>
#include <utility>

namespace carom::detail {
namespace {

// The innermost entry of the error stack says what really happened.
std::string last_words() {
  std::string words;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned number, const H5E_error2_t* entry, void* text) -> herr_t {
        if (number == 0 && entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
        return 0;
      },
      &words);
  H5Eclear2(H5E_DEFAULT);
  return words;
}

Handle open_attribute(hid_t object, const std::string& name) {
  return {checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), "read the attribute " + name),
          H5Aclose};
}

void write_scalar(hid_t object, const std::string& name, hid_t file_type,
                  std::pair<hid_t, const void*> value) {
  const std::string action = "write the attribute " + name;
  const Handle space(checked(H5Screate(H5S_SCALAR), action), H5Sclose);
  const Handle attribute(
      checked(H5Acreate2(object, name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
              action),
      H5Aclose);
  demand_ok(H5Awrite(attribute.get(), value.first, value.second), action);
}

template <typename T>
T read_scalar(hid_t object, const std::string& name, hid_t type) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(checked(H5Aget_space(attribute.get()), "read the attribute " + name),
                     H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1) {
    throw Hdf5Error("read the attribute " + name + ", which is not one value");
  }
  T value{};
  demand_ok(H5Aread(attribute.get(), type, &value), "read the attribute " + name);
  return value;
}

}  // namespace

Hdf5Error::Hdf5Error(const std::string& action)
    : std::runtime_error("cannot " + action + " (" + last_words() + ")") {}

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    close();
    id_ = std::exchange(other.id_, H5I_INVALID_HID);
    close_ = other.close_;
  }
  return *this;
}

void Handle::close() {
  if (id_ >= 0) close_(id_);
  id_ = H5I_INVALID_HID;
}

QuietErrors::QuietErrors() {
  // A damaged file makes HDF5 1.10 lose track of its own memory, about which it would complain on
  // the terminal when the process ends. Without effect where the program used HDF5 before us.
  static const herr_t quiet_end = H5dont_atexit();
  static_cast<void>(quiet_end);
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

hid_t checked(hid_t id, const std::string& action) {
  if (id < 0) throw Hdf5Error(action);
  return id;
}

void demand_ok(herr_t result, const std::string& action) {
  if (result < 0) throw Hdf5Error(action);
}

Handle new_group(hid_t parent, const std::string& name) {
  const std::string action = "create the group " + name;
  const Handle properties(checked(H5Pcreate(H5P_GROUP_CREATE), action), H5Pclose);
  demand_ok(H5Pset_obj_track_times(properties.get(), false), action);
  return {
      checked(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), action),
      H5Gclose};
}

Handle open_group(hid_t parent, const std::string& name) {
  return {checked(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), "find the group " + name), H5Gclose};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return {checked(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "find the dataset " + name),
          H5Dclose};
}

Handle text_type(std::size_t size) {
  Handle type(checked(H5Tcopy(H5T_C_S1), "make a text type"), H5Tclose);
  demand_ok(H5Tset_size(type.get(), std::max<std::size_t>(size, 1)), "make a text type");
  demand_ok(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a text type");
  demand_ok(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a text type");
  return type;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Handle type = text_type(value.size());
  write_scalar(object, name, type.get(), {type.get(), value.c_str()});
}

void write_attribute(hid_t object, const std::string& name, double value) {
  write_scalar(object, name, H5T_IEEE_F64LE, {H5T_NATIVE_DOUBLE, &value});
}

void write_attribute(hid_t object, const std::string& name, std::uint64_t value) {
  write_scalar(object, name, H5T_STD_U64LE, {H5T_NATIVE_UINT64, &value});
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const std::string action = "read the attribute " + name;
  const Handle attribute = open_attribute(object, name);
  const Handle stored(checked(H5Aget_type(attribute.get()), action), H5Tclose);
  const Handle space(checked(H5Aget_space(attribute.get()), action), H5Sclose);
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) != 0 ||
      H5Sget_simple_extent_npoints(space.get()) != 1) {
    throw Hdf5Error(action + ", which is not a text of fixed length");
  }
  std::string text(H5Tget_size(stored.get()), '\0');
  const Handle type = text_type(text.size());
  demand_ok(H5Aread(attribute.get(), type.get(), text.data()), action);
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

double read_real_attribute(hid_t object, const std::string& name) {
  return read_scalar<double>(object, name, H5T_NATIVE_DOUBLE);
}

std::uint64_t read_integer_attribute(hid_t object, const std::string& name) {
  return read_scalar<std::uint64_t>(object, name, H5T_NATIVE_UINT64);
}

std::vector<hsize_t> extents(hid_t dataset, std::size_t rank, const std::string& name) {
  const Handle space(checked(H5Dget_space(dataset), "read the shape of " + name), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(rank)) {
    throw Hdf5Error("use " + name + ", which needs " + std::to_string(rank) + " dimensions");
  }
  std::vector<hsize_t> sizes(rank);
  H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  return sizes;
}

void read_rows(hid_t dataset, hid_t memory_type, std::span<const hsize_t> shape,
               std::pair<hsize_t, hsize_t> rows, void* values) {
  if (rows.second == 0 || std::find(shape.begin() + 1, shape.end(), 0U) != shape.end()) return;
  std::vector<hsize_t> start(shape.size(), 0);
  std::vector<hsize_t> count(shape.begin(), shape.end());
  start[0] = rows.first;
  count[0] = rows.second;
  const Handle file_space(checked(H5Dget_space(dataset), "read rows"), H5Sclose);
  demand_ok(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                count.data(), nullptr),
            "select rows");
  const Handle memory_space(
      checked(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), "read rows"),
      H5Sclose);
  demand_ok(
      H5Dread(dataset, memory_type, memory_space.get(), file_space.get(), H5P_DEFAULT, values),
      "read rows");
}

std::vector<std::string> link_names(hid_t group) {
  std::vector<std::string> names;
  demand_ok(H5Literate(
                group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
                [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
                  static_cast<std::vector<std::string>*>(list)->emplace_back(name);
                  return 0;
                },
                &names),
            "list a group");
  return names;
}

}  // namespace carom::detail
