// The text of a RecordingError.
#include "carom/recording/error.h"

#include <utility>

namespace carom {

RecordingError::RecordingError(std::string path, std::string reason)
    : std::runtime_error(path + ": cannot be written: " + reason),
      path_(std::move(path)),
      reason_(std::move(reason)) {}

}  // namespace carom
