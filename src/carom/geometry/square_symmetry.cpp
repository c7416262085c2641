// The group of the eight operations of the square.
#include "carom/geometry/square_symmetry.h"

#include "carom/core/assert.h"

namespace carom {

SquareOperation inverse(SquareOperation operation) {
  switch (operation) {
    case SquareOperation::quarter_turn:
      return SquareOperation::three_quarter_turn;
    case SquareOperation::three_quarter_turn:
      return SquareOperation::quarter_turn;
    default:
      return operation;
  }
}

SquareOperation product(SquareOperation second, SquareOperation first) {
  // No operation but one does this to a vector without symmetry.
  constexpr Vec3 kProbe = {1.0, 2.0, 0.0};
  const Vec3 both = image(second, image(first, kProbe));
  for (const SquareOperation operation : kSquareOperations) {
    if (image(operation, kProbe) == both) return operation;
  }
  CAROM_DEMAND(false);
}

std::string_view to_string(SquareOperation operation) {
  constexpr std::array<std::string_view, 8> kNames = {
      "identity",    "quarter turn", "half turn",          "three-quarter turn",
      "mirror in x", "mirror in y",  "mirror in diagonal", "mirror in antidiagonal"};
  return kNames[static_cast<std::size_t>(operation)];
}

}  // namespace carom
