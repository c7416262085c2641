// What a recording's HDF5 file says of its run, its scene and its bodies.
#include "carom/recording/detail/file_header.h"

#include <cmath>

namespace carom::detail {
namespace {

std::vector<std::string> read_texts(hid_t group, const std::string& name) {
  const Handle dataset = open_dataset(group, name);
  const std::vector<hsize_t> shape = extents(dataset.get(), 1, name);
  const Handle stored(checked(H5Dget_type(dataset.get()), "read " + name), H5Tclose);
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) != 0) {
    throw Hdf5Error("use " + name + ", which is not a text of fixed length");
  }
  const std::size_t size = H5Tget_size(stored.get());
  std::string all(shape[0] * size, '\0');
  const Handle type = text_type(size);
  read_rows(dataset.get(), type.get(), shape, {0, shape[0]}, all.data());
  std::vector<std::string> texts;
  for (hsize_t k = 0; k < shape[0]; ++k) {
    std::string text = all.substr(k * size, size);
    text.resize(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string read_text(hid_t group, const std::string& name) {
  const std::vector<std::string> texts = read_texts(group, name);
  if (texts.size() != 1) throw Hdf5Error("use " + name + ", which is not one text");
  return texts.front();
}

void read_presence(hid_t bodies, RecordingHeader& header) {
  const auto ids = read_array<std::uint64_t>(bodies, "id", H5T_NATIVE_UINT64);
  const auto first = read_array<std::uint64_t>(bodies, "first_step", H5T_NATIVE_UINT64);
  const auto last = read_array<std::uint64_t>(bodies, "last_step", H5T_NATIVE_UINT64);
  if (first.size() != ids.size() || last.size() != ids.size()) {
    throw Hdf5Error("use /bodies, whose arrays differ in length");
  }
  for (std::size_t k = 0; k < ids.size(); ++k) {
    header.presence.push_back({ids[k], first[k], last[k]});
  }
}

}  // namespace

void read_header(hid_t file, RecordingHeader& header) {
  const Handle run = open_group(file, "run");
  header.carom_version = read_text_attribute(run.get(), "carom_version");
  header.build = read_text_attribute(run.get(), "build");
  header.impact_operator = read_text_attribute(run.get(), "impact_operator");
  header.step = read_real_attribute(run.get(), "step");
  if (H5Aexists(run.get(), "driven_from") > 0) {
    header.driven_from = read_integer_attribute(run.get(), "driven_from");
  }

  const Handle scene = open_group(file, "scene");
  header.scene_name = read_text_attribute(scene.get(), "name");
  header.dimension = static_cast<int>(read_integer_attribute(scene.get(), "dimension"));
  header.scene_text = read_text(scene.get(), "text");
  header.shapes_json = read_text(scene.get(), "shapes");
  header.settings_json = read_text(scene.get(), "settings");
  if (H5Lexists(scene.get(), "solids", H5P_DEFAULT) > 0) {
    header.solids_json = read_text(scene.get(), "solids");
  }
  if (H5Lexists(scene.get(), "surfaces", H5P_DEFAULT) > 0) {
    header.surfaces_json = read_text(scene.get(), "surfaces");
  }

  const Handle bodies = open_group(file, "bodies");
  header.body_names = read_texts(bodies.get(), "name");
  header.masses = read_array<double>(bodies.get(), "mass", H5T_NATIVE_DOUBLE);
  header.radii = read_array<double>(bodies.get(), "radius", H5T_NATIVE_DOUBLE);
  header.materials = read_array<std::uint32_t>(bodies.get(), "material", H5T_NATIVE_UINT32);
  if (H5Lexists(bodies.get(), "solid", H5P_DEFAULT) > 0) {
    header.solids = read_array<std::uint32_t>(bodies.get(), "solid", H5T_NATIVE_UINT32);
  }
  if (H5Lexists(bodies.get(), "id", H5P_DEFAULT) > 0) read_presence(bodies.get(), header);
  const std::size_t count = header.masses.size();
  if (header.body_names.size() != count || header.radii.size() != count ||
      header.materials.size() != count || (header.any_turns() && header.solids.size() != count) ||
      (!header.presence.empty() && header.presence.size() != count)) {
    throw Hdf5Error("use /bodies, whose arrays differ in length");
  }
  for (std::size_t body = 0; body < count; ++body) {
    const double mass = header.masses[body];
    const double radius = header.radii[body];
    if (mass > 0.0 && std::isfinite(mass) && radius >= 0.0 && std::isfinite(radius)) continue;
    throw Hdf5Error("use body '" + header.body_names[body] +
                    "', whose mass or radius is negative or not finite");
  }
}

}  // namespace carom::detail
