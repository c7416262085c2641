// Which vertices of a surface a lead or a force is for.

#include "carom/scene/detail/vertex_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "carom/core/names.h"
#include "carom/scene/expression.h"

namespace carom::detail {
namespace {

std::vector<Index> read_vertices(TableReader& table, const Surface& surface) {
  std::vector<Index> vertices;
  const std::optional<std::vector<double>> numbers = table.number_list("vertices");
  for (const double number : numbers.value_or(std::vector<double>{})) {
    if (!(number >= 0.0 && number < surface.size()) || number != std::floor(number)) {
      table.refuse("vertices", "there is no vertex " + number_text(number) + "; surface '" +
                                   printable(surface.name) + "' has those from 0 to " +
                                   std::to_string(surface.size() - 1));
    }
    vertices.push_back(static_cast<Index>(number));
  }
  std::sort(vertices.begin(), vertices.end());
  const auto twice = std::adjacent_find(vertices.begin(), vertices.end());
  if (twice != vertices.end()) {
    table.refuse("vertices", "vertex " + std::to_string(*twice) + " is given twice");
  }
  return vertices;
}

using Choice = std::function<bool(const Vec3&)>;

Choice read_region(TableReader& table, const SceneBuilder& builder) {
  TableReader region = *table.subtable("region");
  const Vec3 lower = required_vector(region, "lower", builder, "the lowest corner of a box");
  const Vec3 upper = required_vector(region, "upper", builder, "the highest corner of the box");
  region.finish();
  if (lower.x > upper.x || lower.y > upper.y || lower.z > upper.z) {
    region.refuse("upper", "must not be below lower along any axis");
  }
  return [lower, upper](const Vec3& place) {
    return lower.x <= place.x && place.x <= upper.x && lower.y <= place.y && place.y <= upper.y &&
           lower.z <= place.z && place.z <= upper.z;
  };
}

Choice read_where(TableReader& table, const SceneBuilder& builder) {
  const std::string text = *table.text("where");
  return [text, &table, is_flat = builder.dimension() == 2](const Vec3& place) {
    std::vector<ExpressionVariable> variables = {{"x", place.x}, {"y", place.y}};
    if (!is_flat) variables.push_back({"z", place.z});
    const ExpressionResult result = evaluate_condition(text, variables);
    if (result.ok()) return result.value != 0.0;
    table.refuse("where", "expected a condition such as \"x < 0.1 && y > 2\", found " +
                              in_quotes(text) + ": " + result.fault);
  };
}

}  // namespace

std::vector<Index> read_selection(TableReader& table, const SceneBuilder& builder,
                                  const Surface& surface) {
  const bool by_number = table.has("vertices");
  const bool by_region = table.has("region");
  const bool by_condition = table.has("where");
  if (int{by_number} + int{by_region} + int{by_condition} > 1) {
    table.refuse(by_number ? "vertices" : "region", "give one of vertices, region and where");
  }
  std::vector<Index> bodies;
  if (by_number) {
    for (const Index vertex : read_vertices(table, surface))
      bodies.push_back(surface.first + vertex);
  } else {
    Choice chosen = [](const Vec3& /*place*/) { return true; };
    if (by_region) chosen = read_region(table, builder);
    if (by_condition) chosen = read_where(table, builder);
    for (Index i = surface.first; i < surface.first + surface.size(); ++i) {
      if (chosen(builder.scene.simulation.start.position[i])) bodies.push_back(i);
    }
  }
  if (bodies.empty()) {
    table.refuse(by_number   ? "vertices"
                 : by_region ? "region"
                             : "where",
                 "hits no vertex of surface '" + printable(surface.name) + "' at the start");
  }
  return bodies;
}

}  // namespace carom::detail
