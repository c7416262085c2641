// Surfaces become families whose elements are its own, and together a sheet.

#include "carom/forces/elastic_surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/forces/uniform_field.h"
#include "carom/geometry/sheet_generators.h"

namespace carom {
namespace {

SurfaceDefinition sheet_definition(const TriangleMesh& mesh, Index first = 0) {
  return {.name = "sheet",
          .first = first,
          .rest = mesh.vertices,
          .triangles = mesh.triangles,
          .chain = {},
          .material = 0,
          .thickness = 0.0};
}

Surface sheet(const TriangleMesh& mesh, Index first = 0) {
  return make_surface(sheet_definition(mesh, first));
}

std::vector<std::unique_ptr<ForceFamily>> families_of(const Surface& surface,
                                                      const SurfaceElasticity& elasticity) {
  ElasticElements elements;
  add_elements(surface, elasticity, elements);
  return make_families(elements, 3);
}

double potential_of(const std::vector<std::unique_ptr<ForceFamily>>& families,
                    const std::vector<Vec3>& position) {
  double sum = 0.0;
  for (const auto& family : families) {
    for (Index e = 0; e < family->size(); ++e) sum += family->potential(e, position, {});
  }
  return sum;
}

std::vector<std::string> names_of(const std::vector<std::unique_ptr<ForceFamily>>& families) {
  std::vector<std::string> names;
  for (const auto& family : families) names.emplace_back(family->name());
  return names;
}

TEST(ElasticSurface, HasTheFamiliesThatItsElasticityAsksFor) {
  const Surface surface = sheet(grid_sheet(1, 1, {3, 3}));
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(families_of(surface, {.stretching = 1.0})), Names{"stretch_triangles"});
  EXPECT_EQ(names_of(families_of(
                surface,
                {.stretch_model = StretchModel::edges, .stretching_damping = 1.0, .bending = 1.0})),
            (Names{"edge_springs", "bend_hinges"}));
  EXPECT_EQ(names_of(families_of(surface, {.bend_model = BendModel::quadratic, .bending = 1.0})),
            Names{"quadratic_hinges"});
  EXPECT_TRUE(families_of(surface, {}).empty());

