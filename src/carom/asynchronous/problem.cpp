// Checks of a problem and its settings before anything is computed.
#include "carom/asynchronous/problem.h"

#include <cmath>
#include <string>
#include <string_view>

#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom::asynchronous {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

std::string at(std::string_view key, std::size_t k) {
  return std::string(key) + "[" + std::to_string(k) + "]";
}

void demand_positive(double number, const std::string& key) {
  if (std::isfinite(number) && number > 0.0) return;
  refuse(key, "must be positive and finite, found " + number_text(number));
}

void demand_within(double number, double low, double high, const std::string& key) {
  if (number >= low && number <= high && std::isfinite(number)) return;
  refuse(key, "must lie between " + number_text(low) + " and " + number_text(high) + ", found " +
                  number_text(number));
}

void demand_finite(const Vec3& v, const std::string& key) {
  if (!is_finite(v)) refuse(key, "must be finite");
}

void demand_vertex(Index vertex, std::size_t count, const std::string& key) {
  if (vertex < count) return;
  refuse(key,
         "there is no vertex " + std::to_string(vertex) + ", there are " + std::to_string(count));
}

void check_vertices(const Problem& problem) {
  const std::size_t count = problem.mass.size();
  if (problem.position.size() != count) refuse("position", "must have one entry per mass");
  if (problem.velocity.size() != count) refuse("velocity", "must have one entry per mass");
  if (!problem.rest_position.empty() && problem.rest_position.size() != count) {
    refuse("rest_position", "must be empty or have one entry per mass");
  }
  if (!problem.material.empty() && problem.material.size() != count) {
    refuse("material", "must be empty or have one entry per mass");
  }
  for (std::size_t i = 0; i < count; ++i) {
    demand_positive(problem.mass[i], at("mass", i));
    demand_finite(problem.position[i], at("position", i));
    demand_finite(problem.velocity[i], at("velocity", i));
    if (problem.dimension == 2 && (problem.position[i].z != 0.0 || problem.velocity[i].z != 0.0)) {
      refuse(at("position", i), "has a z component in two dimensions");
    }
  }
  for (std::size_t i = 0; i < problem.rest_position.size(); ++i) {
    demand_finite(problem.rest_position[i], at("rest_position", i));
  }
}

template <std::size_t N>
void check_primitive(const std::array<Index, N>& vertices, std::size_t count,
                     const std::string& key) {
  for (std::size_t a = 0; a < N; ++a) {
    demand_vertex(vertices[a], count, key);
    for (std::size_t b = 0; b < a; ++b) {
      if (vertices[a] == vertices[b]) refuse(key, "has the same vertex twice");
    }
  }
}

void check_contact(const Problem& problem) {
  std::size_t materials = 0;
  while (materials * materials < problem.contact.size()) ++materials;
  if (problem.contact.empty() || materials * materials != problem.contact.size()) {
    refuse("contact", "must have one entry per pair of materials");
  }
  for (std::size_t k = 0; k < problem.contact.size(); ++k) {
    const ContactLaw& law = problem.contact[k];
    demand_positive(law.stiffness, at("contact", k) + ".stiffness");
    demand_positive(law.thickness, at("contact", k) + ".thickness");
    demand_within(law.restitution, 0.0, 1.0, at("contact", k) + ".restitution");
    demand_within(law.friction, 0.0, 1e6, at("contact", k) + ".friction");
  }
  for (std::size_t i = 0; i < problem.material.size(); ++i) {
    if (problem.material[i] >= materials) refuse(at("material", i), "there is no such material");
  }
  for (std::size_t w = 0; w < problem.walls.size(); ++w) {
    const Wall& wall = problem.walls[w];
    demand_finite(wall.normal, at("walls", w) + ".normal");
    if (std::abs(norm(wall.normal) - 1.0) > 1e-12) {
      refuse(at("walls", w) + ".normal", "must have length 1");
    }
    demand_within(wall.offset, -1e300, 1e300, at("walls", w) + ".offset");
    if (wall.material >= materials) refuse(at("walls", w), "there is no such material");
  }
}

void check_carriers(const Problem& problem) {
  std::vector<char> is_held(problem.mass.size(), 0);
  for (const HeldVertex& held : problem.held) is_held[held.vertex] = 1;
  for (std::size_t w = 0; w < problem.walls.size(); ++w) {
    const Index carrier = problem.walls[w].carrier;
    if (carrier == kNone) continue;
    demand_vertex(carrier, problem.mass.size(), at("walls", w) + ".carrier");
    if (is_held[carrier] == 0) refuse(at("walls", w) + ".carrier", "is not held");
  }
  const std::vector<char> carries = carriers_of(problem);
  const auto refuse_carrier = [&](Index vertex, const std::string& key) {
    if (carries[vertex] != 0) refuse(key, "has a vertex that carries a wall");
  };
  for (std::size_t k = 0; k < problem.edges.size(); ++k) {
    for (const Index i : problem.edges[k]) refuse_carrier(i, at("edges", k));
  }
  for (std::size_t k = 0; k < problem.faces.size(); ++k) {
    for (const Index i : problem.faces[k]) refuse_carrier(i, at("faces", k));
  }
}

