// Scenes of ./dev bench acm: surfaces that are in tight contact soon.
#include "acm/scenes.h"

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "carom/bodies/surface.h"
#include "carom/forces/elastic_surface.h"
#include "carom/forces/uniform_field.h"

namespace carom::bench {
namespace {

using asynchronous::ContactLaw;
using asynchronous::Problem;

// Grids of vertices with springs along edges and hinges that rest flat, added to a problem.
class Sheets {
 public:
  Problem problem;

  // Vertex (i, j) rests at pitch * (i, j) and starts at place(i, j).
  void add(int columns, int rows, double pitch, const std::function<Vec3(int, int)>& place,
           const Vec3& velocity) {
    SurfaceDefinition definition;
    definition.name = "sheet";
    definition.first = static_cast<Index>(problem.mass.size());
    const auto id = [&](int i, int j) { return static_cast<Index>(i * rows + j); };
    for (int i = 0; i < columns; ++i) {
      for (int j = 0; j < rows; ++j) {
        definition.rest.push_back({pitch * i, pitch * j, 0.0});
        problem.position.push_back(place(i, j));
        problem.velocity.push_back(velocity);
        if (i + 1 == columns || j + 1 == rows) continue;
        definition.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
        definition.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
      }
    }
    const Surface surface = make_surface(std::move(definition));
    for (const double mass : vertex_masses(surface, {0.2, 0.0})) problem.mass.push_back(mass);
    problem.rest_position.insert(problem.rest_position.end(), surface.rest.begin(),
                                 surface.rest.end());
    for (const TriangleMesh::Triangle& t : surface.triangles) {
      problem.faces.push_back({surface.first + t.a, surface.first + t.b, surface.first + t.c});
    }
    SurfaceElasticity elasticity;
    elasticity.stretch_model = StretchModel::edges;
    elasticity.stretching = 100.0;
    elasticity.bend_model = BendModel::quadratic;
    elasticity.bending = 1e-6;
    add_elements(surface, elasticity, elements_);
  }

  void add_spike(const Vec3& foot, double radius, double height) {
    const auto first = static_cast<Index>(problem.mass.size());
    for (int k = 0; k < 4; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / 3.0 + 0.3;
      const Vec3 corner = {radius * std::cos(angle), radius * std::sin(angle), 0.0};
      problem.position.push_back(foot + (k < 3 ? corner : Vec3{0.0, 0.0, height}));
      problem.rest_position.push_back(problem.position.back());
      problem.velocity.push_back({});
      problem.mass.push_back(1.0);
      problem.held.push_back({first + static_cast<Index>(k), {}});
    }
    for (Index k = 0; k < 3; ++k) {
      problem.faces.push_back({first + k, first + (k + 1) % 3, first + 3});
    }
  }

  Problem finish(const Vec3& gravity) {
    for (auto& family : make_families(elements_, 3)) problem.forces.push_back(std::move(family));
    std::vector<char> held(problem.mass.size(), 0);
    for (const auto& vertex : problem.held) held[vertex.vertex] = 1;
    std::vector<Index> free;
    for (Index i = 0; i < problem.mass.size(); ++i) {
      if (held[i] == 0) free.push_back(i);
    }
    if (gravity != Vec3{}) {
      problem.forces.push_back(std::make_shared<UniformField>(gravity, free, problem.mass));
    }
    return std::move(problem);
  }

 private:
  ElasticElements elements_;
};

}  // namespace

Problem sheet_on_spikes(const SpikedSheet& sheet) {
  const auto& [columns, rows, pitch, spikes, thickness] = sheet;
  Sheets sheets;
  const double height = 1.125 * thickness;
  const double wide = pitch * (columns - 1);
  const double deep = pitch * (rows - 1);
  sheets.add(columns, rows, pitch,
             [&](int i, int j) {
               return Vec3{pitch * i - 0.5 * wide, pitch * j - 0.5 * deep, height};
             },
             {0.0, 0.0, -2.0});
  for (int i = 0; i < spikes; ++i) {
    for (int j = 0; j < spikes; ++j) {
      const Vec3 foot = {wide * ((i + 0.5) / spikes - 0.5), deep * ((j + 0.5) / spikes - 0.5),
                         -0.1};
      sheets.add_spike(foot, 0.01, 0.1);
    }
  }
  sheets.problem.contact = {ContactLaw{1000.0, thickness, 1.0, 0.0}};
  return sheets.finish({0.0, 0.0, -9.81});
}

//   y
//   |     .------------  B, wide along z
//   |    (
//   |  ===)====          A, from above: wide along y
//   |    (
//   |     '------------
//   +------------------- x
Problem hooked_ribbons(int length, int width) {
  Sheets sheets;
  const double radius = 0.05;
  const double pitch = 0.6 * radius / (width - 1);
  const double straight = 0.5 * (pitch * (length - 1) - std::numbers::pi * radius);
  // A hook that opens towards -x: a place on it by the length from its one end.
  const auto hook = [&](double s) {
    const double past = s - straight;
    const double bend = std::numbers::pi * radius;
    if (past < 0.0) return Vec3{past, radius, 0.0};
    if (past > bend) return Vec3{bend - past, -radius, 0.0};
    const double angle = past / radius;
    return Vec3{radius * std::sin(angle), radius * std::cos(angle), 0.0};
  };
  const auto across = [&](int j) { return pitch * (j - 0.5 * (width - 1)); };
  sheets.add(length, width, pitch,
             [&](int i, int j) {
               const Vec3 h = hook(pitch * i);
               return Vec3{h.x, across(j), h.y};
             },
             {-2.0, 0.0, 0.0});
  sheets.add(length, width, pitch,
             [&](int i, int j) {
               const Vec3 h = hook(pitch * i);
               return Vec3{1.8 * radius - h.x, h.y, across(j)};
             },
             {2.0, 0.0, 0.0});
  const auto count = static_cast<Index>(length * width);
  for (const Index first : {Index{0}, count}) {
    for (Index j = 0; j < static_cast<Index>(width); ++j) {
      sheets.problem.held.push_back({first + j, {}});
      sheets.problem.held.push_back({first + count - 1 - j, {}});
    }
  }
  sheets.problem.contact = {ContactLaw{1000.0, 0.004, 1.0, 0.0}};
  return sheets.finish({});
}

}  // namespace carom::bench
