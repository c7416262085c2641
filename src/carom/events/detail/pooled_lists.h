#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "carom/core/assert.h"
#include "carom/core/large_memory.h"
#include "carom/core/types.h"

namespace carom::detail {

/// A list for each of many owners, all in one block of memory. A list that outgrows its
/// place moves to the end; where half of the memory is left behind in that way, all lists move
/// together again.
template <typename Item>
class PooledLists {
 public:
  void reset(Index owners, Index room) {
    lists_.assign(owners, List());
    for (Index i = 0; i < owners; ++i) {
      lists_[i].begin = static_cast<std::size_t>(i) * room;
      lists_[i].room = room;
    }
    pool_.assign(static_cast<std::size_t>(owners) * room, Item());
    lost_ = 0;
  }

  [[nodiscard]] std::span<const Item> of(Index owner) const {
    const List& list = lists_[owner];
    return {pool_.data() + list.begin, list.size};
  }

  void add(Index owner, const Item& item) {
    if (lists_[owner].size == lists_[owner].room) move_to_end(owner);
    List& list = lists_[owner];
    pool_[list.begin + list.size++] = item;
  }

  /// Takes out the one item for which `is_it` holds.
  template <typename Test>
  void remove(Index owner, const Test& is_it) {
    List& list = lists_[owner];
    Item* const first = pool_.data() + list.begin;
    Item* const place = std::find_if(first, first + list.size, is_it);
    CAROM_ASSERT(place != first + list.size);
    *place = first[--list.size];
  }

  void clear(Index owner) { lists_[owner].size = 0; }

  /// Asks for the memory of a list, and for that of its items once the former is there. Inlined, as
  /// all that only ask: a call that changes nothing is left out by the compiler.
  [[gnu::always_inline]] void prefetch(Index owner) const { __builtin_prefetch(&lists_[owner]); }
  [[gnu::always_inline]] void prefetch_items(Index owner) const {
    constexpr std::size_t kLine = 64 / sizeof(Item);
    const List& list = lists_[owner];
    for (std::size_t k = 0; k < list.size; k += kLine) {
      __builtin_prefetch(pool_.data() + list.begin + k);
    }
  }

 private:
  struct List {
    std::size_t begin = 0;
    Index size = 0;
    Index room = 0;
  };

  void move_to_end(Index owner) {
    lost_ += lists_[owner].room;
    if (lost_ > pool_.size() / 2) close_gaps();
    List& list = lists_[owner];
    const std::size_t begin = pool_.size();
    list.room = std::max<Index>(4, list.room + list.room / 2);
    pool_.resize(begin + list.room);
    std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(list.begin), list.size,
                pool_.begin() + static_cast<std::ptrdiff_t>(begin));
    list.begin = begin;
  }

  void close_gaps() {
    LargeVector<Item> pool;
    pool.reserve(pool_.size());
    for (List& list : lists_) {
      const auto begin = pool_.begin() + static_cast<std::ptrdiff_t>(list.begin);
      list.begin = pool.size();
      pool.insert(pool.end(), begin, begin + list.size);
      pool.resize(list.begin + list.room);
    }
    pool_.swap(pool);
    lost_ = 0;
  }

  LargeVector<List> lists_;
  LargeVector<Item> pool_;
  std::size_t lost_ = 0;  ///< entries that belong to no list
};

}  // namespace carom::detail
