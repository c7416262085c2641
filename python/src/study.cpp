// Studies: a scene over values, run by run, wherever each is made.
#include <chrono>
#include <map>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/study/operator_chart.h"
#include "carom/study/sweep.h"

#include "bindings.h"

namespace carom::python {
namespace {

using Axis = std::pair<std::string, std::vector<std::string>>;

SweepPlan plan_of(const std::string& text, const std::string& file,
                  const std::vector<std::string>& settings, const std::vector<Axis>& axes,
                  const std::vector<std::string>& measures) {
  SweepPlan plan;
  plan.text = text;
  plan.file = file;
  plan.settings = settings;
  for (const auto& [label, values] : axes) {
    SweepAxis axis;
    axis.label = label;
    std::size_t first = 0;
    for (std::size_t end = 0; end != std::string::npos; first = end + 1) {
      end = label.find('+', first);
      axis.keys.push_back(label.substr(first, end == std::string::npos ? end : end - first));
    }
    axis.values = values;
    if (values.empty()) throw InputError({"", 0, 0, label}, "has no values");
    plan.axes.push_back(std::move(axis));
  }
  for (const std::string& measure : measures) plan.measures.emplace_back(measure);
  return plan;
}

using Row = std::tuple<std::vector<std::string>, std::string, std::vector<double>>;

Row run(const SweepPlan& plan, std::size_t number) {
  if (number >= plan.run_count()) throw py::index_error("there is no such run");
  // Signals are for the main thread; in others this does nothing.
  auto looked = std::chrono::steady_clock::now();
  bool is_interrupted = false;
  const auto keep_going = [&] {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked < std::chrono::milliseconds(200)) return true;
    looked = now;
    const py::gil_scoped_acquire gil;
    is_interrupted = PyErr_CheckSignals() != 0;
    return !is_interrupted;
  };
  std::optional<SweepRow> row;
  {
    const py::gil_scoped_release no_gil;
    row = run_of_sweep(plan, number, keep_going);
  }
  if (is_interrupted) throw py::error_already_set();
  return {row->values, row->status, row->measured};
}

SweepTable table_of(const SweepPlan& plan, const std::map<std::size_t, Row>& rows) {
  SweepTable table(plan);
  for (const auto& [number, row] : rows) {
    if (number >= plan.run_count()) throw py::index_error("there is no such run");
    table.set(number, {std::get<0>(row), std::get<1>(row), std::get<2>(row)});
  }
  return table;
}

std::map<std::size_t, Row> rows_of(const SweepPlan& plan, const std::string& csv,
                                   const std::string& file) {
  SweepTable table(plan);
  table.take_over(csv, file);
  std::map<std::size_t, Row> rows;
  for (std::size_t k = 0; k < plan.run_count(); ++k) {
    const std::optional<SweepRow>& row = table.row(k);
    if (row) rows[k] = {row->values, row->status, row->measured};
  }
  return rows;
}

py::dict chart_of(const std::vector<std::string>& operators, std::uint64_t problems,
                  std::uint64_t seed) {
  if (problems == 0) throw InputError({"", 0, 0, "problems"}, "must be at least 1, found 0");
  OperatorChart chart;
  {
    const py::gil_scoped_release no_gil;
    chart = compute_operator_chart({operators, problems, seed});
  }
  py::dict rows;
  for (const ChartRow& row : chart.rows) {
    py::dict cells;
    for (const ChartCell& cell : row.cells) {
      const char* const promise = cell.promise == Promise::yes             ? "yes"
                                  : cell.promise == Promise::approximately ? "approximately"
                                                                           : "no";
      cells[py::str(to_string(cell.law))] =
          py::make_tuple(promise, cell.tried, cell.broken, cell.worst);
    }
    rows[py::str(row.impact_operator)] = cells;
  }
  return rows;
}

}  // namespace

void bind_study(py::module_& module) {
  module.def("chart", chart_of, py::arg("operators"), py::arg("problems"), py::arg("seed"));
  py::class_<SweepPlan>(module, "StudyPlan", "A scene over a grid of values.")
      .def(py::init(&plan_of), py::arg("text"), py::arg("file"), py::arg("settings"),
           py::arg("axes"), py::arg("measures"))
      .def("__len__", &SweepPlan::run_count)
      .def("values_of", &SweepPlan::values_of)
      .def("run", run)
      .def("csv", [](const SweepPlan& plan,
                     const std::map<std::size_t, Row>& rows) { return table_of(plan, rows).csv(); })
      .def("rows", rows_of, py::arg("csv"), py::arg("file"));
}

}  // namespace carom::python
