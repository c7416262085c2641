#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"
#include "carom/events/detail/pooled_lists.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// For each ball all others that it can touch while both stay within `skin` of their references,
/// the places where their lists were last made. Who is near whom follows from the references alone.
///
/// Balls are found through hashed cells in levels of size: a level's cells are as wide as two of
/// its balls in touch reach, and each level is twice as coarse as the one below, so that a ball
/// among others a hundred times as large looks at few cells of each.
class NearLists {
 public:
  struct World {
    int dimension = 2;
    Periodicity periodicity;
    std::vector<double> radius;  ///< by ball
    double skin = 0.0;           ///< m, > 0
  };

  explicit NearLists(const World& world);

  /// All lists anew, from references inside the first period.
  void build(std::span<const Vec3> references);
  /// Another reference for one ball.
  void renew(Index ball, const Vec3& reference);

  [[nodiscard]] std::span<const Index> near(Index ball) const { return lists_.of(ball); }
  [[nodiscard]] const Vec3& reference(Index ball) const { return references_[ball]; }
  [[nodiscard]] double skin() const { return world_.skin; }
  /// Whether balls of its list may have to be looked at as copies of the next period.
  [[nodiscard]] bool at_edge(Index ball) const { return at_edge_[ball] != 0; }
  [[gnu::always_inline]] void prefetch(Index ball) const {
    lists_.prefetch(ball);
    __builtin_prefetch(&references_[ball]);
  }
  [[gnu::always_inline]] void prefetch_near(Index ball) const { lists_.prefetch_items(ball); }

 private:
  struct Cell {
    std::array<std::int64_t, 3> at{};
  };
  /// A ball in a slot of the hash.
  struct Resident {
    Vec3 reference;
    Index ball = kNone;
    std::uint32_t key = 0;  ///< of its cell; others may share the slot
  };
  /// Balls of like size.
  struct Level {
    double radius = 0.0;                  ///< the largest
    bool uniform = true;                  ///< all have it
    std::array<double, 3> width{};        ///< of a cell
    std::array<std::int64_t, 3> cells{};  ///< in a period; 0 along axes that do not repeat
    std::array<std::uint64_t, 3> stride{};
    std::uint64_t mask = 0;  ///< slots of the hash, less one
    std::vector<Index> members;
    PooledLists<Resident> residents;  ///< by slot
  };

  void make_levels();
  void lay_out(std::span<const Vec3> references);
  [[nodiscard]] Cell cell_of(const Level& level, const Vec3& place) const;
  [[nodiscard]] static std::uint32_t key_of(const Cell& cell);
  [[nodiscard]] static Index slot_of(const Level& level, const Cell& cell);
  [[nodiscard]] bool is_at_edge(Index ball) const;
  [[nodiscard]] bool in_reach(Index a, Index b) const;
  void put_in_cell(Index ball);
  void take_from_cell(Index ball);
  [[gnu::always_inline]] inline void prefetch_cells(const Level& level) const;
  void find_near(Index ball, std::vector<Index>& found);
  void find_in_level(Index ball, const Level& level, std::vector<Index>& found);
  template <bool kShifts>
  void look_in_cells(Index ball, const Level& level, double reach, std::vector<Index>& found) const;

  World world_;
  double largest_ = 0.0;
  std::vector<Level> levels_;
  std::vector<std::uint8_t> level_of_;
  std::vector<std::uint8_t> at_edge_;
  LargeVector<Vec3> references_;
  std::vector<Index> slots_;  ///< of the hash, by ball
  std::vector<Index> mark_;   ///< by ball: its place in found_ during a renewal, else kNone
  PooledLists<Index> lists_;
  /// What a cell's place along one axis adds to its slot, its key, and the square of its distance
  /// from the ball.
  struct CellPart {
    std::uint64_t slot = 0;
    std::uint32_t key = 0;
    double apart_squared = 0.0;
  };
  std::array<std::vector<CellPart>, 3> parts_;
  std::vector<Index> found_;
};

/// A skin that gives each ball about as many others in its list as are worth looking at.
[[nodiscard]] double choose_skin(const NearLists::World& world, std::span<const Vec3> places);

}  // namespace carom::detail
