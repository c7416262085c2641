// Instants as matrices: dense or sparse rows and masses, taken apart into bodies and rows.
#include "matrices.h"

#include <algorithm>
#include <cstdint>
#include <pybind11/stl.h>
#include <string>
#include <utility>

#include "carom/core/error.h"

namespace carom::python {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

/// Compressed rows.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::size_t> start = {0};
  std::vector<std::size_t> column;
  std::vector<double> value;
};

Matrix sparse_matrix(const py::handle& given, const std::string& what) {
  const py::object csr = given.attr("tocsr")();
  const auto shape = csr.attr("shape").cast<std::pair<std::size_t, std::size_t>>();
  using Numbers64 = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
  const auto start = csr.attr("indptr").cast<Numbers64>();
  const auto column = csr.attr("indices").cast<Numbers64>();
  const Doubles value = doubles(csr.attr("data"), what, 1);
  Matrix matrix{shape.first, shape.second, {}, {}, {value.data(), value.data() + value.size()}};
  matrix.start.assign(start.data(), start.data() + start.size());
  matrix.column.assign(column.data(), column.data() + column.size());
  return matrix;
}

Matrix dense_matrix(const Doubles& array) {
  Matrix matrix;
  matrix.rows = static_cast<std::size_t>(array.shape(0));
  matrix.columns = static_cast<std::size_t>(array.shape(1));
  const double* at = array.data();
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j, ++at) {
      if (*at == 0.0) continue;
      matrix.column.push_back(j);
      matrix.value.push_back(*at);
    }
    matrix.start.push_back(matrix.column.size());
  }
  return matrix;
}

// What is scipy.sparse; numpy's own arrays are known without asking them.
bool is_sparse(const py::handle& given) {
  return !py::isinstance<py::array>(given) && !py::isinstance<py::list>(given) &&
         py::hasattr(given, "tocsr");
}

Matrix matrix_of(const py::handle& given, const std::string& what) {
  return is_sparse(given) ? sparse_matrix(given, what) : dense_matrix(doubles(given, what, 2));
}

// One number is the same for all.
std::vector<double> one_each(const py::handle& given, const std::string& what, std::size_t count) {
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    return std::vector<double>(count, given.cast<double>());
  }
  if (!py::isinstance<py::list>(given)) {
    const Doubles array = Doubles::ensure(given);
    if (array && array.ndim() == 0) return std::vector<double>(count, *array.data());
    PyErr_Clear();
  }
  std::vector<double> values = list_of_doubles(given, what);
  if (values.size() == count) return values;
  refuse(what, "expected one number, or one for each of " + std::to_string(count) + ", found " +
                   std::to_string(values.size()));
}

// Masses: a number, the diagonal, or a matrix of blocks.
Matrix mass_matrix_of(const py::handle& given, std::size_t count) {
  const bool is_matrix =
      py::isinstance<py::array>(given)
          ? py::reinterpret_borrow<py::array>(given).ndim() == 2
          : is_sparse(given) || (py::hasattr(given, "ndim") && given.attr("ndim").cast<int>() == 2);
  if (!is_matrix && !py::isinstance<py::list>(given)) {
    const std::vector<double> diagonal = one_each(given, "M", count);
    Matrix matrix{count, count, {0}, {}, diagonal};
    for (std::size_t i = 0; i < count; ++i) {
      matrix.column.push_back(i);
      matrix.start.push_back(i + 1);
    }
    return matrix;
  }
  if (!is_matrix) {  // a list: of numbers, or of rows
    return mass_matrix_of(py::module_::import("numpy").attr("asarray")(given), count);
  }
  Matrix matrix = matrix_of(given, "M");
  if (matrix.rows != count || matrix.columns != count) {
    refuse("M", "must be " + std::to_string(count) + " x " + std::to_string(count) + ", found " +
                    std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns));
  }
  return matrix;
}

