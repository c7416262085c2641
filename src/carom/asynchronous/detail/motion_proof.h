#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/detail/near_pairs.h"
#include "carom/asynchronous/detail/pair_bounds.h"
#include "carom/asynchronous/detail/recorded_path.h"

namespace carom::asynchronous::detail {

/// Proves pair after pair apart over one window, as audit.h says, and remembers the worst.
class MotionProof {
 public:
  /// Pieces over the whole window, one for each vertex.
  MotionProof(const RecordedPath& path, std::span<const PathPiece> pieces, bool in_space,
              const AuditSettings& settings)
      : path_(path), pieces_(pieces), in_space_(in_space), settings_(settings) {}

  void examine(const PrimitivePair& pair);

  /// Without a status.
  [[nodiscard]] const MotionReport& report() const { return report_; }

 private:
  struct Moment {
    double t = 0.0;
    std::array<PathPlace, 4> at{};

    [[nodiscard]] std::array<Vec3, 4> places() const {
      return {at[0].x, at[1].x, at[2].x, at[3].x};
    }
    [[nodiscard]] double slack() const;
  };

  [[nodiscard]] Moment moment(const PrimitivePair& pair, double t) const;
  bool prove(const PrimitivePair& pair, const Moment& s, const Moment& e, int depth);
  [[nodiscard]] bool crosses(const PrimitivePair& pair, const PairPieces& pieces,
                             const std::array<const Moment*, 2>& ends) const;
  [[nodiscard]] double cut(const PrimitivePair& pair, double s, double e) const;
  void keep_gap(const PrimitivePair& pair, double gap);
  void keep_crossing(const PrimitivePair& pair, const Moment& s, const Moment& e, int depth);
  void keep_touch(const PrimitivePair& pair, const Moment& at);
  void keep(const PrimitivePair& pair, AuditFault::Kind kind, const Moment& at);

  const RecordedPath& path_;
  std::span<const PathPiece> pieces_;
  bool in_space_;
  const AuditSettings& settings_;
  MotionReport report_;
  std::size_t left_ = 0;  // intervals that the pair at hand may still have
};

}  // namespace carom::asynchronous::detail
