#include "gallery_results.h"

#include <cstdlib>
#include <ctime>
#include <fstream>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/recording/place.h"

#include "files.h"

namespace carom::cli {
namespace {

std::filesystem::path results_path() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::filesystem::path(state) / "carom" / "gallery.json";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::filesystem::path(home) / ".local" / "state" / "carom" / "gallery.json";
  }
  return {};
}

}  // namespace

GalleryResults::GalleryResults() : path_(results_path()) {
  std::ifstream stream(path_);
  const nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object()) return;
  for (const auto& [name, entry] : json.items()) {
    if (!entry.is_object() || !entry.contains("passed") || !entry["passed"].is_boolean()) continue;
    GalleryResult result;
    result.passed = entry["passed"].get<bool>();
    if (entry.contains("date") && entry["date"].is_string()) result.date = entry["date"];
    if (entry.contains("seconds") && entry["seconds"].is_number()) {
      result.seconds = entry["seconds"].get<double>();
    }
    results_[name] = result;
  }
}

const GalleryResult* GalleryResults::find(const std::string& name) const {
  const auto found = results_.find(name);
  return found == results_.end() ? nullptr : &found->second;
}

void GalleryResults::note(const std::string& name, bool passed, double seconds) {
  results_[name] = {passed, fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))),
                    seconds};
}

void GalleryResults::save() const {
  if (path_.empty()) return;
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, result] : results_) {
    json[name] = {{"passed", result.passed}, {"date", result.date}, {"seconds", result.seconds}};
  }
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  try {
    write_whole(path_, json.dump(2) + "\n");
  } catch (const InputError&) {
    // A home that cannot be written is no reason to fail a check.
  }
}

}  // namespace carom::cli
