#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace carom::cli {

/// How a file of the gallery fared the last time that it was checked.
struct GalleryResult {
  bool passed = false;
  std::string date;  ///< "2026-11-15"
  double seconds = 0.0;
};

/// The last results, by the names of the files. They are kept for the user, in
/// $XDG_STATE_HOME/carom/gallery.json (~/.local/state by default), and are a convenience: what
/// cannot be read or written is left alone.
class GalleryResults {
 public:
  GalleryResults();

  [[nodiscard]] const GalleryResult* find(const std::string& name) const;
  /// Remembers today's result.
  void note(const std::string& name, bool passed, double seconds);
  void save() const;

 private:
  std::filesystem::path path_;  ///< empty: nowhere to keep them
  std::map<std::string, GalleryResult> results_;
};

}  // namespace carom::cli
