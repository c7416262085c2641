// Recordings and exports, read back by programs that are not ours: h5py, Python's csv, ASE, VTK.

#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/recording/export.h"
#include "carom/recording/reader.h"

#include "recording/sample_run.h"
#include "support/directories.h"
#include "support/scratch.h"

namespace carom::test {
namespace {

constexpr std::uint64_t kLastStep = 47;
constexpr std::size_t kEvery = 4;

// A finished recording of the sample run and the interpreter that has the readers.
class Readers : public testing::Test {
 protected:
  Readers() : path(scratch / "break.h5") { record_sample(run, path, kLastStep); }

  void SetUp() override {
    if (std::string(CAROM_READERS_PYTHON).empty()) {
      ASSERT_EQ(std::getenv("CI"), nullptr) << "no python3 with h5py, vtk and ase";
      GTEST_SKIP() << "no python3 with h5py, vtk and ase: ./dev setup installs them";
    }
  }

  // Runs a script in the scratch directory; what it printed, with its errors.
  [[nodiscard]] std::string run_python(const std::string& arguments) const {
    const std::filesystem::path out = scratch / "output.txt";
    const std::string command = "cd '" + scratch.path().string() +
                                "' && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" + source_directory() +
                                "/tests/recording' '" + CAROM_READERS_PYTHON + "' " + arguments +
                                " >'" + out.string() + "' 2>&1";
    const int status = std::system(command.c_str());
    return (status == 0 ? "" : "failed: ") + read_all(out);
  }

  [[nodiscard]] static std::string checker(const std::string& name) {
    return std::string("'") + source_directory() + "/tests/recording/" + name + "' ";
  }

  [[nodiscard]] std::string numbers() const {
    return " " + std::to_string(run.bodies) + " " + std::to_string(kLastStep);
  }

  const SampleRun run;
  const ScratchDirectory scratch;
  const std::filesystem::path path;
  const ExportOptions options{.directory = scratch.path() / "made",
                              .prefix = "out",
                              .every = kEvery,
                              .box = {},
                              .period = {}};
};

TEST_F(Readers, H5pyFindsEveryNumber) {
  EXPECT_EQ(run_python(checker("check_hdf5.py") + "break.h5" + numbers()),
            "check_hdf5: all numbers agree\n");
}

TEST_F(Readers, H5pyRunsTheLinesOfTheDocument) {
  const std::string document = read_all(source_directory() + "/docs/recording-format.md");
  const std::string fence = "```python\n";
  const std::size_t at = document.find(fence);
  ASSERT_NE(at, std::string::npos);
  const std::size_t begin = at + fence.size();
  const std::string lines = document.substr(begin, document.find("```", begin) - begin);
  EXPECT_LE(std::count(lines.begin(), lines.end(), '\n'), 5);
  write_all(scratch / "lines.py",
            lines + "print(position.shape, float(time[-1]), float(kinetic[3]))\n");
  EXPECT_EQ(run_python("lines.py"), "(48, 5, 3) 0.47000000000000003 0.25\n");
}

TEST_F(Readers, CsvHoldsEveryNumber) {
  const std::vector<std::filesystem::path> files = export_csv(open_recording(path), options);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0], options.directory / "out.frames.csv");
  EXPECT_EQ(
      run_python(checker("check_csv.py") + "made out" + numbers() + " " + std::to_string(kEvery)),
      "check_csv: all numbers agree\n");
}

TEST_F(Readers, AseReadsTheLammpsDump) {
  const std::vector<std::filesystem::path> files = export_lammps(open_recording(path), options);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(run_python(checker("check_lammps.py") + files[0].string() + numbers() + " " +
                       std::to_string(kEvery)),
            "check_lammps: all numbers agree\n");
}

TEST_F(Readers, AseReadsThePeriodOfAPeriodicWorld) {
  ExportOptions periodic = options;
  periodic.period = {{{-1.5, 0.0, 0.0}, {4.25, 0.0, 0.0}}};
  const std::vector<std::filesystem::path> files = export_lammps(open_recording(path), periodic);
  EXPECT_EQ(run_python(checker("check_lammps.py") + files[0].string() + numbers() + " " +
                       std::to_string(kEvery) + " -1.5 4.25"),
            "check_lammps: all numbers agree\n");
}

