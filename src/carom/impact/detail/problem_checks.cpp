// What is refused of bodies and rows that are added to an impact problem, and their mass.
#include "carom/impact/detail/problem_checks.h"

#include <cmath>
#include <utility>

#include <Eigen/Cholesky>

#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom::detail {
void Subject::refuse(const std::string& field, const std::string& message) const {
  throw InputError(InputPlace{"", 0, 0, text + (field.empty() ? "" : ": " + field)}, message);
}

void Subject::demand_finite(const std::string& field, std::span<const double> values) const {
  for (const double value : values) {
    if (!std::isfinite(value)) refuse(field, "must be finite, found " + number_text(value));
    if (std::abs(value) > kLargestNumber) {
      refuse(field,
             "must not exceed " + number_text(kLargestNumber) + ", found " + number_text(value));
    }
  }
}

void Subject::demand_finite(const std::string& field, const Numbers& values) const {
  demand_finite(field, std::span<const double>(values.begin(), values.size()));
}

void Subject::demand_finite(const std::string& field, double value) const {
  demand_finite(field, std::span<const double>(&value, 1));
}

void Subject::demand_positive(const std::string& field, double value) const {
  demand_finite(field, value);
  if (value <= 0.0) refuse(field, "must be positive, found " + number_text(value));
  if (value < 1.0 / kLargestNumber) {
    refuse(field, "must not be below " + number_text(1.0 / kLargestNumber) + ", found " +
                      number_text(value));
  }
}

Subject subject(std::string_view what, std::size_t index, const std::string& name) {
  std::string text = std::string(what) + " " + std::to_string(index);
  if (!name.empty()) text += " (" + name + ")";
  return {std::move(text)};
}

std::string count(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

void check_velocity(const Subject& who, BodyKind kind, const Numbers& velocity) {
  who.demand_finite("velocity", velocity);
  const std::size_t size = velocity.size();
  const bool fits = (kind == BodyKind::ball && size >= 1 && size <= 3) ||
                    (kind == BodyKind::rigid_2d && size == 3) ||
                    (kind == BodyKind::rigid_3d && size == 6);
  if (fits) return;
  const std::string expected = kind == BodyKind::ball       ? "1, 2 or 3 numbers for a ball"
                               : kind == BodyKind::rigid_2d ? "3 numbers for a rigid_2d body"
                                                            : "6 numbers for a rigid_3d body";
  who.refuse("velocity", "expected " + expected + ", found " + std::to_string(size));
}

void check_position(const Subject& who, BodyKind kind, std::size_t space,
                    const std::optional<Numbers>& position) {
  if (!position) return;
  who.demand_finite("position", *position);
  if (position->size() != space) {
    who.refuse("position", "expected " + count(space, "number") + " for a " +
                               std::string(to_string(kind)) + ", found " +
                               std::to_string(position->size()));
  }
}

std::size_t space_dimension(BodyKind kind, std::size_t size) {
  if (kind == BodyKind::rigid_2d) return 2;
  return kind == BodyKind::rigid_3d ? 3 : size;
}

MassMatrix mass_block(const Subject& who, const BodyDefinition& definition) {
  const auto size = static_cast<Eigen::Index>(definition.velocity.size());
  MassMatrix mass = MassMatrix::Zero(size, size);
  if (!definition.mass_matrix.empty()) {
    const std::vector<double>& given = definition.mass_matrix;
    if (given.size() != static_cast<std::size_t>(size * size)) {
      who.refuse("mass_matrix", "expected " + std::to_string(size * size) +
                                    " numbers (row by row), found " + std::to_string(given.size()));
    }
    who.demand_finite("mass_matrix", given);
    mass = Eigen::Map<const MassMatrix>(given.data(), size, size);
    return mass;
  }
  who.demand_positive("mass", definition.mass);
  who.demand_finite("inertia", definition.inertia);
  const Eigen::Index linear = definition.kind == BodyKind::ball ? size : size == 3 ? 2 : 3;
  for (Eigen::Index k = 0; k < linear; ++k) mass(k, k) = definition.mass;
  const Eigen::Index angular = size - linear;
  if (definition.inertia.size() != static_cast<std::size_t>(angular * angular)) {
    who.refuse("inertia", angular == 0
                              ? "a ball has none; leave it out or use a rigid body"
                              : "expected " +
                                    count(static_cast<std::size_t>(angular * angular), "number") +
                                    ", found " + std::to_string(definition.inertia.size()));
  }
  for (Eigen::Index k = 0; k < angular; ++k) {
    for (Eigen::Index l = 0; l < angular; ++l) {
      mass(linear + k, linear + l) = definition.inertia[static_cast<std::size_t>(k * angular + l)];
    }
  }
  return mass;
}

MassMatrix inverse_block(const Subject& who, const MassMatrix& mass, bool general) {
  const std::string field = general ? "mass_matrix" : "inertia";
  const double scale = mass.cwiseAbs().maxCoeff();
  if ((mass - mass.transpose()).cwiseAbs().maxCoeff() > 1e-12 * scale) {
    who.refuse(field, "must be symmetric");
  }
  const Eigen::Index size = mass.rows();
  const bool diagonal = mass.isDiagonal(0.0);
  if (diagonal) {
    MassMatrix inverse = MassMatrix::Zero(size, size);
    for (Eigen::Index k = 0; k < size; ++k) {
      if (!(mass(k, k) > 0.0)) who.refuse(field, "must be positive definite");
      inverse(k, k) = 1.0 / mass(k, k);
    }
    return inverse;
  }
  const Eigen::LLT<MassMatrix> factor(mass);
  if (factor.info() != Eigen::Success) who.refuse(field, "must be positive definite");
  const MassMatrix inverse = factor.solve(MassMatrix::Identity(size, size));
  return 0.5 * (inverse + inverse.transpose());
}

}  // namespace carom::detail
