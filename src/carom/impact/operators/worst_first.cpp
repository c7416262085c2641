// The fastest closing row of many, application by application.

#include "carom/impact/operators/worst_first.h"

#include <algorithm>

namespace carom {
namespace {

// Entries for each violated row beyond which most are out of date.
constexpr std::size_t kMostEntries = 16;

}  // namespace

void WorstFirst::make(const Application& application) {
  heap_.clear();
  entered_.assign(application.b.size(), 0.0);  // no violated row has this
  for (const Index row : application.violated->members()) {
    heap_.push_back({application.b[row], row});
    entered_[row] = application.b[row];
  }
  std::make_heap(heap_.begin(), heap_.end(), comes_after);
}

void WorstFirst::put(const Application& application, Index row) {
  if (!application.violated->contains(row) || entered_[row] == application.b[row]) return;
  entered_[row] = application.b[row];
  heap_.push_back({application.b[row], row});
  std::push_heap(heap_.begin(), heap_.end(), comes_after);
}

Index WorstFirst::choose(const Application& application) {
  const IndexSet& violated = *application.violated;
  if (last_ == kNone || heap_.size() > kMostEntries * (violated.size() + kMostEntries)) {
    make(application);
  } else {
    for (const solvers::BlockRows::Entry& entry : application.rows->entries(last_)) {
      for (const Index row : application.rows->rows_of(entry.block)) {
        if (!violated.contains(row)) entered_[row] = 0.0;
        put(application, row);
      }
    }
  }
  for (;;) {
    if (heap_.empty()) make(application);
    const Entry top = heap_.front();
    if (violated.contains(top.row) && top.b == application.b[top.row]) {
      last_ = top.row;
      return top.row;
    }
    const bool is_newest = top.b == entered_[top.row];
    if (is_newest && violated.contains(top.row)) {  // changed, and not by the last row
      make(application);
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end(), comes_after);
    heap_.pop_back();
  }
}

}  // namespace carom
