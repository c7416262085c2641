// The queues of events by their names.
#include "carom/stepping/event_queue.h"

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/stepping/detail/calendar_queue.h"
#include "carom/stepping/detail/heap_queue.h"

namespace carom {

void EventQueue::set_rank(Index owner, std::uint64_t rank) {
  CAROM_ASSERT(time(owner) == kInfinity);
  if (owner >= ranks_.size()) ranks_.resize(owner + std::size_t{1}, 0);
  ranks_[owner] = rank;
}

std::vector<std::string> event_queue_names() { return {"calendar", "heap"}; }

std::unique_ptr<EventQueue> make_event_queue(std::string_view name) {
  if (name == "calendar") return std::make_unique<detail::CalendarQueue>();
  if (name == "heap") return std::make_unique<detail::HeapQueue>();
  throw InputError({}, unknown_name_message("event queue", std::string(name), event_queue_names()));
}

}  // namespace carom
