// Writing pictures as SVG and PNG.
#include "carom/plots/detail/plot_files.h"

#include <algorithm>

#include "carom/core/error.h"
#include "carom/recording/place.h"

namespace carom::detail {
namespace {

// ".pdf", but not the ".5" of "e-0.5".
bool is_of_letters(const std::string& extension) {
  return extension.size() > 1 && std::all_of(extension.begin() + 1, extension.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

}  // namespace

std::vector<std::filesystem::path> write_pictures(const std::filesystem::path& path,
                                                  const std::function<std::string()>& make_svg,
                                                  const std::function<std::string()>& make_png) {
  const std::string extension = path.extension().string();
  if (is_of_letters(extension) && extension != ".svg" && extension != ".png") {
    throw InputError({path.string(), 0, 0, ""},
                     "a figure can be written as .svg or .png, not as " + extension);
  }
  std::vector<std::filesystem::path> written;
  for (const std::string format : {".svg", ".png"}) {
    const bool both = extension != ".svg" && extension != ".png";
    if (!both && extension != format) continue;
    std::filesystem::path file = path;
    if (both) file += format;
    write_whole(file, format == ".svg" ? make_svg() : make_png());
    written.push_back(std::move(file));
  }
  return written;
}

}  // namespace carom::detail
