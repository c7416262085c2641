#include "solvers/qp_families.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace carom::solvers::families {
namespace {

using Vector = std::vector<double>;

std::string label(const std::string& family, std::initializer_list<double> numbers) {
  std::string text = family;
  for (const double number : numbers) {
    std::string digits = std::to_string(number);
    if (digits.find('.') != std::string::npos) {
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
    }
    text += "_" + digits;
  }
  return text;
}

double log_uniform(Random& random, double low, double high) {
  return low * std::exp(random.uniform() * std::log(high / low));
}

void add_pair(BlockRows& rows, Index a, const Vector& on_a, Index b, const Vector& on_b) {
  const std::array<RowPart, 2> parts{RowPart{a, on_a}, RowPart{b, on_b}};
  rows.add_row(parts);
}

void add_single(BlockRows& rows, Index a, const Vector& on_a) {
  const std::array<RowPart, 1> parts{RowPart{a, on_a}};
  rows.add_row(parts);
}

/// Unit rows, selection and c = 2 N'v.
void finish(Instance& instance, const Vector& v, Rows which) {
  BlockRows& rows = instance.rows;
  for (Index row = 0; row < rows.row_count(); ++row) {
    rows.scale_row(row, 1.0 / std::sqrt(rows.diagonal(row)));
  }
  rows.finish();
  for (Index row = 0; row < rows.row_count(); ++row) {
    const double c = 2.0 * rows.dot(row, v);
    if (which == Rows::violated && !(c < 0.0)) continue;
    instance.selection.push_back(row);
    instance.c.push_back(c);
  }
}

Vector random_velocity(Index dofs, Random& random) {
  Vector v(dofs);
  for (double& value : v) value = random.normal();
  return v;
}

struct Plane {
  double x = 0.0;
  double y = 0.0;
};

void add_ball_contact(BlockRows& rows, const std::vector<Plane>& at, Index a, Index b) {
  const double dx = at[b].x - at[a].x;
  const double dy = at[b].y - at[a].y;
  const double length = std::hypot(dx, dy);
  add_pair(rows, a, {-dx / length, -dy / length}, b, {dx / length, dy / length});
}

/// All pairs closer than two radii and a bit; quadratic, for what is not too large row by row.
Instance touching_balls(std::string name, const std::vector<Plane>& at, const Vector& v,
                        Rows which) {
  Instance instance;
  instance.name = std::move(name);
  for (std::size_t k = 0; k < at.size(); ++k) instance.rows.add_scalar_block(2, 1.0);
  for (Index a = 0; a < at.size(); ++a) {
    for (Index b = a + 1; b < at.size(); ++b) {
      if (std::hypot(at[b].x - at[a].x, at[b].y - at[a].y) < 2.0 + 1e-9) {
        add_ball_contact(instance.rows, at, a, b);
      }
    }
  }
  finish(instance, v, which);
  return instance;
}

Vector rushing_in(const std::vector<Plane>& at, Random& random) {
  Plane middle;
  for (const Plane& p : at) {
    middle.x += p.x / static_cast<double>(at.size());
    middle.y += p.y / static_cast<double>(at.size());
  }
  Vector v;
  for (const Plane& p : at) {
    v.push_back(-(p.x - middle.x) + random.normal());
    v.push_back(-(p.y - middle.y) + random.normal());
  }
  return v;
}

Instance grid(std::string name, Index n, bool hexagonal, std::uint64_t seed) {
  Random random(seed);
  Instance instance;
  instance.name = std::move(name);
  std::vector<Plane> at;
  const double height = hexagonal ? std::sqrt(3.0) : 2.0;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      const double shift = hexagonal && j % 2 == 1 ? 1.0 : 0.0;
      at.push_back({2.0 * i + shift, height * j});
      instance.rows.add_scalar_block(2, 1.0);
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      const Index k = j * n + i;
      if (i + 1 < n) add_ball_contact(instance.rows, at, k, k + 1);
      if (j + 1 == n) continue;
      add_ball_contact(instance.rows, at, k, k + n);
      if (!hexagonal) continue;
      if (j % 2 == 1 && i + 1 < n) add_ball_contact(instance.rows, at, k, k + n + 1);
      if (j % 2 == 0 && i > 0) add_ball_contact(instance.rows, at, k, k + n - 1);
    }
  }
  finish(instance, rushing_in(at, random), Rows::violated);
  return instance;
}

