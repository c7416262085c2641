// The WebAssembly module of the lab: what JavaScript may call. Nothing is thrown across the border;
// what a call finds wrong with its input comes back as an object `fault`.

#include <cstdint>
#include <emscripten/bind.h>
#include <exception>
#include <string>

#include "carom/core/error.h"
#include "carom/core/version.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

namespace carom::lab {
namespace {

using emscripten::val;

std::string hexadecimal(std::uint64_t number) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t k = 16; k-- > 0; number >>= 4U) text[k] = kDigits[number & 15U];
  return text;
}

/// {message, line, column, key}; line 0: nowhere in the text.
val fault_of(const InputError& error) {
  val fault = val::object();
  fault.set("message", error.message());
  fault.set("line", static_cast<double>(error.place().line));
  fault.set("column", static_cast<double>(error.place().column));
  fault.set("key", error.place().key);
  return fault;
}

/// {hashes: [after step 1, ...]} of a scene with the first or the given operator.
val state_hashes(const std::string& text, const std::string& impact_operator, double steps) {
  val result = val::object();
  try {
    Scene scene = read_scene(text, "scene");
    if (!impact_operator.empty()) scene.simulation.impact.impact_operator = impact_operator;
    const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
    const auto count =
        steps > 0.0 ? static_cast<std::uint64_t>(steps) : step_count(scene.simulation.time);
    val hashes = val::array();
    for (std::uint64_t k = 0; k < count; ++k) {
      if (!stepper->step().can_go_on()) break;
      hashes.call<void>("push", hexadecimal(state_hash(stepper->state())));
    }
    result.set("hashes", hashes);
  } catch (const InputError& error) {
    result.set("fault", fault_of(error));
  }
  return result;
}

std::string version() { return kVersion; }

}  // namespace
}  // namespace carom::lab

EMSCRIPTEN_BINDINGS(carom) {
  emscripten::function("version", &carom::lab::version);
  emscripten::function("stateHashes", &carom::lab::state_hashes);
}
