// The keys of a scene that seed its random generators.
#include <string>

#include "carom/scene/detail/table_reader.h"
#include "carom/scene/scene.h"

namespace carom {

std::vector<std::string> generator_seed_keys(std::string_view text, const std::string& file) {
  const toml::table root = detail::parse_toml(text, file);
  std::vector<std::string> keys;
  for (const char* kind : {"grid", "rack", "line", "ring", "random"}) {
    const toml::array* tables = root[kind].as_array();
    if (tables == nullptr) continue;
    for (std::size_t k = 0; k < tables->size(); ++k) {
      keys.push_back(std::string(kind) + "[" + std::to_string(k) + "].seed");
    }
  }
  return keys;
}

}  // namespace carom
