#include "parts/corpus.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/core.h>

#include "carom/core/random.h"
#include "carom/impact/points.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "common/progress.h"

namespace carom::bench {
namespace {

namespace fs = std::filesystem;

/// The instant of a step on the way made for points.
PointProblem point_problem(const ImpactProblem& given) {
  PointProblem problem;
  std::vector<Index> point_of(given.body_count(), kNone);
  for (Index body = 0; body < given.body_count(); ++body) {
    if (given.body(body).kind != BodyKind::ball) continue;
    point_of[body] = problem.point_count();
    const std::span<const double> velocity = given.velocity(body);
    problem.dimension = static_cast<int>(velocity.size());
    problem.velocity.insert(problem.velocity.end(), velocity.begin(), velocity.end());
    problem.mass.push_back(1.0 / given.inverse_mass(body).front());
  }
  for (Index r = 0; r < given.row_count(); ++r) {
    const ImpactProblem::Row& from = given.row(r);
    PointProblem::Row row;
    row.a = point_of[from.body_a];
    row.b = from.body_b == kNone ? kNone : point_of[from.body_b];
    const std::span<const double> normal = given.gradient_a(r);
    std::copy(normal.begin(), normal.end(), row.normal.begin());
    row.offset = from.offset;
    row.restitution = from.restitution;
    problem.rows.push_back(row);
  }
  return problem;
}

/// Keeps some of many, each with the same chance.
class Drawing {
 public:
  Drawing(std::size_t places, std::size_t most_rows) : places_(places), most_rows_(most_rows) {}

  void add(const solvers::QuadraticProgram& part) {
    const std::size_t rows = part.selection.size();
    if (rows > most_rows_) return;
    Class& of_size = classes_[std::bit_width(rows - 1)];
    ++of_size.seen;
    std::size_t place = of_size.texts.size();
    if (place < places_) {
      of_size.texts.emplace_back();
    } else {
      place = random_.below(static_cast<Index>(of_size.seen));
      if (place >= places_) return;
    }
    std::ostringstream text;
    solvers::write_problem(text, part);
    of_size.texts[place] = {rows, text.str()};
  }

  struct Text {
    std::size_t rows = 0;
    std::string text;
  };
  [[nodiscard]] std::vector<Text> drawn() const {
    std::vector<Text> all;
    for (const auto& [size, of_size] : classes_) {
      all.insert(all.end(), of_size.texts.begin(), of_size.texts.end());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Text& x, const Text& y) { return x.rows < y.rows; });
    return all;
  }

 private:
  struct Class {
    std::uint64_t seen = 0;
    std::vector<Text> texts;
  };
  std::size_t places_;
  std::size_t most_rows_;
  std::map<std::size_t, Class> classes_;
  Random random_{1};
};

void remove_old(const fs::path& directory, const std::string& scene) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(scene + "-") && name.ends_with(".qp")) fs::remove(entry.path());
  }
}

}  // namespace

std::size_t record_parts(const RecordOptions& options, const fs::path& directory) {
  const Simulation simulation = scaling_simulation(options.scene);
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  PointResolver resolver;
  Drawing drawing(options.of_a_size, options.most_rows);
  resolver.observe_parts([&](const solvers::QuadraticProgram& part) { drawing.add(part); });
  Progress progress("parts");
  while (stepper->state().step < options.scene.steps) {
    const StepReport report = stepper->step();
    if (!report.can_go_on()) throw std::runtime_error(report.message);
    if (report.rows > 0 && report.step % options.every == 0) {
      resolver.resolve(point_problem(stepper->resolved_problem()), simulation.impact);
    }
    progress.show(report.step, options.scene.steps);
  }
  fs::create_directories(directory);
  remove_old(directory, options.scene.scene);
  std::size_t number = 0;
  for (const Drawing::Text& part : drawing.drawn()) {
    const fs::path path =
        directory / fmt::format("{}-{:05}-{:02}.qp", options.scene.scene, part.rows, ++number);
    std::ofstream file(path);
    file << part.text;
    if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
  }
  return number;
}

std::vector<StoredPart> read_parts(const fs::path& directory) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".qp") paths.push_back(entry.path());
  }
  if (paths.empty()) throw std::runtime_error(directory.string() + ": holds no parts (*.qp)");
  std::sort(paths.begin(), paths.end());
  std::vector<StoredPart> parts;
  for (const fs::path& path : paths) {
    std::ifstream file(path);
    parts.push_back({path.stem().string(), solvers::read_problem(file, path.string())});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const StoredPart& x, const StoredPart& y) {
    return x.problem.selection.size() < y.problem.selection.size();
  });
  return parts;
}

}  // namespace carom::bench