TEST_F(Readers, VtkReadsTheSeries) {
  const std::vector<std::filesystem::path> files = export_vtk(open_recording(path), options);
  ASSERT_EQ(files.size(), 1U + kLastStep / kEvery + 1U);
  EXPECT_EQ(files[1].filename(), "out_000000.vtp");
  EXPECT_EQ(run_python(checker("check_vtk.py") + files[0].string() + numbers() + " " +
                       std::to_string(kEvery)),
            "check_vtk: all numbers agree\n");
}

// The same with bodies that turn.
class ReadersOfSolids : public Readers {
 protected:
  ReadersOfSolids() { record_sample(turning, scratch / "tumble.h5", kLastStep); }

  [[nodiscard]] std::string every() const { return numbers() + " " + std::to_string(kEvery); }

  const SampleRun turning{.turns = true};
};

TEST_F(ReadersOfSolids, CsvHoldsEveryNumber) {
  const std::vector<std::filesystem::path> files =
      export_csv(open_recording(scratch / "tumble.h5"), options);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(run_python(checker("check_csv.py") + "made out" + every() + " turns"),
            "check_csv: all numbers agree\n");
}

TEST_F(ReadersOfSolids, AseReadsTheLammpsDump) {
  const std::vector<std::filesystem::path> files =
      export_lammps(open_recording(scratch / "tumble.h5"), options);
  EXPECT_EQ(run_python(checker("check_lammps.py") + files[0].string() + every() + " turns"),
            "check_lammps: all numbers agree\n");
}

TEST_F(ReadersOfSolids, VtkReadsTheirTriangles) {
  const std::vector<std::filesystem::path> files =
      export_vtk(open_recording(scratch / "tumble.h5"), options);
  EXPECT_EQ(run_python(checker("check_vtk_solids.py") + files[0].string() + every()),
            "check_vtk_solids: all numbers agree\n");
}

TEST_F(ReadersOfSolids, VtkShapesThatMoveHaveAFileForEachFrame) {
  RecordingHeader header = sample_header(turning);
  header.shapes_json = R"([{"type": "box_inside", "lower": [-1, -1, -1], "upper": [1, 1, 1],
    "motion": {"times": [0, 0.4], "offsets": [[0, 0, 0], [0, 0, 4]]}}])";
  RecordingWriter writer = RecordingWriter::create(scratch / "lift.h5", header);
  append_steps(turning, writer, 0, kLastStep);
  writer.finish({});
  const std::vector<std::filesystem::path> files =
      export_vtk(open_recording(scratch / "lift.h5"), options);
  ASSERT_EQ(files.size(), 1U + 2U * (kLastStep / kEvery + 1U));
  EXPECT_EQ(files[4].filename(), "out_shapes_000004.vtp");
  write_all(scratch / "lift.py", R"(
import sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
for name in sys.argv[1:]:
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(name)
    reader.Update()
    print(reader.GetOutput().GetNumberOfPolys(), reader.GetOutput().GetBounds())
)");
  EXPECT_EQ(run_python("lift.py made/out_shapes_000000.vtp made/out_shapes_000020.vtp"),
            "12 (-1.0, 1.0, -1.0, 1.0, -1.0, 1.0)\n12 (-1.0, 1.0, -1.0, 1.0, 1.0, 3.0)\n");
}

// The same where bodies 1 to 3 are a triangle, and body 4 hangs from it by a chain.
class ReadersOfSurfaces : public Readers {
 protected:
  ReadersOfSurfaces() {
    RecordingHeader header = sample_header(run);
    header.shapes_json = "[]";
    header.surfaces_json = R"([{"name": "a kite", "first": 1, "count": 4, "triangles": [[0, 1, 2]],
      "edges": [[0, 1], [0, 2], [1, 2], [2, 3]], "thickness": 0.02, "material": 1}])";
    RecordingWriter writer = RecordingWriter::create(scratch / "kite.h5", header);
    append_steps(run, writer, 0, kLastStep);
    writer.finish({});
  }

  [[nodiscard]] std::string every() const { return numbers() + " " + std::to_string(kEvery); }
};

