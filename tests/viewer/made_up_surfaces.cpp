// Made-up runs of surfaces and chains whose vertices follow closed forms.
#include "made_up_surfaces.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "carom/bodies/surface.h"
#include "carom/geometry/sheet_generators.h"
#include "carom/recording/surfaces.h"
#include "carom/recording/writer.h"

namespace carom::viewer_test {
namespace {

constexpr double kTimeStep = 0.02;  // s, between two frames

// Where something is at a time, m.
using Path = std::function<Vec3(double)>;

// A run as it grows: bodies with their paths, and the surfaces among them.
class Maker {
 public:
  void add_body(const std::string& name, double radius, Path path) {
    run_.names.push_back(name);
    run_.radii.push_back(radius);
    paths_.push_back(std::move(path));
  }

  /// `place`: of vertex k at a time.
  void add_surface(SurfaceDefinition definition, const std::function<Vec3(Index, double)>& place) {
    definition.first = static_cast<Index>(run_.radii.size());
    const Surface surface = make_surface(std::move(definition));
    surfaces_.push_back({surface.name, surface.first, surface.size(), surface.triangles,
                         surface.edges, surface.thickness, surface.material});
    for (Index k = 0; k < surface.size(); ++k) {
      add_body(surface.name + " " + std::to_string(k), 0.5 * surface.thickness,
               [place, k](double time) { return place(k, time); });
    }
  }

  PageRun finish(std::size_t frames) {
    constexpr double kMoment = 1e-6;  // s, for velocities
    run_.surfaces_json = write_surfaces(surfaces_);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const double time = kTimeStep * static_cast<double>(frame);
      run_.times.push_back(time);
      std::vector<double>& q = run_.positions.emplace_back();
      std::vector<double>& v = run_.velocities.emplace_back();
      for (const Path& path : paths_) {
        const Vec3 place = path(time);
        const Vec3 velocity = (0.5 / kMoment) * (path(time + kMoment) - path(time - kMoment));
        q.insert(q.end(), {place.x, place.y, place.z});
        v.insert(v.end(), {velocity.x, velocity.y, velocity.z});
      }
    }
    return std::move(run_);
  }

  [[nodiscard]] PageRun& run() { return run_; }

 private:
  PageRun run_;
  std::vector<Path> paths_;
  std::vector<RecordedSurface> surfaces_;
};

SurfaceDefinition chain_of_links(const std::string& name, Index links, double thickness) {
  SurfaceDefinition chain;
  chain.name = name;
  chain.thickness = thickness;
  for (Index k = 0; k <= links; ++k) chain.rest.push_back({0.1 * static_cast<double>(k), 0.0, 0.0});
  chain.chain = chain_edges(0, links + 1);
  return chain;
}

// Hangs from its first vertex and swings; `share`: 0 at the top, 1 at the end.
Vec3 swung(const Vec3& top, double length, double share, double time) {
  const double angle = 0.6 * std::sin(2.0 * time) * (0.4 + 0.6 * share);
  return top + Vec3{length * share * std::sin(angle), -length * share * std::cos(angle), 0.0};
}

PageSeries series_of(const std::string& name, const std::string& plot, const PageRun& run,
                     const std::function<double(double)>& value) {
  PageSeries series;
  series.name = name;
  series.plot = plot;
  series.unit = plot == "smallest gap" ? "m" : "J";
  for (const double time : run.times) {
    series.times.push_back(time);
    series.values.push_back(value(time));
  }
  return series;
}

}  // namespace

