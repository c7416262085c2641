#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom::test {

/// A directory of its own for one test; gone with it.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read_all(const std::filesystem::path& path);
void write_all(const std::filesystem::path& path, const std::string& text);

/// What InputError or RecordingError the call throws; "" when it throws nothing.
template <typename Error, typename Call>
[[nodiscard]] std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace carom::test
