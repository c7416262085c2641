// The command that writes the lab: one page with the engine and a scene inside.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/recording/place.h"
#include "carom/scene/scene.h"

#include "commands.h"
#include "file_kind.h"
#include "files.h"
#include "scene_commands.h"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = "{{carom-data}}";

std::string whole_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError({path.string(), 0, 0, ""}, "cannot be opened");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// In JSON "<" stands only inside strings. Written as \u003c it can neither end the script element
// nor open a comment.
std::string escaped(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

// A page of ours may be replaced, as those of `view` may; anything else not.
void demand_replaceable_page(const std::string& path) {
  std::error_code none;
  if (!fs::exists(path, none)) return;
  if (whole_file(path).find("<title>Carom: the lab</title>") != std::string::npos) return;
  throw InputError({path, 0, 0, ""}, "exists and is no page of the lab; --force replaces it");
}

// Installed beside the program, or where ./dev wasm built it.
fs::path find_lab_page() {
  std::error_code error;
  // Relative to the program, so that no path of the machine it was built on is inside it.
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    fs::path installed = program.parent_path().parent_path() / "share" / "carom" / "lab.html";
    if (fs::exists(installed, error)) return installed;
    for (fs::path up = program.parent_path(); up.has_relative_path(); up = up.parent_path()) {
      fs::path built = up / "wasm" / "lab" / "lab.html";  // build/dev/apps/carom/carom
      if (fs::exists(built, error)) return built;
    }
  }
  throw InputError({},
                   "this carom comes without the page of the lab; in its sources `./dev wasm` "
                   "builds it (with Emscripten), and installing carom then takes it along");
}

}  // namespace

int run_lab(const FileCommand& command) {
  const fs::path source = find_lab_page();
  nlohmann::json data = nlohmann::json::object();
  std::string output = command.output;
  if (!command.files.empty()) {
    const std::string& file = command.files.front();
    // The scene as the page will see it: what it says wrong is told here, with its line.
    const Scene scene = read_as(FileKind::scene, file, [&] { return read_scene_file(file); });
    data["scene"] = scene.text;
    data["file"] = file;
    if (output.empty()) output = stem_of(file) + "-lab.html";
    demand_other_file(output, file);
  }
  if (output.empty()) output = "carom-lab.html";
  if (!command.force) demand_replaceable_page(output);
  std::string page = whole_file(source);
  const std::size_t mark = page.find(kMark);
  if (mark == std::string::npos) {
    throw InputError({source.string(), 0, 0, ""},
                     "is no page of the lab; build it anew: ./dev wasm");
  }
  page.replace(mark, kMark.size(),
               escaped(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  write_whole(output, page);
  fmt::print("{}\n", fs::absolute(output).string());
  return kExitFine;
}

}  // namespace carom::cli
