// Deformable surfaces and chains in recordings: kept to the bit, checked, and absent where there
// are none.

#include "carom/recording/surfaces.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/reader.h"
#include "carom/recording/writer.h"

#include "recording/sample_run.h"
#include "support/scratch.h"

namespace carom::test {
namespace {

// Bodies 1 to 4 are a square of two triangles with a tail; body 0 is a ball.
std::vector<RecordedSurface> sample_surfaces() {
  RecordedSurface kite;
  kite.name = "kite \"one\"";
  kite.first = 1;
  kite.count = 4;
  kite.triangles = {{0, 1, 2}};
  kite.edges = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  kite.thickness = 0.1 / 3.0;
  kite.material = 1;
  return {kite};
}

RecordingHeader header_with_surfaces() {
  RecordingHeader header = sample_header({});
  header.surfaces_json = write_surfaces(sample_surfaces());
  return header;
}

TEST(RecordedSurfaces, AreKeptToTheBit) {
  const ScratchDirectory scratch;
  RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", header_with_surfaces());
  append_steps({}, writer, 0, 20);
  writer.finish({});
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(recording.header(), header_with_surfaces());
  EXPECT_EQ(recorded_surfaces(recording.header()), sample_surfaces());
  EXPECT_TRUE(same_bits(recording.frame(7), sample_frame({}, 7)));
}

TEST(RecordedSurfaces, OutliveACrashAndAResumedRun) {
  const ScratchDirectory scratch;
  {
    RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", header_with_surfaces());
    append_steps({}, writer, 0, 30);
  }
  EXPECT_EQ(open_recording(scratch / "run.h5").header(), header_with_surfaces());
  {
    RecordingWriter writer = RecordingWriter::resume(scratch / "run.h5", 20);
    append_steps({}, writer, 21, 40);
    writer.finish({});
  }
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(recording.header(), header_with_surfaces());
  EXPECT_EQ(recording.frame_count(), 41U);
}

TEST(RecordedSurfaces, AreAbsentWhereThereAreNone) {
  const ScratchDirectory scratch;
  record_sample({}, scratch / "run.h5", 10);
  const RecordingReader recording = open_recording(scratch / "run.h5");
  EXPECT_EQ(recording.header().surfaces_json, "");
  EXPECT_TRUE(recorded_surfaces(recording.header()).empty());
  // As in files of versions that knew no surfaces.
  EXPECT_EQ(read_all(scratch / "run.h5").find("surfaces"), std::string::npos);
}

// A journal of an earlier version ends its header with the columns.
TEST(RecordedSurfaces, JournalsWithoutThemAreReadAsBefore) {
  for (const bool has_surfaces : {false, true}) {
    const RecordingHeader header = has_surfaces ? header_with_surfaces() : sample_header({});
    detail::ByteWriter bytes;
    detail::encode(header, bytes);
    const std::size_t size = bytes.bytes().size();
    detail::encode(RecordingOptions{}, bytes);
    EXPECT_EQ(bytes.bytes().size(), size + 8);
    detail::ByteReader in(bytes.bytes());
    RecordingHeader found;
    RecordingOptions options;
    EXPECT_TRUE(detail::decode(in, found) && detail::decode(in, options));
    EXPECT_EQ(found, header);
    EXPECT_EQ(in.left(), 0U);
  }
}

TEST(RecordedSurfaces, DamageIsAnInputErrorThatNamesThePlace) {
  const std::string begin =
      R"([{"name": "a", "first": 1, "count": 4, "thickness": 0, "material": 0, )";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{}", "scene/surfaces"},
      {"[1, 2", "scene/surfaces"},
      {R"([{"first": 0}])", "scene/surfaces[0]"},
      {R"([{"name": "a", "first": 5, "count": 1}])", "scene/surfaces[0].first"},
      {R"([{"name": "a", "first": -1, "count": 1}])", "scene/surfaces[0].first"},
      {R"([{"name": "a", "first": 1, "count": 5}])", "scene/surfaces[0].count"},
      {begin + R"("triangles": [[0, 1, 4]], "edges": []}])", "scene/surfaces[0].triangles[0]"},
      {begin + R"("triangles": [[0, 1, 1]], "edges": []}])", "scene/surfaces[0].triangles[0]"},
      {begin + R"("triangles": [], "edges": [[0, 1], [2]]}])", "scene/surfaces[0].edges[1]"},
      {begin + R"("triangles": 3, "edges": []}])", "scene/surfaces[0].triangles"},
      {R"([{"name": "a", "first": 1, "count": 4, "thickness": -1, "material": 0, "triangles": [], "edges": []}])",
       "scene/surfaces[0].thickness"},
      {R"([{"name": "a", "first": 1, "count": 4, "thickness": 1, "material": "x", "triangles": [], "edges": []}])",
       "scene/surfaces[0].material"},
      {begin +
           R"("triangles": [], "edges": []}, {"name": "b", "first": 4, "count": 1, "thickness": 0,
        "material": 0, "triangles": [], "edges": []}])",
       "scene/surfaces[1]"}};
  for (const auto& [text, place] : cases) {
    SCOPED_TRACE(text);
    RecordingHeader header = sample_header({});
    header.surfaces_json = text;
    try {
      static_cast<void>(recorded_surfaces(header));
      ADD_FAILURE() << "was read";
    } catch (const InputError& error) {
      EXPECT_EQ(error.place().key, place) << error.what();
    }
  }
}

TEST(RecordedSurfaces, TheChainIsWhatIsNoSideOfATriangle) {
  const std::vector<std::array<Index, 2>> tail = {{2, 3}};
  EXPECT_EQ(chain_of(sample_surfaces()[0]), tail);
  const RecordedFrame frame = sample_frame({}, 3);
  const TriangleMesh mesh = mesh_in(sample_surfaces()[0], frame);
  ASSERT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.vertices[2].y, frame.positions[3 * 3 + 1]);
  EXPECT_EQ(vertices_among(sample_surfaces(), 5),
            (std::vector<bool>{false, true, true, true, true}));
}

}  // namespace
}  // namespace carom::test
