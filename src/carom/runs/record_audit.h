#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "carom/runs/run_record.h"

namespace carom {

/// What an audit of the frames of a recording found.
struct RecordAudit {
  /// Where something meets that may not.
  struct Fault {
    std::size_t frame = 0;
    double time = 0.0;  ///< s
    std::string what;   ///< in the scene's names
  };
  std::size_t frames = 0;  ///< looked at
  std::size_t pairs = 0;   ///< of primitives, tested exactly
  std::optional<Fault> fault;
};

/// Tests every frame of a recording of the scheme "asynchronous" exactly, up to the first fault,
/// from the recorded positions and the obstacles of its scene at the frame's time alone
/// (asynchronous/audit.h). Throws InputError on recordings of other schemes, and where frame and
/// scene do not fit each other.
[[nodiscard]] RecordAudit audit_record(const RunRecord& record);

}  // namespace carom
