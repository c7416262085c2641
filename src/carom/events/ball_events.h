#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"
#include "carom/events/scheduler.h"
#include "carom/geometry/vec3.h"

namespace carom {

namespace detail {
class BallEngine;
}

/// How events are kept and lasting contacts treated (docs/events.md).
struct EventSettings {
  std::string queue = "calendar";  ///< see event_queue_names()
  /// A body that collides again within this time (s) does so without loss, and contacts that last
  /// become trains of collisions about this far apart. 0: never; negative: chosen from the scene.
  double contact_duration = -1.0;
  /// Of bodies that turn: nearer than this part of the smaller one's size they may collide.
  double envelope = 1e-3;
};

/// What the events happen to: nothing here changes during a run. Not owned.
struct EventWorld {
  int dimension = 2;
  const BodySet* bodies = nullptr;  ///< balls that do not turn
  const std::vector<PlacedShape>* shapes = nullptr;
  const Periodicity* periodicity = nullptr;
  const MaterialTable* materials = nullptr;
  Vec3 gravity;
  bool friction = false;  ///< whether the materials' friction counts
  double touch = 1e-9;    ///< pairs with a gap below this fraction of the smaller radius touch
};

/// A contact of an impact of several bodies at one moment.
struct ImpactRow {
  Index body_a = kNone;
  Index body_b = kNone;  ///< kNone: against a shape; otherwise > body_a
  Index shape = kNone;
  Index feature = 0;
  Vec3 normal;  ///< from b (or the shape) to a
  double gap = 0.0;
  double restitution = 1.0;
  double impulse = 0.0;  ///< answered: along the normal, >= 0
  Vec3 tangential;       ///< answered: friction's impulse on body a
};

/// An impact that is more than two balls without friction: everything in touch with what collides.
struct ClusterImpact {
  double time = 0.0;
  std::vector<ImpactRow> rows;  ///< ball pairs first, then shapes, by numbers
  std::vector<Index> bodies;    ///< rising
  std::vector<Vec3> position;   ///< of these bodies
  std::vector<Vec3> velocity;   ///< before; answered: after
};

/// One collision, in the order in which they happened.
struct CollisionRecord {
  double time = 0.0;
  ImpactRow row;
  Vec3 point;
};

/// Resolves impacts of several bodies.
class ImpactHandler {
 public:
  ImpactHandler() = default;
  ImpactHandler(const ImpactHandler&) = delete;
  ImpactHandler& operator=(const ImpactHandler&) = delete;
  virtual ~ImpactHandler() = default;

  /// False: there is no answer, and the run cannot go on.
  virtual bool resolve(ClusterImpact& impact) = 0;
  /// An impact is over, if impacts are watched: its collisions. Flights may be looked at and
  /// changed.
  virtual void happened(double time, std::span<const CollisionRecord> collisions);
};

/// What happened since one last asked.
struct EventCounts {
  std::uint64_t impacts = 0;     ///< moments at which something collided, each cluster once
  std::uint64_t collisions = 0;  ///< contacts that got an impulse
  std::uint64_t rows = 0;        ///< contacts of all impacts
  std::uint64_t clusters = 0;    ///< impacts of several contacts, or with friction
  std::uint64_t renewals = 0;    ///< lists of neighbours made anew
  std::uint64_t late = 0;        ///< events whose partner had other plans by then
  Index largest_cluster = 0;     ///< rows
  double work = 0.0;             ///< of moving shapes, and of gravity along periods
  double dissipated = 0.0;       ///< kinetic energy lost; what lasting contacts got is taken off
};

/// A ball at some moment.
struct BallMoment {
  Vec3 position;
  Vec3 velocity;
};

/// The deepest overlap at some moment.
struct EventOverlap {
  double depth = 0.0;
  double relative = 0.0;  ///< in radii of the smaller ball
};

/// Balls that fly freely between collisions, each of which happens at its own moment.
///
/// Every ball has a clock of its own and one pending event: the earliest collision that it has with
/// any ball or shape near it, or the end of its list of those. An event moves only the balls that
/// take part. A ball whose partner has collided otherwise meanwhile looks again when its time comes
/// (which cannot be too late: the partner looked at this pair after its own collision).
///
/// Two balls that touch nothing else and have no friction are answered in closed form, on the spot;
/// everything else that touches at one moment is one impact for the handler.
///
/// Same input, same bits.
class BallEvents {
 public:
  /// Whose time it is, and who answers impacts.
  struct Surroundings {
    EventScheduler* scheduler = nullptr;
    ImpactHandler* handler = nullptr;
  };
  /// What `world` and `surroundings` point at must outlive it.
  BallEvents(const EventWorld& world, const EventSettings& settings, const State& start,
             const Surroundings& surroundings);
  ~BallEvents();
  BallEvents(const BallEvents&) = delete;
  BallEvents& operator=(const BallEvents&) = delete;

  /// What the scheduler runs.
  [[nodiscard]] EventSource& source();
  /// Places and velocities at a time between the last event and the next.
  void evaluate(double time, State& state) const;
  [[nodiscard]] EventOverlap deepest_overlap(double time) const;
  [[nodiscard]] EventCounts take_counts(double time);
  /// The contact duration in use, s.
  [[nodiscard]] double contact_duration() const;

  /// Whether the handler is told of every impact.
  void watch_impacts(bool watch);
  /// The flight of one ball at a time between the last event and the next.
  [[nodiscard]] BallMoment moment_of(Index body, double time) const;
  /// Gives it another velocity from then on. What it gains counts as work.
  void set_velocity(Index body, double time, const Vec3& velocity);

  /// Everything that the next events depend on, but for what the scheduler saves.
  void save(std::string& bytes) const;
  /// Reads what save() wrote and takes it off; false if it is not that.
  [[nodiscard]] bool load(std::string_view& bytes);

 private:
  std::unique_ptr<detail::BallEngine> engine_;
};

}  // namespace carom