void check_held(const Problem& problem) {
  const std::size_t count = problem.mass.size();
  std::vector<char> seen(count, 0);
  for (std::size_t k = 0; k < problem.held.size(); ++k) {
    const HeldVertex& held = problem.held[k];
    demand_vertex(held.vertex, count, at("held", k));
    if (seen[held.vertex]++ != 0) refuse(at("held", k), "is held twice");
    double before = -1.0;
    for (const PathPoint& point : held.path) {
      demand_finite(point.position, at("held", k) + ".path");
      if (!(point.time > before) || !(point.time >= 0.0) || !std::isfinite(point.time)) {
        refuse(at("held", k) + ".path", "times must rise from 0 or later");
      }
      before = point.time;
    }
    if (!held.path.empty() && held.path[0].position != problem.position[held.vertex]) {
      refuse(at("held", k) + ".path", "must start where the vertex is");
    }
  }
}

void check_limits(const Problem& problem) {
  std::vector<char> is_held(problem.mass.size(), 0);
  for (const HeldVertex& held : problem.held) is_held[held.vertex] = 1;
  for (std::size_t k = 0; k < problem.limits.size(); ++k) {
    const LengthLimit& limit = problem.limits[k];
    const std::string key = at("limits", k);
    check_primitive(limit.vertex, problem.mass.size(), key);
    const auto [a, b] = limit.vertex;
    if (is_held[a] != 0 && is_held[b] != 0) refuse(key, "is of two held vertices");
    demand_positive(limit.length, key + ".length");
    demand_positive(limit.thickness, key + ".thickness");
    demand_positive(limit.stiffness, key + ".stiffness");
    demand_within(limit.restitution, 0.0, 1.0, key + ".restitution");
    const double length = norm(problem.position[a] - problem.position[b]);
    const bool is_longest = limit.side == LengthLimit::Side::longest;
    if (is_longest ? length < limit.length : length > limit.length) continue;
    refuse(key, std::string("at the start the length is ") + number_text(length) + " m, not " +
                    (is_longest ? "below " : "above ") + number_text(limit.length) + " m");
  }
}

void check_forces(const Problem& problem) {
  const std::size_t count = problem.mass.size();
  for (std::size_t k = 0; k < problem.prescribed_forces.size(); ++k) {
    demand_vertex(problem.prescribed_forces[k].vertex, count, at("prescribed_forces", k));
    demand_finite(problem.prescribed_forces[k].force, at("prescribed_forces", k));
  }
  for (std::size_t f = 0; f < problem.forces.size(); ++f) {
    if (problem.forces[f] == nullptr) refuse(at("forces", f), "is missing");
    for (Index e = 0; e < problem.forces[f]->size(); ++e) {
      for (const Index i : problem.forces[f]->stencil(e)) demand_vertex(i, count, at("forces", f));
    }
  }
}

}  // namespace

std::vector<char> carriers_of(const Problem& problem) {
  std::vector<char> carries(problem.mass.size(), 0);
  for (const Wall& wall : problem.walls) {
    if (wall.carrier != kNone) carries[wall.carrier] = 1;
  }
  return carries;
}

void check_problem(const Problem& problem) {
  if (problem.dimension != 2 && problem.dimension != 3) refuse("dimension", "must be 2 or 3");
  check_vertices(problem);
  if (problem.dimension == 2 && !problem.faces.empty()) {
    refuse("faces", "there are none in two dimensions");
  }
  for (std::size_t k = 0; k < problem.edges.size(); ++k) {
    check_primitive(problem.edges[k], problem.mass.size(), at("edges", k));
  }
  for (std::size_t k = 0; k < problem.faces.size(); ++k) {
    check_primitive(problem.faces[k], problem.mass.size(), at("faces", k));
  }
  check_contact(problem);
  check_held(problem);
  check_carriers(problem);
  check_limits(problem);
  check_forces(problem);
}

void check_settings(const Settings& settings) {
  demand_within(settings.contact_step, 1e-6, 1.0, "contact_step");
  demand_within(settings.force_step, 1e-6, 1.0, "force_step");
  demand_within(settings.pressing_step, 1e-6, 1.0, "pressing_step");
  demand_within(settings.activation_margin, 1e-3, 0.5, "activation_margin");
  demand_within(settings.least_progress, 0.0, 1e6, "least_progress");
}

}  // namespace carom::asynchronous
