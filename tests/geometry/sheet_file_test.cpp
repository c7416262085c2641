// Surfaces and chains of OBJ files: order, digits, groups, texture coordinates, and what is
// refused.

#include "carom/geometry/sheet_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

namespace carom {
namespace {

class SheetFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(directory_);
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return directory_ / name;
  }

  std::string fault_of(const std::string& text, const SheetChoice& choice = {}) {
    try {
      static_cast<void>(read_sheet(file("bad.obj", text), choice));
    } catch (const InputError& error) {
      return error.message();
    }
    return "";
  }

 private:
  std::filesystem::path directory_ =
      std::filesystem::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

const std::string kTwoObjects = R"(# two objects that share a place
o left
v 0.1 0 0
v 1 0 0
v 0 1 0
vt 0 0
vt 0.25 0
vt 0 0.5
f 1/1 2/2 3/3
o right
v 9 9 9
v 0.1 0 0
v 1 0 1e-300
v 1 1 0
v 0 1 0
vt 1 1
f 5/4/1 6/4 7/4 -1/4
l 5 6 7
)";

std::vector<std::array<Index, 3>> triangles_of(const SheetFile& sheet) {
  std::vector<std::array<Index, 3>> list;
  for (const TriangleMesh::Triangle& t : sheet.mesh.triangles) list.push_back({t.a, t.b, t.c});
  return list;
}

TEST_F(SheetFiles, KeepOrderDigitsAndVerticesInTheSamePlace) {
  const SheetFile sheet = read_sheet(file("two.obj", kTwoObjects), {});
  // The vertex (9, 9, 9) is of no face.
  const std::vector<Vec3> places = {{0.1, 0, 0},    {1, 0, 0}, {0, 1, 0}, {0.1, 0, 0},
                                    {1, 0, 1e-300}, {1, 1, 0}, {0, 1, 0}};
  EXPECT_EQ(sheet.mesh.vertices, places);
  const std::vector<std::array<Index, 3>> triangles = {{0, 1, 2}, {3, 4, 5}, {3, 5, 6}};
  EXPECT_EQ(triangles_of(sheet), triangles);
  const std::vector<std::array<Index, 2>> edges = {{3, 4}, {4, 5}};
  EXPECT_EQ(sheet.edges, edges);
  EXPECT_TRUE(sheet.texture.empty());
}

TEST_F(SheetFiles, OneGroupIsNumberedFromItsFirstVertex) {
  const std::filesystem::path path = file("two.obj", kTwoObjects);
  const SheetFile left = read_sheet(path, {"left", true});
  EXPECT_EQ(left.mesh.vertices.size(), 3U);
  const std::vector<Vec3> texture = {{0, 0, 0}, {0.25, 0, 0}, {0, 0.5, 0}};
  EXPECT_EQ(left.texture, texture);
  const SheetFile right = read_sheet(path, {"right", false});
  const std::vector<std::array<Index, 3>> triangles = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(triangles_of(right), triangles);
}

TEST_F(SheetFiles, FacesBelongToAnObjectAndToGroups) {
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no thing\ng front lower\nf 1 2 3\ng back\nf 2 4 3\n";
  const std::filesystem::path path = file("groups.obj", text);
  EXPECT_EQ(read_sheet(path, {"thing", false}).mesh.triangles.size(), 2U);
  EXPECT_EQ(read_sheet(path, {"lower", false}).mesh.triangles.size(), 1U);
  EXPECT_EQ(read_sheet(path, {"back", false}).mesh.triangles.size(), 1U);
}

// Objects before the vertices, groups before the faces.
TEST_F(SheetFiles, AGroupOfThatNameIsMeantRatherThanAnObject) {
  const std::string text =
      "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\no b\nv 0 0 1\nv 1 0 1\nv 0 1 1\n"
      "g a\nf 1 2 3\ng b\nf 4 5 6\n";
  const std::filesystem::path path = file("late.obj", text);
  EXPECT_EQ(read_sheet(path, {"a", false}).mesh.vertices.at(0), (Vec3{0, 0, 0}));
  EXPECT_EQ(read_sheet(path, {"b", false}).mesh.vertices.at(0), (Vec3{0, 0, 1}));
  EXPECT_EQ(read_sheet(path, {"b", false}).mesh.triangles.size(), 1U);
}

TEST_F(SheetFiles, FaultsAreToldWithTheLine) {
  const std::string places = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(fault_of("v 0 x 0\n"), "line 1: expected a number, found 'x'");
  EXPECT_EQ(fault_of("v 0 1\n"), "line 1: expected 3 numbers, found 2");
  EXPECT_EQ(fault_of(places + "f 1 2\n"), "line 4: a face has at least three corners");
  EXPECT_EQ(fault_of(places + "f 1 2 4\n"), "line 4: there is no vertex '4'");
  EXPECT_EQ(fault_of(places + "f 1 2 -4\n"), "line 4: there is no vertex '-4'");
  EXPECT_EQ(fault_of(places + "f 1 2 0\n"), "line 4: there is no vertex '0'");
  EXPECT_EQ(fault_of(places), "has no faces and no lines");
  EXPECT_EQ(fault_of(kTwoObjects, {"lift", false}),
            "unknown group 'lift'; did you mean 'left'? Known: left, right");
  EXPECT_EQ(fault_of(places + "f 1 2 3\n", {"", true}),
            "line 4: vertex 1 has no texture coordinates");
  EXPECT_EQ(fault_of(places + "vt 0 0\nvt 1 0\nf 1/1 2/1 3/1\nf 1/2 3/1 2/1\n", {"", true}),
            "line 7: vertex 1 has two texture coordinates: a seam of the texture must be a seam of "
            "the surface");
}

TEST_F(SheetFiles, OtherFormatsHaveNeitherGroupsNorTexture) {
  const std::string stl =
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
      "endloop\nendfacet\nendsolid s\n";
  const std::filesystem::path path = file("one.stl", stl);
  EXPECT_EQ(read_sheet(path, {}).mesh.triangles.size(), 1U);
  EXPECT_THROW(static_cast<void>(read_sheet(path, {"s", false})), InputError);
  EXPECT_THROW(static_cast<void>(read_sheet(path, {"", true})), InputError);
}

}  // namespace
}  // namespace carom
