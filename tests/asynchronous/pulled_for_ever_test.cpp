// A knot whose ends are pulled for ever: the run ends with no_progress, and nothing has crossed.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/asynchronous/stepper.h"
#include "carom/scene/scene.h"

#include "support/directories.h"

namespace carom::asynchronous {
namespace {

// The reef knot of gallery C7, pulled ten times as fast as there.
TEST(PulledForEver, ReefKnotEndsWithNoProgressAndNothingHasCrossed) {
  const std::vector<std::string> faster = {
      "surface.left.lead[0].motion.velocity=[-50, 0, 0]",
      "surface.right.lead[0].motion.velocity=[50, 0, 0]", "asynchronous.audit='states'",
      "asynchronous.contact_step=0.2", "asynchronous.least_progress=2e-2"};
  const Simulation simulation =
      read_scene_file(test::source_directory() + "/gallery/C7-reef-knot.toml", faster).simulation;
  AsynchronousStepper stepper(simulation);
  Audit audit(audit_mesh_of(problem_of(simulation)));
  StepReport report;
  int steps = 0;
  for (; steps < 1000; ++steps) {
    report = stepper.step();
    if (!report.can_go_on()) break;
  }
  EXPECT_EQ(report.failure, "no_progress") << report.message;
  EXPECT_NE(report.message.find("nothing has crossed"), std::string::npos) << report.message;
  // The slack of 7 cm a side is used up and the ribbons, 27 cm long, are stretched.
  EXPECT_GT(stepper.state().time, 0.14);
  EXPECT_EQ(stepper.state().step, static_cast<std::uint64_t>(steps));
  // What was computed is kept, up to the last whole step, and is free of crossings.
  EXPECT_EQ(audit.state(stepper.state().position).status, AuditStatus::passed);
}

}  // namespace
}  // namespace carom::asynchronous