/// Which numbers of the velocity belong to one body.
class Partition {
 public:
  Partition(std::vector<std::size_t> sizes, std::size_t count) : sizes_(std::move(sizes)) {
    for (std::size_t body = 0; body < sizes_.size(); ++body) {
      start_.push_back(body_of_.size());
      body_of_.insert(body_of_.end(), sizes_[body], body);
    }
    if (body_of_.size() != count) {
      refuse("bodies", "have " + std::to_string(body_of_.size()) + " numbers together, but v has " +
                           std::to_string(count));
    }
  }
  [[nodiscard]] std::size_t bodies() const { return sizes_.size(); }
  [[nodiscard]] std::size_t size(std::size_t body) const { return sizes_[body]; }
  [[nodiscard]] std::size_t start(std::size_t body) const { return start_[body]; }
  [[nodiscard]] std::size_t body_of(std::size_t dof) const { return body_of_[dof]; }

  /// Masses link numbers of one body only, and a row touches two bodies at most.
  [[nodiscard]] bool fits(const Matrix& masses, const Matrix& rows) const {
    for (std::size_t i = 0; i < masses.rows; ++i) {
      for (std::size_t k = masses.start[i]; k < masses.start[i + 1]; ++k) {
        if (masses.value[k] != 0.0 && body_of_[i] != body_of_[masses.column[k]]) return false;
      }
    }
    for (std::size_t i = 0; i < rows.rows; ++i) {
      if (touched(rows, i).size() > 2) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<std::size_t> touched(const Matrix& rows, std::size_t row) const {
    std::vector<std::size_t> bodies;
    for (std::size_t k = rows.start[row]; k < rows.start[row + 1]; ++k) {
      const std::size_t body = body_of_[rows.column[k]];
      if (rows.value[k] == 0.0 || std::find(bodies.begin(), bodies.end(), body) != bodies.end()) {
        continue;
      }
      bodies.push_back(body);
    }
    std::sort(bodies.begin(), bodies.end());
    return bodies;
  }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> start_;
  std::vector<std::size_t> body_of_;
};

// Bodies of one size, the smallest that fits.
Partition guess_partition(const Matrix& masses, const Matrix& rows) {
  const std::size_t count = masses.rows;
  for (const std::size_t size : {1U, 2U, 3U, 6U}) {
    if (count % size != 0) continue;
    Partition partition(std::vector<std::size_t>(count / size, size), count);
    if (partition.fits(masses, rows)) return partition;
  }
  refuse("bodies",
         "M and N do not say which numbers belong to one body: give their sizes, e.g. "
         "bodies=[3, 3, 6]; a row touches two bodies at most");
}

// Numbers of one row that belong to one body.
Numbers part_of(const Matrix& rows, std::size_t row, const Partition& partition, std::size_t body) {
  Numbers part = Numbers::zeros(partition.size(body));
  for (std::size_t k = rows.start[row]; k < rows.start[row + 1]; ++k) {
    if (partition.body_of(rows.column[k]) != body) continue;
    part[rows.column[k] - partition.start(body)] += rows.value[k];
  }
  return part;
}

void add_body(ImpactProblem& problem, const Matrix& masses, const Partition& partition,
              std::size_t body, const std::vector<double>& velocity) {
  const std::size_t size = partition.size(body);
  const std::size_t first = partition.start(body);
  if (size > 3 && size != 6) {
    refuse("bodies", "have 1, 2, 3 or 6 numbers, found " + std::to_string(size));
  }
  BodyDefinition definition;
  definition.velocity = Numbers(std::span<const double>(velocity).subspan(first, size));
  std::vector<double> block;
  bool is_plain = size <= 3;
  for (std::size_t i = 0; i < size; ++i) {
    const Numbers row = part_of(masses, first + i, partition, body);
    for (std::size_t j = 0; j < size; ++j) {
      block.push_back(row[j]);
      is_plain = is_plain && row[j] == (i == j ? block[0] : 0.0);
    }
  }
  if (is_plain) {
    definition.mass = block[0];
  } else {
    definition.mass_matrix = std::move(block);
    if (size == 6) {
      definition.kind = BodyKind::rigid_3d;
      definition.position = Numbers::zeros(3);
    }
  }
  problem.add_body(definition);
}

/// What resolve() is given beside masses, rows and velocities.
struct RowNumbers {
  std::vector<double> restitution;
  std::vector<double> friction;
  std::vector<double> offset;
  std::optional<Matrix> tangents;  ///< as many for each row, one behind the other
};

void add_row(ImpactProblem& problem, const Matrix& rows, std::size_t row,
             const Partition& partition, const RowNumbers& numbers) {
  const std::vector<std::size_t> bodies = partition.touched(rows, row);
  if (bodies.empty()) refuse("N", "row " + std::to_string(row) + " touches no body");
  if (bodies.size() > 2) {
    refuse("N", "row " + std::to_string(row) + " touches " + std::to_string(bodies.size()) +
                    " bodies, at most two are possible");
  }
  const auto side = [&](const Matrix& matrix, std::size_t k, std::size_t number) {
    return number < bodies.size() ? part_of(matrix, k, partition, bodies[number]) : Numbers();
  };
  RowDefinition definition;
  definition.body_a = static_cast<Index>(bodies[0]);
  if (bodies.size() == 2) definition.body_b = static_cast<Index>(bodies[1]);
  definition.gradient_a = side(rows, row, 0);
  definition.gradient_b = side(rows, row, 1);
  definition.offset = numbers.offset[row];
  definition.restitution = numbers.restitution[row];
  definition.friction = numbers.friction[row];
  if (numbers.tangents) {
    const std::size_t each = numbers.tangents->rows / rows.rows;
    for (std::size_t k = 0; k < each; ++k) {
      definition.tangents.push_back({side(*numbers.tangents, each * row + k, 0),
                                     side(*numbers.tangents, each * row + k, 1), 0.0});
    }
  }
  problem.add_row(definition);
}

}  // namespace

MatrixProblem problem_of(const InstantMatrices& given) {
  const std::vector<double> velocity = list_of_doubles(given.velocity, "v");
  const Matrix rows = matrix_of(given.rows, "N");
  if (rows.columns != velocity.size()) {
    refuse("N", "must have one column for each of " + std::to_string(velocity.size()) +
                    " velocities, found " + std::to_string(rows.columns));
  }
  const Matrix masses = mass_matrix_of(given.masses, velocity.size());
  RowNumbers numbers{one_each(given.restitution, "e", rows.rows),
                     one_each(given.friction, "mu", rows.rows),
                     one_each(given.offset, "w", rows.rows), std::nullopt};
  if (!given.tangents.is_none()) {
    numbers.tangents = matrix_of(given.tangents, "T");
    const std::size_t found = numbers.tangents->rows;
    if (numbers.tangents->columns != velocity.size() ||
        (found != rows.rows && found != 2 * rows.rows)) {
      refuse("T", "must have one or two rows for each row of N and as many columns, found " +
                      std::to_string(found) + " x " + std::to_string(numbers.tangents->columns));
    }
  }
  const bool rubs = std::any_of(numbers.friction.begin(), numbers.friction.end(),
                                [](double mu_i) { return mu_i > 0.0; });
  if (rubs && !numbers.tangents) {
    refuse("mu",
           "needs T, the rows of the tangential speeds: one for each contact in the plane, two "
           "in space");
  }
  const Partition partition =
      given.bodies ? Partition(*given.bodies, velocity.size()) : guess_partition(masses, rows);
  if (given.bodies && !partition.fits(masses, rows)) {
    refuse("bodies", "M links numbers of different bodies, or a row of N touches more than two");
  }
  MatrixProblem result;
  result.rubs = rubs;
  for (std::size_t body = 0; body < partition.bodies(); ++body) {
    add_body(result.problem, masses, partition, body, velocity);
  }
  for (std::size_t row = 0; row < rows.rows; ++row) {
    add_row(result.problem, rows, row, partition, numbers);
  }
  return result;
}

}  // namespace carom::python
