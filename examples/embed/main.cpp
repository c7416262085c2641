// Carom's impact library inside somebody else's step loop.
//
// Everything here but resolve_impacts belongs to the host: its bodies, its time stepping, its
// contact detection. Discs bounce in a box under gravity; each step the host finds the contacts,
// hands them over as one impact problem and takes the velocities back. All impacts are elastic, so
// the total energy must stay what it was; the program fails when it does not.

#include <cmath>
#include <iostream>
#include <vector>

#include "carom/impact/resolve.h"

namespace {

constexpr double kGravity = -9.81;  // m/s^2, along y
constexpr double kStep = 1e-3;      // s
constexpr double kBoxSide = 10.0;   // m

// The host's own body.
struct Disc {
  double x = 0.0, y = 0.0;    // m
  double vx = 0.0, vy = 0.0;  // m/s
  double radius = 0.5;        // m
  double mass = 1.0;          // kg
};

// The host's own free flight; exact under constant gravity.
Disc flown(Disc disc) {
  disc.x += disc.vx * kStep;
  disc.y += disc.vy * kStep + 0.5 * kGravity * kStep * kStep;
  disc.vy += kGravity * kStep;
  return disc;
}

// Distance between two discs; negative when they overlap.
double gap(const Disc& a, const Disc& b) {
  return std::hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius;
}

struct Wall {
  double nx, ny;  // inward normal
  double offset;  // points of the wall satisfy n . x = offset
};
constexpr Wall kWalls[] = {
    {1.0, 0.0, 0.0}, {-1.0, 0.0, -kBoxSide}, {0.0, 1.0, 0.0}, {0.0, -1.0, -kBoxSide}};

double gap(const Disc& disc, const Wall& wall) {
  return wall.nx * disc.x + wall.ny * disc.y - wall.offset - disc.radius;
}

// Contacts that would overlap at the end of the step, with normals from its beginning.
void add_contacts(const std::vector<Disc>& discs, carom::ImpactProblem& problem) {
  for (carom::Index i = 0; i < discs.size(); ++i) {
    const Disc ahead = flown(discs[i]);
    for (carom::Index j = 0; j < i; ++j) {
      if (gap(ahead, flown(discs[j])) < 0.0) {
        problem.add_contact({.body_a = i,
                             .body_b = j,
                             .normal = {discs[i].x - discs[j].x, discs[i].y - discs[j].y}});
      }
    }
    for (const Wall& wall : kWalls) {
      if (gap(ahead, wall) < 0.0) problem.add_contact({.body_a = i, .normal = {wall.nx, wall.ny}});
    }
  }
}

// Replaces the velocities of discs that are about to collide. False when Carom reports a failure.
bool resolve(std::vector<Disc>& discs) {
  carom::ImpactProblem problem;
  for (const Disc& disc : discs) {
    problem.add_body({.mass = disc.mass, .velocity = {disc.vx, disc.vy}});
  }
  add_contacts(discs, problem);
  if (problem.row_count() == 0) return true;

  const carom::ImpactResult result = carom::resolve_impacts(problem);
  if (result.status != carom::ImpactStatus::resolved) {
    std::cerr << "impact: " << to_string(result.status) << '\n';
    return false;
  }
  for (carom::Index i = 0; i < discs.size(); ++i) {
    discs[i].vx = result.velocity(problem, i)[0];
    discs[i].vy = result.velocity(problem, i)[1];
  }
  return true;
}

double energy(const std::vector<Disc>& discs) {
  double sum = 0.0;
  for (const Disc& disc : discs) {
    sum += disc.mass * (0.5 * (disc.vx * disc.vx + disc.vy * disc.vy) - kGravity * disc.y);
  }
  return sum;
}

// A small pyramid of touching discs with a heavy one above it.
std::vector<Disc> scene() {
  std::vector<Disc> discs;
  for (int row = 0; row < 4; ++row) {
    for (int k = 0; k <= row; ++k) {
      discs.push_back({.x = 5.0 + k - 0.5 * row, .y = 5.0 - 0.5 * std::sqrt(3.0) * row});
    }
  }
  discs.push_back({.x = 5.0, .y = 8.0, .vy = -2.0, .radius = 0.8, .mass = 4.0});
  return discs;
}

}  // namespace

int main() {
  std::vector<Disc> discs = scene();
  const double energy_before = energy(discs);
  constexpr int kSteps = 5000;
  for (int step = 0; step < kSteps; ++step) {
    if (!resolve(discs)) return 1;
    for (Disc& disc : discs) disc = flown(disc);
  }
  const double drift = std::abs(energy(discs) / energy_before - 1.0);
  std::cout << discs.size() << " discs, " << kSteps * kStep << " s, relative energy drift " << drift
            << '\n';
  return drift < 1e-9 ? 0 : 1;
}
