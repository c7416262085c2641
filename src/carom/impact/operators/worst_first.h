#pragma once

#include <cstddef>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/operator.h"

namespace carom {

/// The violated row that closes fastest, of equals the one with the smallest number, application by
/// application: a heap that only rows of the bodies moved last are put into again.
///
/// Entries are what a row's closing speed once was. One on top that is no longer true is dropped
/// where the row was put in again since; where it was not, something else has changed all
/// velocities (the printed renormalisation), and the heap is made anew.
class WorstFirst {
 public:
  /// The next choice is the first of a run.
  void begin() { last_ = kNone; }
  [[nodiscard]] Index choose(const Application& application);

 private:
  struct Entry {
    double b = 0.0;
    Index row = kNone;
  };
  /// A heap's top is what nothing else comes before.
  static bool comes_after(const Entry& a, const Entry& b) {
    return a.b > b.b || (a.b == b.b && a.row > b.row);
  }

  void make(const Application& application);
  void put(const Application& application, Index row);

  Index last_ = kNone;  ///< row of the application before
  std::vector<Entry> heap_;
  std::vector<double> entered_;  ///< per row: b of its newest entry
};

}  // namespace carom
