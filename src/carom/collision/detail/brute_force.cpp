// The broad phase that tests every pair of swept boxes.
#include "carom/collision/detail/brute_force.h"

#include <vector>

#include "carom/collision/detail/swept_box.h"

namespace carom::detail {
namespace {

class BruteForce final : public BroadPhase {
 public:
  void find_pairs(const BallSweep& sweep, std::vector<BallPair>& pairs) override {
    compute_swept_boxes(sweep, boxes_);
    const Vec3 period = period_of(sweep);
    pairs.clear();
    const auto count = static_cast<Index>(boxes_.size());
    for (Index a = 0; a < count; ++a) {
      for (Index b = a + 1; b < count; ++b) {
        const bool unknown = !is_known(boxes_[a]) || !is_known(boxes_[b]);
        if (unknown || known_boxes_overlap(boxes_[a], boxes_[b], period)) pairs.push_back({a, b});
      }
    }
  }

 private:
  std::vector<SweptBox> boxes_;
};

}  // namespace

std::unique_ptr<BroadPhase> make_brute_force() { return std::make_unique<BruteForce>(); }

}  // namespace carom::detail
