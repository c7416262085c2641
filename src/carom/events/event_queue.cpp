#include "carom/events/event_queue.h"

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/events/detail/calendar_queue.h"
#include "carom/events/detail/heap_queue.h"

namespace carom {

std::vector<std::string> event_queue_names() { return {"calendar", "heap"}; }

std::unique_ptr<EventQueue> make_event_queue(std::string_view name) {
  if (name == "calendar") return std::make_unique<detail::CalendarQueue>();
  if (name == "heap") return std::make_unique<detail::HeapQueue>();
  throw InputError({}, unknown_name_message("event queue", std::string(name), event_queue_names()));
}

}  // namespace carom
