#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/operator.h"
#include "carom/impact/operators/gauss_seidel.h"
#include "carom/impact/operators/generalized_reflections.h"
#include "carom/impact/operators/jacobi.h"
#include "carom/impact/operators/lcp.h"
#include "carom/impact/operators/lzb.h"
#include "carom/impact/operators/quadratic_contact_energy.h"

namespace carom {
namespace {

using Factory = std::unique_ptr<ImpactOperator> (*)(std::string_view);

struct Entry {
  const OperatorInfo& info;
  Factory make;
};

// A new operator is a pair of files and a line here.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {jacobi_info(), make_jacobi},
      {gauss_seidel_info(), make_gauss_seidel},
      {lcp_info(), make_lcp},
      {generalized_reflections_info(), make_generalized_reflections},
      {quadratic_contact_energy_info(), make_quadratic_contact_energy},
      {lzb_info(), make_lzb},
  };
  return all;
}

}  // namespace

std::string_view to_string(Law law) {
  constexpr std::array<std::string_view, kLawCount> kNames = {"ONE", "MOM",  "KIN", "SYM",
                                                              "BRK", "FEAS", "FIN", "WAV"};
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
      "velocities travel through touching bodies as a wave does"};
  return kTexts[static_cast<std::size_t>(law)];
}

const std::vector<OperatorInfo>& operator_registry() {
  static const std::vector<OperatorInfo> infos = [] {
    std::vector<OperatorInfo> list;
    for (const Entry& entry : entries()) list.push_back(entry.info);
    return list;
  }();
  return infos;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.info.name);
  return names;
}

std::unique_ptr<ImpactOperator> make_operator(std::string_view specification) {
  const std::size_t colon = std::min(specification.find(':'), specification.size());
  const std::string_view name = specification.substr(0, colon);
  const std::string_view options = specification.substr(std::min(colon + 1, specification.size()));
  for (const Entry& entry : entries()) {
    if (entry.info.name == name) return entry.make(options);
  }
  throw InputError({"", 0, 0, "operator"},
                   unknown_name_message("impact operator", name, operator_names()));
}

}  // namespace carom
