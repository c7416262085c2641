#pragma once

#include <string_view>

namespace carom::cli {

/// The page that shows recordings, as make_page takes it; empty where Carom was built without it
/// (CAROM_VIEWER=OFF, or no npm).
[[nodiscard]] std::string_view viewer_template();

}  // namespace carom::cli
