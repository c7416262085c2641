#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/core/random.h"
#include "carom/solvers/block_rows.h"
#include "carom/solvers/quadratic_program.h"

/// Families of quadratic programs as impacts produce them, all from fixed seeds. Closing speeds are
/// those of a random velocity unless a family says otherwise: c = 2 N'v.
namespace carom::solvers::families {

struct Instance {
  std::string name;  ///< family, size and seed: enough to make it again
  BlockRows rows;
  std::vector<Index> selection;
  std::vector<double> c;
  std::vector<double> lower;
  std::vector<double> upper;

  [[nodiscard]] QuadraticProgram view() const { return {&rows, selection, c, lower, upper, {}}; }
  [[nodiscard]] Index size() const { return static_cast<Index>(selection.size()); }
};

/// Which rows take part.
enum class Rows { all, violated };

/// Balls on a line, each touching the next; masses between 1 and `mass_ratio`, log-uniform.
[[nodiscard]] Instance chain(Index balls, double mass_ratio, Rows which, std::uint64_t seed);
/// n x n touching unit balls in the plane, square or hexagonal, all rushing to the middle.
[[nodiscard]] Instance square_grid(Index n, std::uint64_t seed);
[[nodiscard]] Instance hexagonal_grid(Index n, std::uint64_t seed);
/// A triangle of balls with `side` balls along its side, struck at the tip by one more ball.
[[nodiscard]] Instance rack(Index side);
/// One rigid body of 6 numbers on `points` points of a plane (4: the corners of a box), falling
/// with a random velocity or, with seed 0, straight down.
[[nodiscard]] Instance face_patch(Index points, std::uint64_t seed);
/// Boxes of 6 numbers each, one on the other on four corners, the lowest on the ground.
[[nodiscard]] Instance box_stack(Index boxes, std::uint64_t seed);
/// Bodies of 1, 2, 3 or 6 numbers joined at random by rows with random gradients.
[[nodiscard]] Instance random_graph(Index bodies, Index row_count, Index numbers,
                                    std::uint64_t seed);
/// A ball in a wedge of two walls whose normals are pi - angle apart, moving into it.
[[nodiscard]] Instance wedge(double angle);
/// A chain of balls in the plane between two walls, bent by `bend`, its middle pressed straight.
[[nodiscard]] Instance bent_chain(Index balls, double bend);
/// Two walls closing on a ball, among `bystanders` other contacts: unbounded.
[[nodiscard]] Instance squeeze(Index bystanders, std::uint64_t seed);

/// Every row of `base` once more (the same gradient under another number).
[[nodiscard]] Instance duplicated(const Instance& base);
/// Random factors from 1e-3 to 1e3 on the rows.
[[nodiscard]] Instance badly_scaled(const Instance& base, std::uint64_t seed);
/// Random lower and upper bounds, some of them equal, some infinite.
[[nodiscard]] Instance boxed(const Instance& base, std::uint64_t seed);

/// Small and medium members of all families that have a solution; many of them singular.
[[nodiscard]] std::vector<Instance> contract_corpus();

}  // namespace carom::solvers::families
