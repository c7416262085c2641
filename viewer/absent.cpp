// Stands in for the viewer where it is not built (CAROM_VIEWER=OFF).
#include "viewer_template.h"

namespace carom::cli {

std::string_view viewer_template() { return {}; }

}  // namespace carom::cli
