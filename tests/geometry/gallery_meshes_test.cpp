#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_figures.h"
#include "carom/geometry/mesh_file.h"
#include "carom/geometry/signed_distance.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

const std::filesystem::path kMeshes =
    std::filesystem::path(CAROM_SOURCE_DIR) / "gallery" / "meshes";

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
  for (const TriangleMesh& piece : pieces) {
    EXPECT_FALSE(open_edges(piece).empty());
    const TriangleMesh shell = shell_of(piece, 0.3);
    EXPECT_NO_THROW(check_mesh(shell));
  }
}

}  // namespace
}  // namespace carom
