#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "carom/page/page.h"

namespace carom::detail {

/// Throws InputError with this key.
[[noreturn]] void fail_page(const std::string& key, const std::string& message);

/// Throws InputError, with a key such as "runs[1].positions[7]", where the parts of a run do not
/// fit together or a number is not finite.
void check_page_run(const PageRun& run, std::size_t number);

/// PageRun::shapes_json, read and checked; InputError where it is not what page.h describes.
/// Surfaces of solids become base64: {"vertices": 32-bit reals, "triangles": 32-bit integers}.
[[nodiscard]] nlohmann::json read_page_shapes(const PageRun& run, std::size_t number);

/// The same for PageRun::solids_json and the bodies' numbers in it.
[[nodiscard]] nlohmann::json read_page_solids(const PageRun& run, std::size_t number);

/// PageRun::surfaces_json, read and checked; triangles, edges and those of them that are sides of
/// no triangle ("chain") become base64 of 32-bit integers.
[[nodiscard]] nlohmann::json read_page_surfaces(const PageRun& run, std::size_t number);

}  // namespace carom::detail
