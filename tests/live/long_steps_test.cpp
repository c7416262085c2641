// Steps that take long: watched, left undone, and done again.
#include <chrono>
#include <memory>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "carom/impact/operator.h"
#include "carom/live/live_simulation.h"

#include "support/worlds.h"

namespace carom::test {
namespace {

// GR that takes its time.
class Slow final : public ImpactOperator {
 public:
  Slow() : gr_(make_operator("gr")), info_(gr_->info()) {
    info_.name = "slow_gr";
    info_.point_form = PointForm::none;
  }
  [[nodiscard]] const OperatorInfo& info() const override { return info_; }
  void start(Index first_row) override { gr_->start(first_row); }
  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    return gr_->apply(application, impulses);
  }

 private:
  std::unique_ptr<ImpactOperator> gr_;
  OperatorInfo info_;
};

TEST(LiveSimulation, AStepThatIsStoppedIsLeftUndoneAndDoneAgain) {
  register_operator({Slow().info(), [](std::string_view) { return std::make_unique<Slow>(); }, {}});
  TestScene scene;
  for (int k = 0; k < 4; ++k) scene.ball({1.0 * k, 0}, {k == 0 ? 1.0 : 0.0, 0});
  scene.step(1e-2, 1.0);
  scene.simulation.impact.impact_operator = "slow_gr";
  LiveSimulation plain(scene.simulation);
  LiveSimulation live(scene.simulation);
  plain.step();
  const State before = live.state();
  int asked = 0;
  live.watch([&asked] { return ++asked > 1; });
  EXPECT_EQ(live.run_until(0.01), RunStop::stopped);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(live.report().status, ImpactStatus::cancelled);
  EXPECT_EQ(state_hash(live.state()), state_hash(before));
  EXPECT_EQ(live.run_until(0.01), RunStop::reached);
  EXPECT_GT(asked, 1);
  EXPECT_EQ(state_hash(live.state()), state_hash(plain.state()));
}

}  // namespace
}  // namespace carom::test
