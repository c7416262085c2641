#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/detail/audit_elements.h"
#include "carom/asynchronous/detail/box_tree.h"
#include "carom/asynchronous/detail/near_pairs.h"
#include "carom/asynchronous/detail/recorded_path.h"

namespace carom::asynchronous::detail {

/// The mesh of an audit and the memory for its searches.
class AuditSearch {
 public:
  explicit AuditSearch(const AuditMesh& mesh) : elements_(mesh) {}

  [[nodiscard]] const AuditElements& elements() const { return elements_; }
  [[nodiscard]] StateReport state(std::span<const Vec3> places, const AuditSettings& settings);
  [[nodiscard]] MotionReport motion(const AuditPath& given, const AuditSettings& settings);

 private:
  /// Gives every near pair to emit(pair); true if it was not cancelled.
  template <typename Emit>
  [[nodiscard]] bool visit_near_pairs(bool of_state, const AuditSettings& settings, Emit& emit);

  AuditElements elements_;
  std::vector<AxisBox> vertex_boxes_;
  std::vector<AxisBox> element_boxes_;
  std::vector<PathPiece> pieces_;
  BoxTree tree_;
};

template <typename Emit>
bool AuditSearch::visit_near_pairs(bool of_state, const AuditSettings& settings, Emit& emit) {
  const std::span<const AuditElement> all = elements_.all();
  element_boxes_.resize(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    element_boxes_[k] = {};
    for (std::size_t i = 0; i < all[k].corner_count; ++i) {
      element_boxes_[k].include(vertex_boxes_[all[k].corners[i]]);
    }
  }
  constexpr std::size_t kPairsBetweenQuestions = 1024;
  std::size_t visited = 0;
  bool cancelled = false;
  const NearPairs<Emit> pairs(elements_, vertex_boxes_, of_state, emit);
  const auto visit = [&](Index a, Index b) {
    if (cancelled) return;
    if (settings.cancel && visited++ % kPairsBetweenQuestions == 0) cancelled = settings.cancel();
    if (!cancelled) pairs.visit(all[a], all[b]);
  };
  if (settings.all_pairs) {
    for (Index b = 0; b < all.size(); ++b) {
      for (Index a = 0; a < b; ++a) visit(a, b);
    }
  } else {
    tree_.build(element_boxes_);
    tree_.visit_pairs(visit);
  }
  return !cancelled;
}

}  // namespace carom::asynchronous::detail
