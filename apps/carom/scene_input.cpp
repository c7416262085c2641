#include "scene_input.h"

#include "carom/core/error.h"
#include "carom/scene/settings.h"

#include "file_kind.h"

namespace carom::cli {

Scene read_scene_for(const std::string& file, std::vector<std::string> settings,
                     const std::optional<double>& duration) {
  std::string override_of_duration;
  if (duration) {
    override_of_duration = "time.duration=" + exact_number(*duration);
    settings.push_back(override_of_duration);
  }
  try {
    return read_as(FileKind::scene, file, [&] { return read_scene_file(file, settings); });
  } catch (const InputError& error) {
    // The scene knows overrides only; its user wrote --duration.
    if (duration && error.place().file == "--set " + override_of_duration) {
      throw InputError({"", 0, 0, "--duration"}, error.message());
    }
    throw;
  }
}

void demand_operator(const std::string& name, const std::string& option) {
  try {
    static_cast<void>(make_operator(name));
  } catch (const InputError& error) {
    throw InputError({"", 0, 0, option}, error.message());
  }
}

}  // namespace carom::cli
