// Components of points that go the general way, and back.
#include "carom/impact/detail/point_detour.h"

#include <algorithm>

#include "carom/impact/detail/contact_gradients.h"

namespace carom {
namespace {

Numbers part(std::span<const double> all, Index number, std::size_t size) {
  return Numbers(all.subspan(std::size_t{number} * size, size));
}

// What a sphere's numbers are multiplied by: `sign` times the direction, and `arm` times its turn.
Numbers gradient(const Numbers& direction, const Numbers& normal, double sign, double arm,
                 bool turns) {
  std::vector<double> values;
  for (const double x : direction) values.push_back(sign * x);
  if (!turns) return Numbers(values);
  const Numbers& d = direction;
  const Numbers& n = normal;
  if (d.size() == 2) {
    values.push_back(arm * (d[0] * n[1] - d[1] * n[0]));
  } else {
    values.push_back(arm * (d[1] * n[2] - d[2] * n[1]));
    values.push_back(arm * (d[2] * n[0] - d[0] * n[2]));
    values.push_back(arm * (d[0] * n[1] - d[1] * n[0]));
  }
  return Numbers(values);
}

}  // namespace

bool PointDetour::turns(Index point) const {
  return !from_->spin.empty() && from_->turn_weight[point] > 0.0;
}

Index PointDetour::body(Index point) {
  if (body_of_[point] != kNone) return body_of_[point];
  const auto dimension = static_cast<std::size_t>(from_->dimension);
  BodyDefinition definition;
  definition.mass = from_->mass[point];
  definition.velocity = part(from_->velocity, point, dimension);
  if (from_->knows_places()) definition.position = part(from_->place(point), 0, dimension);
  if (turns(point)) {
    std::vector<double> velocity(definition.velocity.begin(), definition.velocity.end());
    const Numbers spin = part(from_->spin, point, from_->turns());
    velocity.insert(velocity.end(), spin.begin(), spin.end());
    definition.velocity = Numbers(velocity);
    const double moment = 1.0 / from_->turn_weight[point];
    definition.kind = dimension == 2 ? BodyKind::rigid_2d : BodyKind::rigid_3d;
    if (dimension == 2) {
      definition.inertia = {moment};
    } else {
      definition.inertia = {moment, 0.0, 0.0, 0.0, moment, 0.0, 0.0, 0.0, moment};
    }
    // Rows carry their own arms: what is unknown may stand anywhere.
    if (!definition.position) definition.position = Numbers::zeros(static_cast<Index>(dimension));
  }
  points_.push_back(point);
  return body_of_[point] = problem_.add_body(definition);
}

RowDefinition PointDetour::row(Index number) {
  const PointProblem::Row& given = from_->rows[number];
  const auto dimension = static_cast<std::size_t>(from_->dimension);
  const Numbers normal(std::span<const double>(given.normal.data(), dimension));
  const auto side = [&](const Numbers& direction, double sign, double arm, Index point) {
    return gradient(direction, normal, sign, arm, turns(point));
  };
  RowDefinition row;
  row.body_a = body(given.a);
  row.gradient_a = side(normal, 1.0, 0.0, given.a);
  if (given.b != kNone) {
    row.body_b = body(given.b);
    row.gradient_b = side(normal, -1.0, 0.0, given.b);
  }
  row.offset = given.offset;
  row.restitution = given.restitution;
  if (from_->rubbing.empty()) return row;
  const PointProblem::Rubbing& rubbing = from_->rubbing[number];
  row.friction = rubbing.friction;
  for (const Numbers& direction : tangent_directions(normal)) {
    RowDefinition::Tangent tangent;
    tangent.gradient_a = side(direction, 1.0, rubbing.arm_a, given.a);
    if (given.b != kNone) tangent.gradient_b = side(direction, -1.0, rubbing.arm_b, given.b);
    for (std::size_t k = 0; k < dimension; ++k) {
      tangent.offset += direction[k] * rubbing.surface[k];
    }
    row.tangents.push_back(tangent);
  }
  return row;
}

void PointDetour::build(const PointProblem& problem, const std::function<bool(Index)>& leaves) {
  from_ = &problem;
  problem_ = ImpactProblem();
  points_.clear();
  rows_.clear();
  body_of_.assign(problem.point_count(), kNone);
  for (Index r = 0; r < problem.rows.size(); ++r) {
    if (!leaves(r)) continue;
    rows_.push_back(r);
    problem_.add_row(row(r));
  }
}

void PointDetour::read(const ImpactResult& result, const Arrays& to) const {
  const auto dimension = static_cast<std::ptrdiff_t>(from_->dimension);
  for (Index k = 0; k < points_.size(); ++k) {
    const std::span<const double> velocity = result.velocity(problem_, k);
    std::copy_n(velocity.begin(), dimension, to.velocity.begin() + points_[k] * dimension);
    if (!turns(points_[k])) continue;
    const auto size = static_cast<std::ptrdiff_t>(from_->turns());
    std::copy_n(velocity.begin() + dimension, size, to.spin.begin() + points_[k] * size);
  }
  for (Index k = 0; k < rows_.size(); ++k) {
    to.impulses[rows_[k]] = result.impulses[k];
    if (to.friction.empty()) continue;
    std::array<double, 3>& friction = to.friction[rows_[k]];
    friction = {};
    for (Index t = 0; t < problem_.row(k).tangent_count; ++t) {
      const std::span<const double> direction = problem_.tangent_a(k, t);
      for (std::ptrdiff_t x = 0; x < dimension; ++x) {
        friction[static_cast<std::size_t>(x)] +=
            result.friction_impulses[2 * k + t] * direction[static_cast<std::size_t>(x)];
      }
    }
  }
}

void PointDetour::renumber(ComponentReport& component) const {
  for (Index& body : component.bodies) body = points_[body];
  for (Index& row : component.rows) row = rows_[row];
  for (Index& row : component.lineality_rows) row = rows_[row];
}

}  // namespace carom
