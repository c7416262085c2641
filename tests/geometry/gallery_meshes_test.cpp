#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_figures.h"
#include "carom/geometry/mesh_file.h"
#include "carom/geometry/signed_distance.h"
#include "carom/geometry/triangle_mesh.h"

#include "support/directories.h"

namespace carom {
namespace {

const std::filesystem::path kMeshes =
    std::filesystem::path(test::source_directory()) / "gallery" / "meshes";

TEST(GalleryMeshes, TheBunnyIsClosed) {
  const TriangleMesh bunny = read_mesh(kMeshes / "bunny.obj");
  EXPECT_NO_THROW(check_mesh(bunny));
  EXPECT_EQ(bunny.vertices.size(), 1839U);
  EXPECT_EQ(bunny.triangles.size(), 3674U);
}

TEST(GalleryMeshes, TheTeapotIsFourOpenPiecesThatBecomeShells) {
  const TriangleMesh teapot = read_mesh(kMeshes / "teapot.obj");
  EXPECT_THROW(check_mesh(teapot), InputError);
  const std::vector<TriangleMesh> pieces = connected_pieces(teapot);
  ASSERT_EQ(pieces.size(), 4U);
  constexpr double kThickness = 0.3;
  for (const TriangleMesh& piece : pieces) {
    EXPECT_FALSE(open_edges(piece).empty());
    const TriangleMesh shell = shell_of(piece, kThickness);
    EXPECT_NO_THROW(check_mesh(shell));
    double area = 0.0;
    for (const TriangleMesh::Triangle& t : piece.triangles) {
      area += 0.5 * norm(doubled_area(piece, t));
    }
    EXPECT_NEAR(moments_of(shell).volume, kThickness * area, 0.1 * kThickness * area);
  }
  // The body is the piece around the origin; there is room in it, and a wall around.
  const MeshDistance body(shell_of(pieces[0], kThickness));
  EXPECT_GT(body.sample({0, 0, 0}).distance, 6.0);
  EXPECT_LT(body.sample({0, 0, 0}).distance, 10.0);
}

}  // namespace
}  // namespace carom
