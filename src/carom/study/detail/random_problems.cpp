// Random problems and their mirror images.
#include "carom/study/detail/random_problems.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::detail {
namespace {

// Reflection x -> -x. Angular velocity is a pseudovector: its other components change sign.
double mirror_sign(BodyKind kind, std::size_t component) {
  if (component == 0) return -1.0;
  if (kind == BodyKind::rigid_2d) return component == 2 ? -1.0 : 1.0;
  if (kind == BodyKind::rigid_3d) return component == 4 || component == 5 ? -1.0 : 1.0;
  return 1.0;
}

Numbers mirrored_vector(Numbers v) {
  v[0] = -v[0];
  return v;
}

// A touching pair; the normal points from b to a.
ContactDefinition contact_of(Index a, Index b, const Numbers& normal) {
  ContactDefinition contact;
  contact.body_a = a;
  contact.body_b = b;
  contact.normal = normal;
  return contact;
}

}  // namespace

ImpactProblem LooseProblem::build() const {
  ImpactProblem problem;
  for (const BodyDefinition& body : bodies) problem.add_body(body);
  for (const ContactDefinition& contact : contacts) problem.add_contact(contact);
  return problem;
}

LooseProblem LooseProblem::mirrored() const {
  LooseProblem image;
  const auto count = static_cast<Index>(bodies.size());
  for (std::size_t i = bodies.size(); i-- > 0;) {
    BodyDefinition copy = bodies[i];
    for (std::size_t k = 0; k < copy.velocity.size(); ++k) {
      copy.velocity[k] *= mirror_sign(copy.kind, k);
    }
    if (copy.position) copy.position = mirrored_vector(*copy.position);
    image.bodies.push_back(copy);
  }
  const auto renamed = [&](Index body) { return body == kNone ? kNone : count - 1 - body; };
  for (std::size_t i = contacts.size(); i-- > 0;) {
    ContactDefinition copy = contacts[i];
    copy.body_a = renamed(copy.body_a);
    copy.body_b = renamed(copy.body_b);
    copy.normal = mirrored_vector(copy.normal);
    if (copy.point) copy.point = mirrored_vector(*copy.point);
    image.contacts.push_back(copy);
  }
  return image;
}

std::vector<double> mirrored_velocities(const ImpactProblem& problem,
                                        std::span<const double> velocities) {
  std::vector<double> result;
  for (Index i = problem.body_count(); i-- > 0;) {
    const ImpactProblem::Body& body = problem.body(i);
    for (Index k = 0; k < body.size; ++k) {
      result.push_back(mirror_sign(body.kind, k) * velocities[body.dof + k]);
    }
  }
  return result;
}

LooseProblem random_chain(Random& random) {
  LooseProblem problem;
  const Index count = 3 + random.below(6);
  for (Index i = 0; i < count; ++i) {
    BodyDefinition ball;
    ball.mass = random.uniform(0.5, 2.0);
    ball.velocity = {random.uniform(-1.0, 1.0)};
    ball.position = Numbers{static_cast<double>(i)};
    problem.bodies.push_back(ball);
    if (i > 0) problem.contacts.push_back(contact_of(i, i - 1, {1.0}));
  }
  return problem;
}

LooseProblem random_rack(Random& random) {
  LooseProblem problem;
  const Index rows = 2 + random.below(3);
  for (Index row = 0; row < rows; ++row) {
    for (Index k = 0; k <= row; ++k) {
      BodyDefinition ball;
      ball.mass = random.uniform(0.5, 2.0);
      ball.velocity = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
      ball.position = Numbers{k - 0.5 * row, -std::sqrt(0.75) * row};
      problem.bodies.push_back(ball);
    }
  }
  const auto count = static_cast<Index>(problem.bodies.size());
  for (Index a = 0; a < count; ++a) {
    for (Index b = a + 1; b < count; ++b) {
      const Numbers& p = *problem.bodies[a].position;
      const Numbers& q = *problem.bodies[b].position;
      const Numbers normal = {p[0] - q[0], p[1] - q[1]};
      const bool touching = std::hypot(normal[0], normal[1]) < 1.1;
      if (touching) problem.contacts.push_back(contact_of(a, b, normal));
    }
  }
  return problem;
}

LooseProblem random_box(Random& random) {
  LooseProblem problem;
  const std::array<double, 3> half = {random.uniform(0.3, 1.0), random.uniform(0.3, 1.0),
                                      random.uniform(0.3, 1.0)};
  BodyDefinition box;
  box.kind = BodyKind::rigid_3d;
  box.mass = random.uniform(0.5, 2.0);
  const auto moment = [&](double a, double b) { return box.mass / 3.0 * (a * a + b * b); };
  box.inertia = {moment(half[1], half[2]), 0.0, 0.0, 0.0, moment(half[0], half[2]), 0.0, 0.0, 0.0,
                 moment(half[0], half[1])};
  box.velocity = Numbers::zeros(6);
  for (double& v : box.velocity) v = random.uniform(-1.0, 1.0);
  box.velocity[2] = -random.uniform(0.5, 1.5);
  box.position = Numbers{0.0, 0.0, half[2]};
  problem.bodies.push_back(box);
  for (const double x : {-half[0], half[0]}) {
    for (const double y : {-half[1], half[1]}) {
      ContactDefinition corner = contact_of(0, kNone, {0.0, 0.0, 1.0});
      corner.point = Numbers{x, y, 0.0};
      problem.contacts.push_back(corner);
    }
  }
  return problem;
}

}  // namespace carom::detail
