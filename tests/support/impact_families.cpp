#include "support/impact_families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace carom::test {
namespace {

class Builder {
 public:
  Builder(std::uint64_t seed, const FamilyLimits& limits) : random_(seed), limits_(limits) {
    wide_masses_ = random_.uniform() < 0.3;
    mass_ratio_ = limits.largest_mass_ratio;
    repeat_ = random_.uniform() < 0.35;
  }

  Instance build() {
    switch (random_.below(12)) {
      case 0:
        chain();
        break;
      case 1:
        star();
        break;
      case 2:
        rack();
        break;
      case 3:
        boxes();
        break;
      case 4:
        graph();
        break;
      case 5:
        grid();
        break;
      case 6:
        wedge();
        break;
      case 7:
        bent_chain();
        break;
      case 8:
        moving_container();
        break;
      case 9:
        plate_2d();
        break;
      case 10:
        opening_walls();
        break;
      default:
        box_stack();
        break;
    }
    if (repeat_) repeat_rows();
    return std::move(instance_);
  }

 private:
  double mass() {
    if (!wide_masses_) return random_.uniform(0.5, 2.0);
    return std::exp(random_.uniform() * std::log(mass_ratio_));
  }

  Numbers velocity(std::size_t size) {
    Numbers v = Numbers::zeros(size);
    for (double& x : v) x = random_.uniform() < 0.2 ? 0.0 : random_.normal();
    return v;
  }

  Numbers direction(std::size_t size) {
    Numbers n = Numbers::zeros(size);
    double square = 0.0;
    while (square < 1e-4) {
      square = 0.0;
      for (double& x : n) {
        x = random_.normal();
        square += x * x;
      }
    }
    for (double& x : n) x /= std::sqrt(square);
    return n;
  }

  Index ball(const Numbers& position, const Numbers& v) {
    BodyDefinition body;
    body.mass = mass();
    body.velocity = v;
    body.position = position;
    return instance_.problem.add_body(body);
  }

  ContactDefinition defaults() {
    ContactDefinition contact;
    contact.restitution = limits_.restitution < 0.0 ? 0.1 * random_.below(11) : limits_.restitution;
    return contact;
  }

  // Balls that do not turn have no torque to give: friction only where it is asked for.
  void touch(Index a, Index b, const Numbers& normal) {
    ContactDefinition contact = defaults();
    contact.body_a = a;
    contact.body_b = b;
    contact.normal = normal;
    if (normal.size() > 1) contact.friction = limits_.friction;
    instance_.problem.add_contact(contact);
    rows_.push_back(contact);
  }

  void touch_at(Index a, Index b, const Numbers& normal, const Numbers& point) {
    ContactDefinition contact = defaults();
    contact.body_a = a;
    contact.body_b = b;
    contact.normal = normal;
    contact.point = point;
    contact.friction = limits_.friction;
    instance_.problem.add_contact(contact);
    rows_.push_back(contact);
  }

  // Long chains of very different masses are legal and end, but after millions of applications.
  int body_limit() const { return wide_masses_ ? 4 : limits_.max_bodies; }

  int count(int low, int high) {
    return low + static_cast<int>(random_.below(static_cast<Index>(high - low + 1)));
  }

  void chain() {
    instance_.family = "chain";
    const int n = count(2, body_limit());
    for (int i = 0; i < n; ++i) ball({2.0 * i}, velocity(1));
    for (int i = 0; i + 1 < n; ++i) {
      touch(static_cast<Index>(i + 1), static_cast<Index>(i), {1.0});
    }
    if (random_.uniform() < 0.3) touch(0, kNone, {1.0});
    if (random_.uniform() < 0.15) {
      touch(static_cast<Index>(n - 1), kNone, {-1.0});
      instance_.near_locked = instance_.problem.row_count() > static_cast<Index>(n);
    }
  }

  void star() {
    instance_.family = "star";
    const std::size_t space = random_.uniform() < 0.5 ? 2 : 3;
    const int n = count(1, space == 2 ? 6 : 9);
    const Index centre = ball(Numbers::zeros(space), velocity(space));
    for (int i = 0; i < n; ++i) {
      Numbers n_i = direction(space);
      if (space == 2) {
        const double angle = 2.0 * std::numbers::pi * i / n + random_.uniform(0.0, 0.02);
        n_i = {std::cos(angle), std::sin(angle)};
      }
      Numbers at = n_i;
      for (double& x : at) x *= 2.0;
      const Index other = ball(at, velocity(space));
      touch(other, centre, n_i);
    }
    instance_.redundant = false;
  }

