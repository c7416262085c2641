// Commands that make scene files: new, import.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/recording/place.h"
#include "carom/scene/import_scisim.h"
#include "carom/scene/write_scene.h"

#include "commands.h"
#include "file_kind.h"
#include "files.h"
#include "scene_commands.h"

namespace carom::cli {
namespace {

void write_new(const std::string& path, const std::string& text, bool force) {
  if (!force && std::filesystem::exists(path)) {
    throw InputError({path, 0, 0, ""}, "exists already; --force replaces it");
  }
  write_whole(path, text);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

int run_new(const FileCommand& command) {
  const std::string path = command.files.empty() ? "scene.toml" : command.files.front();
  write_new(path, starter_scene(), command.force);
  fmt::print("{} written; try:\n  carom run {}\n  carom view {}.h5\n", path, path, stem_of(path));
  return kExitFine;
}

int run_import(const FileCommand& command) {
  const std::string& source = command.files.front();
  const Scene scene = read_as(FileKind::xml, source, [&] { return import_scisim_file(source); });
  const std::string path = command.output.empty() ? stem_of(source) + ".toml" : command.output;
  write_new(path, scene.text, command.force);
  fmt::print("{} written, with {} and {}; try: carom run {}\n", path,
             counted(scene.simulation.world.bodies.size(), "ball"),
             counted(scene.simulation.world.shapes.size(), "shape"), path);
  // What is not as it was follows the first sentence.
  const std::size_t end = scene.description.find(". ");
  if (end != std::string::npos) fmt::print("{}\n", scene.description.substr(end + 2));
  return kExitFine;
}

}  // namespace carom::cli
