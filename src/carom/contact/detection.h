#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/collision/broad_phase.h"
#include "carom/core/types.h"

namespace carom {

class WorkerPool;

/// How touching pairs are found.
struct DetectionSettings {
  /// A row is active when its gap falls below this fraction of the (smaller) ball's radius.
  /// Positive, so that two mirrored pairs are never judged differently by one rounding.
  double activation = 1e-9;
  bool redetect = true;        ///< rows that the new motion would violate join the impact
  Index redetect_rounds = 50;  ///< budget of that loop
  /// Rows are looked for on the whole way of a step, not only at its end: nothing tunnels.
  bool sweep = true;
  /// Rows that would sink although they are not closing (a ball at rest under gravity, a ball that
  /// slides round a drum) are held at their gap; never at the price of energy.
  bool hold = true;
  std::string broad_phase = "grid";  ///< see broad_phase_names()
};

/// What detection looks at: nothing here changes during a run. Not owned.
struct ContactWorld {
  int dimension = 2;
  const BodySet* bodies = nullptr;
  const std::vector<PlacedShape>* shapes = nullptr;
  const Periodicity* periodicity = nullptr;
};

/// Balls and shapes on their way through one step.
struct StepMotion {
  double time = 0.0;  ///< at the beginning
  double step = 0.0;
  std::span<const Vec3> begin;
  std::span<const Vec3> end;
};

/// A ball near another, or near one feature of a shape.
struct Contact {
  Index body_a = kNone;
  Index body_b = kNone;  ///< kNone: against a shape
  Index shape = kNone;
  Index feature = 0;
  Vec3 normal;           ///< at the beginning of the step, from b (or the shape) to a
  double gap = 0.0;      ///< at the beginning
  double gap_end = 0.0;  ///< at the end

  [[nodiscard]] bool same_pair(const Contact& other) const {
    return body_a == other.body_a && body_b == other.body_b && shape == other.shape &&
           feature == other.feature;
  }
  /// Ball pairs first, then balls against shapes, by numbers: the order of rows.
  [[nodiscard]] bool before(const Contact& other) const;
};

/// The deepest overlap of any pair at some moment.
struct Penetration {
  double depth = 0.0;     ///< a length
  double relative = 0.0;  ///< in radii of the smaller ball
};

/// Finds the rows that a motion makes active: the gap at the end of the step is below the
/// activation tolerance or, with `sweep`, the gap falls below it on the way of two balls that are
/// approaching.
class ContactDetector {
 public:
  /// With a pool (not owned) pairs are looked at by its threads, to the same bits.
  ContactDetector(const ContactWorld& world, const DetectionSettings& settings,
                  WorkerPool* pool = nullptr);

  /// Active rows in their order.
  void detect(const StepMotion& motion, std::vector<Contact>& contacts);
  /// Gap at the end of the same contacts for another motion (normals and first gaps stay).
  void update_end(const StepMotion& motion, std::vector<Contact>& contacts) const;
  /// Of the last detect(), at the end of its motion.
  [[nodiscard]] Penetration penetration() const { return penetration_; }

 private:
  /// What one stretch of pairs or of balls gave.
  struct Stretch {
    std::vector<Contact> contacts;
    Penetration penetration;

    void note_end_gap(double gap, double radius);
  };
  void find_pairs(const StepMotion& motion);
  void place_shapes(const StepMotion& motion);
  void look_at_pairs(const StepMotion& motion, std::size_t first, std::size_t last,
                     Stretch& out) const;
  void look_at_shapes(const StepMotion& motion, Index first, Index last, Stretch& out) const;
  void look_at_shape(const StepMotion& motion, Index ball, Index shape, Stretch& out) const;
  [[nodiscard]] bool is_active(const Contact& contact, double radius, double path_gap,
                               double path_where) const;

  ContactWorld world_;
  DetectionSettings settings_;
  std::unique_ptr<BroadPhase> broad_phase_;
  WorkerPool* pool_;
  std::vector<BallPair> pairs_;
  std::vector<Stretch> stretches_;
  std::vector<Vec3> shape_begin_;  ///< offset of each shape at the beginning of the step
  std::vector<Vec3> shape_end_;    ///< and at its end
  Penetration penetration_;
};

}  // namespace carom
