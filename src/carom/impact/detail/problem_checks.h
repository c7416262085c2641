#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include "carom/impact/problem.h"

// What is asked of bodies and rows before they become part of an impact problem. All throw
// InputError with the field that is at fault.
namespace carom::detail {

using MassMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;

/// Squares and products of larger numbers, or of the inverses of smaller masses, are not finite.
inline constexpr double kLargestNumber = 1e150;

/// A body or row that is being added, for messages: "body 3 (cue)".
struct Subject {
  std::string text;

  [[noreturn]] void refuse(const std::string& field, const std::string& message) const;
  void demand_finite(const std::string& field, std::span<const double> values) const;
  void demand_finite(const std::string& field, const Numbers& values) const;
  void demand_finite(const std::string& field, double value) const;
  void demand_positive(const std::string& field, double value) const;
};
[[nodiscard]] Subject subject(std::string_view what, std::size_t index, const std::string& name);

/// "1 number", "2 numbers"
[[nodiscard]] std::string count(std::size_t n, const std::string& noun);

void check_velocity(const Subject& who, BodyKind kind, const Numbers& velocity);
void check_position(const Subject& who, BodyKind kind, std::size_t space,
                    const std::optional<Numbers>& position);
/// Of the space in which a body with so many velocity numbers moves.
[[nodiscard]] std::size_t space_dimension(BodyKind kind, std::size_t size);
/// The block of mass and inertia, or the one that was given.
[[nodiscard]] MassMatrix mass_block(const Subject& who, const BodyDefinition& definition);
/// `general`: it was given as a whole.
[[nodiscard]] MassMatrix inverse_block(const Subject& who, const MassMatrix& mass, bool general);

}  // namespace carom::detail
