#pragma once

#include <cstddef>
#include <emscripten/val.h>
#include <string>

#include "carom/bodies/world.h"
#include "carom/core/error.h"
#include "carom/stepping/scheme.h"
#include "carom/stepping/stepper.h"

#include "impact_course.h"
#include "lab_settings.h"

namespace carom::lab {

/// {message, line, column, key}; line 0: nowhere in the text.
[[nodiscard]] emscripten::val fault_of(const InputError& error);

/// A copy, as an array of JavaScript's own.
[[nodiscard]] emscripten::val numbers(const double* first, std::size_t count);
[[nodiscard]] emscripten::val three(const Vec3& v);
[[nodiscard]] Vec3 three(const emscripten::val& array);
/// -1: none.
[[nodiscard]] double body_number(Index body);

template <class Strings>
[[nodiscard]] emscripten::val texts(const Strings& strings) {
  emscripten::val array = emscripten::val::array();
  for (const std::string& text : strings) array.call<void>("push", text);
  return array;
}

[[nodiscard]] emscripten::val describe(const PlacedShape& placed);
[[nodiscard]] emscripten::val describe(const Surface& surface);
[[nodiscard]] emscripten::val describe_bodies(const BodySet& bodies);
[[nodiscard]] emscripten::val describe(const Totals& totals);
/// The numbers of the scheme's own columns by their names.
[[nodiscard]] emscripten::val describe(const StepReport& report, const SchemeInfo& scheme);
[[nodiscard]] emscripten::val describe(const ImpactCourse& course);
[[nodiscard]] emscripten::val describe(const Settings& settings);
[[nodiscard]] Settings settings_from(const emscripten::val& object);

}  // namespace carom::lab
