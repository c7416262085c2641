#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous {

enum class PairKind : std::uint8_t {
  vertex_wall,
  vertex_vertex,
  vertex_edge,
  vertex_face,
  edge_edge,
  longest_length,   ///< a length limit and its two vertices
  shortest_length,  ///< likewise
};
[[nodiscard]] std::string_view to_string(PairKind kind);
[[nodiscard]] constexpr bool is_length_limit(PairKind kind) {
  return kind == PairKind::longest_length || kind == PairKind::shortest_length;
}

/// Two primitives by their vertices, A's before B's; of a wall its number.
struct PairName {
  PairKind kind = PairKind::vertex_vertex;
  std::array<Index, 4> vertex = {kNone, kNone, kNone, kNone};
  Index wall = kNone;
};

enum class AdvanceStatus : std::uint8_t {
  reached,      ///< the time asked for
  no_progress,  ///< a pair needs layers whose step the lattice of times does not resolve
  too_slow,     ///< less simulated time for a million events than Settings::least_progress
  interrupted,  ///< the observer wanted no more
};
[[nodiscard]] std::string_view to_string(AdvanceStatus status);

/// How often what happened, since time 0.
struct EventCounts {
  std::uint64_t moments = 0;        ///< at which anything happened
  std::uint64_t force_kicks = 0;    ///< elements of families and prescribed forces
  std::uint64_t contact_ticks = 0;  ///< pairs whose layers were looked at
  std::uint64_t certificates = 0;
  std::uint64_t plans = 0;  ///< flight plans made for single vertices
  std::uint64_t lists = 0;  ///< times that the lists of pairs were made
};

struct AdvanceReport {
  AdvanceStatus status = AdvanceStatus::reached;
  double time = 0.0;                ///< s, reached
  Index deepest_layer = 0;          ///< that acted since time 0, of contact or a length limit
  double smallest_gap = kInfinity;  ///< m; seen at ticks and certificates since time 0
  PairName nearest;                 ///< where that was
  double limit_used = 0.0;  ///< largest share of a limit's eta_1 seen used up, likewise; < 1
  PairName stuck;           ///< with no_progress; with too_slow the pair that ticks most
  EventCounts counts;
  Index pairs = 0;  ///< in the present lists of the fast engine
};

/// Where the time of a run goes, s as they pass.
struct WorkSeconds {
  double lists = 0.0;          ///< of pairs that may come near, with their first certificates
  double contact_ticks = 0.0;  ///< layers of contact and of length limits, friction
  double force_kicks = 0.0;    ///< elements of force families, prescribed forces
  double certificates = 0.0;   ///< proofs and flight plans
};

/// Energies in J at the engine's time, from velocities that belong to the same moment as the
/// positions; sums since time 0 of work and losses in J and impulses in N s.
///
/// Kept exactly, up to round-off: momentum(t) + held_impulse + wall_impulse - external_impulse.
/// Kept as far as a symplectic method does, without drift: kinetic + potentials + contact + limits
/// - work_of_held - work_of_forces + lost_to_restitution + lost_to_friction + lost_to_damping.
struct Ledger {
  double kinetic = 0.0;            ///< of free vertices
  std::vector<double> potentials;  ///< per force family
  double contact = 0.0;            ///< stored in layers and anchors
  double limits = 0.0;             ///< stored in the layers of length limits
  double work_of_held = 0.0;       ///< done by whatever leads held vertices
  double work_of_forces = 0.0;     ///< done by prescribed forces
  double lost_to_restitution = 0.0;
  double lost_to_friction = 0.0;
  double lost_to_damping = 0.0;  ///< in force families
  Vec3 momentum;                 ///< of free vertices, from their velocities as they are
  Vec3 held_impulse;             ///< received by held vertices
  Vec3 wall_impulse;             ///< received by walls
  Vec3 external_impulse;         ///< of gravity and prescribed forces

  [[nodiscard]] double balance() const;  ///< the sum that is kept
};

/// The vertices at one moment.
struct Configuration {
  double time = 0.0;
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;  ///< of the flights, between two kicks
};

/// What acts on each vertex at one moment, from where all are then.
struct VertexActivity {
  std::vector<Index> layer;  ///< the deepest that acts, of contact or a length limit; 0: none
  std::vector<double> step;  ///< s; the shortest of forces and layers, at most a first layer's
};

/// A place at which a vertex turned: its path is straight from one to the next.
struct PathCorner {
  Index vertex = 0;
  double time = 0.0;  ///< s
  Vec3 place;
};

/// Asked after every twenty thousand events or so, with the report as it would be now; false: stop
/// here. Nothing that follows depends on when that is.
using Observer = std::function<bool(const AdvanceReport& so_far)>;

/// Asynchronous contact mechanics [Harmon2009], [Vouga2011] on a lattice of times.
///
/// Time is an integer number of units, 2^-24 of the shortest step of a first layer. Each force has
/// one clock with a period of 2^k units that fires at its multiples for ever; at time T those with
/// 2^k | T fire. A kick of a force with period h and potential V is
///   v_i <- v_i - (h / m_i) grad_i V(x(T)),                                                 (1)
/// half of it at T = 0; between kicks vertices fly straight. Contact of a pair at distance d has
/// the potentials of layers.h, all with one distance per tick: the impulse is, over the octaves j
/// of layers that fire,
///   J = sum_j h_j F_j(d),   v_i <- v_i + c_i n J / m_i.                                    (2)
///
/// Guarantees, for any parameters. Safety: at every real moment every pair is proven to be at least
/// as far apart as the reach of the layers behind those that tick; where no proof is found with the
/// layers that the lattice resolves, the run ends (no_progress) in a state that is still safe.
/// Correctness: momentum is kept to round-off, clocks are never touched, so energy does not drift
/// where steps are short against the periods of the motion. The outcome does not depend on when
/// certificates are renewed. Same input, same bits, also after save and load.
///
/// Restitution r weakens the layers of an octave by r^2 while the pair separates, judged by its
/// distance at the octave's own last tick.
class Engine {
 public:
  /// Throws InputError: check_problem, check_settings, and pairs that touch or lie too deep inside
  /// each other's layers at the start.
  explicit Engine(const Problem& problem, const Settings& settings = {});
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  /// To `time` (s), not before the present one. All events up to it have happened afterwards.
  AdvanceReport advance(double time, const Observer& observer = {});

  [[nodiscard]] double time() const;
  [[nodiscard]] Configuration configuration() const;
  [[nodiscard]] Ledger ledger() const;
  [[nodiscard]] VertexActivity activity() const;
  /// One unit of the lattice of times, s.
  [[nodiscard]] double time_unit() const;

  /// While this is on, the time of each kind of work is measured; it is off at first. What the
  /// engine does is the same.
  void measure_work(bool on);
  [[nodiscard]] WorkSeconds work_seconds() const;

  /// While this is on, every kick or turn leaves a corner of the vertex's path, for an audit. It is
  /// off at first; what the engine does is the same.
  void record_corners(bool on);
  /// Those since it was turned on, since forget_corners() or load(), in order of time.
  [[nodiscard]] std::span<const PathCorner> corners() const;
  void forget_corners();

  /// Everything that the rest of the run depends on. load() into an engine of the same problem and
  /// settings continues with the same bits; throws InputError on bytes of another kind.
  [[nodiscard]] std::string save() const;
  void load(std::string_view bytes);

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::asynchronous
