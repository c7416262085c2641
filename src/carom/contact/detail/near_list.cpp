// Who may touch during a step: when a list is kept, and when another is made.
#include "carom/contact/detail/near_list.h"

#include <algorithm>

#include "carom/contact/detail/skin.h"

namespace carom::detail {

NearList::NearList(const World& world, const DetectionSettings& settings, WorkerPool* pool)
    : near_(world, settings),
      list_(near_, pool, room_),
      loose_(near_, list_, changed_, pool),
      screening_(near_, list_, changed_, room_, pool),
      around_(near_, list_, pool) {}

void NearList::sort_out(const StepMotion& motion, LooseBalls::Look look) {
  loose_.sort_out(motion, look, screening_.ends());
}

// Only what changed since the last look at this step.
bool NearList::prepare_again(const StepMotion& motion) {
  if (changed_.are_all() || list_.kind() != VerletList::Kind::local) return false;
  sort_out(motion, LooseBalls::Look::at_changed);
  return loose_.find_pairs(motion);
}

void NearList::prepare_anew(const StepMotion& motion) {
  using Kind = VerletList::Kind;
  if (list_.is_kept(motion.begin.size())) {
    sort_out(motion, LooseBalls::Look::at_all);
    if (!wants_new_list() && (list_.kind() != Kind::local || loose_.find_pairs(motion))) return;
  }
  list_.make(motion);
  screening_.begin_list();
  work_ = 0.0;
  sort_out(motion, LooseBalls::Look::at_all);
  const bool holds = list_.kind() == Kind::local ? loose_.find_pairs(motion) : loose_.empty();
  if (holds) return;
  list_.make_for_step(motion);
  loose_.clear();
  screening_.note_ends(motion, loose_.shared_motion());
}

bool NearList::wants_new_list() {
  if (list_.kind() == VerletList::Kind::all_firm && !loose_.empty()) return true;
  work_ += kLooseWork * static_cast<double>(loose_.size()) +
           kShapeWork * static_cast<double>(loose_.near_shapes().size());
  return work_ > list_work(list_.skin()) * static_cast<double>(list_.places().size());
}

void NearList::prepare(const StepMotion& motion) {
  looked_ = Looked::at_motion;
  around_.forget();
  if (!prepare_again(motion)) prepare_anew(motion);
  screening_.screen(loose_);
}

void NearList::stand_still(const StepMotion& motion) {
  if (list_.make_cells(motion)) {
    around_.stand_in_cells();
    return;
  }
  list_.forget();
  prepare(motion);
  std::vector<BallPair> pairs;
  const std::size_t balls = list_.places().size();
  for (std::size_t number = 0; number < stretch_count(balls, kStretch); ++number) {
    const std::size_t first = number * kStretch;
    const Stretch stretch{number, first, std::min(first + kStretch, balls), 0};
    visit_partners(stretch, [&](Index ball, std::span<const Index> partners) {
      for (const Index other : partners) {
        if (near_.may_touch(motion, {ball, other})) pairs.push_back({ball, other});
      }
    });
  }
  around_.stand_with(pairs);
}

void NearList::prepare_around(const StepMotion& motion, std::span<const Index> balls,
                              std::size_t enough) {
  changed_.begin_step();
  if (!around_.stands_at(motion.end)) stand_still(motion);
  looked_ = Looked::around;
  around_.find(motion, balls, enough);
  screening_.take(around_.pairs(), list_.places().size());
}

}  // namespace carom::detail