/// Row of a contact on a rigid body: normal n at arm r, (n, r x n).
Vector rigid_gradient(const std::array<double, 3>& n, const std::array<double, 3>& r, double sign) {
  return {sign * n[0],
          sign * n[1],
          sign * n[2],
          sign * (r[1] * n[2] - r[2] * n[1]),
          sign * (r[2] * n[0] - r[0] * n[2]),
          sign * (r[0] * n[1] - r[1] * n[0])};
}

Vector rigid_inverse_mass(double mass, const std::array<double, 3>& inertia) {
  Vector w(36, 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    w[k * 7] = 1.0 / mass;
    w[(k + 3) * 7] = 1.0 / inertia[k];
  }
  return w;
}

}  // namespace

Instance chain(Index balls, double mass_ratio, Rows which, std::uint64_t seed) {
  Random random(seed);
  Instance instance;
  instance.name = label("chain", {balls * 1.0, mass_ratio, static_cast<double>(seed)});
  for (Index k = 0; k < balls; ++k) {
    instance.rows.add_scalar_block(1, 1.0 / log_uniform(random, 1.0, mass_ratio));
  }
  for (Index k = 0; k + 1 < balls; ++k) add_pair(instance.rows, k, {-1.0}, k + 1, {1.0});
  Vector v = random_velocity(balls, random);
  for (Index k = 0; k < balls; ++k) v[k] -= 0.5 * k;
  finish(instance, v, which);
  return instance;
}

Instance square_grid(Index n, std::uint64_t seed) {
  return grid(label("square_grid", {n * 1.0, static_cast<double>(seed)}), n, false, seed);
}

Instance hexagonal_grid(Index n, std::uint64_t seed) {
  return grid(label("hexagonal_grid", {n * 1.0, static_cast<double>(seed)}), n, true, seed);
}

Instance rack(Index side) {
  std::vector<Plane> at{{0.0, -2.0}};
  for (Index j = 0; j < side; ++j) {
    for (Index i = 0; i <= j; ++i) at.push_back({2.0 * i - j, std::sqrt(3.0) * j});
  }
  Vector v(2 * at.size(), 0.0);
  v[1] = 1.0;
  return touching_balls(label("rack", {side * 1.0}), at, v, Rows::all);
}

Instance face_patch(Index points, std::uint64_t seed) {
  Random random(seed);
  Instance instance;
  instance.name = label("face_patch", {points * 1.0, static_cast<double>(seed)});
  instance.rows.add_block(6, rigid_inverse_mass(2.0, {0.8, 0.8, 1.1}));
  for (Index k = 0; k < points; ++k) {
    std::array<double, 3> r{0.0, 0.0, -1.0};
    if (points == 4) {
      r[0] = k % 2 == 0 ? -1.0 : 1.0;
      r[1] = k < 2 ? -0.5 : 0.5;
    } else if (points == 6) {
      r[0] = std::cos(std::numbers::pi / 3.0 * k);
      r[1] = std::sin(std::numbers::pi / 3.0 * k);
    } else {
      r[0] = random.uniform(-1.0, 1.0);
      r[1] = random.uniform(-1.0, 1.0);
    }
    add_single(instance.rows, 0, rigid_gradient({0.0, 0.0, 1.0}, r, 1.0));
  }
  Vector v{0.0, 0.0, -1.0, 0.0, 0.0, 0.0};
  if (seed != 0) {
    v = random_velocity(6, random);
    v[2] = -2.0;
  }
  finish(instance, v, Rows::all);
  return instance;
}

