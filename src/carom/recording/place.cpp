// Where files are written: behind symbolic links.

#include "carom/recording/place.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "carom/recording/detail/file.h"
#include "carom/recording/detail/hdf5.h"
#include "carom/recording/error.h"

namespace carom {
namespace {

constexpr std::string_view kHdf5Mark = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kPngMark = "\x89PNG\r\n\x1a\n";
constexpr std::string_view kJournalMark = "CAROMJ";
constexpr std::string_view kPageMark = "<title>Carom</title>";
constexpr std::string_view kSweepMark = "# carom sweep ";
constexpr std::string_view kCsvHeading = "step,time,";
constexpr std::string_view kLammpsHeading = "ITEM: ATOMS id type x y z vx vy vz radius mass";
constexpr std::string_view kObjMark = "# made by Carom\n";
constexpr std::string_view kCurveMark = "# made by Carom: curve ";
constexpr std::string_view kGlbGenerator = "\"generator\":\"Carom ";

// The beginning of a file, in which every mark stands.
std::string front_of(const std::filesystem::path& path) {
  std::string front(4096, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(front.data(), static_cast<std::streamsize>(front.size()));
  front.resize(static_cast<std::size_t>(stream.gcount()));
  return front;
}

// The text of a binary glTF file: its first piece, whose length stands in bytes 12 to 15. What says
// who made it comes after lists that may be long.
std::string glb_text(const std::filesystem::path& path) {
  constexpr std::size_t kHead = 20;
  constexpr std::size_t kMost = std::size_t{1} << 26U;
  std::ifstream stream(path, std::ios::binary);
  std::array<char, kHead> head{};
  if (!stream.read(head.data(), kHead)) return {};
  std::size_t length = 0;
  for (std::size_t k = 4; k-- > 0;) {
    length = (length << 8U) | static_cast<unsigned char>(head[12 + k]);
  }
  std::string text(std::min(length, kMost), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_carom_recording(const std::filesystem::path& path) {
  const detail::QuietErrors quiet;
  const detail::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return file.get() >= 0 && H5Aexists(file.get(), "format") > 0;
}

// A text that has a line of this kind: that of a scene or of an instant.
bool says_kind(std::string_view front, std::string_view kind) {
  for (const std::string_view equals : {"kind = ", "kind="}) {
    for (const char quote : {'"', '\''}) {
      if (has(front, std::string(equals) + quote + std::string(kind) + quote)) return true;
    }
  }
  return false;
}

bool was_made_as(const std::filesystem::path& path, std::string_view front, MadeFile made) {
  switch (made) {
    case MadeFile::recording:
      return front.starts_with(kHdf5Mark) && is_carom_recording(path);
    case MadeFile::page:
      return has(front, "<!doctype html>") && has(front, kPageMark);
    case MadeFile::svg:
      return has(front, "<svg") && has(front, kMadeByCarom);
    case MadeFile::png:
      return front.starts_with(kPngMark) && has(front, kMadeByCarom);
    case MadeFile::sweep_table:
      return front.starts_with(kSweepMark);
    case MadeFile::csv_export:
      return front.starts_with(kCsvHeading);
    case MadeFile::lammps_export:
      return front.starts_with("ITEM: TIMESTEP\n") && has(front, kLammpsHeading);
    case MadeFile::vtk_export:
      return has(front, "<VTKFile") && has(front, kMadeByCarom);
    case MadeFile::glb_export:
      return front.starts_with("glTF") && has(glb_text(path), kGlbGenerator);
    case MadeFile::obj_export:
      return front.starts_with(kObjMark);
    case MadeFile::curve_table:
      return front.starts_with(kCurveMark);
    case MadeFile::instant:
      return says_kind(front, "instant") && has(front, kMadeByCarom);
  }
  return false;
}

std::string_view words_of(MadeFile made) {
  switch (made) {
    case MadeFile::recording:
      return "a recording";
    case MadeFile::page:
      return "a page";
    case MadeFile::svg:
    case MadeFile::png:
      return "a picture";
    case MadeFile::sweep_table:
      return "a table of a sweep";
    case MadeFile::csv_export:
    case MadeFile::lammps_export:
    case MadeFile::vtk_export:
    case MadeFile::glb_export:
    case MadeFile::obj_export:
      return "such an export";
    case MadeFile::curve_table:
      return "a table of a check";
    case MadeFile::instant:
      return "an instant";
  }
  return "";
}

}  // namespace

std::filesystem::path followed(const std::filesystem::path& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::filesystem::path place = path;
  for (int k = 0; k < kMostLinks; ++k) {
    std::error_code none;
    if (!std::filesystem::is_symlink(place, none)) return place;
    const std::filesystem::path next = std::filesystem::read_symlink(place, none);
    if (none) return place;
    place = next.is_absolute() ? next : place.parent_path() / next;
  }
  detail::refuse_file(path, "cannot be opened: " + detail::system_message(ELOOP));
}

void write_whole(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path place = followed(path);
  std::error_code none;
  const bool special = std::filesystem::exists(place, none) &&
                       !std::filesystem::is_regular_file(place, none) &&
                       !std::filesystem::is_directory(place, none);
  std::filesystem::path part = place;
  if (!special) part += ".part";  // what is no file cannot be moved onto
  errno = 0;
  std::ofstream stream(part, std::ios::binary);
  if (!stream) detail::refuse_file(path, "cannot be opened: " + detail::system_message(errno));
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  const int fault = stream ? 0 : errno;
  std::error_code unmoved;
  if (fault == 0 && !special) std::filesystem::rename(part, place, unmoved);
  if (fault == 0 && !unmoved) return;
  if (!special) std::filesystem::remove(part, none);
  if (fault != 0) throw RecordingError(path.string(), detail::system_message(fault));
  detail::refuse_file(path, "cannot be written: " + unmoved.message());
}

std::string seems_to_be(const std::filesystem::path& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return "a directory";
  const std::string front = front_of(path);
  if (front.starts_with(kHdf5Mark)) {
    return is_carom_recording(path) ? "a recording" : "an HDF5 file of another program";
  }
  if (front.starts_with(kJournalMark)) return "the journal of a run";
  if (front.starts_with(kPngMark)) return "a PNG picture";
  if (front.starts_with("glTF")) return "a glTF file";
  if (front.starts_with(kSweepMark)) return "a table of a sweep";
  if (was_made_as(path, front, MadeFile::page)) return "a page that Carom made";
  if (has(front, "<svg")) return "an SVG picture";
  if (has(front, "<html") || has(front, "<!doctype html>")) return "a web page";
  if (front.starts_with("<?xml")) return "an XML file";
  if (says_kind(front, "scene")) return "a scene";
  if (says_kind(front, "instant")) return "an instant";
  return has(front, std::string_view("\0", 1)) ? "a file of another program" : "a text file";
}

void demand_replaceable(const std::filesystem::path& path, MadeFile made) {
  const std::filesystem::path place = followed(path);
  std::error_code none;
  if (!std::filesystem::is_regular_file(place, none)) return;  // nothing that could be replaced
  const std::string front = front_of(place);
  if (std::filesystem::file_size(place, none) == 0 && !none) return;
  if (was_made_as(place, front, made)) return;
  std::string message = "is " + seems_to_be(place) + ", not " + std::string(words_of(made));
  detail::refuse_file(path, message +
                                " that Carom made; name another file, or replace it with "
                                "--force");
}

}  // namespace carom
