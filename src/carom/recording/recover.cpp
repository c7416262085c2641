// Saves what is sound in a damaged recording.

#include "carom/recording/recover.h"

#include <algorithm>
#include <fcntl.h>
#include <limits>
#include <utility>

#include "carom/core/error.h"
#include "carom/recording/detail/convert.h"
#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/journal_contents.h"
#include "carom/recording/place.h"

namespace carom {
namespace {

using detail::DiagnosticBits;
using detail::RecordingContents;
using detail::RecordingFile;

constexpr std::size_t kBlock = 64;  // rows or events that are lost together
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kMostNamed = 10;  // steps of lost frames

// Whether an action finds everything as it was written.
template <typename Action>
bool is_sound(const Action& action) {
  try {
    action();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// The sound part of a file, as a recording of its own.
class SoundPart final : public RecordingContents {
 public:
  explicit SoundPart(const RecordingFile& file) : file_(&file) {
    find_frames();
    find_rows();
    find_events();
    find_checkpoints();
    end_ = file.end();
    if (recovery_.complete()) return;
    end_.status = RunStatus::crashed;
    end_.reason = "recovered from a damaged file without " + describe_losses(recovery_);
  }

  [[nodiscard]] const Recovery& recovery() const { return recovery_; }

  [[nodiscard]] const std::filesystem::path& path() const override { return file_->path(); }
  [[nodiscard]] const RecordingHeader& header() const override { return file_->header(); }
  [[nodiscard]] const RunEnd& end() const override { return end_; }
  [[nodiscard]] const std::vector<std::uint64_t>& frame_steps() const override { return steps_; }
  [[nodiscard]] const std::vector<double>& frame_times() const override { return times_; }
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const override { return checkpoints_; }
  [[nodiscard]] std::size_t diagnostics_count() const override { return recovery_.rows.kept; }
  [[nodiscard]] std::size_t event_count() const override { return recovery_.events.kept; }

  void read_frame(std::size_t number, RecordedFrame& frame) const override {
    file_->read_frame(frames_[number], frame);
  }
  [[nodiscard]] Checkpoint checkpoint(std::size_t number) const override {
    return file_->checkpoint(kept_checkpoints_[number]);
  }
  [[nodiscard]] std::vector<ContactEvent> events(std::size_t first,
                                                 std::size_t count) const override {
    std::vector<ContactEvent> all;
    for (const Block& block : events_) {
      if (all.size() >= count) break;
      if (first >= block.size) {
        first -= block.size;
        continue;
      }
      const std::size_t size = std::min(block.size - first, count - all.size());
      const std::vector<ContactEvent> some = file_->events(block.first + first, size);
      all.insert(all.end(), some.begin(), some.end());
      first = 0;
    }
    return all;
  }
  // Not asked for: what is made of it is copied row by row.
  [[nodiscard]] std::vector<std::uint64_t> stored_column(std::string_view name,
                                                         ColumnType type) const override {
    return file_->stored_column(name, type);
  }
  void visit_rows(std::size_t count,
                  const std::function<void(const DiagnosticBits&)>& visit) const override {
    std::size_t left = count;
    for (const Block& block : rows_) {
      const std::size_t size = std::min(block.size, left);
      if (size == 0) break;
      file_->visit_block(block.first, size, visit);
      left -= size;
    }
  }

 private:
  struct Block {
    std::size_t first = 0;
    std::size_t size = 0;
  };

  // Nothing after this step is surely as it was.
  void lose_from(std::uint64_t step) { first_lost_ = std::min(first_lost_, step); }

  void find_frames() {
    RecordedFrame frame;
    for (std::size_t k = 0; k < file_->frame_steps().size(); ++k) {
      const std::uint64_t step = file_->frame_steps()[k];
      if (is_sound([&] { file_->read_frame(k, frame); })) {
        frames_.push_back(k);
        steps_.push_back(step);
        times_.push_back(file_->frame_times()[k]);
        continue;
      }
      recovery_.lost_frames.push_back(step);
      lose_from(step);
    }
    recovery_.frames = {frames_.size(), recovery_.lost_frames.size()};
  }

  void find_rows() {
    std::uint64_t last = 0;  // step of the last row that is sound
    for (std::size_t first = 0; first < file_->diagnostics_count(); first += kBlock) {
      const Block block{first, std::min(kBlock, file_->diagnostics_count() - first)};
      const bool sound = is_sound([&] {
        file_->visit_block(block.first, block.size,
                           [&](const DiagnosticBits& row) { last = row.step; });
      });
      if (sound) {
        rows_.push_back(block);
        recovery_.rows.kept += block.size;
      } else {
        recovery_.rows.lost += block.size;
        lose_from(first == 0 ? 0 : last + 1);
      }
    }
  }

  void find_events() {
    std::uint64_t last = 0;
    for (std::size_t first = 0; first < file_->event_count(); first += kBlock) {
      const Block block{first, std::min(kBlock, file_->event_count() - first)};
      const bool sound =
          is_sound([&] { last = file_->events(block.first, block.size).back().step; });
      if (sound) {
        events_.push_back(block);
        recovery_.events.kept += block.size;
      } else {
        recovery_.events.lost += block.size;
        lose_from(first == 0 ? 0 : last);
      }
    }
  }

  void find_checkpoints() {
    for (std::size_t k = 0; k < file_->checkpoints().size(); ++k) {
      if (!is_sound([&] { static_cast<void>(file_->checkpoint(k)); })) {
        ++recovery_.checkpoints.lost;
      } else if (file_->checkpoints()[k].step >= first_lost_) {
        ++recovery_.checkpoints_left_out;
      } else {
        kept_checkpoints_.push_back(k);
        checkpoints_.push_back(file_->checkpoints()[k]);
      }
    }
    recovery_.checkpoints.kept = checkpoints_.size();
  }

  const RecordingFile* file_;
  RunEnd end_;
  Recovery recovery_;
  std::uint64_t first_lost_ = kNever;
  std::vector<std::size_t> frames_;  ///< numbers in the file
  std::vector<std::uint64_t> steps_;
  std::vector<double> times_;
  std::vector<Block> rows_;
  std::vector<Block> events_;
  std::vector<std::size_t> kept_checkpoints_;
  std::vector<Checkpoint> checkpoints_;
};

Recovery all_of(const RecordingContents& contents) {
  Recovery all;
  all.frames.kept = contents.frame_steps().size();
  all.rows.kept = contents.diagnostics_count();
  all.events.kept = contents.event_count();
  all.checkpoints.kept = contents.checkpoints().size();
  return all;
}

}  // namespace

std::string describe_losses(const Recovery& recovery) {
  std::string text;
  const auto add = [&](const Recovery::Count& count, const std::string& what) {
    if (count.lost == 0) return;
    if (!text.empty()) text += ", ";
    text += std::to_string(count.lost) + " of " + std::to_string(count.kept + count.lost) + what;
  };
  add(recovery.frames, " frames");
  for (std::size_t k = 0; k < recovery.lost_frames.size() && k < kMostNamed; ++k) {
    text += (k == 0 ? " (steps " : ", ") + std::to_string(recovery.lost_frames[k]);
  }
  if (recovery.lost_frames.size() > kMostNamed) text += ", ...";
  if (!recovery.lost_frames.empty()) text += ')';
  add(recovery.rows, " rows of diagnostics");
  add(recovery.events, " impulses");
  Recovery::Count checkpoints = recovery.checkpoints;
  checkpoints.kept += recovery.checkpoints_left_out;
  add(checkpoints, " checkpoints");
  return text.empty() ? "nothing" : text;
}

Recovery recover_recording(const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::filesystem::path place = followed(from);
  const std::filesystem::path target = followed(to);
  if (detail::is_journal(place)) {  // its records are read up to the last that is sound
    const detail::FileDescriptor file(::open(place.c_str(), O_RDONLY | O_CLOEXEC));
    const detail::JournalContents contents(place, detail::recording_of(place), file);
    detail::write_recording(contents, contents.options(), target);
    return all_of(contents);
  }
  const RecordingFile file(place);
  const SoundPart sound(file);
  RecordingOptions options;
  options.kept_checkpoints = std::max<std::uint32_t>(
      options.kept_checkpoints, static_cast<std::uint32_t>(sound.checkpoints().size()));
  detail::write_recording(sound, options, target);
  return sound.recovery();
}

}  // namespace carom
