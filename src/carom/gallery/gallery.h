#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/plots/height_map.h"
#include "carom/plots/plot.h"
#include "carom/runs/claim.h"
#include "carom/scene/instant.h"
#include "carom/scene/parameters.h"
#include "carom/scene/scene.h"

namespace carom {

/// A plot of what a check measured.
struct CheckFigure {
  std::string name;  ///< usable as a file name
  Figure figure;
};

/// A map of what a check measured.
struct CheckMap {
  std::string name;  ///< usable as a file name
  HeightMap map;
};

/// What a check measured.
struct CheckOutcome {
  std::vector<Claim> claims;
  std::vector<DataTable> tables;
  std::vector<CheckFigure> figures;
  std::vector<CheckMap> maps;
  std::size_t headline = 0;  ///< the claim to show where there is room for one
};

/// Told by long checks, often, what they are doing and which share of it is done (0 .. 1).
using CheckWatch = std::function<void(std::string_view doing, double share)>;

/// What a check is given: the file, of one kind or the other, the parameters of its [check]
/// table, and who wants to know how far it is (nobody, where that is empty).
struct CheckInput {
  const Instant* instant = nullptr;
  const Scene* scene = nullptr;
  Parameters parameters;
  CheckWatch watch;
};

enum class CheckSubject : std::uint8_t { instant, scene };

/// A check that varies what its file describes. It asserts physics: closed forms and invariants.
struct CheckInfo {
  std::string name;  ///< [check] name in the file
  std::string summary;
  CheckOutcome (*run)(const CheckInput&);
  CheckSubject subject = CheckSubject::instant;
};
[[nodiscard]] const std::vector<CheckInfo>& check_registry();

/// The file's own [expect], for each of its operators, then its registered check. `slow`: with the
/// parameters of [check.slow] where the file has them. Throws InputError on an unknown check or
/// unusable parameters.
[[nodiscard]] CheckOutcome check_instant(const Instant& instant, bool slow = false);

/// The same for a scene: it is run with each of its operators, in memory.
[[nodiscard]] CheckOutcome check_scene(const Scene& scene, bool slow = false,
                                       const CheckWatch& watch = {});

/// One file of the gallery. Several files may share an id (the parts of one figure).
struct GalleryEntry {
  std::string id;    ///< "G4"
  std::string name;  ///< "G4-cradle"
  std::filesystem::path path;
  std::optional<Instant> instant;  ///< one of the two
  std::optional<Scene> scene;

  [[nodiscard]] const std::string& title() const { return scene ? scene->title : instant->title; }
  [[nodiscard]] const std::string& figure() const {
    return scene ? scene->figure : instant->figure;
  }
  [[nodiscard]] const std::string& check_name() const {
    return scene ? scene->check : instant->check;
  }
  [[nodiscard]] CheckOutcome check(bool slow, const CheckWatch& watch = {}) const {
    return scene ? check_scene(*scene, slow, watch) : check_instant(*instant, slow);
  }
};

/// Reads every <id>-<name>.toml of a directory and of its subdirectories, in the order A2, A3, ...,
/// G1, ..., G10. Throws InputError when the directory holds none or a file is wrong.
[[nodiscard]] std::vector<GalleryEntry> read_gallery(const std::filesystem::path& directory);

}  // namespace carom
