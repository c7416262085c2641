// Dense factorisation and products on the panel of a supernode.
#include "carom/solvers/detail/dense_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace carom::solvers {
namespace {

constexpr std::size_t kBlock = 4;    // rows and columns of a block that is held in registers
constexpr std::size_t kDepth = 128;  // columns whose rows stay in the nearest cache

// Two numbers in one register: what every 64-bit processor has.
using Two = double __attribute__((vector_size(2 * sizeof(double))));

inline Two load(const double* from) {
  Two value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

inline void store(double* to, Two value) { std::memcpy(to, &value, sizeof(value)); }

inline Two both(double value) { return Two{value, value}; }

/// Four rows of kColumns columns.
template <std::size_t kColumns>
struct Block {
  std::array<Two, kColumns> upper{};
  std::array<Two, kColumns> lower{};

  /// += the sum over `depth` columns of a (four rows) times b' (kColumns rows).
  void add_products(const double* a, const double* b, std::size_t stride, std::size_t depth) {
    for (std::size_t k = 0; k < depth; ++k) {
      const Two a_upper = load(a);
      const Two a_lower = load(a + 2);
      for (std::size_t j = 0; j < kColumns; ++j) {
        const Two factor = both(b[j]);
        upper[j] += a_upper * factor;
        lower[j] += a_lower * factor;
      }
      a += stride;
      b += stride;
    }
  }
};

/// Where kColumns columns of a panel stand.
struct Columns {
  double* panel;
  std::size_t stride;
  std::size_t first;  ///< column
  std::size_t row;    ///< the first one below their triangle

  [[nodiscard]] double* at(std::size_t row_number, std::size_t j) const {
    return panel + (first + j) * stride + row_number;
  }
};

/// The triangle at the diagonal: entry[j][i] is L_ij.
template <std::size_t kColumns>
using Triangle = std::array<std::array<double, kColumns>, kColumns>;

/// Subtracts the columns before from the triangle and factors it. Returns how many pivots are
/// positive.
template <std::size_t kColumns>
std::size_t factor_triangle(const Columns& columns, Triangle<kColumns>& triangle, double* inverse) {
  for (std::size_t j = 0; j < kColumns; ++j) {
    for (std::size_t i = j; i < kColumns; ++i) triangle[j][i] = *columns.at(columns.first + i, j);
  }
  const double* before = columns.panel + columns.first;
  for (std::size_t k = 0; k < columns.first; ++k, before += columns.stride) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      for (std::size_t i = j; i < kColumns; ++i) triangle[j][i] -= before[i] * before[j];
    }
  }
  for (std::size_t j = 0; j < kColumns; ++j) {
    const double pivot = triangle[j][j];
    *columns.at(columns.first + j, j) = pivot;
    if (!(pivot > 0.0)) return j;
    const double share = 1.0 / pivot;  // the next pivot need not wait for the root
    for (std::size_t l = j + 1; l < kColumns; ++l) {
      const double factor = triangle[j][l] * share;
      for (std::size_t i = l; i < kColumns; ++i) triangle[l][i] -= triangle[j][i] * factor;
    }
    inverse[j] = std::sqrt(share);
    for (std::size_t i = j + 1; i < kColumns; ++i) {
      triangle[j][i] *= inverse[j];
      *columns.at(columns.first + i, j) = triangle[j][i];
    }
  }
  return kColumns;
}

/// Factors kColumns columns: the triangle, then the rows below it, four at once.
template <std::size_t kColumns>
std::size_t factor_columns(const Columns& columns, double* inverse) {
  const auto [panel, stride, first, first_row] = columns;
  Triangle<kColumns> triangle;
  const std::size_t good = factor_triangle<kColumns>(columns, triangle, inverse + first);
  if (good < kColumns) return good;
  for (std::size_t row = first_row; row < stride; row += kBlock) {
    Block<kColumns> sum;
    sum.add_products(panel + row, panel + first, stride, first);
    for (std::size_t j = 0; j < kColumns; ++j) {
      double* to = columns.at(row, j);
      Two upper = load(to) - sum.upper[j];
      Two lower = load(to + 2) - sum.lower[j];
      for (std::size_t l = 0; l < j; ++l) {
        upper -= sum.upper[l] * both(triangle[l][j]);
        lower -= sum.lower[l] * both(triangle[l][j]);
      }
      sum.upper[j] = upper * both(inverse[first + j]);
      sum.lower[j] = lower * both(inverse[first + j]);
      store(to, sum.upper[j]);
      store(to + 2, sum.lower[j]);
    }
  }
  return kColumns;
}

