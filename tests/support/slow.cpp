#include "support/slow.h"

#include <cstdlib>
#include <string_view>

namespace carom::test {

bool slow_run() {
  const char* value = std::getenv("CAROM_SLOW");
  return value != nullptr && std::string_view(value) == "1";
}

int problem_count(int ordinary, int slow) { return slow_run() ? slow : ordinary; }

}  // namespace carom::test
