// Instants: impact problems as matrices or body by body, and what came of them.
#include <algorithm>
#include <chrono>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/resolve.h"
#include "carom/runs/instant_run.h"
#include "carom/scene/instant.h"

#include "bindings.h"

namespace carom::python {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

/// Compressed rows.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::size_t> start = {0};
  std::vector<std::size_t> column;
  std::vector<double> value;
};

Matrix sparse_matrix(const py::handle& given, const std::string& what) {
  const py::object csr = given.attr("tocsr")();
  const auto shape = csr.attr("shape").cast<std::pair<std::size_t, std::size_t>>();
  using Numbers64 = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
  const auto start = csr.attr("indptr").cast<Numbers64>();
  const auto column = csr.attr("indices").cast<Numbers64>();
  const Doubles value = doubles(csr.attr("data"), what, 1);
  Matrix matrix{shape.first, shape.second, {}, {}, {value.data(), value.data() + value.size()}};
  matrix.start.assign(start.data(), start.data() + start.size());
  matrix.column.assign(column.data(), column.data() + column.size());
  return matrix;
}

Matrix dense_matrix(const Doubles& array) {
  Matrix matrix;
  matrix.rows = static_cast<std::size_t>(array.shape(0));
  matrix.columns = static_cast<std::size_t>(array.shape(1));
  const double* at = array.data();
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j, ++at) {
      if (*at == 0.0) continue;
      matrix.column.push_back(j);
      matrix.value.push_back(*at);
    }
    matrix.start.push_back(matrix.column.size());
  }
  return matrix;
}

Matrix matrix_of(const py::handle& given, const std::string& what) {
  return py::hasattr(given, "tocsr") ? sparse_matrix(given, what)
                                     : dense_matrix(doubles(given, what, 2));
}

// One number is the same for all.
std::vector<double> one_each(const py::handle& given, const std::string& what, std::size_t count) {
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    return std::vector<double>(count, given.cast<double>());
  }
  const Doubles array = Doubles::ensure(given);
  if (array && array.ndim() == 0) return std::vector<double>(count, *array.data());
  PyErr_Clear();
  std::vector<double> values = list_of_doubles(given, what);
  if (values.size() == count) return values;
  refuse(what, "expected one number, or one for each of " + std::to_string(count) + ", found " +
                   std::to_string(values.size()));
}

// Masses: a number, the diagonal, or a matrix of blocks.
Matrix mass_matrix_of(const py::handle& given, std::size_t count) {
  const bool is_matrix = py::hasattr(given, "tocsr") ||
                         (py::hasattr(given, "ndim") && given.attr("ndim").cast<int>() == 2);
  if (!is_matrix && !py::isinstance<py::list>(given)) {
    const std::vector<double> diagonal = one_each(given, "M", count);
    Matrix matrix{count, count, {0}, {}, diagonal};
    for (std::size_t i = 0; i < count; ++i) {
      matrix.column.push_back(i);
      matrix.start.push_back(i + 1);
    }
    return matrix;
  }
  if (!is_matrix) {  // a list: of numbers, or of rows
    return mass_matrix_of(py::module_::import("numpy").attr("asarray")(given), count);
  }
  Matrix matrix = matrix_of(given, "M");
  if (matrix.rows != count || matrix.columns != count) {
    refuse("M", "must be " + std::to_string(count) + " x " + std::to_string(count) + ", found " +
                    std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns));
  }
  return matrix;
}

/// Which numbers of the velocity belong to one body.
class Partition {
 public:
  Partition(std::vector<std::size_t> sizes, std::size_t count) : sizes_(std::move(sizes)) {
    for (std::size_t body = 0; body < sizes_.size(); ++body) {
      start_.push_back(body_of_.size());
      body_of_.insert(body_of_.end(), sizes_[body], body);
    }
    if (body_of_.size() != count) {
      refuse("bodies", "have " + std::to_string(body_of_.size()) + " numbers together, but v has " +
                           std::to_string(count));
    }
  }
  [[nodiscard]] std::size_t bodies() const { return sizes_.size(); }
  [[nodiscard]] std::size_t size(std::size_t body) const { return sizes_[body]; }
  [[nodiscard]] std::size_t start(std::size_t body) const { return start_[body]; }
  [[nodiscard]] std::size_t body_of(std::size_t dof) const { return body_of_[dof]; }

