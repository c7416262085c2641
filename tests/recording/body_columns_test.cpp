// Numbers of bodies that a scheme adds to its frames: kept to the bit, through crashes and exports,
// and absent where there are none.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/recording/detail/records.h"
#include "carom/recording/export.h"
#include "carom/recording/reader.h"
#include "carom/recording/recover.h"
#include "carom/recording/writer.h"

#include "recording/sample_run.h"
#include "support/scratch.h"

namespace carom::test {
namespace {

SampleRun with_columns(bool turns) {
  SampleRun run;
  run.turns = turns;
  run.body_columns = 2;
  return run;
}

TEST(BodyColumns, AreKeptToTheBit) {
  const ScratchDirectory scratch;
  for (const bool turns : {false, true}) {
    const SampleRun run = with_columns(turns);
    record_sample(run, scratch / "run.h5", 30);
    const RecordingReader recording = open_recording(scratch / "run.h5");
    EXPECT_EQ(fault_of_prefix(run, recording), "");
    const RecordedFrame frame = recording.frame(7);
    const std::vector<double> second = body_column(recording.header(), frame, "own_1");
    EXPECT_EQ(second,
              std::vector<double>(frame.body_numbers.begin() + 5, frame.body_numbers.end()));
    EXPECT_TRUE(has_body_column(recording.header(), "own_0"));
    EXPECT_FALSE(has_body_column(recording.header(), "own_2"));
  }
}

TEST(BodyColumns, OutliveACrashAndAResumedRun) {
  const ScratchDirectory scratch;
  const SampleRun run = with_columns(false);
  {
    RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", sample_header(run));
    append_steps(run, writer, 0, 25);
  }
  EXPECT_EQ(fault_of_prefix(run, open_recording(scratch / "run.h5")), "");
  {
    RecordingWriter writer = RecordingWriter::resume(scratch / "run.h5", 20);
    append_steps(run, writer, 21, 40);
    writer.finish({});
  }
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(recording.frame_count(), 41U);
  EXPECT_EQ(fault_of_prefix(run, recording), "");
}

// A journal's header ends where that of a version without them ended.
TEST(BodyColumns, JournalsWithoutThemAreReadAsBefore) {
  for (const std::size_t columns : {0U, 2U}) {
    for (const std::string surfaces : {"", "[]"}) {
      SampleRun run;
      run.body_columns = columns;
      RecordingHeader header = sample_header(run);
      header.surfaces_json = surfaces;
      detail::ByteWriter bytes;
      detail::encode(header, bytes);
      detail::encode(RecordingOptions{}, bytes);
      detail::ByteReader in(bytes.bytes());
      RecordingHeader found;
      RecordingOptions options;
      EXPECT_TRUE(detail::decode(in, found) && detail::decode(in, options));
      EXPECT_EQ(found, header);
      EXPECT_EQ(in.left(), 0U);
    }
  }
}

TEST(BodyColumns, AreColumnsOfACsvFile) {
  const ScratchDirectory scratch;
  record_sample(with_columns(true), scratch / "run.h5", 3);
  ExportOptions options;
  options.directory = scratch / "";
  options.prefix = "run";
  static_cast<void>(export_csv(open_recording(scratch / "run.h5"), options));
  const std::string text = read_all(scratch / "run.frames.csv");
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_TRUE(first.ends_with(",wx,wy,wz,own_0,own_1")) << first;
  // Of body 0 at step 0: 1 / 3, and 1 / 8 behind the five bodies of the first column.
  const std::string second =
      text.substr(first.size() + 1, text.find('\n', first.size() + 1) - first.size() - 1);
  EXPECT_TRUE(second.ends_with(",0.3333333333333333,0.125")) << second;
}

}  // namespace
}  // namespace carom::test
