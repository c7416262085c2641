// Which columns form a supernode, and the rows of its panel.
#include "carom/solvers/detail/supernodal_structure.h"

#include <algorithm>
#include <numeric>

namespace carom::solvers {
namespace {

constexpr Index kLanes = 4;  // rows that the dense kernels take at once

// The model of the time of one supernode, in cycles: per supernode, per column, per product, per
// entry of the square that goes to the parent, per entry of the panel (a few solves included).
constexpr double kPerSupernode = 100.0;
constexpr double kPerColumn = 30.0;
constexpr double kPerProduct = 0.5;
constexpr double kPerSquareEntry = 2.5;
constexpr double kPerPanelEntry = 4.0;

Index padded(Index count) { return (count + kLanes - 1) / kLanes * kLanes; }

double modelled_time(double width, double below) {
  const double height = width + below;
  const auto sum_of_squares = [](double n) { return n * (n + 1.0) * (2.0 * n + 1.0) / 6.0; };
  const double products = 0.5 * (sum_of_squares(height) - sum_of_squares(below));
  return kPerSupernode + kPerColumn * width + kPerProduct * products +
         kPerSquareEntry * 0.5 * below * below + kPerPanelEntry * width * (0.5 * width + below);
}

/// Which columns form a supernode. A supernode goes by its last column, a parent by a larger number
/// than its children.
class Amalgamation {
 public:
  explicit Amalgamation(const EliminationTree& tree)
      : into_(tree.parent.size()), width_(tree.parent.size(), 1), below_(tree.below) {
    std::iota(into_.begin(), into_.end(), Index{0});
    merge(tree.parent, [](double, double, double zeros) { return zeros == 0.0; });
    std::vector<Index> parent(tree.parent.size(), kNone);
    for (Index k = 0; k < parent.size(); ++k) {
      if (into_[k] == k && tree.parent[k] != kNone) parent[k] = final_of(tree.parent[k]);
    }
    merge(parent, [](double apart, double together, double) { return together <= apart; });
  }

  /// The supernode of a column, by the number of its last column.
  [[nodiscard]] Index final_of(Index column) {
    while (into_[column] != column) {
      into_[column] = into_[into_[column]];
      column = into_[column];
    }
    return column;
  }

 private:
  template <class Pays>
  void merge(const std::vector<Index>& parent, const Pays& pays) {
    const auto size = static_cast<Index>(parent.size());
    const Lists children = lists_by(parent, size);
    for (Index p = 0; p < size; ++p) {
      for (const Index c : children[p]) {
        const double wide = width_[p] + width_[c];
        const double zeros = width_[c] * (1.0 * width_[p] + below_[p] - below_[c]);
        const double apart =
            modelled_time(width_[p], below_[p]) + modelled_time(width_[c], below_[c]);
        if (!pays(apart, modelled_time(wide, below_[p]), zeros)) continue;
        width_[p] += width_[c];
        into_[c] = p;
      }
    }
  }

