#include <iostream>

#include "carom/core/version.h"
#include "carom/impact/operator.h"

// Links everything and asks the registry what there is.
int main() {
  std::cout << "carom " << carom::kVersion << " (" << carom::kBuildType << ")\n";
  for (const carom::OperatorInfo& info : carom::operator_registry()) {
    std::cout << info.name << ": " << info.summary << '\n';
  }
  return carom::operator_registry().empty() ? 1 : 0;
}