/// x := L^-1 x for kColumns columns and the rows below them.
template <std::size_t kColumns>
void solve_forward(const Columns& columns, const double* inverse, double* x) {
  std::array<double, kColumns> value{};
  for (std::size_t j = 0; j < kColumns; ++j) value[j] = x[columns.first + j];
  for (std::size_t j = 0; j < kColumns; ++j) {
    value[j] *= inverse[columns.first + j];
    const double* l = columns.at(columns.first, j);
    for (std::size_t i = j + 1; i < kColumns; ++i) value[i] -= l[i] * value[j];
  }
  for (std::size_t j = 0; j < kColumns; ++j) x[columns.first + j] = value[j];
  for (std::size_t row = columns.row; row < columns.stride; row += kBlock) {
    Two upper = load(x + row);
    Two lower = load(x + row + 2);
    for (std::size_t j = 0; j < kColumns; ++j) {
      upper -= load(columns.at(row, j)) * both(value[j]);
      lower -= load(columns.at(row, j) + 2) * both(value[j]);
    }
    store(x + row, upper);
    store(x + row + 2, lower);
  }
}

/// x := L^-T x for kColumns columns; the rows below them are known.
template <std::size_t kColumns>
void solve_backward(const Columns& columns, const double* inverse, double* x) {
  Block<kColumns> sum;
  for (std::size_t row = columns.row; row < columns.stride; row += kBlock) {
    const Two upper = load(x + row);
    const Two lower = load(x + row + 2);
    for (std::size_t j = 0; j < kColumns; ++j) {
      sum.upper[j] += load(columns.at(row, j)) * upper;
      sum.lower[j] += load(columns.at(row, j) + 2) * lower;
    }
  }
  std::array<double, kColumns> value{};
  for (std::size_t j = kColumns; j-- > 0;) {
    const double* l = columns.at(columns.first, j);
    const Two halves = sum.upper[j] + sum.lower[j];
    value[j] = x[columns.first + j] - (halves[0] + halves[1]);
    for (std::size_t i = kColumns; i-- > j + 1;) value[j] -= l[i] * value[i];
    value[j] *= inverse[columns.first + j];
  }
  for (std::size_t j = 0; j < kColumns; ++j) x[columns.first + j] = value[j];
}

/// Calls use(columns, count) with 1 .. 4 columns, the count as a type.
template <class Use>
auto with_columns(const DensePanel& panel, std::size_t first, const Use& use) {
  Columns columns{panel.values, panel.stride, first, panel.top};
  switch (panel.width - first) {
    case 1:
      return use(columns, std::integral_constant<std::size_t, 1>());
    case 2:
      return use(columns, std::integral_constant<std::size_t, 2>());
    case 3:
      return use(columns, std::integral_constant<std::size_t, 3>());
    default:
      columns.row = first + kBlock;
      return use(columns, std::integral_constant<std::size_t, kBlock>());
  }
}

}  // namespace

std::size_t DensePanel::factor(double* inverse) const {
  for (std::size_t j = 0; j < width; j += kBlock) {
    const std::size_t good = with_columns(*this, j, [&](const Columns& columns, auto count) {
      return factor_columns<count()>(columns, inverse);
    });
    if (good < std::min(kBlock, width - j)) return j + good;
  }
  return width;
}

void DensePanel::subtract_square(double* square) const {
  const std::size_t size = stride - top;
  for (std::size_t k = 0; k < width; k += kDepth) {
    const double* below = values + k * stride + top;
    const std::size_t depth = std::min(kDepth, width - k);
    for (std::size_t j = 0; j < size; j += kBlock) {
      for (std::size_t i = j; i < size; i += kBlock) {
        Block<kBlock> sum;
        sum.add_products(below + i, below + j, stride, depth);
        double* to = square + j * size + i;
        for (std::size_t l = 0; l < kBlock; ++l) {
          if (k == 0) {
            store(to + l * size, -sum.upper[l]);
            store(to + l * size + 2, -sum.lower[l]);
          } else {
            store(to + l * size, load(to + l * size) - sum.upper[l]);
            store(to + l * size + 2, load(to + l * size + 2) - sum.lower[l]);
          }
        }
      }
    }
  }
}

void DensePanel::forward(const double* inverse, double* x) const {
  for (std::size_t j = 0; j < width; j += kBlock) {
    with_columns(*this, j, [&](const Columns& columns, auto count) {
      solve_forward<count()>(columns, inverse, x);
    });
  }
}

void DensePanel::backward(const double* inverse, double* x) const {
  for (std::size_t j = (width - 1) / kBlock * kBlock + kBlock; j > 0;) {
    j -= kBlock;
    with_columns(*this, j, [&](const Columns& columns, auto count) {
      solve_backward<count()>(columns, inverse, x);
    });
  }
}

}  // namespace carom::solvers
