// The words for how a run ended.

#include "carom/recording/recording.h"

#include "carom/core/assert.h"

namespace carom {

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::crashed:
      return "crashed";
    case RunStatus::failed:
      return "failed";
    case RunStatus::running:
      return "running";
  }
  CAROM_DEMAND(false);
  return "";
}

}  // namespace carom
