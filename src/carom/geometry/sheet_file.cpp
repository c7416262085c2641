// Surfaces and chains of mesh files. OBJ files are read here, because vertices must keep their
// order, their digits and their texture coordinates.

#include "carom/geometry/sheet_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "carom/core/decimal.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/mesh_file.h"

namespace carom {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The words of a line.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && is_blank(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

/// Reads an OBJ file line by line.
class ObjReader {
 public:
  ObjReader(const std::filesystem::path& path, const SheetChoice& choice)
      : path_(path), choice_(choice) {}

  SheetFile read() {
    for_each_line([this](const auto& words) { note_name(words); });
    for_each_line([this](const auto& words) { read_line(words); });
    line_ = 0;
    finish();
    return std::move(sheet_);
  }

 private:
  // A corner of a face: the vertex, and its texture coordinates.
  struct Corner {
    Index vertex = 0;
    Index texture = kNone;
  };

  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError({path_.string(), line_, 0, ""},
                     line_ > 0 ? fmt::format("line {}: {}", line_, message) : message);
  }

  [[nodiscard]] double number(std::string_view word) const {
    double value = 0.0;
    const auto [end, error] = read_decimal(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
      refuse("expected a number, found '" + std::string(word.substr(0, 40)) + "'");
    }
    return value;
  }

  [[nodiscard]] std::vector<double> numbers(const std::vector<std::string_view>& words,
                                            std::size_t least) const {
    if (words.size() < least + 1) {
      refuse(fmt::format("expected {} numbers, found {}", least, words.size() - 1));
    }
    std::vector<double> result;
    for (std::size_t k = 1; k <= least; ++k) result.push_back(number(words[k]));
    return result;
  }

  // Counted from 1, or backwards from the last one as -1.
  [[nodiscard]] Index reference(std::string_view word, std::size_t count) const {
    long long value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const auto size = static_cast<long long>(count);
    const long long at = value < 0 ? size + value : value - 1;
    if (error != std::errc() || end != word.data() + word.size() || at < 0 || at >= size) {
      refuse("there is no vertex '" + std::string(word.substr(0, 40)) + "'");
    }
    return static_cast<Index>(at);
  }

  // "7", "7/3", "7//2" or "7/3/2"
  [[nodiscard]] Corner corner(std::string_view word) const {
    const std::size_t slash = word.find('/');
    Corner result{reference(word.substr(0, slash), places_.size()), kNone};
    if (slash == std::string_view::npos || !choice_.texture) return result;
    const std::string_view rest = word.substr(slash + 1);
    const std::string_view texture = rest.substr(0, rest.find('/'));
    if (!texture.empty()) result.texture = reference(texture, texture_places_.size());
    return result;
  }

  // The number in the sheet of a corner's vertex.
  void use(const Corner& corner) {
    is_used_.resize(places_.size(), false);
    texture_of_.resize(places_.size(), kNone);
    is_used_[corner.vertex] = true;
    if (!choice_.texture) return;
    if (corner.texture == kNone) {
      refuse(fmt::format("vertex {} has no texture coordinates", corner.vertex + 1));
    }
    Index& known = texture_of_[corner.vertex];
    if (known != kNone && texture_places_[known] != texture_places_[corner.texture]) {
      refuse(
          fmt::format("vertex {} has two texture coordinates: a seam of the texture must be a "
                      "seam of the surface",
                      corner.vertex + 1));
    }
    known = corner.texture;
  }

  void read_face(const std::vector<std::string_view>& words) {
    if (words.size() < 4) refuse("a face has at least three corners");
    std::vector<Index> corners;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const Corner read = corner(words[k]);
      use(read);
      corners.push_back(read.vertex);
    }
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
      sheet_.mesh.triangles.push_back({corners[0], corners[k], corners[k + 1]});
    }
  }

  void read_polyline(const std::vector<std::string_view>& words) {
    if (words.size() < 3) refuse("a line has at least two ends");
    for (std::size_t k = 1; k < words.size(); ++k) use(corner(words[k]));
    for (std::size_t k = 1; k + 1 < words.size(); ++k) {
      sheet_.edges.push_back({corner(words[k]).vertex, corner(words[k + 1]).vertex});
    }
  }

  template <class Look>
  void for_each_line(const Look& look) {
    errno = 0;
    std::ifstream stream(path_, std::ios::binary);
    if (!stream) refuse("cannot be opened: " + std::generic_category().message(errno));
    line_ = 0;
    std::string line;
    while (std::getline(stream, line)) {
      ++line_;
      look(words_of(line));
    }
  }

  // Where groups have the wanted name they are meant: files with all faces at the end name objects
  // before the vertices and groups before the faces.
  void note_name(const std::vector<std::string_view>& words) {
    if (words.empty() || (words[0] != "o" && words[0] != "g")) return;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const std::string name(words[k]);
      if (std::find(groups_.begin(), groups_.end(), name) == groups_.end()) groups_.push_back(name);
      if (name == choice_.group && words[0] == "g") keyword_ = "g";
    }
  }

  // A face belongs to the object and to the groups that were named last.
  void read_group(const std::vector<std::string_view>& words) {
    is_named_ = std::find(words.begin() + 1, words.end(), choice_.group) != words.end();
  }

  void read_line(const std::vector<std::string_view>& words) {
    if (words.empty()) return;
    const std::string_view kind = words[0];
    if (kind == "v") {
      const std::vector<double> xyz = numbers(words, 3);
      places_.push_back({xyz[0], xyz[1], xyz[2]});
    } else if (kind == "vt") {
      const std::vector<double> uv = numbers(words, 2);
      texture_places_.push_back({uv[0], uv[1], 0.0});
    } else if (kind == keyword_) {
      read_group(words);
    } else if (kind == "f" && is_wanted()) {
      read_face(words);
    } else if (kind == "l" && is_wanted()) {
      read_polyline(words);
    }
  }

  [[nodiscard]] bool is_wanted() const { return choice_.group.empty() || is_named_; }

  // Vertices that are used, in the file's order.
  void finish() {
    if (!choice_.group.empty() &&
        std::find(groups_.begin(), groups_.end(), choice_.group) == groups_.end()) {
      refuse(unknown_name_message("group", choice_.group, groups_));
    }
    if (sheet_.mesh.triangles.empty() && sheet_.edges.empty()) refuse("has no faces and no lines");
    std::vector<Index> number(places_.size(), kNone);
    for (Index v = 0; v < is_used_.size(); ++v) {
      if (!is_used_[v]) continue;
      number[v] = static_cast<Index>(sheet_.mesh.vertices.size());
      sheet_.mesh.vertices.push_back(places_[v]);
      if (choice_.texture) sheet_.texture.push_back(texture_places_[texture_of_[v]]);
    }
    for (TriangleMesh::Triangle& t : sheet_.mesh.triangles) {
      t = {number[t.a], number[t.b], number[t.c]};
    }
    for (auto& edge : sheet_.edges) edge = {number[edge[0]], number[edge[1]]};
  }

  const std::filesystem::path& path_;
  const SheetChoice& choice_;
  int line_ = 0;
  std::string_view keyword_ = "o";  ///< what the wanted name is that of: an object or a group
  bool is_named_ = false;
  std::vector<std::string> groups_;
  std::vector<Vec3> places_;
  std::vector<Vec3> texture_places_;
  std::vector<bool> is_used_;
  std::vector<Index> texture_of_;
  SheetFile sheet_;
};

bool is_obj(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix == ".obj";
}

}  // namespace

SheetFile read_sheet(const std::filesystem::path& path, const SheetChoice& choice) {
  if (is_obj(path)) return ObjReader(path, choice).read();
  SheetFile sheet;
  sheet.mesh = read_mesh(path);
  if (!choice.group.empty()) {
    throw InputError({path.string(), 0, 0, ""}, "only OBJ files have groups to choose from");
  }
  if (choice.texture) {
    throw InputError({path.string(), 0, 0, ""}, "texture coordinates are read from OBJ files only");
  }
  return sheet;
}

}  // namespace carom