TEST_F(ReadersOfSurfaces, VtkReadsTrianglesAndLines) {
  const std::vector<std::filesystem::path> files =
      export_vtk(open_recording(scratch / "kite.h5"), options);
  EXPECT_EQ(run_python(checker("check_vtk_surfaces.py") + files[0].string() + every()),
            "check_vtk_surfaces: all numbers agree\n");
}

TEST_F(ReadersOfSurfaces, ObjFilesHoldEveryNumber) {
  const std::vector<std::filesystem::path> files =
      export_obj(open_recording(scratch / "kite.h5"), options);
  ASSERT_EQ(files.size(), kLastStep / kEvery + 1U);
  EXPECT_EQ(files[1].filename(), "out_000004.obj");
  EXPECT_EQ(run_python(checker("check_obj.py") + "made/out" + every()),
            "check_obj: all numbers agree\n");
}

TEST_F(ReadersOfSolids, VtkReadsTheObjFilesOfSolidsAndShapes) {
  const std::vector<std::filesystem::path> files =
      export_obj(open_recording(scratch / "tumble.h5"), options);
  write_all(scratch / "read_obj.py", R"(
import sys
from vtkmodules.vtkIOGeometry import vtkOBJReader
reader = vtkOBJReader()
reader.SetFileName(sys.argv[1])
reader.Update()
print(reader.GetOutput().GetNumberOfPoints(), reader.GetOutput().GetNumberOfPolys())
)");
  // Three tetrahedra, the stone, and a floor of two triangles.
  EXPECT_EQ(run_python("read_obj.py " + files[3].string()), "20 18\n");
}

TEST(Export, ObjFilesNeedAFrame) {
  const ScratchDirectory scratch;
  RecordingWriter::create(scratch / "run.h5", sample_header({})).finish({});
  const ExportOptions options{
      .directory = scratch.path(), .prefix = "run", .every = 1, .box = {}, .period = {}};
  EXPECT_THROW(export_obj(open_recording(scratch / "run.h5"), options), InputError);
}

TEST(Export, SaysWhichSolidIsMissing) {
  const ScratchDirectory scratch;
  RecordingHeader header = sample_header({.turns = true});
  header.solids[3] = 7;
  RecordingWriter::create(scratch / "run.h5", header).finish({});
  const RecordingReader recording = open_recording(scratch / "run.h5");
  const ExportOptions options{
      .directory = scratch.path(), .prefix = "run", .every = 1, .box = {}, .period = {}};
  try {
    export_vtk(recording, options);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "bodies/solid[3]: there is no solid 7");
  }
}

TEST(Export, StatesTheBoxThatItIsGiven) {
  const ScratchDirectory scratch;
  record_sample({}, scratch / "run.h5", 1);
  const RecordingReader recording = open_recording(scratch / "run.h5");
  ExportOptions options{
      .directory = scratch.path(), .prefix = "run", .every = 1, .box = {}, .period = {}};
  options.box = {{{-1.0, -2.0, -3.0}, {1.0, 2.5, 1e10}}};
  const std::string dump = read_all(export_lammps(recording, options).front());
  EXPECT_NE(dump.find("ITEM: BOX BOUNDS ff ff ff\n-1 1\n-2 2.5\n-3 1e+10\n"), std::string::npos);
}

TEST(Export, RefusesWhatItCannotDo) {
  const ScratchDirectory scratch;
  record_sample({}, scratch / "run.h5", 1);
  const RecordingReader recording = open_recording(scratch / "run.h5");
  ExportOptions options{
      .directory = scratch / "run.h5", .prefix = "run", .every = 1, .box = {}, .period = {}};
  EXPECT_THROW(export_csv(recording, options), InputError);
  options = {.directory = scratch.path(), .prefix = "run", .every = 0, .box = {}, .period = {}};
  EXPECT_THROW(export_vtk(recording, options), InputError);
}

}  // namespace
}  // namespace carom::test
