#pragma once

#include <string>

namespace carom::bench {

/// Of ./dev bench acm --rebound: two thin shells that meet at 1 m/s each, elastic and not, looked
/// at every 1e-2 to 5e-5 s: with what speeds they part, beside those that Codim-IPC has with
/// implicit steps of these lengths. `plot`: a file for the curves, or empty.
void compare_rebounds(const std::string& plot);

}  // namespace carom::bench
