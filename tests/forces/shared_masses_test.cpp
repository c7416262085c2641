// Steps at which the elements of whole sheets are stable together.

#include "carom/forces/shared_masses.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/forces/elastic_surface.h"
#include "carom/forces/uniform_field.h"
#include "carom/geometry/sheet_generators.h"

namespace carom {
namespace {

// A disc of cloth, a little disturbed, on one clock.
class Cloth {
 public:
  explicit Cloth(const SurfaceElasticity& elasticity) {
    const TriangleMesh mesh = disc_sheet(0.5, 4);
    const Surface surface = make_surface({.name = "cloth",
                                          .first = 0,
                                          .rest = mesh.vertices,
                                          .triangles = mesh.triangles,
                                          .chain = {},
                                          .material = 0,
                                          .thickness = 0.0});
    ElasticElements elements;
    add_elements(surface, elasticity, elements);
    owners_ = make_families(elements, 3);
    for (const auto& family : owners_) families_.push_back(family.get());

    Random random(3);
    for (const Vec3& p : surface.rest) {
      inverse_mass_.push_back(1.0 / random.uniform(0.01, 0.03));
      position_.push_back(
          p + 1e-8 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    }
    velocity_.resize(position_.size());
    for (const ForceFamily* family : families_) {
      elements_.emplace_back(family->size());
      std::iota(elements_.back().begin(), elements_.back().end(), Index{0});
      memory_.emplace_back(std::size_t{family->memory_size()} * family->size());
      family->start(position_, memory_.back());
    }
  }

  [[nodiscard]] double step_together() const {
    return smallest_step(shared_inverse_mass(families_, inverse_mass_));
  }
  [[nodiscard]] double step_alone() const { return smallest_step(inverse_mass_); }

  // By how much the energy grows.
  [[nodiscard]] double growth(double step, int steps) {
    const double first = energy();
    double largest = first;
    for (int k = 0; k < steps; ++k) {
      for (std::size_t f = 0; f < families_.size(); ++f) {
        families_[f]->kick(elements_[f], {.step = step,
                                          .position = position_,
                                          .inverse_mass = inverse_mass_,
                                          .velocity = velocity_,
                                          .memory = memory_[f],
                                          .dissipated = nullptr});
      }
      for (std::size_t i = 0; i < position_.size(); ++i) position_[i] += step * velocity_[i];
      largest = std::max(largest, energy());
    }
    return largest / first;
  }

 private:
  [[nodiscard]] double smallest_step(const std::vector<double>& inverse_mass) const {
    double step = kInfinity;
    for (const ForceFamily* family : families_) {
      for (Index e = 0; e < family->size(); ++e) {
        step = std::min(step, family->stable_step(e, inverse_mass));
      }
    }
    return step;
  }
  [[nodiscard]] double energy() const {
    double sum = 0.0;
    for (std::size_t f = 0; f < families_.size(); ++f) {
      for (const Index e : elements_[f]) sum += families_[f]->potential(e, position_, memory_[f]);
    }
    for (std::size_t i = 0; i < position_.size(); ++i) {
      sum += 0.5 * norm_squared(velocity_[i]) / inverse_mass_[i];
    }
    return sum;
  }

  std::vector<std::unique_ptr<ForceFamily>> owners_;
  std::vector<const ForceFamily*> families_;
  std::vector<double> inverse_mass_;
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<std::vector<Index>> elements_;
  std::vector<std::vector<double>> memory_;
};

TEST(SharedMasses, AllowStepsAtWhichAllElementsAreStableTogether) {
  for (const StretchModel stretch : {StretchModel::edges, StretchModel::triangles}) {
    for (const BendModel bend : {BendModel::angles, BendModel::quadratic}) {
      for (const double damping : {0.0, 0.01}) {
        const SurfaceElasticity elasticity = {.stretch_model = stretch,
                                              .stretching = 50.0,
                                              .stretching_damping = 50.0 * damping,
                                              .bend_model = bend,
                                              .bending = 0.05,
                                              .bending_damping = 0.05 * damping};
        Cloth cloth(elasticity);
        EXPECT_LT(cloth.growth(0.99 * cloth.step_together(), 3000), 500.0);
        Cloth other(elasticity);
        EXPECT_GT(other.growth(0.99 * other.step_alone(), 300), 1e6)
            << "by themselves each would be stable";
      }
    }
  }
}

TEST(SharedMasses, CountOnlyElementsThatLimitTheStep) {
  const std::vector<double> inverse_mass = {1.0, 2.0, 0.0, 4.0};
  const EdgeSprings springs({{{0, 1}, 1.0, 1.0, 0.0}, {{1, 2}, 1.0, 1.0, 0.0}});
  const UniformField gravity({0, 0, -1}, {0, 1, 3}, std::vector<double>{1.0, 0.5, 1.0, 0.25});
  const ForceFamily* const families[] = {&springs, &gravity};
  EXPECT_EQ(shared_inverse_mass(families, inverse_mass), (std::vector<double>{1.0, 4.0, 0.0, 4.0}));
}

}  // namespace
}  // namespace carom
