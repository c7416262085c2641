#pragma once

namespace carom::detail {
[[noreturn]] void fail_demand(const char* condition, const char* file, int line) noexcept;
}  // namespace carom::detail

/// Errors of the first kind: our own bugs. They end the process with the place; they are never used
/// for bad input (InputError) or for a numerical outcome (a status in the result).
#define CAROM_DEMAND(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::carom::detail::fail_demand(#condition, __FILE__, __LINE__))

#ifdef CAROM_ENABLE_ASSERTS
#define CAROM_ASSERT(condition) CAROM_DEMAND(condition)
#else
#define CAROM_ASSERT(condition) static_cast<void>(0)
#endif
