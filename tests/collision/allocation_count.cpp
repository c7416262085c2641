#include "collision/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> count_of_allocations{0};
}  // namespace

// Replacing these counts the allocations of the whole program.
void* operator new(std::size_t size) {
  ++count_of_allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// std::stable_sort asks this way.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++count_of_allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace carom::test {

std::size_t allocation_count() { return count_of_allocations; }

}  // namespace carom::test