Instance box_stack(Index boxes, std::uint64_t seed) {
  Random random(seed);
  Instance instance;
  instance.name = label("box_stack", {boxes * 1.0, static_cast<double>(seed)});
  for (Index k = 0; k < boxes; ++k) {
    const double mass = log_uniform(random, 1.0, 10.0);
    instance.rows.add_block(6, rigid_inverse_mass(mass, {0.4 * mass, 0.5 * mass, 0.6 * mass}));
  }
  const std::array<double, 3> up{0.0, 0.0, 1.0};
  for (Index k = 0; k < boxes; ++k) {
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) {
        const Vector upper = rigid_gradient(up, {x, y, -0.5}, 1.0);
        if (k == 0)
          add_single(instance.rows, 0, upper);
        else
          add_pair(instance.rows, k - 1, rigid_gradient(up, {x, y, 0.5}, -1.0), k, upper);
      }
    }
  }
  Vector v = random_velocity(6 * boxes, random);
  for (Index k = 0; k < boxes; ++k) v[6 * k + 2] -= 1.0 + k;
  finish(instance, v, Rows::all);
  return instance;
}

Instance random_graph(Index bodies, Index row_count, Index numbers, std::uint64_t seed) {
  Random random(seed);
  Instance instance;
  instance.name = label("random_graph",
                        {bodies * 1.0, row_count * 1.0, numbers * 1.0, static_cast<double>(seed)});
  for (Index k = 0; k < bodies; ++k) {
    Vector root(std::size_t{numbers} * numbers);
    for (double& value : root) value = random.normal();
    Vector w(root.size(), 0.0);
    for (Index i = 0; i < numbers; ++i) {
      for (Index j = 0; j < numbers; ++j) {
        for (Index l = 0; l < numbers; ++l) {
          w[i * numbers + j] += root[i * numbers + l] * root[j * numbers + l];
        }
      }
      w[i * numbers + i] += 0.5;
    }
    instance.rows.add_block(numbers, w);
  }
  for (Index k = 0; k < row_count; ++k) {
    const Index a = random.below(bodies);
    const Index b = random.below(bodies);
    Vector on_a(numbers);
    Vector on_b(numbers);
    for (double& value : on_a) value = random.normal();
    for (double& value : on_b) value = random.normal();
    if (a == b || random.uniform() < 0.1)
      add_single(instance.rows, a, on_a);
    else
      add_pair(instance.rows, a, on_a, b, on_b);
  }
  finish(instance, random_velocity(bodies * numbers, random), Rows::all);
  return instance;
}

Instance wedge(double angle) {
  Instance instance;
  instance.name = label("wedge", {-std::log10(angle)});
  instance.rows.add_scalar_block(2, 1.0);
  add_single(instance.rows, 0, {std::cos(0.5 * angle), std::sin(0.5 * angle)});
  add_single(instance.rows, 0, {-std::cos(0.5 * angle), std::sin(0.5 * angle)});
  finish(instance, {0.1 * std::sin(0.5 * angle), -1.0}, Rows::all);
  return instance;
}

Instance bent_chain(Index balls, double bend) {
  Instance instance;
  instance.name = label("bent_chain", {balls * 1.0, -std::log10(bend)});
  std::vector<Plane> at;
  Vector v(2 * std::size_t{balls}, 0.0);
  for (Index k = 0; k < balls; ++k) {
    const double s = (k + 0.5) / balls;
    at.push_back({2.0 * k, bend * std::sin(std::numbers::pi * s)});
    v[2 * k + 1] = -std::sin(std::numbers::pi * s);
    instance.rows.add_scalar_block(2, 1.0);
  }
  add_single(instance.rows, 0, {1.0, 0.0});
  for (Index k = 0; k + 1 < balls; ++k) add_ball_contact(instance.rows, at, k, k + 1);
  add_single(instance.rows, balls - 1, {-1.0, 0.0});
  v[0] -= 0.3 * bend;
  finish(instance, v, Rows::all);
  return instance;
}

Instance squeeze(Index bystanders, std::uint64_t seed) {
  Instance instance = random_graph(2 + bystanders, 2 * bystanders, 2, seed);
  instance.name = label("squeeze", {bystanders * 1.0, static_cast<double>(seed)});
  const double third = std::sqrt(1.0 / 3.0);
  const Index first = instance.rows.row_count();
  add_single(instance.rows, 0, {third, 0.5});
  add_single(instance.rows, 0, {-third, -0.5});
  instance.rows.finish();
  for (const Index row : {first, first + 1}) {
    instance.selection.push_back(row);
    instance.c.push_back(-1.0);
  }
  return instance;
}