PageRun make_flag(std::size_t columns, std::size_t rows, std::size_t frames) {
  Maker maker;
  maker.run().title = "A flag and a chain";
  maker.run().impact_operator = "gr";
  maker.run().dimension = 3;
  maker.run().up = {0.0, 1.0, 0.0};
  maker.add_body("ball", 0.25, [](double time) { return Vec3{-1.5, 0.2 * std::sin(time), 0.6}; });
  const GridCells cells{static_cast<Index>(columns), static_cast<Index>(rows)};
  const TriangleMesh sheet = grid_sheet(3.0, 2.0, cells);
  SurfaceDefinition flag;
  flag.name = "flag";
  flag.rest = sheet.vertices;
  flag.triangles = sheet.triangles;
  flag.thickness = 0.01;
  // Waves run along x and grow with the distance from the pole; the free end curls over.
  maker.add_surface(flag, [rest = sheet.vertices](Index k, double time) {
    const double x = rest[k].x + 1.5;
    const double wave = 0.3 * x * std::sin(2.6 * x - 4.0 * time + 0.5 * rest[k].y);
    const double curl = 0.45 * std::max(0.0, x - 1.8);
    const double turn = std::numbers::pi * std::min(1.0, curl);
    return Vec3{-1.5 + x - 0.5 * curl * std::sin(turn) * x, rest[k].y - 0.06 * x * x,
                wave + 1.6 * curl * curl * x};
  });
  const Vec3 top = {0.6, 1.2, 1.6};
  maker.add_surface(chain_of_links("rope", 20, 0.12), [top](Index k, double time) {
    return swung(top, 2.4, static_cast<double>(k) / 20.0, time);
  });
  PageRun run = maker.finish(frames);
  // Depths that wander over the flag as a wave, none of the ball and the rope.
  const std::size_t last = 1 + sheet.vertices.size();
  for (const double time : run.times) {
    std::vector<std::uint32_t>& layers = run.layers.emplace_back(run.radii.size(), 0);
    for (std::size_t body = 1; body < last; ++body) {
      const double phase = 3.0 * sheet.vertices[body - 1].x - 4.0 * time;
      layers[body] = static_cast<std::uint32_t>(std::lround(100.0 * (1.0 + std::sin(phase))));
    }
  }
  return run;
}

PageRun make_curtain(std::size_t links, std::size_t frames) {
  Maker maker;
  maker.run().title = "Two chains";
  maker.run().impact_operator = "gr";
  maker.run().dimension = 2;
  const auto last = static_cast<double>(links);
  maker.add_surface(chain_of_links("thick chain", static_cast<Index>(links), 0.2),
                    [last](Index k, double time) {
                      return swung({-1.0, 1.5, 0.0}, 3.0, static_cast<double>(k) / last, time);
                    });
  maker.add_surface(chain_of_links("thread", static_cast<Index>(links), 0.001),
                    [last](Index k, double time) {
                      return swung({1.0, 1.5, 0.0}, 2.5, static_cast<double>(k) / last, time + 1.0);
                    });
  maker.add_body("ball", 0.3, [](double time) { return Vec3{2.2, -1.0 + 0.1 * time, 0.0}; });
  PageRun run = maker.finish(frames);
  const auto energy = [&](const char* name, const std::function<double(double)>& value) {
    run.series.push_back(series_of(name, "ledger", run, value));
  };
  energy("contact energy", [](double time) { return 0.2 * std::abs(std::sin(5.0 * time)); });
  energy("lost to restitution", [](double time) { return 0.5 * time; });
  energy("lost to friction", [](double time) { return 0.1 * time * time; });
  run.series.push_back(series_of("smallest gap", "smallest gap", run,
                                 [](double time) { return 0.1 / (1.0 + time); }));
  return run;
}

void record_surfaces(const PageRun& run, const std::filesystem::path& path) {
  RecordingHeader header;
  header.scene_name = run.title;
  header.surfaces_json = run.surfaces_json;
  header.dimension = run.dimension;
  header.body_names = run.names;
  header.masses.assign(run.radii.size(), 1.0);
  header.radii = run.radii;
  header.materials.assign(run.radii.size(), 0);
  RecordingWriter writer = RecordingWriter::create(path, header);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    writer.append_frame({k, run.times[k], run.positions[k], run.velocities[k], {}, {}});
  }
  writer.finish({});
}

}  // namespace carom::viewer_test
