#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "carom/impact/operator.h"

#include "commands.h"
#include "text_table.h"

namespace carom::cli {
namespace {

constexpr std::array<Law, kLawCount> kLaws = {Law::one,  Law::mom, Law::kin, Law::sym, Law::brk,
                                              Law::feas, Law::fin, Law::wav, Law::imp};

std::string promise_text(Promise promise) {
  if (promise == Promise::no) return "no";
  return promise == Promise::yes ? "yes" : "approximately";
}

void print_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const OperatorInfo& info : operator_registry()) {
    nlohmann::ordered_json promises = nlohmann::ordered_json::object();
    for (const Law law : kLaws) {
      promises[std::string(to_string(law))] = promise_text(info.promise(law));
    }
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const OperatorOption& option : info.options) {
      options.push_back({{"key", option.key},
                         {"values", option.values},
                         {"default", option.standard},
                         {"help", option.help}});
    }
    list.push_back({{"name", info.name},
                    {"summary", info.summary},
                    {"promises", promises},
                    {"options", options}});
  }
  fmt::print("{}\n", list.dump(2));
}

void print_text() {
  for (const OperatorInfo& info : operator_registry()) {
    fmt::print("{}\n  {}\n", info.name, info.summary);
    for (const OperatorOption& option : info.options) {
      fmt::print("    {}={}  (default {})  {}\n", option.key, option.values, option.standard,
                 option.help);
    }
  }
  TextTable table;
  std::vector<std::string> heading = {"promises"};
  for (const Law law : kLaws) heading.emplace_back(to_string(law));
  table.add(std::move(heading));
  for (const OperatorInfo& info : operator_registry()) {
    std::vector<std::string> cells = {info.name};
    for (const Law law : kLaws) {
      const Promise promise = info.promise(law);
      cells.emplace_back(promise == Promise::no ? "." : promise == Promise::yes ? "yes" : "about");
    }
    table.add(std::move(cells));
  }
  fmt::print("\n{}\n", table.text());
  for (const Law law : kLaws) fmt::print("  {:<4}  {}\n", to_string(law), describe(law));
  fmt::print("\nOptions stand behind a colon: --operator gauss_seidel:order=worst\n");
}

}  // namespace

int run_operators(const OperatorsOptions& options) {
  if (options.json) {
    print_json();
  } else {
    print_text();
  }
  return kExitFine;
}

}  // namespace carom::cli
