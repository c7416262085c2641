#include "file_kind.h"

#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "carom/scene/scene.h"

namespace carom::cli {
namespace {

constexpr std::string_view kHdf5Mark = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kJournalMark = "CAROMJ2\n";

const char* words_of(FileKind kind) {
  switch (kind) {
    case FileKind::scene:
      return "a scene";
    case FileKind::instant:
      return "an instant";
    case FileKind::recording:
      return "a recording (HDF5)";
    case FileKind::journal:
      return "the journal of a run";
    case FileKind::xml:
      return "an XML file";
    case FileKind::other:
      break;
  }
  return "another file";
}

std::string advice_for(FileKind kind, const std::filesystem::path& path) {
  const std::string name = path.string();
  switch (kind) {
    case FileKind::scene:
      return "run it with: carom run " + name;
    case FileKind::instant:
      return "resolve it with: carom impact " + name;
    case FileKind::recording:
      return "look at it with: carom view " + name;
    case FileKind::journal:
      return "look at it with: carom view " + name;
    case FileKind::xml:
      return "if it is of SCISim, turn it into a scene with: carom import " + name;
    case FileKind::other:
      break;
  }
  return "";
}

}  // namespace

FileKind kind_of(const std::filesystem::path& path) {
  std::array<char, 512> bytes{};
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), bytes.size());
  const std::string_view front(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  if (front.starts_with(kHdf5Mark)) return FileKind::recording;
  if (front.starts_with(kJournalMark)) return FileKind::journal;
  const std::size_t first = front.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first == std::string_view::npos) return FileKind::other;
  if (front[first] == '<') return FileKind::xml;
  try {
    return file_kind_of(path) == "scene" ? FileKind::scene : FileKind::instant;
  } catch (const InputError&) {
    return FileKind::other;
  }
}

void refuse_other_kind(const std::filesystem::path& path, FileKind wanted) {
  const FileKind found = kind_of(path);
  if (found == wanted || found == FileKind::other) return;
  if (wanted == FileKind::recording && found == FileKind::journal) return;  // it is read, too
  const char* expected = wanted == FileKind::xml         ? "a scene of SCISim (XML)"
                         : wanted == FileKind::recording ? "a recording"
                                                         : words_of(wanted);
  throw InputError({path.string(), 0, 0, ""}, fmt::format("is {}, not {}; {}", words_of(found),
                                                          expected, advice_for(found, path)));
}

}  // namespace carom::cli
