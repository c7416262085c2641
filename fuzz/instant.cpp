// The reader of instant files: whatever the bytes, it answers with an Instant or an InputError, and
// what it accepts can be written and read back to the same text.

#include "carom/scene/instant.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "carom/core/assert.h"
#include "carom/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string written;
  try {
    const carom::Instant instant = carom::read_instant(text, "fuzz.toml");
    // A file may consist of a check alone, which is not written.
    if (instant.problem.body_count() == 0) return 0;
    written = carom::write_instant(instant);
  } catch (const carom::InputError&) {
    return 0;
  }
  const std::string again = carom::write_instant(carom::read_instant(written, "written.toml"));
  CAROM_DEMAND(again == written);
  return 0;
}
