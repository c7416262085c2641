// In a browser there are no mesh files to read: the library's reader of them says so.

#include "carom/core/error.h"
#include "carom/geometry/mesh_file.h"

namespace carom {

std::vector<std::string> mesh_file_suffixes() { return {}; }

TriangleMesh read_mesh(const std::filesystem::path& path) {
  throw InputError({path.string(), 0, 0, ""},
                   "mesh files cannot be read here: this is the engine in a browser, which has no "
                   "files; the command line reads them (carom run)");
}

}  // namespace carom
