#include "carom/geometry/mesh_file.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

// Sizes that single precision holds exactly.
const Vec3 kHalf = {0.5, 1.0, 1.5};

class MeshFile : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("carom-mesh-" + std::to_string(::getpid()) + "-" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& bytes) const {
    std::filesystem::path path = directory_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path directory_;
};

template <typename Number>
void append(std::string& bytes, Number number) {
  std::array<char, sizeof(Number)> raw{};
  std::memcpy(raw.data(), &number, sizeof(Number));
  bytes.append(raw.data(), raw.size());
}

void append(std::string& bytes, const Vec3& v) {
  for (const double x : {v.x, v.y, v.z}) append(bytes, static_cast<float>(x));
}

std::string numbers(const Vec3& v) {
  return std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
}

// Six quadrilaterals, not triangles.
std::string obj_box() {
  std::string text = "# a box\no box\n";
  for (const Vec3& v : box_mesh(kHalf).vertices) text += "v " + numbers(v);
  return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

std::string ply_box() {
  const TriangleMesh box = box_mesh(kHalf);
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
      "property float z\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3& v : box.vertices) text += numbers(v);
  for (const auto& t : box.triangles) {
    text +=
        "3 " + std::to_string(t.a) + " " + std::to_string(t.b) + " " + std::to_string(t.c) + "\n";
  }
  return text;
}

// Loose triangles, as STL has it.
std::string stl_box() {
  const TriangleMesh box = box_mesh(kHalf);
  std::string bytes(80, ' ');
  append(bytes, static_cast<std::uint32_t>(box.triangles.size()));
  for (const auto& t : box.triangles) {
    append(bytes, Vec3{});
    for (const Index v : corners_of(t)) append(bytes, box.vertices[v]);
    append(bytes, std::uint16_t{0});
  }
  return bytes;
}

// One node, moved by (10, 20, 30).
std::string glb_box() {
  const TriangleMesh box = box_mesh(kHalf);
  std::string binary;
  for (const Vec3& v : box.vertices) append(binary, v);
  for (const auto& t : box.triangles) {
    for (const Index v : corners_of(t)) append(binary, static_cast<std::uint16_t>(v));
  }
  std::string json = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                     R"("nodes":[{"mesh":0,"translation":[10,20,30]}],)"
                     R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
                     R"("buffers":[{"byteLength":168}],)"
                     R"("bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},)"
                     R"({"buffer":0,"byteOffset":96,"byteLength":72}],)"
                     R"("accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3",)"
                     R"("min":[-0.5,-1,-1.5],"max":[0.5,1,1.5]},)"
                     R"({"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string bytes = "glTF";
  append(bytes, std::uint32_t{2});
  append(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
  append(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  append(bytes, static_cast<std::uint32_t>(binary.size()));
  bytes += std::string("BIN\0", 4) + binary;
  return bytes;
}

TEST_F(MeshFile, OfEveryFormatGivesTheBoxThatWasWritten) {
  const std::vector<std::pair<std::string, std::string>> files = {{"box.obj", obj_box()},
                                                                  {"box.ply", ply_box()},
                                                                  {"box.STL", stl_box()},
                                                                  {"box.glb", glb_box()}};
  for (const auto& [name, bytes] : files) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = read_mesh(write(name, bytes));
    EXPECT_NO_THROW(check_mesh(mesh));
    EXPECT_EQ(mesh.vertices.size(), 8U);
    EXPECT_EQ(mesh.triangles.size(), 12U);
    const VolumeMoments moments = moments_of(mesh);
    EXPECT_NEAR(moments.volume, 6.0, 1e-14);
    EXPECT_EQ(moments.center, (name == "box.glb" ? Vec3{10, 20, 30} : Vec3{}));
  }
}

void expect_refused(const std::filesystem::path& path, const std::string& words) {
  try {
    (void)read_mesh(path);
    FAIL() << "accepted " << path;
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, path.string());
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
  }
}

TEST_F(MeshFile, SaysWhatIsWrongWithAFile) {
  expect_refused(directory_ / "missing.obj", "cannot be opened: No such file");
  expect_refused(write("box.step", obj_box()), "step");
  expect_refused(write("box", obj_box()), "obj");
  expect_refused(write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3\n"), "no triangles");
  expect_refused(write("cut.glb", glb_box().substr(0, 90)), "not a mesh");
  expect_refused(write("noise.ply", "no mesh at all"), "not a mesh");
  std::string not_finite = stl_box();
  const float nan = std::nanf("");
  std::memcpy(not_finite.data() + 84 + 12, &nan, sizeof(nan));
  expect_refused(write("nan.stl", not_finite), "not finite");
  std::filesystem::create_directory(directory_ / "folder.obj");
  expect_refused(directory_ / "folder.obj", "directory");
}

}  // namespace
}  // namespace carom
