#pragma once

#include "carom/asynchronous/problem.h"

namespace carom::bench {

/// A sheet of `columns` x `rows` vertices and the given pitch (m) that falls at 2 m/s on spikes,
/// of four held vertices each, in rows of `spikes`; it is near them at the start. 40 x 39 vertices
/// and 6 spikes in a row are the 1,704 vertices of `./dev bench acm`.
[[nodiscard]] asynchronous::Problem sheet_on_spikes(int columns, int rows, double pitch,
                                                    int spikes);

/// Two ribbons of `length` x `width` vertices, each bent into a hook, hooked into each other; their
/// ends move apart at 2 m/s each, and all of them do at the start. 60 x 8 are 960 vertices.
[[nodiscard]] asynchronous::Problem hooked_ribbons(int length, int width);

}  // namespace carom::bench
