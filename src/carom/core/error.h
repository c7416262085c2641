#pragma once

#include <stdexcept>
#include <string>

namespace carom {

/// Where in the input a fault was found. Empty fields are unknown; line and column count from 1.
struct InputPlace {
  std::string file;
  int line = 0;
  int column = 0;
  std::string key;  ///< e.g. "body[2].mass" or "rows[7].restitution"
};

/// Bad input: a file, an option or an argument that cannot be used. With RecordingError (a full
/// disk) the only exception that Carom throws on purpose; what() is a whole message,
/// "file:line:column: key: what is wrong".
class InputError : public std::runtime_error {
 public:
  InputError(InputPlace place, const std::string& message);

  [[nodiscard]] const InputPlace& place() const noexcept { return place_; }
  /// The message without the place.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

 private:
  InputPlace place_;
  std::string message_;
};

}  // namespace carom
