// The scenes under gallery/users hold as part of the gallery (gallery_test.cpp); here their checks
// are seen to fail when something is wrong.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/gallery/gallery.h"

#include "support/directories.h"

namespace carom {
namespace {

Scene read_users_scene(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const std::filesystem::path path =
      std::filesystem::path(test::source_directory()) / "gallery" / "users" / (name + ".toml");
  return read_scene_file(path, overrides);
}

// The registered check alone, without the file's [expect].
bool check_holds(Scene scene) {
  for (SceneExpectation& expectation : scene.expectations) expectation = {};
  return all_passed(check_scene(scene).claims);
}

TEST(UsersScenes, EachHasClaims) {
  for (const char* name :
       {"U2-bounce", "U3-two-balls", "U4-superball", "U4-ball-on-ball", "U5-cradle", "U5-pendulums",
        "U6-ring", "U6-closed-ring", "U7-gas", "U8-rotated"}) {
    EXPECT_FALSE(read_users_scene(name).check.empty()) << name;
  }
  EXPECT_FALSE(read_users_scene("U6-one-hits-ring").expectations[0].empty());
}

TEST(UsersScenes, BouncesWithDragAreTooLow) {
  EXPECT_TRUE(check_holds(read_users_scene("U2-bounce")));
  EXPECT_FALSE(check_holds(read_users_scene("U2-bounce", {"world.drag=1e-4"})));
}

TEST(UsersScenes, ALargeToleranceMovesTheBounce) {
  EXPECT_FALSE(check_holds(read_users_scene("U2-bounce", {"detection.activation=1e-4"})));
}

TEST(UsersScenes, TwoBallsWithUnequalMassesHaveNoRightAngle) {
  EXPECT_FALSE(check_holds(read_users_scene("U3-two-balls", {"body.striker.mass=1.001"})));
}

TEST(UsersScenes, AStackWithALossRisesLess) {
  EXPECT_FALSE(check_holds(
      read_users_scene("U4-superball", {"material=[{name=\"default\", restitution=0.999}]"})));
}

TEST(UsersScenes, AnElasticFloorLetsTheRestingBallTremble) {
  EXPECT_FALSE(check_holds(read_users_scene("U4-ball-on-ball", {"material.felt.restitution=1.0"})));
}

TEST(UsersScenes, SpringsAndLcpMakeNoCradle) {
  EXPECT_FALSE(check_holds(read_users_scene(
      "U5-cradle", {"check.operators=[\"lzb\"]", "check.directions=[0.0]", "check.sent=[2]"})));
  EXPECT_FALSE(check_holds(read_users_scene("U5-pendulums", {"impact.operator=lcp"})));
}

TEST(UsersScenes, ARingWithOneBallOutOfPlaceIsNotSymmetric) {
  Scene scene = read_users_scene("U6-ring");
  scene.simulation.start.position[5].x += 1e-9;
  EXPECT_FALSE(check_holds(scene));
}

TEST(UsersScenes, AGasWithALossCools) {
  EXPECT_FALSE(check_holds(read_users_scene(
      "U7-gas", {"material=[{name=\"default\", restitution=0.99999}]", "check.collisions=1000"})));
}

TEST(UsersScenes, RotatedCopiesNeedASceneThatCanBeRotated) {
  const Scene box =
      read_users_scene("U8-rotated", {"shape=[{type=\"box_inside\", lower=[-2,-2], upper=[2,2]}]"});
  EXPECT_THROW(static_cast<void>(check_scene(box)), InputError);
  // A field that does not turn with the scene.
  Scene field = read_users_scene("U8-rotated");
  field.simulation.forces.centers.push_back({{0.5, 0.0, 0.0}, 1e-6, 1.0});
  EXPECT_FALSE(check_holds(field));
}

}  // namespace
}  // namespace carom
