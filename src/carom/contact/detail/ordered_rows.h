#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "carom/contact/detection.h"

namespace carom::detail {

/// Lays the rows that threads find in numbered stretches end to end in the order of the stretches.
/// A stretch is copied to its place as soon as all before it are done, by the thread that ended the
/// last of those.
class OrderedRows {
 public:
  /// Before a round. `rows` keeps what it holds: rows of an earlier step, about as many as will be
  /// found, whose room is used again.
  void begin(std::size_t stretches, unsigned workers, std::vector<Contact>& rows);

  /// Room for what a worker finds in one stretch; empty.
  [[nodiscard]] std::vector<Contact>& room(unsigned worker);

  /// The stretch is done; its rows are in the worker's room. From any thread.
  void put(std::size_t stretch, unsigned worker);

  /// After a round: all rows are in their places.
  void finish();

 private:
  struct Entry {
    std::size_t first = 0;  ///< its place, once those before it are done
    bool is_done = false;
    std::vector<Contact> found;
  };
  [[nodiscard]] bool copy_to_place(const Entry& entry);
  void give_back(std::vector<Contact>& room);

  std::vector<Contact>* rows_ = nullptr;
  std::vector<std::vector<Contact>> rooms_;  ///< of the workers
  std::mutex mutex_;                         ///< for all that follows
  std::vector<std::vector<Contact>> spare_;  ///< rooms that nobody uses
  std::vector<Entry> entries_;
  std::size_t stretches_ = 0;
  std::size_t placed_ = 0;  ///< stretches whose place is known
  std::size_t total_ = 0;   ///< rows of those
};

}  // namespace carom::detail
