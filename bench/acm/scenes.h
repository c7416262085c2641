#pragma once

#include "carom/asynchronous/problem.h"

namespace carom::bench {

/// A sheet of `columns` x `rows` vertices and the given pitch (m) that falls at 2 m/s on spikes,
/// of four held vertices each, in rows of `spikes`; it is near them at the start. As it is here:
/// the 1,704 vertices of `./dev bench acm`.
struct SpikedSheet {
  int columns = 40;
  int rows = 39;
  double pitch = 0.0256;
  int spikes = 6;
  double thickness = 0.008;  ///< m
};
[[nodiscard]] asynchronous::Problem sheet_on_spikes(const SpikedSheet& sheet);

/// Two ribbons of `length` x `width` vertices, each bent into a hook, hooked into each other; their
/// ends move apart at 2 m/s each, and all of them do at the start. 60 x 8 are 960 vertices.
[[nodiscard]] asynchronous::Problem hooked_ribbons(int length, int width);

}  // namespace carom::bench