  /// Masses link numbers of one body only, and a row touches two bodies at most.
  [[nodiscard]] bool fits(const Matrix& masses, const Matrix& rows) const {
    for (std::size_t i = 0; i < masses.rows; ++i) {
      for (std::size_t k = masses.start[i]; k < masses.start[i + 1]; ++k) {
        if (masses.value[k] != 0.0 && body_of_[i] != body_of_[masses.column[k]]) return false;
      }
    }
    for (std::size_t i = 0; i < rows.rows; ++i) {
      if (touched(rows, i).size() > 2) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<std::size_t> touched(const Matrix& rows, std::size_t row) const {
    std::vector<std::size_t> bodies;
    for (std::size_t k = rows.start[row]; k < rows.start[row + 1]; ++k) {
      const std::size_t body = body_of_[rows.column[k]];
      if (rows.value[k] == 0.0 || std::find(bodies.begin(), bodies.end(), body) != bodies.end()) {
        continue;
      }
      bodies.push_back(body);
    }
    std::sort(bodies.begin(), bodies.end());
    return bodies;
  }

 private:
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> start_;
  std::vector<std::size_t> body_of_;
};

// Bodies of one size, the smallest that fits.
Partition guess_partition(const Matrix& masses, const Matrix& rows) {
  const std::size_t count = masses.rows;
  for (const std::size_t size : {1U, 2U, 3U, 6U}) {
    if (count % size != 0) continue;
    Partition partition(std::vector<std::size_t>(count / size, size), count);
    if (partition.fits(masses, rows)) return partition;
  }
  refuse("bodies",
         "M and N do not say which numbers belong to one body: give their sizes, e.g. "
         "bodies=[3, 3, 6]; a row touches two bodies at most");
}

// Numbers of one row that belong to one body.
Numbers part_of(const Matrix& rows, std::size_t row, const Partition& partition, std::size_t body) {
  Numbers part = Numbers::zeros(partition.size(body));
  for (std::size_t k = rows.start[row]; k < rows.start[row + 1]; ++k) {
    if (partition.body_of(rows.column[k]) != body) continue;
    part[rows.column[k] - partition.start(body)] += rows.value[k];
  }
  return part;
}

void add_body(ImpactProblem& problem, const Matrix& masses, const Partition& partition,
              std::size_t body, const std::vector<double>& velocity) {
  const std::size_t size = partition.size(body);
  const std::size_t first = partition.start(body);
  if (size > 3 && size != 6) {
    refuse("bodies", "have 1, 2, 3 or 6 numbers, found " + std::to_string(size));
  }
  BodyDefinition definition;
  definition.velocity = Numbers(std::span<const double>(velocity).subspan(first, size));
  std::vector<double> block;
  bool is_plain = size <= 3;
  for (std::size_t i = 0; i < size; ++i) {
    const Numbers row = part_of(masses, first + i, partition, body);
    for (std::size_t j = 0; j < size; ++j) {
      block.push_back(row[j]);
      is_plain = is_plain && row[j] == (i == j ? block[0] : 0.0);
    }
  }
  if (is_plain) {
    definition.mass = block[0];
  } else {
    definition.mass_matrix = std::move(block);
    if (size == 6) {
      definition.kind = BodyKind::rigid_3d;
      definition.position = Numbers::zeros(3);
    }
  }
  problem.add_body(definition);
}

/// What resolve() is given beside masses, rows and velocities.
struct RowNumbers {
  std::vector<double> restitution;
  std::vector<double> friction;
  std::vector<double> offset;
  std::optional<Matrix> tangents;  ///< as many for each row, one behind the other
};

void add_row(ImpactProblem& problem, const Matrix& rows, std::size_t row,
             const Partition& partition, const RowNumbers& numbers) {
  const std::vector<std::size_t> bodies = partition.touched(rows, row);
  if (bodies.empty()) refuse("N", "row " + std::to_string(row) + " touches no body");
  if (bodies.size() > 2) {
    refuse("N", "row " + std::to_string(row) + " touches " + std::to_string(bodies.size()) +
                    " bodies, at most two are possible");
  }
  const auto side = [&](const Matrix& matrix, std::size_t k, std::size_t number) {
    return number < bodies.size() ? part_of(matrix, k, partition, bodies[number]) : Numbers();
  };
  RowDefinition definition;
  definition.body_a = static_cast<Index>(bodies[0]);
  if (bodies.size() == 2) definition.body_b = static_cast<Index>(bodies[1]);
  definition.gradient_a = side(rows, row, 0);
  definition.gradient_b = side(rows, row, 1);
  definition.offset = numbers.offset[row];
  definition.restitution = numbers.restitution[row];
  definition.friction = numbers.friction[row];
  if (numbers.tangents) {
    const std::size_t each = numbers.tangents->rows / rows.rows;
    for (std::size_t k = 0; k < each; ++k) {
      definition.tangents.push_back({side(*numbers.tangents, each * row + k, 0),
                                     side(*numbers.tangents, each * row + k, 1), 0.0});
    }
  }
  problem.add_row(definition);
}

/// One application, as it was.
struct Traced {
  Index component = 0;
  std::uint64_t application = 0;
  bool restarted = false;
  std::vector<Index> violated;
  std::vector<Index> rows;
  std::vector<double> impulses;
  std::vector<double> velocities;
};

/// Keeps what is asked for, and lets Ctrl-C through.
class Watch final : public ImpactObserver {
 public:
  explicit Watch(bool traces) : traces_(traces) {}
  bool on_application(const Event& event) override {
    if (traces_) {
      trace_.push_back({event.component,
                        event.application,
                        event.restarted_without_lineality,
                        {event.violated_rows.begin(), event.violated_rows.end()},
                        {event.impulse_rows.begin(), event.impulse_rows.end()},
                        {event.impulses.begin(), event.impulses.end()},
                        {event.velocities.begin(), event.velocities.end()}});
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return true;
    last_ = now;
    const py::gil_scoped_acquire gil;
    return PyErr_CheckSignals() == 0;
  }
  [[nodiscard]] std::vector<Traced> take() { return std::move(trace_); }

 private:
  bool traces_;
  std::vector<Traced> trace_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Outcome {
  ImpactResult result;
  std::vector<Traced> trace;
  std::string impact_operator;
};

Outcome resolve(const ImpactProblem& problem, ImpactSettings settings, bool traces) {
  Watch watch(traces);
  constexpr Index kSmall = 64;  // rows whose impact is over before anyone could press a key
  if (traces || problem.row_count() > kSmall) settings.observer = &watch;
  Outcome outcome;
  outcome.impact_operator = settings.impact_operator;
  {
    const py::gil_scoped_release no_gil;
    outcome.result = resolve_impacts(problem, settings);
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  outcome.trace = watch.take();
  return outcome;
}

template <class Value>
Value named(const std::string& key, const std::string& name,
            std::initializer_list<std::pair<const char*, Value>> known) {
  std::vector<std::string> names;
  for (const auto& [text, value] : known) {
    if (name == text) return value;
    names.emplace_back(text);
  }
  throw InputError({"", 0, 0, key}, unknown_name_message(key, name, names));
}

ImpactSettings settings_of(const std::string& impact_operator, const py::kwargs& options) {
  ImpactSettings settings;
  settings.impact_operator = impact_operator;
  const std::vector<std::string> known = {
      "restitution_model", "friction_model",    "tolerance",   "max_applications",
      "certificate",       "energy_correction", "anti_locking"};
  for (const auto& [key_object, value] : options) {
    const auto key = key_object.cast<std::string>();
    try {
      if (key == "restitution_model") {
        settings.restitution_model = value.cast<std::string>();
      } else if (key == "friction_model") {
        settings.friction_model = value.cast<std::string>();
      } else if (key == "tolerance") {
        settings.tolerance = value.cast<double>();
      } else if (key == "max_applications") {
        settings.max_applications = value.cast<std::uint64_t>();
      } else if (key == "certificate") {
        settings.certificate = value.cast<bool>();
      } else if (key == "energy_correction") {
        settings.energy_correction = named<EnergyCorrection>(
            key, value.cast<std::string>(),
            {{"impulse_scaling", EnergyCorrection::impulse_scaling},
             {"velocity_renormalisation", EnergyCorrection::velocity_renormalisation},
             {"none", EnergyCorrection::none}});
      } else if (key == "anti_locking") {
        settings.anti_locking = named<AntiLocking>(key, value.cast<std::string>(),
                                                   {{"lazy", AntiLocking::lazy},
                                                    {"eager", AntiLocking::eager},
                                                    {"off", AntiLocking::off}});
      } else {
        refuse(key, unknown_name_message("option", key, known));
      }
    } catch (const py::cast_error&) {
      refuse(key, "cannot be " + py::repr(value).cast<std::string>());
    }
  }
  return settings;
}

Outcome resolve_matrices(const py::object& M, const py::object& N, const py::object& v,
                         const py::object& e, const py::object& mu,
                         const std::string& impact_operator, const py::object& w,
                         const py::object& T, const std::optional<std::vector<std::size_t>>& bodies,
                         bool trace, const py::kwargs& options) {
  ImpactSettings settings = settings_of(impact_operator, options);
  const std::vector<double> velocity = list_of_doubles(v, "v");
  const Matrix rows = matrix_of(N, "N");
  if (rows.columns != velocity.size()) {
    refuse("N", "must have one column for each of " + std::to_string(velocity.size()) +
                    " velocities, found " + std::to_string(rows.columns));
  }
  const Matrix masses = mass_matrix_of(M, velocity.size());
  RowNumbers numbers{one_each(e, "e", rows.rows), one_each(mu, "mu", rows.rows),
                     one_each(w, "w", rows.rows), std::nullopt};
  if (!T.is_none()) {
    numbers.tangents = matrix_of(T, "T");
    const std::size_t found = numbers.tangents->rows;
    if (numbers.tangents->columns != velocity.size() ||
        (found != rows.rows && found != 2 * rows.rows)) {
      refuse("T", "must have one or two rows for each row of N and as many columns, found " +
                      std::to_string(found) + " x " + std::to_string(numbers.tangents->columns));
    }
  }
  const bool rubs = std::any_of(numbers.friction.begin(), numbers.friction.end(),
                                [](double mu_i) { return mu_i > 0.0; });
  if (rubs && !numbers.tangents) {
    refuse("mu",
           "needs T, the rows of the tangential speeds: one for each contact in the plane, two "
           "in space");
  }
  if (rubs && !options.contains("friction_model")) settings.friction_model = "slip";
  const Partition partition =
      bodies ? Partition(*bodies, velocity.size()) : guess_partition(masses, rows);
  if (bodies && !partition.fits(masses, rows)) {
    refuse("bodies", "M links numbers of different bodies, or a row of N touches more than two");
  }
  ImpactProblem problem;
  for (std::size_t body = 0; body < partition.bodies(); ++body) {
    add_body(problem, masses, partition, body, velocity);
  }
  for (std::size_t row = 0; row < rows.rows; ++row) {
    add_row(problem, rows, row, partition, numbers);
  }
  return resolve(problem, settings, trace);
}

std::string number(double value) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.6g", value));
  return text;
}

std::string list_text(const std::vector<double>& values) {
  constexpr std::size_t kMost = 8;
  std::string text = "[";
  for (std::size_t k = 0; k < std::min(values.size(), kMost); ++k) {
    text += (k > 0 ? ", " : "") + number(values[k]);
  }
  return text +
         (values.size() > kMost ? ", ... " + std::to_string(values.size()) + " in all]" : "]");
}

std::string text_of(const Outcome& outcome) {
  const ImpactReport& report = outcome.result.report;
  return std::string(to_string(outcome.result.status)) + " by " + outcome.impact_operator + " in " +
         std::to_string(report.applications) +
         (report.applications == 1 ? " application" : " applications") + "\n  velocities " +
         list_text(outcome.result.velocities) + "\n  impulses   " +
         list_text(outcome.result.impulses) + "\n  residuals: energy " + number(report.energy) +
         ", momentum " + number(report.momentum_linear) + ", closing " + number(report.feasibility);
}

py::list trace_of(const Outcome& outcome) {
  py::list list;
  const auto numbers = [](const std::vector<Index>& rows) {
    return py::array_t<Index>(static_cast<py::ssize_t>(rows.size()), rows.data());
  };
  for (const Traced& traced : outcome.trace) {
    py::dict entry;
    entry["component"] = traced.component;
    entry["application"] = traced.application;
    entry["restarted"] = traced.restarted;
    entry["violated"] = numbers(traced.violated);
    entry["rows"] = numbers(traced.rows);
    entry["impulses"] = array_of(traced.impulses);
    entry["velocities"] = array_of(traced.velocities);
    list.append(entry);
  }
  return list;
}

Numbers numbers_of(const py::handle& value, const std::string& what) {
  return Numbers(std::span<const double>(list_of_doubles(value, what)));
}

void bind_report(py::module_& module) {
  py::class_<ComponentReport>(module, "ComponentReport",
                              "What happened in one connected component.")
      .def_property_readonly("status", [](const ComponentReport& r) { return to_string(r.status); })
      .def_readonly("bodies", &ComponentReport::bodies)
      .def_readonly("rows", &ComponentReport::rows)
      .def_readonly("applications", &ComponentReport::applications)
      .def_readonly("free", &ComponentReport::free)
      .def_readonly("speed_scale", &ComponentReport::speed_scale)
      .def_readonly("momentum_linear", &ComponentReport::momentum_linear)
      .def_readonly("energy", &ComponentReport::energy)
      .def_readonly("feasibility", &ComponentReport::feasibility)
      .def_readonly("lineality_rows", &ComponentReport::lineality_rows)
      .def_readonly("margin", &ComponentReport::margin)
      .def_readonly("application_bound", &ComponentReport::application_bound);
  py::class_<ImpactReport>(module, "ImpactReport",
                           "Relative residuals of the laws, measured on the given problem; 0 is "
                           "perfect. The worst of the components.")
      .def_property_readonly("status", [](const ImpactReport& r) { return to_string(r.status); })
      .def_readonly("applications", &ImpactReport::applications)
      .def_readonly("applications_total", &ImpactReport::applications_total)
      .def_readonly("momentum_linear", &ImpactReport::momentum_linear)
      .def_readonly("momentum_angular", &ImpactReport::momentum_angular)
      .def_readonly("energy", &ImpactReport::energy)
      .def_readonly("lineality_energy", &ImpactReport::lineality_energy)
      .def_readonly("one_sided", &ImpactReport::one_sided)
      .def_readonly("feasibility", &ImpactReport::feasibility)
      .def_readonly("components", &ImpactReport::components)
      .def_readonly("seconds", &ImpactReport::seconds)
      .def("__repr__", [](const ImpactReport& r) {
        return "<" + std::string(to_string(r.status)) + ", " + std::to_string(r.applications) +
               " applications, energy " + number(r.energy) + ", momentum " +
               number(r.momentum_linear) + ", closing " + number(r.feasibility) + ">";
      });
}

void bind_result(py::module_& module) {
  py::class_<Outcome>(module, "ImpactResult", py::dynamic_attr(), "What came of an impact.")
      .def_property_readonly(
          "status", [](const Outcome& o) { return to_string(o.result.status); },
          "'resolved', or what else happened.")
      .def_property_readonly(
          "resolved", [](const Outcome& o) { return o.result.status == ImpactStatus::resolved; })
      .def_property_readonly("velocities",
                             [](const Outcome& o) { return array_of(o.result.velocities); })
      .def_property_readonly(
          "impulses", [](const Outcome& o) { return array_of(o.result.impulses); },
          "Of each row, along its normal.")
      .def_property_readonly(
          "friction_impulses",
          [](const Outcome& o) {
            const auto count = static_cast<py::ssize_t>(o.result.impulses.size());
            return array_of(o.result.friction_impulses).reshape({count, py::ssize_t{2}});
          },
          "Two for each row: along its first and second tangent.")
      .def_property_readonly("report", [](const Outcome& o) { return o.result.report; })
      .def_property_readonly("trace", trace_of,
                             "Every application, where trace=True was asked for.")
      .def_readonly("operator", &Outcome::impact_operator)
      .def("__repr__", text_of);
}

void bind_problem(py::module_& module) {
  py::class_<ImpactProblem>(module, "ImpactProblem",
                            "Bodies and touching rows at one frozen instant. Adding checks every "
                            "number at once.")
      .def(py::init<>())
      .def(
          "add_body",
          [](ImpactProblem& problem, const py::object& velocity, double mass,
             const py::object& inertia, const py::object& position, const std::string& name) {
            BodyDefinition body;
            body.velocity = numbers_of(velocity, "velocity");
            body.mass = mass;
            body.name = name;
            if (!position.is_none()) body.position = numbers_of(position, "position");
            if (!inertia.is_none()) {
              const Doubles given = Doubles::ensure(inertia);
              if (!given) throw py::error_already_set();
              body.inertia.assign(given.data(), given.data() + given.size());
              body.kind = given.size() == 1 ? BodyKind::rigid_2d : BodyKind::rigid_3d;
            }
            return problem.add_body(body);
          },
          py::arg("velocity"), py::kw_only(), py::arg("mass") = 1.0,
          py::arg("inertia") = py::none(), py::arg("position") = py::none(), py::arg("name") = "",
          "A body that impulses can move; returns its number. `inertia`: none for a ball, one "
          "number "
          "in the plane, 3 x 3 in space, in world axes; then `position` is needed.")
      .def(
          "add_contact",
          [](ImpactProblem& problem, Index body_a, const std::optional<Index>& body_b,
             const py::object& normal, const py::object& point, double restitution, double friction,
             double offset, const std::string& name) {
            ContactDefinition contact;
            contact.body_a = body_a;
            contact.body_b = body_b.value_or(kNone);
            contact.normal = numbers_of(normal, "normal");
            if (!point.is_none()) contact.point = numbers_of(point, "point");
            contact.restitution = restitution;
            contact.friction = friction;
            contact.offset = offset;
            contact.name = name;
            return problem.add_contact(contact);
          },
          py::arg("body_a"), py::arg("body_b") = py::none(), py::kw_only(), py::arg("normal"),
          py::arg("point") = py::none(), py::arg("restitution") = 1.0, py::arg("friction") = 0.0,
          py::arg("offset") = 0.0, py::arg("name") = "",
          "A contact; the normal points from b to a. Without `body_b`: with something fixed.")
      .def("set_velocity",
           [](ImpactProblem& problem, Index body, const py::object& velocity) {
             if (body >= problem.body_count())
               refuse("body", "there is no body " + std::to_string(body));
             problem.set_velocity(body, list_of_doubles(velocity, "velocity"));
           })
      .def_property_readonly("bodies", &ImpactProblem::body_count)
      .def_property_readonly("rows", &ImpactProblem::row_count)
      .def_property_readonly("velocities",
                             [](const ImpactProblem& problem) {
                               const auto v = problem.velocities();
                               return py::array_t<double>(static_cast<py::ssize_t>(v.size()),
                                                          v.data());
                             })
      .def(
          "resolve",
          [](const ImpactProblem& problem, const std::string& impact_operator, bool trace,
             const py::kwargs& options) {
            return resolve(problem, settings_of(impact_operator, options), trace);
          },
          py::arg("operator") = "gr", py::kw_only(), py::arg("trace") = false,
          "Resolves all impacts. Options: restitution_model, friction_model, tolerance, "
          "max_applications, certificate, energy_correction, anti_locking.")
      .def("__repr__", [](const ImpactProblem& problem) {
        return "<ImpactProblem: " + std::to_string(problem.body_count()) + " bodies, " +
               std::to_string(problem.row_count()) + " rows>";
      });
}

}  // namespace

void bind_impact(py::module_& module) {
  bind_report(module);
  bind_result(module);
  bind_problem(module);
  module.def("resolve", resolve_matrices, py::arg("M"), py::arg("N"), py::arg("v"),
             py::arg("e") = 1.0, py::arg("mu") = 0.0, py::arg("operator") = "gr", py::kw_only(),
             py::arg("w") = 0.0, py::arg("T") = py::none(), py::arg("bodies") = py::none(),
             py::arg("trace") = false);
}

}  // namespace carom::python
