#include "support/impact_problems.h"

#include <cmath>

namespace carom::test {

ImpactProblem line_of_balls(const std::vector<double>& velocities,
                            const std::vector<double>& masses, double restitution) {
  ImpactProblem problem;
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    BodyDefinition body;
    body.mass = masses.empty() ? 1.0 : masses[i];
    body.velocity = {velocities[i]};
    body.position = Numbers{2.0 * static_cast<double>(i)};
    problem.add_body(body);
  }
  for (Index i = 0; i + 1 < velocities.size(); ++i) {
    ContactDefinition contact;
    contact.body_a = i + 1;
    contact.body_b = i;
    contact.normal = {1.0};
    contact.restitution = restitution;
    problem.add_contact(contact);
  }
  return problem;
}

ImpactProblem rack_break(int rows) {
  ImpactProblem problem;
  BodyDefinition body;
  body.velocity = {1.0, 0.0};
  body.position = Numbers{-2.0, 0.0};
  problem.add_body(body);
  std::vector<Numbers> at;
  body.velocity = {0.0, 0.0};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j <= i; ++j) {
      at.push_back({std::sqrt(3.0) * i, 2.0 * j - i});
      body.position = at.back();
      problem.add_body(body);
    }
  }
  const auto touch = [&](Index a, Index b, const Numbers& normal) {
    ContactDefinition contact;
    contact.body_a = a;
    contact.body_b = b;
    contact.normal = normal;
    problem.add_contact(contact);
  };
  touch(1, 0, {1.0, 0.0});
  for (Index i = 0; i < at.size(); ++i) {
    for (Index j = i + 1; j < at.size(); ++j) {
      const Numbers n = {at[j][0] - at[i][0], at[j][1] - at[i][1]};
      if (std::abs(std::hypot(n[0], n[1]) - 2.0) < 1e-9) touch(j + 1, i + 1, n);
    }
  }
  return problem;
}

ImpactProblem cube_on_floor(const Numbers& velocity, double restitution, double friction) {
  ImpactProblem problem;
  BodyDefinition body;
  body.kind = BodyKind::rigid_3d;
  body.velocity = velocity;
  const double inertia = 1.0 / 6.0;
  body.inertia = {inertia, 0.0, 0.0, 0.0, inertia, 0.0, 0.0, 0.0, inertia};
  body.position = Numbers{0.0, 0.0, 0.5};
  problem.add_body(body);
  for (int k = 0; k < 4; ++k) {
    ContactDefinition contact;
    contact.body_a = 0;
    contact.normal = {0.0, 0.0, 1.0};
    contact.point = Numbers{k % 2 == 0 ? -0.5 : 0.5, k / 2 == 0 ? -0.5 : 0.5, 0.0};
    contact.restitution = restitution;
    contact.friction = friction;
    problem.add_contact(contact);
  }
  return problem;
}

}  // namespace carom::test
