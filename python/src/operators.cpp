// Impact operators: the registry as Python sees it, and operators written in Python.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/operator.h"

#include "bindings.h"

namespace carom::python {
namespace {

constexpr std::array<Law, kLawCount> kLaws = {Law::one,  Law::mom, Law::kin, Law::sym, Law::brk,
                                              Law::feas, Law::fin, Law::wav, Law::imp};

const char* text_of(Promise promise) {
  switch (promise) {
    case Promise::yes:
      return "yes";
    case Promise::approximately:
      return "approximately";
    case Promise::no:
      break;
  }
  return "no";
}

py::dict promises_of(const OperatorInfo& info) {
  py::dict promises;
  for (const Law law : kLaws) promises[py::str(to_string(law))] = text_of(info.promise(law));
  return promises;
}

py::dict options_of(const OperatorInfo& info) {
  py::dict options;
  for (const OperatorOption& option : info.options) {
    options[py::str(option.key)] =
        option.help + " (" + option.values + "; " + option.standard + " where it is not given)";
  }
  return options;
}

/// One application, for as long as the Python function runs that is asked about it.
class Shown {
 public:
  explicit Shown(const Application& application)
      : application_(&application),
        rows_(application.violated->members().begin(), application.violated->members().end()) {
    std::sort(rows_.begin(), rows_.end());
  }
  void end() { application_ = nullptr; }

  [[nodiscard]] const Application& get() const {
    if (application_ == nullptr) {
      throw InputError({}, "an application can be looked at only while the operator is asked");
    }
    return *application_;
  }
  [[nodiscard]] const std::vector<Index>& rows() const { return rows_; }
  [[nodiscard]] py::array_t<Index> violated() const {
    return py::array_t<Index>(static_cast<py::ssize_t>(rows_.size()), rows_.data());
  }
  [[nodiscard]] py::array_t<double> of_violated(std::span<const double> values) const {
    std::vector<double> picked;
    for (const Index row : rows_) picked.push_back(values[row]);
    return array_of(picked);
  }
  [[nodiscard]] py::array_t<double> products() const {
    const auto count = static_cast<py::ssize_t>(rows_.size());
    py::array_t<double> matrix({count, count});
    auto out = matrix.mutable_unchecked<2>();
    for (py::ssize_t i = 0; i < count; ++i) {
      for (py::ssize_t j = 0; j <= i; ++j) {
        out(i, j) = get().rows->product(rows_[static_cast<std::size_t>(i)],
                                        rows_[static_cast<std::size_t>(j)]);
        out(j, i) = out(i, j);
      }
    }
    return matrix;
  }

 private:
  const Application* application_;
  std::vector<Index> rows_;  ///< violated, rising
};

/// What is called: the function and the information that it was registered with.
struct PythonOperatorMaker {
  OperatorInfo info;
  py::function function;
};

class PythonOperator final : public ImpactOperator {
 public:
  explicit PythonOperator(const PythonOperatorMaker& maker) : maker_(&maker) {}
  [[nodiscard]] const OperatorInfo& info() const override { return maker_->info; }

  ApplicationStatus apply(const Application& application, Impulses& impulses) override {
    const py::gil_scoped_acquire gil;
    const auto shown = std::make_shared<Shown>(application);
    struct Ending {
      Shown* shown;
      ~Ending() { shown->end(); }
    };
    const Ending ending{shown.get()};
    const py::object answer = maker_->function(shown);
    const std::string what = "operator '" + maker_->info.name + "'";
    if (answer.is_none()) return ApplicationStatus::locked;
    const std::vector<double> values = list_of_doubles(answer, what);
    const std::vector<Index>& rows = shown->rows();
    if (values.size() != rows.size()) {
      throw InputError({"", 0, 0, what},
                       "must answer with one impulse for each of " + std::to_string(rows.size()) +
                           " violated rows, found " + std::to_string(values.size()));
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (!std::isfinite(values[k])) {
        throw InputError({"", 0, 0, what}, "answered with an impulse that is not finite");
      }
      if (values[k] == 0.0) continue;
      impulses.rows.push_back(rows[k]);
      impulses.values.push_back(values[k]);
    }
    return ApplicationStatus::applied;
  }

