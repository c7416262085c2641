// The elimination tree of a symmetric pattern, and the lists that it needs.
#include "carom/solvers/detail/elimination_tree.h"

#include <algorithm>
#include <numeric>

namespace carom::solvers {

Lists lists_by(std::span<const Index> keys, std::size_t list_count) {
  Lists lists;
  lists.start.assign(list_count + 1, 0);
  for (const Index key : keys) {
    if (key != kNone) ++lists.start[key + std::size_t{1}];
  }
  std::partial_sum(lists.start.begin(), lists.start.end(), lists.start.begin());
  lists.item.resize(lists.start.back());
  std::vector<std::size_t> next(lists.start.begin(), lists.start.end() - 1);
  for (Index k = 0; k < keys.size(); ++k) {
    if (keys[k] != kNone) lists.item[next[keys[k]]++] = k;
  }
  return lists;
}

EntryPlaces::EntryPlaces(const SparsePattern& pattern, std::span<const Index> new_of_old)
    : small(pattern.row.size()), large(pattern.row.size()) {
  for (Index j = 0; j < pattern.size(); ++j) {
    const auto end = static_cast<std::size_t>(pattern.start[j + std::size_t{1}]);
    for (auto k = static_cast<std::size_t>(pattern.start[j]); k < end; ++k) {
      const auto i = static_cast<std::size_t>(pattern.row[k]);
      small[k] = std::min(new_of_old[i], new_of_old[j]);
      large[k] = std::max(new_of_old[i], new_of_old[j]);
    }
  }
}

EliminationTree::EliminationTree(const EntryPlaces& places, Index size)
    : parent(size, kNone), below(size, 0) {
  const Lists by_large = lists_by(places.large, size);
  std::vector<Index> ancestor(size, kNone);  // towards the root so far, with shortcuts
  std::vector<Index> visitor(size, kNone);
  for (Index j = 0; j < size; ++j) {
    for (const Index k : by_large[j]) {
      for (Index i = places.small[k]; i != j && i != kNone;) {
        const Index next = ancestor[i];
        ancestor[i] = j;
        if (next == kNone) parent[i] = j;
        i = next;
      }
    }
    visitor[j] = j;
    for (const Index k : by_large[j]) {  // row j of L: from each entry towards j
      for (Index i = places.small[k]; visitor[i] != j; i = parent[i]) {
        visitor[i] = j;
        ++below[i];
      }
    }
  }
}

double EliminationTree::entries() const {
  double sum = 0.0;
  for (const Index count : below) sum += count;
  return sum;
}

double EliminationTree::products() const {
  double sum = 0.0;
  for (const Index count : below) sum += 0.5 * count * (count + 3.0);
  return sum;
}

std::vector<Index> postorder(const std::vector<Index>& parent) {
  const auto size = static_cast<Index>(parent.size());
  const Lists children = lists_by(parent, size);
  std::vector<Index> order;
  std::vector<Index> open;
  for (Index root = size; root-- > 0;) {  // parents first, the last child first: to be reversed
    if (parent[root] == kNone) open.push_back(root);
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      order.push_back(node);
      for (const Index child : children[node]) open.push_back(child);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace carom::solvers
