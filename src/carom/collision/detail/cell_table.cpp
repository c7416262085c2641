// Numbers for the cells that occur, by open addressing.
#include "carom/collision/detail/cell_table.h"

#include <bit>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

// Spreads neighbouring cells over all bits: odd multipliers (the fractional parts of the golden
// ratio and of the square roots of 2 and 3), folded in the middle.
std::uint64_t hash_of(const Cell& cell) {
  std::uint64_t hash = static_cast<std::uint64_t>(cell.x) * 0x9E3779B97F4A7C15U +
                       static_cast<std::uint64_t>(cell.y) * 0x6A09E667F3BCC909U +
                       static_cast<std::uint64_t>(cell.z) * 0xBB67AE8584CAA73BU;
  hash ^= hash >> 32U;
  hash *= 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32U);
}

}  // namespace

void CellTable::reset(Index capacity) {
  const std::uint64_t slots = std::bit_ceil(2 * std::uint64_t{capacity} + 2);
  slots_.assign(slots, kNone);
  mask_ = slots - 1;
  cells_.clear();
}

std::uint64_t CellTable::slot_of(const Cell& cell) const {
  std::uint64_t slot = hash_of(cell) & mask_;
  while (slots_[slot] != kNone && !(cells_[slots_[slot]] == cell)) slot = (slot + 1) & mask_;
  return slot;
}

Index CellTable::insert(const Cell& cell) {
  CAROM_ASSERT(2 * cells_.size() < slots_.size());
  const std::uint64_t slot = slot_of(cell);
  if (slots_[slot] == kNone) {
    slots_[slot] = size();
    cells_.push_back(cell);
  }
  return slots_[slot];
}

Index CellTable::find(const Cell& cell) const { return slots_[slot_of(cell)]; }

}  // namespace carom::detail
