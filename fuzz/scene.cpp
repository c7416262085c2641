// The readers of scene files and of SCISim's scenes: whatever the bytes, they answer with a Scene
// or an InputError, and what they accept can be written and read back to the same text.

#include "carom/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/scene/import_scisim.h"
#include "carom/scene/write_scene.h"

namespace {

// Small scenes only: a slow input would hide others.
constexpr carom::SceneLimits kLimits = {300};

carom::Scene read(std::string_view text) {
  if (text.starts_with("<")) return carom::import_scisim(text, "fuzz.xml");
  return carom::read_scene(text, "fuzz.toml", {}, kLimits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string written;
  try {
    const carom::Scene scene = read(text);
    // A file may consist of a check alone, which is not written.
    if (scene.simulation.world.bodies.size() == 0) return 0;
    written = carom::write_scene(scene);
  } catch (const carom::InputError&) {
    return 0;
  }
  const carom::Scene again = carom::read_scene(written, "written.toml");
  CAROM_DEMAND(carom::write_scene(again) == written);
  CAROM_DEMAND(carom::read_scene(again.text, "kept.toml").text == again.text);
  return 0;
}
