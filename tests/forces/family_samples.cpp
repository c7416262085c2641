// Random worlds for the contract of ForceFamily, one maker per family.

#include "forces/family_samples.h"

#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "carom/forces/bend_hinges.h"
#include "carom/forces/central_field.h"
#include "carom/forces/chain_bends.h"
#include "carom/forces/drag_elements.h"
#include "carom/forces/edge_springs.h"
#include "carom/forces/quadratic_hinges.h"
#include "carom/forces/spring_elements.h"
#include "carom/forces/stretch_triangles.h"
#include "carom/forces/uniform_field.h"

namespace carom::test {
namespace {

constexpr Index kBodies = 7;
constexpr std::size_t kElements = 9;

FamilySample random_world(Random& random, int dimension) {
  FamilySample sample;
  sample.is_flat = dimension == 2;
  const auto place = [&] {
    return Vec3{random.uniform(-1, 1), random.uniform(-1, 1),
                sample.is_flat ? 0.0 : random.uniform(-1, 1)};
  };
  for (Index i = 0; i < kBodies; ++i) {
    sample.rest.push_back(place());
    sample.position.push_back(sample.rest.back() + 0.3 * place());
    sample.mass.push_back(random.uniform(0.1, 2.0));
  }
  return sample;
}

template <std::size_t N>
std::array<Index, N> random_stencil(Random& random) {
  std::array<Index, kBodies> order{};
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = 0; i < N; ++i) {
    std::swap(order[i], order[i + random.below(static_cast<Index>(kBodies - i))]);
  }
  std::array<Index, N> stencil{};
  std::copy_n(order.begin(), N, stencil.begin());
  return stencil;
}

template <std::size_t N>
std::array<Vec3, N> at(const std::vector<Vec3>& positions, const std::array<Index, N>& stencil) {
  std::array<Vec3, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = positions[stencil[i]];
  return result;
}

FamilySample edge_springs(Random& random, int dimension, bool is_damped) {
  FamilySample sample = random_world(random, dimension);
  sample.is_damped = is_damped;
  std::vector<EdgeSpring> springs;
  for (std::size_t k = 0; k < kElements; ++k) {
    const auto body = random_stencil<2>(random);
    springs.push_back({body, norm(sample.rest[body[1]] - sample.rest[body[0]]),
                       random.uniform(1, 1000), is_damped ? random.uniform(3, 10) : 0.0});
  }
  sample.family = std::make_unique<EdgeSprings>(springs);
  return sample;
}

FamilySample triangles(Random& random, int dimension, bool is_damped) {
  FamilySample sample = random_world(random, dimension);
  sample.is_damped = is_damped;
  std::vector<StretchTriangle> list;
  for (std::size_t k = 0; k < kElements; ++k) {
    const auto body = random_stencil<3>(random);
    list.push_back({body, at(sample.rest, body), random.uniform(1, 100), random.uniform(-0.5, 0.9),
                    is_damped ? random.uniform(0.3, 1) : 0.0});
  }
  sample.family = std::make_unique<StretchTriangles>(list);
  return sample;
}

enum class Bend { elastic, damped, plastic };

FamilySample hinges(Random& random, Bend bend) {
  FamilySample sample = random_world(random, 3);
  sample.is_damped = bend == Bend::damped;
  sample.is_plastic = bend == Bend::plastic;
  sample.angles = true;
  std::vector<BendHinge> list;
  for (std::size_t k = 0; k < kElements; ++k) {
    const auto body = random_stencil<4>(random);
    list.push_back({.body = body,
                    .rest = at(sample.rest, body),
                    .rest_angle = {},
                    .stiffness = random.uniform(0.1, 2),
                    .damping = sample.is_damped ? random.uniform(0.003, 0.01) : 0.0,
                    .yield = bend == Bend::plastic ? random.uniform(0, 0.5) : kInfinity});
  }
  sample.family = std::make_unique<BendHinges>(list);
  return sample;
}

FamilySample quadratic_hinges(Random& random, bool is_damped) {
  FamilySample sample = random_world(random, 3);
  sample.is_damped = is_damped;
  std::vector<QuadraticHinge> list;
  for (std::size_t k = 0; k < kElements; ++k) {
    const auto body = random_stencil<4>(random);
    list.push_back({body, at(sample.rest, body), random.uniform(0.1, 2),
                    is_damped ? random.uniform(0.003, 0.01) : 0.0});
  }
  sample.family = std::make_unique<QuadraticHinges>(list);
  return sample;
}

FamilySample chain_bends(Random& random, int dimension, Bend bend) {
  FamilySample sample = random_world(random, dimension);
  sample.is_damped = bend == Bend::damped;
  sample.is_plastic = bend == Bend::plastic;
  sample.angles = true;
  std::vector<ChainBend> list;
  for (std::size_t k = 0; k < kElements; ++k) {
    const auto body = random_stencil<3>(random);
    list.push_back({.body = body,
                    .rest = at(sample.rest, body),
                    .rest_angle = {},
                    .stiffness = random.uniform(0.1, 2),
                    .damping = sample.is_damped ? random.uniform(0.003, 0.01) : 0.0,
                    .yield = bend == Bend::plastic ? random.uniform(0, 0.5) : kInfinity});
  }
  sample.family = std::make_unique<ChainBends>(list, dimension);
  return sample;
}

FamilySample springs(Random& random, bool to_points) {
  FamilySample sample = random_world(random, 3);
  sample.is_internal = !to_points;
  std::vector<SpringForce> list;
  for (std::size_t k = 0; k < kElements; ++k) {
    const auto body = random_stencil<2>(random);
    const Vec3 point = {random.uniform(2, 3), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Vec3& other = to_points ? point : sample.rest[body[1]];
    list.push_back({body[0], to_points ? kNone : body[1], point, random.uniform(1, 1000),
                    norm(sample.rest[body[0]] - other)});
  }
  sample.family = std::make_unique<SpringElements>(list);
  return sample;
}

FamilySample gravity(Random& random) {
  FamilySample sample = random_world(random, 3);
  sample.is_internal = false;
  sample.family = std::make_unique<UniformField>(Vec3{1, -9.8, 0.5}, std::vector<Index>{6, 0, 3, 2},
                                                 sample.mass);
  return sample;
}

FamilySample trap(Random& random) {
  FamilySample sample = random_world(random, 3);
  sample.is_internal = false;
  const CentralForce harmonic = {{0.2, 0.1, -0.3}, random.uniform(1, 10), 1.0};
  sample.family = std::make_unique<CentralField>(harmonic, std::vector<Index>{1, 6, 2}, sample.mass,
                                                 random.uniform(1, 10));
  return sample;
}

FamilySample drag(Random& random) {
  FamilySample sample = random_world(random, 3);
  sample.is_internal = false;
  sample.is_damped = true;
  sample.has_potential = false;
  sample.family = std::make_unique<DragElements>(LinearDrag{random.uniform(0.1, 1)},
                                                 std::vector<Index>{0, 5, 3});
  return sample;
}

constexpr FamilyKind kKinds[] = {
    {"edge_springs", [](Random& r) { return edge_springs(r, 3, false); }},
    {"edge_springs_2d", [](Random& r) { return edge_springs(r, 2, false); }},
    {"edge_springs_damped", [](Random& r) { return edge_springs(r, 3, true); }},
    {"stretch_triangles", [](Random& r) { return triangles(r, 3, false); }},
    {"stretch_triangles_2d", [](Random& r) { return triangles(r, 2, false); }},
    {"stretch_triangles_damped", [](Random& r) { return triangles(r, 3, true); }},
    {"bend_hinges", [](Random& r) { return hinges(r, Bend::elastic); }},
    {"bend_hinges_damped", [](Random& r) { return hinges(r, Bend::damped); }},
    {"bend_hinges_plastic", [](Random& r) { return hinges(r, Bend::plastic); }},
    {"quadratic_hinges", [](Random& r) { return quadratic_hinges(r, false); }},
    {"quadratic_hinges_damped", [](Random& r) { return quadratic_hinges(r, true); }},
    {"chain_bends", [](Random& r) { return chain_bends(r, 3, Bend::elastic); }},
    {"chain_bends_damped", [](Random& r) { return chain_bends(r, 3, Bend::damped); }},
    {"chain_bends_plastic", [](Random& r) { return chain_bends(r, 3, Bend::plastic); }},
    {"chain_bends_2d", [](Random& r) { return chain_bends(r, 2, Bend::elastic); }},
    {"chain_bends_2d_damped", [](Random& r) { return chain_bends(r, 2, Bend::damped); }},
    {"chain_bends_2d_plastic", [](Random& r) { return chain_bends(r, 2, Bend::plastic); }},
    {"springs", [](Random& r) { return springs(r, false); }},
    {"springs_to_points", [](Random& r) { return springs(r, true); }},
    {"uniform_field", gravity},
    {"central_field", trap},
    {"drag", drag},
};

}  // namespace

std::vector<double> FamilySample::inverse_mass() const {
  std::vector<double> result;
  for (const double m : mass) result.push_back(1.0 / m);
  return result;
}

std::vector<double> FamilySample::memory(std::span<const Vec3> at) const {
  std::vector<double> result(std::size_t{family->memory_size()} * family->size(),
                             std::numeric_limits<double>::quiet_NaN());
  family->start(at, result);
  return result;
}

std::vector<Index> FamilySample::all_elements() const {
  std::vector<Index> elements(family->size());
  std::iota(elements.begin(), elements.end(), Index{0});
  return elements;
}

std::span<const FamilyKind> family_kinds() { return kKinds; }

}  // namespace carom::test
