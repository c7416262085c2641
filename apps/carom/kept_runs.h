#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace carom::cli {

/// The directory of a comparison's recordings, beside its results, so that it is on a disk that was
/// meant to take something. It stays when the comparison is interrupted, for --resume.
class KeptRuns {
 public:
  /// Throws InputError when runs wait there and are neither resumed nor replaced, when there are
  /// none to resume, or when the directory holds anything else.
  KeptRuns(std::filesystem::path path, bool resume, bool force);
  KeptRuns(const KeptRuns&) = delete;
  KeptRuns& operator=(const KeptRuns&) = delete;
  /// Removes the directory if nothing is in it.
  ~KeptRuns();

  /// Where the recording of an operator stands.
  [[nodiscard]] std::filesystem::path file(std::size_t number,
                                           const std::string& impact_operator) const;
  /// Removes the recordings and the directory.
  void remove() const;

 private:
  std::filesystem::path path_;
};

}  // namespace carom::cli
