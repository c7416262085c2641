// Rows that threads find in stretches, laid end to end in order.
#include "carom/contact/detail/ordered_rows.h"

#include <algorithm>
#include <utility>

namespace carom::detail {

void OrderedRows::begin(std::size_t stretches, unsigned workers, std::vector<Contact>& rows) {
  rows_ = &rows;
  stretches_ = stretches;
  placed_ = 0;
  total_ = 0;
  rooms_.resize(std::max<std::size_t>(rooms_.size(), workers));
  entries_.resize(std::max(entries_.size(), stretches));
  for (Entry& entry : entries_) {
    entry.is_done = false;
    entry.found.clear();  // of a round that an exception ended
  }
}

std::vector<Contact>& OrderedRows::room(unsigned worker) {
  std::vector<Contact>& own = rooms_[worker];
  if (own.capacity() == 0) {
    const std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      own = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  own.clear();
  return own;
}

void OrderedRows::put(std::size_t stretch, unsigned worker) {
  std::size_t first = 0;
  std::size_t last = 0;
  {
    const std::lock_guard lock(mutex_);
    entries_[stretch].found.swap(rooms_[worker]);
    entries_[stretch].is_done = true;
    first = placed_;
    for (; placed_ < stretches_ && entries_[placed_].is_done; ++placed_) {
      entries_[placed_].first = total_;
      total_ += entries_[placed_].found.size();
    }
    last = placed_;
  }
  // No other thread has to do with these any more.
  for (std::size_t k = first; k < last; ++k) {
    if (copy_to_place(entries_[k])) give_back(entries_[k].found);
  }
}

// False if it does not fit yet.
bool OrderedRows::copy_to_place(const Entry& entry) {
  if (entry.first + entry.found.size() > rows_->size()) return false;
  std::copy(entry.found.begin(), entry.found.end(),
            rows_->begin() + static_cast<std::ptrdiff_t>(entry.first));
  return true;
}

void OrderedRows::give_back(std::vector<Contact>& room) {
  room.clear();
  if (room.capacity() == 0) return;
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(room));
  room = {};
}

void OrderedRows::finish() {
  // Rooms beyond these came from a round that had to grow.
  constexpr std::size_t kRoomsPerWorker = 4;
  rows_->resize(total_);
  for (std::size_t k = 0; k < stretches_; ++k) {
    if (entries_[k].found.empty()) continue;
    static_cast<void>(copy_to_place(entries_[k]));
    give_back(entries_[k].found);
  }
  spare_.resize(std::min(spare_.size(), kRoomsPerWorker * rooms_.size()));
}

}  // namespace carom::detail