  std::vector<Index> into_;
  std::vector<Index> width_;
  std::vector<Index> below_;
};

/// Makes the supernodes with their columns; their parents by number.
std::vector<Index> number_supernodes(const EliminationTree& tree, SupernodalStructure& structure,
                                     std::vector<Index>& new_of_middle) {
  const auto size = static_cast<Index>(tree.parent.size());
  Amalgamation amalgamation(tree);
  std::vector<Index> last;
  std::vector<Index> rank(size, kNone);
  for (Index k = 0; k < size; ++k) {
    if (amalgamation.final_of(k) != k) continue;
    rank[k] = static_cast<Index>(last.size());
    last.push_back(k);
  }
  std::vector<Index> rank_parent(last.size(), kNone);
  for (std::size_t s = 0; s < last.size(); ++s) {
    const Index up = tree.parent[last[s]];
    if (up != kNone) rank_parent[s] = rank[amalgamation.final_of(up)];
  }
  const std::vector<Index> order = postorder(rank_parent);
  std::vector<Index> number(last.size());
  for (Index s = 0; s < order.size(); ++s) number[order[s]] = s;
  std::vector<Index> number_of(size);
  for (Index k = 0; k < size; ++k) number_of[k] = number[rank[amalgamation.final_of(k)]];

  const Lists columns = lists_by(number_of, last.size());
  std::vector<Index> parent(last.size(), kNone);
  structure.supernodes.assign(last.size(), {});
  Index next = 0;
  for (Index s = 0; s < last.size(); ++s) {
    structure.supernodes[s].first = next;
    structure.supernodes[s].width = static_cast<Index>(columns[s].size());
    for (const Index column : columns[s]) new_of_middle[column] = next++;
    if (rank_parent[order[s]] != kNone) parent[s] = number[rank_parent[order[s]]];
  }
  return parent;
}

/// Rows below, panels, and where the entries of the matrix and the rows of the children go.
void lay_out(const EntryPlaces& places, const std::vector<Index>& parent,
             SupernodalStructure& structure) {
  const auto size = static_cast<Index>(structure.new_of_old.size());
  const auto node_count = structure.supernodes.size();
  const Lists by_small = lists_by(places.small, size);
  const Lists children = lists_by(parent, node_count);
  structure.children = children.item;
  std::vector<Index> seen(size, kNone);
  std::vector<Index> row_in_panel(size, 0);
  for (Index s = 0; s < node_count; ++s) {
    Supernode& node = structure.supernodes[s];
    const Index end = node.first + node.width;
    node.row_start = structure.rows.size();
    const auto add = [&](Index row) {
      if (row < end || seen[row] == s) return;
      seen[row] = s;
      structure.rows.push_back(row);
    };
    for (Index j = node.first; j < end; ++j) {
      for (const Index k : by_small[j]) add(places.large[k]);
    }
    for (const Index c : children[s]) {
      const Supernode& child = structure.supernodes[c];
      for (Index i = 0; i < child.below; ++i) add(structure.rows[child.row_start + i]);
    }
    const auto rows = structure.rows.begin() + static_cast<std::ptrdiff_t>(node.row_start);
    std::sort(rows, structure.rows.end());
    node.below = static_cast<Index>(structure.rows.size() - node.row_start);
    node.top = node.width < kLanes ? node.width : padded(node.width);
    node.stride = node.top + padded(node.below);
    node.panel = structure.panel_size;
    structure.panel_size += std::size_t{node.width} * node.stride;
    structure.largest_stride = std::max<std::size_t>(structure.largest_stride, node.stride);

    for (Index j = 0; j < node.width; ++j) row_in_panel[node.first + j] = j;
    for (Index i = 0; i < node.below; ++i) {
      row_in_panel[structure.rows[node.row_start + i]] = node.top + i;
    }
    for (Index j = node.first; j < end; ++j) {
      for (const Index k : by_small[j]) {
        structure.entries.push_back(
            {k, (j - node.first) * node.stride + row_in_panel[places.large[k]]});
      }
    }
    node.entry_end = structure.entries.size();
    node.child_end = children.start[s + std::size_t{1}];
    structure.rows_in_parent.resize(structure.rows.size());
    for (const Index c : children[s]) {
      Supernode& child = structure.supernodes[c];
      for (Index i = 0; i < child.below; ++i) {
        const Index row = structure.rows[child.row_start + i];
        structure.rows_in_parent[child.row_start + i] = row_in_panel[row];
        if (row < end) child.inner = i + 1;
      }
    }
  }
}

/// The squares of the children are the last ones on the stack of their parity when their parent
/// takes them; the parent's own square grows on the other stack meanwhile.
void stack_squares(const std::vector<Index>& parent, SupernodalStructure& structure) {
  std::vector<Supernode>& nodes = structure.supernodes;
  for (std::size_t s = nodes.size(); s-- > 0;) {
    nodes[s].side = parent[s] == kNone ? 0 : 1 - nodes[parent[s]].side;
  }
  std::array<std::size_t, 2> filled{};
  std::size_t child = 0;
  for (Supernode& node : nodes) {
    for (; child < node.child_end; ++child) {
      const std::size_t size = nodes[structure.children[child]].square_size();
      filled[1 - node.side] -= size * size;
    }
    node.square = filled[node.side];
    filled[node.side] += std::size_t{node.square_size()} * node.square_size();
    structure.stack_size[node.side] = std::max(structure.stack_size[node.side], filled[node.side]);
  }
}

}  // namespace

void SupernodalStructure::analyse(const SparsePattern& pattern,
                                  std::span<const Index> fill_reducing,
                                  const EliminationTree& tree) {
  const Index size = pattern.size();
  *this = {};
  std::vector<Index> new_of_middle(size);
  const std::vector<Index> parent = number_supernodes(tree, *this, new_of_middle);
  new_of_old.resize(size);
  for (Index k = 0; k < size; ++k) new_of_old[k] = new_of_middle[fill_reducing[k]];
  lay_out(EntryPlaces(pattern, new_of_old), parent, *this);
  stack_squares(parent, *this);
}

}  // namespace carom::solvers