  void rack() {
    instance_.family = "rack";
    const int levels = count(2, wide_masses_ ? 2 : 4);
    std::vector<Numbers> at;
    for (int i = 0; i < levels; ++i) {
      for (int j = 0; j <= i; ++j) at.push_back({std::sqrt(3.0) * i, 2.0 * j - i});
    }
    for (const Numbers& position : at) ball(position, Numbers{0.0, 0.0});
    join_touching(at);
    const Index cue = ball({-2.0, 0.0}, {1.0, random_.uniform() < 0.5 ? 0.0 : random_.normal()});
    touch(0, cue, {1.0, 0.0});
    instance_.redundant = levels > 3;  // 9 rows and more on few bodies may still be independent
  }

  void join_touching(const std::vector<Numbers>& at) {
    for (Index i = 0; i < at.size(); ++i) {
      for (Index j = i + 1; j < at.size(); ++j) {
        const Numbers n = {at[j][0] - at[i][0], at[j][1] - at[i][1]};
        if (std::abs(std::hypot(n[0], n[1]) - 2.0) < 1e-9) touch(j, i, n);
      }
    }
  }

  void grid() {
    instance_.family = "grid";
    const int n = count(2, wide_masses_ ? 2 : 4);
    std::vector<Numbers> at;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) at.push_back({2.0 * i, 2.0 * j});
    }
    for (const Numbers& position : at) {
      ball(position, random_.uniform() < 0.5 ? Numbers{0.0, -1.0} : velocity(2));
    }
    join_touching(at);
    for (int i = 0; i < n; ++i) touch(static_cast<Index>(i * n), kNone, {0.0, 1.0});
  }

  Index cube(const Numbers& centre, const Numbers& v) {
    BodyDefinition body;
    body.kind = BodyKind::rigid_3d;
    body.mass = mass();
    const double inertia = body.mass / 6.0;
    body.inertia = {inertia, 0.0, 0.0, 0.0, inertia, 0.0, 0.0, 0.0, inertia};
    body.velocity = v;
    body.position = centre;
    return instance_.problem.add_body(body);
  }

  void face_contacts(Index upper, Index lower, double z) {
    const int more = random_.uniform() < 0.3 ? count(1, 6) : 0;
    for (int k = 0; k < 4 + more; ++k) {
      const double x = k < 4 ? (k % 2 == 0 ? -0.5 : 0.5) : random_.uniform(-0.5, 0.5);
      const double y = k < 4 ? (k / 2 == 0 ? -0.5 : 0.5) : random_.uniform(-0.5, 0.5);
      touch_at(upper, lower, {0.0, 0.0, 1.0}, {x, y, z});
    }
    instance_.redundant = true;
  }

  void boxes() {
    instance_.family = "box";
    const bool flat = random_.uniform() < 0.5;
    const Numbers v = flat ? Numbers{0.3, 0.1, -1.0, 0.0, 0.0, 0.0} : velocity(6);
    face_contacts(cube({0.0, 0.0, 0.5}, v), kNone, 0.0);
  }

  void box_stack() {
    instance_.family = "box stack";
    mass_ratio_ = std::min(mass_ratio_, 100.0);  // a heavy box on a light one: 1e8 pairwise bounces
    const int n = count(2, wide_masses_ ? 2 : 3);
    for (int i = 0; i < n; ++i) {
      cube({0.0, 0.0, 0.5 + i},
           random_.uniform() < 0.5 ? Numbers{0.0, 0.0, -1.0, 0.0, 0.0, 0.0} : velocity(6));
    }
    for (int i = 0; i < n; ++i) {
      face_contacts(static_cast<Index>(i), i == 0 ? kNone : static_cast<Index>(i - 1), i);
    }
  }

  void plate_2d() {
    instance_.family = "plate";
    BodyDefinition body;
    body.kind = BodyKind::rigid_2d;
    body.mass = mass();
    body.inertia = {body.mass * random_.uniform(0.1, 1.0)};
    body.velocity = velocity(3);
    body.position = Numbers{0.0, 0.5};
    const Index plate = instance_.problem.add_body(body);
    const int n = count(2, 5);
    for (int i = 0; i < n; ++i) {
      touch_at(plate, kNone, {0.0, 1.0}, {-0.5 + static_cast<double>(i) / (n - 1), 0.0});
    }
    instance_.redundant = n > 2;
    if (random_.uniform() < 0.5) {
      const Index top = ball({random_.uniform(-0.5, 0.5), 2.0}, velocity(2));
      touch_at(top, plate, {0.0, 1.0}, {instance_.problem.body(top).position[0], 1.0});
    }
  }

  void graph() {
    instance_.family = "graph";
    const std::size_t space = 1 + random_.below(3);
    const int n = count(2, body_limit());
    for (int i = 0; i < n; ++i) {
      BodyDefinition body;
      body.mass = mass();
      body.velocity = velocity(space);
      instance_.problem.add_body(body);
    }
    // A tree and a few more; normals are consistent with an order, so that nothing locks in 1D.
    for (int i = 1; i < n; ++i) {
      const auto j = static_cast<Index>(count(0, i - 1));
      touch(static_cast<Index>(i), j, space == 1 ? Numbers{1.0} : direction(space));
    }
    if (space > 1) {
      for (int k = count(0, 3); k > 0; --k) {
        const auto i = static_cast<Index>(count(1, n - 1));
        touch(i, static_cast<Index>(count(0, static_cast<int>(i) - 1)), direction(space));
      }
    }
  }

  double bend() {
    if (random_.uniform() < 0.3) return 0.0;
    if (random_.uniform() < 0.5)
      return limits_.bend_below * std::pow(10.0, -6.0 * random_.uniform());
    return limits_.bend_above * std::pow(30.0, random_.uniform());
  }

  void wedge() {
    instance_.family = "wedge";
    const double d = bend();
    instance_.near_locked = d < limits_.bend_above;
    ball({0.0, 0.0}, velocity(2));
    touch(0, kNone, {1.0, 0.0});
    touch(0, kNone, {-std::cos(d), std::sin(d)});
    if (random_.uniform() < 0.3) {
      const Index other = ball({0.0, 2.0}, velocity(2));
      touch(other, 0, {0.0, 1.0});
    }
  }

  // Balls from wall to wall, every second one pushed aside by a small angle.
  void bent_chain() {
    instance_.family = "bent chain";
    const double d = bend();
    instance_.near_locked = d < limits_.bend_above;
    const int n = count(1, 4);
    Numbers at = {0.0, 0.0};
    for (int i = 0; i < n; ++i) {
      ball(at, velocity(2));
      at = {at[0] + 2.0 * std::cos(d), at[1] + (i % 2 == 0 ? 2.0 : -2.0) * std::sin(d)};
    }
    touch(0, kNone, {1.0, 0.0});
    for (int i = 0; i + 1 < n; ++i) {
      touch(static_cast<Index>(i + 1), static_cast<Index>(i),
            {std::cos(d), (i % 2 == 0 ? 1.0 : -1.0) * std::sin(d)});
    }
    touch(static_cast<Index>(n - 1), kNone, {-std::cos(d), std::sin(d)});
    if (random_.uniform() < 0.3) {
      const Index visitor = ball({0.0, -2.0}, {0.0, 1.0});
      touch(0, visitor, {0.0, 1.0});
    }
  }

  void moving_container() {
    instance_.family = "moving container";
    instance_.scripted = true;
    const Numbers v = {10.0 * random_.normal(), 10.0 * random_.normal()};
    const auto wall = [&](const Numbers& velocity_of_wall) {
      ScriptedDefinition definition;
      definition.velocity = velocity_of_wall;
      return instance_.problem.add_scripted(definition);
    };
    const Index floor = wall(v);
    const Index side = wall(random_.uniform() < 0.5 ? v : Numbers{v[0] - 0.3, v[1] + 0.2});
    const int n = count(1, wide_masses_ ? 3 : 6);
    for (int i = 0; i < n; ++i) {
      const Numbers own = velocity(2);
      const Index here = ball({0.0, 2.0 * i}, {v[0] + own[0], v[1] + own[1]});
      touch(here, i == 0 ? floor : here - 1, {0.0, 1.0});
      if (random_.uniform() < 0.5) touch(here, side, {1.0, 0.0});
    }
  }

  // A row of balls between two scripted walls that stay together, open hardly at all, or open.
  void opening_walls() {
    instance_.family = "opening walls";
    instance_.scripted = true;
    const double opening = bend();
    instance_.near_locked = opening < limits_.bend_above;
    const Numbers v = {random_.normal(), random_.normal()};
    const Index left = instance_.problem.add_scripted({.velocity = v});
    const Index right = instance_.problem.add_scripted({.velocity = {v[0] + opening, v[1]}});
    const int n = count(1, 3);
    Index last = left;
    for (int i = 0; i < n; ++i) {
      const Numbers own = velocity(2);
      const Index here = ball({2.0 * i, 0.0}, {v[0] + own[0], v[1] + own[1]});
      touch(here, last, {1.0, 0.0});
      last = here;
    }
    touch(last, right, {-1.0, 0.0});
  }

  void repeat_rows() {
    const std::vector<ContactDefinition> rows = rows_;
    for (const ContactDefinition& row : rows) {
      if (random_.uniform() < 0.4) {
        instance_.problem.add_contact(row);
        instance_.redundant = true;
      }
    }
  }

  Random random_;
  FamilyLimits limits_;
  bool wide_masses_ = false;
  double mass_ratio_ = 1.0;
  bool repeat_ = false;
  Instance instance_;
  std::vector<ContactDefinition> rows_;
};

}  // namespace

Instance random_instance(std::uint64_t seed, const FamilyLimits& limits) {
  return Builder(seed, limits).build();
}

}  // namespace carom::test
