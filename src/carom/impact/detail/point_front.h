#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/points.h"

namespace carom {

/// A violated row, seen from one of its points.
template <std::size_t D>
struct Violation {
  Index row;
  Index self;
  Index other;                   ///< a point or the surface of a wall
  double b;                      ///< closing speed n . (v_self - v_other) - w < 0
  std::array<double, D> normal;  ///< from other to self
};

/// Points, rows and components of one impact, laid out for the front: what is read together lies
/// together. Velocities are those in the frame of the point's component.
template <std::size_t D>
class PointFront {
 public:
  /// A point, or the surface of a wall at one row (weight 0, moved by nobody).
  struct Point {
    std::array<double, D> v;
    double weight;   ///< 1 / mass
    Index stamp;     ///< application that changed v last; 0: none did
    Index violated;  ///< while they are sorted out: violated rows that touch it, or their last one
  };
  /// A row as one of its points sees it.
  struct Slot {
    Index other;
    Index row;
    std::array<double, D> normal;
  };
  struct Component {
    std::array<double, D> frame{};
    double threshold = 0.0;          ///< (epsilon u)^2: violated when b < 0 and b^2 > this * A_ii
    double speed_scale = 0.0;        ///< u
    double energy = 0.0;             ///< kinetic, before
    double momentum = 0.0;           ///< sum of |m v|, before
    double restitution = 1.0;        ///< of its rows ...
    bool mixed = false;              ///< ... if they agree
    bool free = true;                ///< touches no wall
    bool moved = false;              ///< touches a wall that moves, or rows are to open
    bool strictly_feasible = false;  ///< known to be free of lineality
    std::uint64_t applications = 0;
    std::uint64_t applications_before = 0;  ///< the last rows woke
    bool spent = false;                     ///< its budget of applications is used up
  };

  void load(const PointProblem& problem, double tolerance);

  [[nodiscard]] Index point_count() const { return point_count_; }
  [[nodiscard]] bool is_wall(Index point) const { return point >= point_count_; }
  [[nodiscard]] std::vector<Point>& points() { return points_; }
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// Of the rows that take part.
  [[nodiscard]] std::span<const Slot> slots(Index point) const {
    return {slots_.data() + first_slot_[point], end_slot_[point] - first_slot_[point]};
  }
  /// Of those that wait.
  [[nodiscard]] std::span<const Slot> waiting_slots(Index point) const {
    return {slots_.data() + end_slot_[point], first_slot_[point + 1] - end_slot_[point]};
  }
  [[nodiscard]] bool some_wait() const { return first_waiting_ < problem_->rows.size(); }
  [[nodiscard]] bool is_awake(Index row) const {
    return row < first_waiting_ || awake_[row - first_waiting_] != 0;
  }
  /// Of a row that waits, see PointProblem.
  [[nodiscard]] double waking_speed(Index row) const {
    return problem_->waking_speed[row - first_waiting_];
  }
  /// From now on a row that waits takes part.
  void wake(Index row);
  /// Rows that woke, in that order.
  [[nodiscard]] std::span<const Index> woken() const { return woken_; }
  /// Numbers what rows that take part join, for each point.
  void find_pieces(std::vector<Index>& piece_of);
  /// Velocity of a point in the lab; 0 for a wall.
  [[nodiscard]] PointProblem::Velocity lab_velocity(Index point) const;
  [[nodiscard]] std::vector<Component>& components() { return components_; }
  [[nodiscard]] const std::vector<Component>& components() const { return components_; }
  [[nodiscard]] Index component_of(Index point) const { return component_of_[point]; }
  [[nodiscard]] std::span<const Index> component_of() const { return component_of_; }
  [[nodiscard]] Index surface(Index row) const { return surface_[row]; }

  /// Closing speed of a row as `self` sees it.
  [[nodiscard]] double closing_speed(const Point& self, const Slot& slot) const {
    const Point& other = points_[slot.other];
    double b = 0.0;
    for (std::size_t k = 0; k < D; ++k) b += slot.normal[k] * (self.v[k] - other.v[k]);
    return opens_ ? b - opening_speed(slot.row) : b;
  }
  /// The speed w at which the points of a row are to part; of a wall its surface has it.
  [[nodiscard]] double opening_speed(Index row) const {
    return problem_->rows[row].b != kNone ? problem_->rows[row].offset : 0.0;
  }
  /// Closing speed of a row of the problem.
  [[nodiscard]] Violation<D> look_at(Index row) const;
  /// Whether a closing speed counts.
  [[nodiscard]] bool is_violated(const Violation<D>& row) const {
    return row.b < 0.0 &&
           row.b * row.b > components_[component_of_[row.self]].threshold *
                               (points_[row.self].weight + points_[row.other].weight);
  }
  /// Every violated row, in the order of rows.
  void look_at_all(std::vector<Violation<D>>& violated) const;
  /// Those among the rows from `first` to before `last`; added to what is there.
  void look_at_rows(Index first, Index last, std::vector<Violation<D>>& violated) const;
  /// The violated rows that touch one of `touched`, whose stamps are `stamp`; each once.
  void look_around(std::span<const Index> touched, Index stamp,
                   std::vector<Violation<D>>& violated) const;

 private:
  void look_through_rows();
  void add_surface(Index row);
  void place_rows();
  void find_components();
  /// Numbers what the rows join that `joins` names.
  template <class Joins>
  void unite_points(const Joins& joins, std::vector<Index>& number_of);
  void enter_frames(double tolerance);
  /// Asks for the memory that look_around reads at points soon after `touched[now]`. Inlined: a
  /// call that changes nothing is left out by the compiler.
  [[gnu::always_inline]] inline void ask_for_coming(std::span<const Index> touched,
                                                    std::size_t now) const;

  const PointProblem* problem_ = nullptr;
  Index point_count_ = 0;
  bool opens_ = false;    ///< some points are to part
  bool offsets_ = false;  ///< some rows have an offset
  std::vector<Point> points_;
  std::vector<Slot> slots_;
  std::vector<Index> first_slot_;
  std::vector<Index> end_slot_;      ///< of rows that take part; slots of others follow
  Index first_waiting_ = 0;          ///< of the rows
  std::vector<std::uint8_t> awake_;  ///< of rows from there on
  std::vector<Index> woken_;
  std::vector<Index> surface_;  ///< per row: the point that stands for the wall, or kNone
  std::vector<Index> component_of_;
  std::vector<Index> parent_;
  std::vector<Component> components_;
  std::vector<double> mass_;  ///< of each component
};

extern template class PointFront<2>;
extern template class PointFront<3>;

}  // namespace carom
