// The registry of impact operators: the one place that knows all of them.
#include <algorithm>
#include <cctype>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/operator.h"
#include "carom/impact/operators/gauss_seidel.h"
#include "carom/impact/operators/generalized_reflections.h"
#include "carom/impact/operators/jacobi.h"
#include "carom/impact/operators/lcp.h"
#include "carom/impact/operators/lzb.h"
#include "carom/impact/operators/quadratic_contact_energy.h"
#include "carom/impact/point_operator.h"

namespace carom {
namespace {

// The general way's maker and, where there is one, that for points.
struct Makers {
  std::function<std::unique_ptr<ImpactOperator>(std::string_view)> make;
  std::function<std::unique_ptr<PointOperator>(std::string_view)> make_for_points;
};

// Infos and makers have the same order. Deques: what was given out stays where it is when others
// join.
struct Registry {
  std::deque<OperatorInfo> infos;
  std::deque<Makers> makers;

  void add(OperatorInfo info, Makers its_makers) {
    infos.push_back(std::move(info));
    makers.push_back(std::move(its_makers));
  }
};

// A new operator of Carom is a pair of files and a line here.
Registry& registry() {
  static Registry all = [] {
    Registry own;
    own.add(jacobi_info(), {make_jacobi, nullptr});
    own.add(gauss_seidel_info(), {make_gauss_seidel, nullptr});
    own.add(lcp_info(), {make_lcp, nullptr});
    own.add(generalized_reflections_info(), {make_generalized_reflections, nullptr});
    own.add(quadratic_contact_energy_info(), {make_quadratic_contact_energy, nullptr});
    own.add(lzb_info(), {make_lzb, nullptr});
    return own;
  }();
  return all;
}

std::string_view name_in(std::string_view specification) {
  return specification.substr(0, specification.find(':'));
}

std::string_view options_in(std::string_view specification) {
  const std::size_t colon = specification.find(':');
  return colon == std::string_view::npos ? std::string_view() : specification.substr(colon + 1);
}

[[noreturn]] void refuse_unknown(std::string_view name) {
  throw InputError({"", 0, 0, "operator"},
                   unknown_name_message("impact operator", name, operator_names()));
}

const Makers& makers_of(std::string_view specification) {
  const std::string_view name = name_in(specification);
  const Registry& all = registry();
  for (std::size_t k = 0; k < all.infos.size(); ++k) {
    if (all.infos[k].name == name) return all.makers[k];
  }
  refuse_unknown(name);
}

bool can_be_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  });
}

}  // namespace

std::string_view to_string(Law law) {
  constexpr std::array<std::string_view, kLawCount> kNames = {"ONE",  "MOM", "KIN", "SYM", "BRK",
                                                              "FEAS", "FIN", "WAV", "IMP"};
  return kNames[static_cast<std::size_t>(law)];
}

std::string_view describe(Law law) {
  constexpr std::array<std::string_view, kLawCount> kTexts = {
      "impulses push, they never pull",
      "linear and angular momentum are kept",
      "elastic impacts keep the energy, others never raise it",
      "a symmetry of the problem is a symmetry of the outcome",
      "touching bodies may break away from each other",
      "nothing is closing afterwards",
      "the iteration ends",
      "velocities travel through touching bodies as a wave does",
      "impulses explain the velocities"};
  return kTexts[static_cast<std::size_t>(law)];
}

const std::deque<OperatorInfo>& operator_registry() { return registry().infos; }

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const OperatorInfo& info : operator_registry()) names.push_back(info.name);
  return names;
}

const OperatorInfo* find_operator(std::string_view specification) {
  for (const OperatorInfo& info : operator_registry()) {
    if (info.name == name_in(specification)) return &info;
  }
  return nullptr;
}

std::unique_ptr<ImpactOperator> make_operator(std::string_view specification) {
  return makers_of(specification).make(options_in(specification));
}

std::unique_ptr<PointOperator> make_point_operator(std::string_view specification) {
  const Makers& makers = makers_of(specification);
  CAROM_DEMAND(makers.make_for_points != nullptr);  // its info says otherwise
  return makers.make_for_points(options_in(specification));
}

void register_operator(OperatorRegistration registration) {
  const OperatorInfo& info = registration.info;
  const auto refuse = [&info](const std::string& message) {
    throw InputError({"", 0, 0, info.name}, message);
  };
  if (!can_be_name(info.name)) refuse("an operator cannot have the name '" + info.name + "'");
  if (find_operator(info.name) != nullptr) refuse("there is an operator of that name already");
  if (!registration.make) refuse("an operator needs make");
  const bool has_form = info.point_form == PointForm::registered;
  if (has_form != static_cast<bool>(registration.make_for_points)) {
    refuse("make_for_points belongs to the point form 'registered', and to no other");
  }
  if (has_form && info.promise(Law::kin) != Promise::yes) {
    refuse("a form for points needs the promise of KIN: rows that stand alone are reflected");
  }
  registry().add(std::move(registration.info),
                 {std::move(registration.make), std::move(registration.make_for_points)});
}

}  // namespace carom
