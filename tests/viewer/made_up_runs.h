#pragma once

#include <cstddef>

#include "carom/page/page.h"

// Runs that look like recordings but come from a few lines of arithmetic, so that the viewer is
// tested without the engine.
namespace carom::viewer_test {

/// A cue ball and a triangular rack of `rows` rows on a table, seen flat. Colliding pairs exchange
/// their normal velocities one after the other, with restitution e.
[[nodiscard]] PageRun make_break(std::size_t rows, double restitution, std::size_t frames);

/// Balls of mixed sizes that fall into a box in space, around a fixed sphere, over a moving plate.
[[nodiscard]] PageRun make_fall(std::size_t count, std::size_t frames);

/// A ball takes an impulse of 1000 N s; then a stack of two rests, with a thousandth of a N s.
[[nodiscard]] PageRun make_rest();

/// Two balls on springs, one of them tied to a point, over a floor, seen flat or in space; with a
/// description and an error that grows from round-off, or stays there.
[[nodiscard]] PageRun make_springs(int dimension, bool is_kept);

/// Balls that bounce between walls without seeing each other: as many as one likes.
[[nodiscard]] PageRun make_gas(std::size_t count, std::size_t frames, int dimension);

}  // namespace carom::viewer_test
