// The text of an InputError: place, key and message.
#include "carom/core/error.h"

#include <utility>

namespace carom {
namespace {

std::string whole_message(const InputPlace& place, const std::string& message) {
  std::string text = place.file;
  if (place.line > 0) {
    text += (text.empty() ? "line " : ":") + std::to_string(place.line);
    if (place.column > 0) text += ":" + std::to_string(place.column);
  }
  if (!text.empty()) text += ": ";
  if (!place.key.empty()) text += place.key + ": ";
  return text + message;
}

}  // namespace

InputError::InputError(InputPlace place, const std::string& message)
    : std::runtime_error(whole_message(place, message)),
      place_(std::move(place)),
      message_(message) {}

}  // namespace carom
