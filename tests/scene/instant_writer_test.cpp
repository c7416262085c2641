#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/scene/instant.h"
#include "carom/scene/scene.h"
#include "carom/scene/settings.h"

#include "support/directories.h"

namespace carom {
namespace {

void expect_same_bits(std::span<const double> a, std::span<const double> b,
                      const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << what;
}

void expect_same_problem(const ImpactProblem& a, const ImpactProblem& b) {
  ASSERT_EQ(a.body_count(), b.body_count());
  ASSERT_EQ(a.row_count(), b.row_count());
  expect_same_bits(a.velocities(), b.velocities(), "velocities");
  for (Index i = 0; i < a.body_count(); ++i) {
    EXPECT_EQ(a.body(i).kind, b.body(i).kind);
    EXPECT_EQ(a.body(i).scripted, b.body(i).scripted);
    EXPECT_EQ(a.body(i).plain_mass, b.body(i).plain_mass);
    EXPECT_EQ(a.body(i).has_position, b.body(i).has_position);
    expect_same_bits(a.body(i).position, b.body(i).position, "position");
    expect_same_bits(a.mass_matrix(i), b.mass_matrix(i), "mass");
    expect_same_bits(a.inverse_mass(i), b.inverse_mass(i), "inverse mass");
  }
  for (Index i = 0; i < a.row_count(); ++i) {
    EXPECT_EQ(a.row(i).body_a, b.row(i).body_a);
    EXPECT_EQ(a.row(i).body_b, b.row(i).body_b);
    EXPECT_EQ(a.row(i).name, b.row(i).name);
    expect_same_bits(a.gradient_a(i), b.gradient_a(i), "gradient a");
    expect_same_bits(a.gradient_b(i), b.gradient_b(i), "gradient b");
    EXPECT_EQ(a.row(i).offset, b.row(i).offset);
    EXPECT_EQ(a.row(i).restitution, b.row(i).restitution);
    EXPECT_EQ(a.row(i).friction, b.row(i).friction);
    EXPECT_EQ(a.row(i).stiffness, b.row(i).stiffness);
    ASSERT_EQ(a.row(i).tangent_count, b.row(i).tangent_count);
    for (Index t = 0; t < a.row(i).tangent_count; ++t) {
      expect_same_bits(a.tangent_a(i, t), b.tangent_a(i, t), "tangent a");
      expect_same_bits(a.tangent_b(i, t), b.tangent_b(i, t), "tangent b");
      EXPECT_EQ(a.tangent_offset(i, t), b.tangent_offset(i, t));
    }
  }
}

// Numbers of every size, with all their bits.
double any_number(Random& random) {
  return random.uniform(-1.0, 1.0) * std::pow(10.0, random.uniform(-30.0, 30.0));
}

Numbers any_numbers(Random& random, std::size_t size) {
  Numbers result = Numbers::zeros(size);
  for (double& x : result) x = any_number(random);
  return result;
}

void add_random_body(Random& random, ImpactProblem& problem) {
  BodyDefinition body;
  body.kind = static_cast<BodyKind>(random.below(3));
  const std::size_t size = body.kind == BodyKind::ball       ? 1 + random.below(3)
                           : body.kind == BodyKind::rigid_2d ? 3
                                                             : 6;
  body.velocity = any_numbers(random, size);
  body.mass = std::abs(any_number(random)) + 1e-30;
  const std::size_t space = body.kind == BodyKind::ball ? size : size / 2 + size % 2;
  if (random.below(2) == 0) body.position = any_numbers(random, space);
  if (body.kind == BodyKind::rigid_2d) body.inertia = {0.1 + random.uniform()};
  if (body.kind == BodyKind::rigid_3d) {
    const double skew = 0.3 * random.uniform();
    body.inertia = {1.1, skew, 0.0, skew, 1.3, -skew, 0.0, -skew, 2.0 + random.uniform()};
  }
  if (body.kind == BodyKind::ball && size == 2 && random.below(2) == 0) {
    const double skew = random.uniform();
    body.mass_matrix = {1.5, skew, skew, 2.5};
  }
  if (random.below(3) == 0) body.name = "body \"" + std::to_string(random.below(4)) + "\"\\ \t";
  problem.add_body(body);
}

TEST(InstantWriter, RandomProblemsComeBackToTheLastBit) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Instant instant;
    ImpactProblem& problem = instant.problem;
    for (Index i = 0; i < 2 + random.below(5); ++i) add_random_body(random, problem);
    problem.add_scripted({BodyKind::rigid_2d, any_numbers(random, 3), Numbers{1.0, 2.0}, "wall"});
    for (Index i = 0; i < 1 + random.below(6); ++i) {
      RowDefinition row;
      row.body_a = random.below(problem.body_count() - 1);
      row.body_b = random.below(problem.body_count());
      if (row.body_b == row.body_a) row.body_b = kNone;
      const auto side = [&](Index body) {
        return body == kNone ? Numbers{} : any_numbers(random, problem.body(body).size);
      };
      row.gradient_a = side(row.body_a);
      row.gradient_b = side(row.body_b);
      row.offset = any_number(random);
      row.restitution = random.uniform();
      row.stiffness = std::abs(any_number(random)) + 1e-30;
      for (Index t = 0; t < random.below(3); ++t) {
        row.tangents.push_back({side(row.body_a), side(row.body_b), any_number(random)});
        row.friction = random.uniform();
      }
      problem.add_row(row);
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = write_instant(instant);
    const Instant back = read_instant(text, "written");
    expect_same_problem(problem, back.problem);
    // Names are made unique once, and then stay.
    EXPECT_EQ(write_instant(back), write_instant(read_instant(write_instant(back))));
  }
}

TEST(InstantWriter, SettingsAndTextsComeBack) {
  Instant instant;
  instant.title = "quotes \" and \\ and \n lines";
  instant.figure = "GR Fig. 3";
  instant.problem.add_body({BodyKind::ball, 1.0, {0.0}});
  instant.settings.tolerance = 1e-9;
  instant.settings.anti_locking = AntiLocking::off;
  instant.settings.certificate = true;
  instant.operators = {"gr", "gauss_seidel:order=random,seed=3"};
  const Instant back = read_instant(write_instant(instant));
  EXPECT_EQ(back.title, instant.title);
  EXPECT_EQ(back.figure, instant.figure);
  EXPECT_EQ(back.operators, instant.operators);
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    EXPECT_EQ(impact_setting_text(back.settings, info.key),
              impact_setting_text(instant.settings, info.key))
        << info.key;
  }
}

TEST(InstantWriter, EveryFileOfTheGalleryComesBack) {
  const std::filesystem::path gallery = std::filesystem::path(test::source_directory()) / "gallery";
  int files = 0;
  for (const auto& item : std::filesystem::directory_iterator(gallery)) {
    if (item.path().extension() != ".toml") continue;
    SCOPED_TRACE(item.path().string());
    std::ifstream stream(item.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (file_kind(text) != "instant") continue;
    const Instant instant = read_instant(text);
    if (instant.problem.body_count() == 0) continue;
    expect_same_problem(instant.problem, read_instant(write_instant(instant)).problem);
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(InstantWriter, NumbersKeepTheirSignAndTheirPoint) {
  EXPECT_EQ(exact_number(-0.0), "-0.0");
  EXPECT_EQ(exact_number(5.0), "5.0");
  EXPECT_EQ(exact_number(0.1), "0.1");
  EXPECT_EQ(exact_number(1e300), "1e+300");
}

}  // namespace
}  // namespace carom