  SurfaceDefinition tethered = sheet_definition(grid_sheet(1, 1, {3, 3}));
  tethered.rest.push_back({0, 0, -1});
  tethered.rest.push_back({0, 0, -2});
  tethered.chain = {{0, 16}, {16, 17}};
  EXPECT_EQ(names_of(families_of(make_surface(tethered), {.stretching = 1.0, .bending = 1.0})),
            (Names{"edge_springs", "stretch_triangles", "bend_hinges", "chain_bends"}));
  EXPECT_THROW(
      families_of(surface, {.bend_model = BendModel::quadratic, .bending = 1.0, .yield = 0.1}),
      InputError);
}

TEST(ElasticSurface, NamesItsOwnBodies) {
  const Surface surface = sheet(grid_sheet(1, 1, {3, 2}), 100);
  const auto families = families_of(
      surface, {.stretch_model = StretchModel::edges, .stretching = 1.0, .bending = 1.0});
  std::set<Index> bodies;
  for (const auto& family : families) {
    for (Index e = 0; e < family->size(); ++e) {
      for (const Index body : family->stencil(e)) bodies.insert(body);
    }
  }
  EXPECT_EQ(*bodies.begin(), 100U);
  EXPECT_EQ(*bodies.rbegin(), 111U);
  EXPECT_EQ(bodies.size(), 12U);
}

// However it is cut into triangles, a sheet that is stretched evenly has its area times the
// density.
TEST(ElasticSurface, StretchesAsOneSheet) {
  const double strain = 0.5 * (1.21 - 1.0);
  const double density = 750.0 / (1.0 - 0.3) * strain * strain;
  for (const bool alternates : {false, true}) {
    const Surface surface = sheet(grid_sheet(2.0, 3.0, {5, 4, alternates}));
    std::vector<Vec3> position;
    for (const Vec3& p : surface.rest) position.push_back(1.1 * p);
    EXPECT_NEAR(potential_of(families_of(surface, {.stretching = 750.0}), position), 6.0 * density,
                1e-9);
  }
}

// Discrete Shells: the sum over the edges of k (1 - l/L)^2 L.
TEST(ElasticSurface, StretchesAlongItsEdgesByTheirLaw) {
  const Surface surface = sheet(grid_sheet(1.0, 1.0, {1, 1}));
  std::vector<Vec3> position;
  for (const Vec3& p : surface.rest) position.push_back(1.1 * p);
  const auto families = families_of(surface, {.stretch_model = StretchModel::edges,
                                              .edge_law = EdgeLaw::discrete_shells,
                                              .stretching = 3.0});
  EXPECT_NEAR(potential_of(families, position), 3.0 * 0.01 * (4.0 + std::sqrt(2.0)), 1e-14);
}

TEST(ElasticSurface, RestsAsItIsOrFlat) {
  std::vector<Vec3> circle;
  for (int k = 0; k <= 30; ++k) circle.push_back({std::cos(0.1 * k), 0.0, std::sin(0.1 * k)});
  const RibbonSheet ribbon = ribbon_sheet(circle, {0, 1, 0}, 0.3, 3);
  SurfaceElasticity elasticity = {.bending = 2.0};
  const Surface bent = sheet(ribbon.mesh);
  EXPECT_NEAR(potential_of(families_of(bent, elasticity), ribbon.mesh.vertices), 0.0, 1e-20);
  EXPECT_GT(potential_of(families_of(bent, elasticity), ribbon.flat), 0.1);

  elasticity.is_flat_at_rest = true;
  const double flat = potential_of(families_of(bent, elasticity), ribbon.mesh.vertices);
  EXPECT_GT(flat, 0.1);
  EXPECT_NEAR(potential_of(families_of(bent, elasticity), ribbon.flat), 0.0, 1e-20);

  elasticity.is_flat_at_rest = false;
  TriangleMesh pattern = ribbon.mesh;  // the same from texture coordinates
  pattern.vertices = ribbon.flat;
  EXPECT_NEAR(potential_of(families_of(sheet(pattern), elasticity), ribbon.mesh.vertices), flat,
              1e-12 * flat);
}

// A creased sheet is thrown and let go: half kicks at the ends make the steps leapfrog's.
TEST(ElasticSurface, FliesWithItsEnergyAndMomenta) {
  const Surface surface = sheet(disc_sheet(0.5, 4));
  const std::vector<double> mass = vertex_masses(surface, {.area = 0.2, .length = 0.0});
  std::vector<double> inverse_mass;
  for (const double m : mass) inverse_mass.push_back(1.0 / m);
  const auto families = families_of(surface, {.stretching = 50.0, .bending = 0.002});

  Random random(7);
  std::vector<Vec3> position = surface.rest;
  std::vector<Vec3> velocity;
  for (Vec3& p : position) {
    p += {0, 0, 0.02 * random.uniform(-1, 1)};
    velocity.push_back({1.0 - p.y, p.x, 0.5});
  }
  double step = kInfinity;
  std::vector<std::vector<Index>> elements;
  std::vector<std::vector<double>> memory;
  for (const auto& family : families) {
    elements.emplace_back(family->size());
    std::iota(elements.back().begin(), elements.back().end(), Index{0});
    memory.emplace_back(std::size_t{family->memory_size()} * family->size());
    family->start(position, memory.back());
    for (Index e = 0; e < family->size(); ++e) {
      step = std::min(step, 0.1 * family->stable_step(e, inverse_mass));
    }
  }
  const auto kick = [&](double duration) {
    for (std::size_t f = 0; f < families.size(); ++f) {
      families[f]->kick(elements[f], {.step = duration,
                                      .position = position,
                                      .inverse_mass = inverse_mass,
                                      .velocity = velocity,
                                      .memory = memory[f],
                                      .dissipated = nullptr});
    }
  };
  const auto energy = [&] {
    double sum = potential_of(families, position);
    for (std::size_t i = 0; i < mass.size(); ++i) sum += 0.5 * mass[i] * norm_squared(velocity[i]);
    return sum;
  };
  const auto momenta = [&] {
    Vec3 linear;
    Vec3 angular;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      linear += mass[i] * velocity[i];
      angular += mass[i] * cross(position[i], velocity[i]);
    }
    return std::pair(linear, angular);
  };
  const double first_energy = energy();
  const auto [first_linear, first_angular] = momenta();
  kick(0.5 * step);
  for (int k = 0; k < 4000; ++k) {
    for (std::size_t i = 0; i < mass.size(); ++i) position[i] += step * velocity[i];
    kick(k + 1 < 4000 ? step : 0.5 * step);
  }
  const auto [linear, angular] = momenta();
  EXPECT_NEAR(energy(), first_energy, 2e-3 * first_energy);
  EXPECT_LT(norm(linear - first_linear), 1e-12);
  EXPECT_LT(norm(angular - first_angular), 1e-12);
}

}  // namespace
}  // namespace carom
