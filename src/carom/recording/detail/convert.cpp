// Makes the HDF5 file of a recording, from its journal or from whatever else holds a run.

#include "carom/recording/detail/convert.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/hdf5_sink.h"
#include "carom/recording/detail/journal_contents.h"
#include "carom/recording/error.h"

namespace carom::detail {
namespace {

constexpr std::size_t kBlock = 4096;  // events that are copied at once
constexpr const char* kJournalSuffix = ".journal";

std::filesystem::path with_suffix(std::filesystem::path path, const char* suffix) {
  return path += suffix;
}

// HDF5 is told that all went well; the file knows better.
void demand_room(const LatchedFile& target) {
  if (target.error() != 0) throw Hdf5Error("write");
}

void copy(const RecordingContents& contents, const RecordingOptions& options, LatchedFile& target) {
  Hdf5Sink sink(target, contents.header(), options);
  RecordedFrame frame;
  for (std::size_t k = 0; k < contents.frame_steps().size(); ++k) {
    contents.read_frame(k, frame);
    sink.add(frame);
    demand_room(target);
  }
  contents.visit_rows(contents.diagnostics_count(), [&](const DiagnosticBits& row) {
    sink.add(row);
    demand_room(target);
  });
  for (std::size_t first = 0; first < contents.event_count(); first += kBlock) {
    sink.add(contents.events(first, std::min(kBlock, contents.event_count() - first)));
    demand_room(target);
  }
  std::vector<Checkpoint> kept;
  const std::size_t count = contents.checkpoints().size();
  for (std::size_t k = count - std::min<std::size_t>(count, options.kept_checkpoints); k < count;
       ++k) {
    kept.push_back(contents.checkpoint(k));
  }
  sink.finish(kept, contents.end());
  target.sync();
}

// Makes the new file at `part`, complete and on the disk.
void make_file(const RecordingContents& contents, const RecordingOptions& options,
               const std::filesystem::path& part) {
  FileDescriptor file(::open(part.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | O_TRUNC, 0666));
  if (!file.open()) throw RecordingError(part.string(), system_message(errno));
  LatchedFile target(std::move(file));
  const QuietErrors quiet;
  std::string fault;
  try {
    copy(contents, options, target);
  } catch (const Hdf5Error& error) {
    fault = error.what();
  }
  if (target.error() != 0) fault = system_message(target.error());
  if (!fault.empty()) throw RecordingError(part.string(), fault);
}

void put_into_place(const std::filesystem::path& part, const std::filesystem::path& recording) {
  if (::rename(part.c_str(), recording.c_str()) != 0) {
    throw RecordingError(recording.string(), system_message(errno));
  }
  sync_directory_of(recording);
}

}  // namespace

std::filesystem::path journal_of(const std::filesystem::path& recording) {
  return with_suffix(recording, kJournalSuffix);
}

std::filesystem::path recording_of(const std::filesystem::path& journal) {
  std::filesystem::path path = journal;
  if (path.extension() == kJournalSuffix) path.replace_extension();
  return path;
}

std::filesystem::path partial_of(const std::filesystem::path& recording) {
  return with_suffix(recording, ".part");
}

void write_recording(const RecordingContents& contents, const RecordingOptions& options,
                     const std::filesystem::path& recording) {
  const std::filesystem::path part = partial_of(recording);
  try {
    make_file(contents, options, part);
    put_into_place(part, recording);
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

bool may_replace(const std::filesystem::path& recording, RunStatus ended) {
  std::error_code none;
  if (ended == RunStatus::finished || !std::filesystem::exists(recording, none)) return true;
  try {
    const RunStatus before = RecordingFile(recording).end().status;
    if (before == RunStatus::failed) return ended == RunStatus::failed;
    return before != RunStatus::finished;
  } catch (const InputError&) {
    return false;  // whatever it is, it is not ours to replace by half a run
  }
}

bool convert_journal(const std::filesystem::path& recording, const FileDescriptor& journal) {
  const std::filesystem::path place = journal_of(recording);
  const JournalContents contents(place, recording, journal);
  if (!may_replace(recording, contents.end().status)) return false;
  write_recording(contents, contents.options(), recording);
  ::unlink(place.c_str());
  return true;
}

}  // namespace carom::detail