namespace {

/// The rows of `base` in their order, `times` times over, with a factor each.
Instance copied(const Instance& base, int times, const Vector& factor) {
  Instance copy;
  for (Index block = 0; block < base.rows.block_count(); ++block) {
    copy.rows.add_block(base.rows.block_size(block), base.rows.inverse_mass(block));
  }
  for (int repetition = 0; repetition < times; ++repetition) {
    for (std::size_t i = 0; i < base.selection.size(); ++i) {
      std::vector<RowPart> parts;
      for (const BlockRows::Entry& entry : base.rows.entries(base.selection[i])) {
        parts.push_back({entry.block, base.rows.gradient(entry)});
      }
      const Index row = copy.rows.add_row(parts);
      copy.rows.scale_row(row, factor[i]);
      copy.selection.push_back(row);
      copy.c.push_back(base.c[i] * factor[i]);
    }
  }
  copy.rows.finish();
  return copy;
}

}  // namespace

Instance duplicated(const Instance& base) {
  Instance result = copied(base, 2, Vector(base.selection.size(), 1.0));
  result.name = base.name + "_duplicated";
  return result;
}

Instance badly_scaled(const Instance& base, std::uint64_t seed) {
  Random random(seed);
  Vector factor(base.selection.size());
  for (double& value : factor) value = log_uniform(random, 1e-3, 1e3);
  Instance result = copied(base, 1, factor);
  result.name = base.name + "_badly_scaled";
  return result;
}

Instance boxed(const Instance& base, std::uint64_t seed) {
  Random random(seed);
  Instance result = copied(base, 1, Vector(base.selection.size(), 1.0));
  result.name = base.name + "_boxed";
  for (std::size_t i = 0; i < base.selection.size(); ++i) {
    const double lower = random.uniform() < 0.5 ? 0.0 : random.normal();
    double upper = lower + std::abs(random.normal());
    if (random.uniform() < 0.1) upper = lower;
    if (random.uniform() < 0.1) upper = kInfinity;
    result.lower.push_back(lower);
    result.upper.push_back(upper);
  }
  return result;
}

std::vector<Instance> contract_corpus() {
  std::vector<Instance> all;
  for (const Index balls : {2U, 3U, 4U, 7U, 20U, 80U}) {
    for (const double ratio : {1.0, 1e6}) {
      all.push_back(chain(balls, ratio, Rows::violated, balls));
      all.push_back(chain(balls, ratio, Rows::all, 100 + balls));
    }
  }
  for (const Index n : {3U, 6U, 14U}) {
    all.push_back(square_grid(n, n));
    all.push_back(hexagonal_grid(n, n));
  }
  for (const Index side : {2U, 3U, 5U, 10U}) all.push_back(rack(side));
  for (const Index points : {3U, 4U, 6U, 12U, 100U, 500U}) {
    all.push_back(face_patch(points, 0));
    all.push_back(face_patch(points, points));
  }
  for (const Index boxes : {1U, 2U, 5U, 20U}) all.push_back(box_stack(boxes, boxes));
  for (const Index numbers : {1U, 2U, 3U, 6U}) {
    all.push_back(random_graph(5, 8, numbers, numbers));
    all.push_back(random_graph(20, 60, numbers, 10 + numbers));
    all.push_back(random_graph(60, 300, numbers, 20 + numbers));
  }
  for (const double angle : {1e-1, 1e-3, 1e-6}) all.push_back(wedge(angle));
  for (const double bend : {1e-1, 1e-3, 1e-5}) {
    all.push_back(bent_chain(3, bend));
    all.push_back(bent_chain(10, bend));
  }
  const std::size_t plain = all.size();
  for (std::size_t k = 0; k < plain; ++k) {
    if (all[k].size() > 350) continue;
    all.push_back(duplicated(all[k]));
    all.push_back(boxed(all[k], k));
    if (k % 2 == 0) all.push_back(badly_scaled(all[k], k));
    if (k % 3 == 0) all.push_back(boxed(duplicated(all[k]), 1000 + k));
  }
  return all;
}

}  // namespace carom::solvers::families
