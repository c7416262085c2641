#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/instant.h"
#include "carom/scene/parameters.h"
#include "carom/study/claim.h"

namespace carom {

/// What a check measured.
struct CheckOutcome {
  std::vector<Claim> claims;
  std::vector<DataTable> tables;
  std::size_t headline = 0;  ///< the claim to show where there is room for one
};

/// What a check is given: the file, and the parameters of its [check] table.
struct CheckInput {
  const Instant* instant = nullptr;
  Parameters parameters;
};

/// A check that varies what its file describes. It asserts physics: closed forms and invariants.
struct CheckInfo {
  std::string name;  ///< [check] name in the file
  std::string summary;
  CheckOutcome (*run)(const CheckInput&);
};
[[nodiscard]] const std::vector<CheckInfo>& check_registry();

/// The file's own [expect], for each of its operators, then its registered check. `slow`: with the
/// parameters of [check.slow] where the file has them. Throws InputError on an unknown check or
/// unusable parameters.
[[nodiscard]] CheckOutcome check_instant(const Instant& instant, bool slow = false);

/// One file of the gallery. Several files may share an id (the parts of one figure).
struct GalleryEntry {
  std::string id;    ///< "G4"
  std::string name;  ///< "G4-cradle"
  std::filesystem::path path;
  Instant instant;
};

/// Reads every <id>-<name>.toml of a directory, in the order A2, A3, ..., G1, ..., G10. Throws
/// InputError when the directory holds none or a file is wrong.
[[nodiscard]] std::vector<GalleryEntry> read_gallery(const std::filesystem::path& directory);

}  // namespace carom
