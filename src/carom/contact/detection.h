#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/core/types.h"

namespace carom {

class WorkerPool;
struct Stretch;

namespace detail {
class NearList;
class OrderedRows;
class SolidDetection;
}  // namespace detail

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
  /// Where rows of re-detection wait for others (docs/stepping.md), a step in which more rows join
  /// than it began with (half as many in one look), and more than a thousand, is taken in two
  /// halves; so are these, at most six times. Likewise, at most twelve times, a step in which rows
  /// that are open may lock each other.
  bool halve = true;
  std::string broad_phase = "grid";  ///< see broad_phase_names()
};

/// Balls and shapes on their way through one step.
struct StepMotion {
  double time = 0.0;  ///< at the beginning
  double step = 0.0;
  std::span<const Vec3> begin;
  std::span<const Vec3> end;
  std::span<const Quaternion> begin_orientation = {};  ///< empty where no body turns
  std::span<const Quaternion> end_orientation = {};
};

/// Balls at some moment.
struct StandingBalls {
  double time = 0.0;
  std::span<const Vec3> places;
};

/// A body near another, or near one feature of a shape.
struct Contact {
  Index body_a = kNone;
  Index body_b = kNone;  ///< kNone: against a shape
  Index shape = kNone;
  /// Of the shape; where a solid that is not a ball takes part: which place of contact, by a number
  /// that holds within a step.
  Index feature = 0;
  Vec3 normal;           ///< at the beginning of the step, from b (or the shape) to a
  double gap = 0.0;      ///< at the beginning
  double gap_end = 0.0;  ///< at the end

  [[nodiscard]] bool same_pair(const Contact& other) const {
    return body_a == other.body_a && body_b == other.body_b && shape == other.shape &&
           feature == other.feature;
  }
  /// Ball pairs first, then balls against shapes, by numbers: the order of rows.
  [[nodiscard]] bool before(const Contact& other) const {
    if ((body_b == kNone) != (other.body_b == kNone)) return body_b != kNone;
    if (body_a != other.body_a) return body_a < other.body_a;
    if (body_b != other.body_b) return body_b < other.body_b;
    return shape != other.shape ? shape < other.shape : feature < other.feature;
  }
};

/// Takes the rows out of `contacts` that are among others; both in the order of rows.
void take_out(std::span<const Contact> others, std::vector<Contact>& contacts);

/// The deepest overlap of any pair at some moment.
struct Penetration {
  double depth = 0.0;     ///< a length
  double relative = 0.0;  ///< in radii of the smaller ball (BodySet::extent)

  [[nodiscard]] static Penetration unknown() {
    constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
    return {kNotANumber, kNotANumber};
  }
};

/// Finds the rows that a motion makes active: the gap at the end of the step is below the
/// activation tolerance or, with `sweep`, the gap falls below it on the way of two balls that are
/// approaching. Solids other than balls are looked at where they end, and on their way where they
/// come farther than they are thick (detail/solid_sweep.h).
class ContactDetector {
 public:
  /// With a pool (not owned) pairs are looked at by its threads, to the same bits.
  /// `resting_reach`, a length: at the first look of a step pairs are active also where they end
  /// nearer than this and change their gap by less (0: no pair).
  ContactDetector(const World& world, const DetectionSettings& settings, WorkerPool* pool = nullptr,
                  double resting_reach = 0.0);
  ~ContactDetector();
  ContactDetector(const ContactDetector&) = delete;
  ContactDetector& operator=(const ContactDetector&) = delete;

  /// Active rows in their order.
  void detect(const StepMotion& motion, std::vector<Contact>& contacts);
  /// Lists of known rows that detect_further() takes.
  static constexpr std::size_t kMostKnown = 2;
  /// Active rows for another motion of the step that detect() began. `known` are all rows that its
  /// looks have found, at most kMostKnown lists, each in the order of rows; of other pairs only
  /// what changed is seen. `moved`, where it is not null, names at least the balls that end
  /// elsewhere than at the last look, rising: no other need be compared.
  void detect_further(const StepMotion& motion, std::span<const std::span<const Contact>> known,
                      std::vector<Contact>& contacts, const std::vector<Index>* moved = nullptr);
  /// Rows that are active while all stands still, around some balls: those in which one of them
  /// takes part, then those in which their partners do, and so on until enough pairs are found,
  /// each counted for either ball that was asked for it. Only where there are no solids other than
  /// balls. At places that were looked at before there is less to do: a detector for this is asked
  /// for nothing else.
  void detect_around(const StandingBalls& all, std::span<const Index> balls, std::size_t enough,
                     std::vector<Contact>& contacts);
  /// Whether a row would be active if its bodies ended elsewhere (`end_b`: for a shape unused).
  /// Balls only, in a step that detect() began.
  [[nodiscard]] bool would_be_active(const StepMotion& motion, const Contact& row,
                                     const Vec3& end_a, const Vec3& end_b) const;
  /// Only the penetration at the end of a motion.
  void measure(const StepMotion& motion);
  /// Gap at the end of the same contacts for another motion (normals and first gaps stay).
  void update_end(const StepMotion& motion, std::vector<Contact>& contacts) const;
  /// Where the contact acts, at the beginning of the step. Only for contacts of the last motion's
  /// step.
  [[nodiscard]] Vec3 place(const StepMotion& motion, const Contact& contact) const;
  /// At the end of the last motion that was looked at. After detect_further() only where it found
  /// nothing: measure() says it elsewhere.
  [[nodiscard]] Penetration penetration() const { return penetration_; }

 private:
  using KnownRows = std::span<const std::span<const Contact>>;
  enum class Look : std::uint8_t { first_rows, rows, depth };
  class KnownCursor;
  struct BallAndShape {
    Index ball = 0;
    Index shape = 0;
  };
  /// What one stretch of balls gave.
  struct Found {
    std::vector<Contact>* contacts = nullptr;
    Penetration penetration;

    void note_end_gap(double gap, double radius);
  };
  template <Look kLook>
  void look(const StepMotion& motion, KnownRows known, std::vector<Contact>& contacts);
  template <Look kLook>
  void look_at_near(const StepMotion& motion, KnownRows known, std::vector<Contact>& contacts);
  void place_shapes(const StepMotion& motion);
  template <Look kLook>
  void look_at_pairs(const StepMotion& motion, const Stretch& stretch, KnownRows known,
                     Found& out) const;
  template <Look kLook>
  void look_at_shapes(const StepMotion& motion, const Stretch& stretch, KnownRows known,
                      Found& out) const;
  template <Look kLook>
  void look_at_shape(const StepMotion& motion, const BallAndShape& pair, KnownCursor& cursor,
                     Found& out) const;

  const World* world_;
  DetectionSettings settings_;
  double resting_reach_;
  WorkerPool* pool_;
  std::unique_ptr<detail::NearList> near_;
  std::unique_ptr<detail::SolidDetection> solids_;  ///< instead of all that follows, where needed
  std::unique_ptr<detail::OrderedRows> ordered_;
  std::vector<Penetration> penetrations_;  ///< by stretch
  std::vector<Vec3> shape_begin_;          ///< offset of each shape at the beginning of the step
  std::vector<Vec3> shape_end_;            ///< and at its end
  Penetration penetration_;
};

}  // namespace carom
