#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace carom {

/// Memory for arrays that are read here and there: in large pages where the system has them, so
/// that finding a page does not cost as much as reading it.
template <typename Item>
class LargePages {
 public:
  using value_type = Item;  // NOLINT: as allocators must

  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>& /*other*/) {}  // NOLINT: as allocators must

  [[nodiscard]] Item* allocate(std::size_t count) {
    const std::size_t size = bytes(count);
    void* memory = ::operator new(size, alignment(size));
#ifdef __linux__
    if (size >= kPage) static_cast<void>(madvise(memory, size, MADV_HUGEPAGE));
#endif
    return static_cast<Item*>(memory);
  }
  void deallocate(Item* memory, std::size_t count) {
    ::operator delete(memory, alignment(bytes(count)));
  }

  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21U;

  // Whole pages, where it is more than one.
  static std::size_t bytes(std::size_t count) {
    const std::size_t size = count * sizeof(Item);
    return size < kPage ? size : (size + kPage - 1) / kPage * kPage;
  }
  static std::align_val_t alignment(std::size_t size) {
    return std::align_val_t{size < kPage ? alignof(std::max_align_t) < alignof(Item)
                                               ? alignof(Item)
                                               : alignof(std::max_align_t)
                                         : kPage};
  }
};

template <typename Item>
using LargeVector = std::vector<Item, LargePages<Item>>;

}  // namespace carom