 private:
  const PythonOperatorMaker* maker_;
};

void register_python(const std::string& name, const py::function& function,
                     const std::string& summary, const std::vector<std::string>& promises,
                     bool once) {
  OperatorInfo info;
  info.name = name;
  info.summary = summary;
  info.once = once;
  std::vector<std::string> names;
  for (const Law law : kLaws) names.emplace_back(to_string(law));
  for (const std::string& promise : promises) {
    const auto at = std::find(names.begin(), names.end(), promise);
    if (at == names.end()) {
      throw InputError({"", 0, 0, "promises"}, unknown_name_message("law", promise, names));
    }
    info.set_promises({kLaws[static_cast<std::size_t>(at - names.begin())]});
  }
  // It lives as long as the registry does; the interpreter may be gone by then, so nobody frees it.
  const auto* maker = new PythonOperatorMaker{info, function};
  register_operator({info,
                     [maker](std::string_view options) -> std::unique_ptr<ImpactOperator> {
                       if (!options.empty()) {
                         throw InputError({"", 0, 0, maker->info.name}, "has no options");
                       }
                       return std::make_unique<PythonOperator>(*maker);
                     },
                     {}});
}

}  // namespace

void bind_operators(py::module_& module) {
  py::class_<OperatorInfo>(module, "OperatorInfo", "What is known of an impact operator.")
      .def_readonly("name", &OperatorInfo::name, "As resolve() and scenes name it.")
      .def_readonly("summary", &OperatorInfo::summary, "One line.")
      .def_property_readonly("promises", promises_of,
                             "By law: 'yes', 'no' or 'approximately'. The contract tests measure "
                             "exactly these.")
      .def_property_readonly("options", options_of,
                             "What may stand behind a colon: key and meaning.")
      .def("__repr__", [](const OperatorInfo& info) {
        std::string kept;
        for (const Law law : kLaws) {
          if (info.promise(law) == Promise::no) continue;
          kept += (kept.empty() ? "" : " ") + std::string(to_string(law));
          if (info.promise(law) == Promise::approximately) kept += "~";
        }
        return "<" + info.name + ": " + info.summary + "; promises " +
               (kept.empty() ? "nothing" : kept) + ">";
      });
  py::class_<Shown, std::shared_ptr<Shown>>(
      module, "Application",
      "What an operator is shown: the violated rows of one component, scaled to n' M^-1 n = 1.")
      .def_property_readonly("rows", &Shown::violated, "Numbers of the violated rows, rising.")
      .def_property_readonly(
          "b", [](const Shown& s) { return s.of_violated(s.get().b); },
          "Normal speed of each violated row; negative: closing.")
      .def_property_readonly(
          "response", [](const Shown& s) { return s.of_violated(s.get().response); },
          "Of each violated row: 1 elastic .. 0 inelastic.")
      .def_property_readonly(
          "stiffness", [](const Shown& s) { return s.of_violated(s.get().stiffness); },
          "Of each violated row, relative.")
      .def_property_readonly("A", &Shown::products,
                             "N' M^-1 N of the violated rows: an impulse x changes b by A x.");
  module.def(
      "operators",
      [] {
        py::list list;
        for (const OperatorInfo& info : operator_registry()) list.append(info);
        return list;
      },
      "All registered impact operators, Carom's own first.");
  module.def(
      "laws",
      [] {
        py::dict laws;
        for (const Law law : kLaws) laws[py::str(to_string(law))] = py::str(describe(law));
        return laws;
      },
      "The laws of impact that operators promise: name and meaning.");
  module.def(
      "register_operator", register_python, py::arg("name"), py::arg("function"), py::kw_only(),
      py::arg("summary") = "written in Python", py::arg("promises") = std::vector<std::string>{},
      py::arg("once") = false,
      "Adds an operator. `function(application)` answers one application with one impulse "
      "for each of its violated rows, or with None where no finite impulse exists. From then "
      "on every scene, resolve() and chart knows the name.");
}

}  // namespace carom::python
