#pragma once

#include <stdexcept>
#include <string>

namespace carom {

/// A recording, an export or a plot that cannot be written on: the disk is full, a quota is
/// reached, a device failed. With InputError it is the only exception that Carom throws on purpose:
/// it is neither a bug nor bad input, and a run cannot go on as if it were a numerical outcome.
/// What was written before stays valid, and the call may be repeated once there is room.
class RecordingError : public std::runtime_error {
 public:
  RecordingError(std::string path, std::string reason);

  /// The file that could not be written.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// What the system said, e.g. "No space left on device".
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::string path_;
  std::string reason_;
};

}  // namespace carom
