#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/gallery/gallery.h"
#include "carom/recording/place.h"

#include "commands.h"
#include "files.h"
#include "gallery_directory.h"
#include "gallery_results.h"
#include "report_json.h"
#include "scene_commands.h"
#include "text_table.h"

namespace carom::cli {
namespace {

// The entries whose id or name is asked for; all when none is.
std::vector<GalleryEntry> select(std::vector<GalleryEntry> entries,
                                 const std::vector<std::string>& ids) {
  if (ids.empty()) return entries;
  std::vector<std::string> known;
  for (const GalleryEntry& entry : entries) {
    if (known.empty() || known.back() != entry.id) known.push_back(entry.id);
  }
  const auto matches = [](const GalleryEntry& entry, const std::string& id) {
    return entry.id == id || entry.name == id;
  };
  for (const std::string& id : ids) {
    const bool found = std::any_of(entries.begin(), entries.end(),
                                   [&](const GalleryEntry& e) { return matches(e, id); });
    if (!found) throw InputError({"", 0, 0, ""}, unknown_name_message("gallery id", id, known));
  }
  std::erase_if(entries, [&](const GalleryEntry& entry) {
    return std::none_of(ids.begin(), ids.end(),
                        [&](const std::string& id) { return matches(entry, id); });
  });
  return entries;
}

// Before a check that may take minutes, not after it.
void demand_usable(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    throw InputError({directory.string(), 0, 0, ""}, "cannot be created: " + error.message());
  }
}

// The curves that a check measured, as numbers and drawn, in files that begin with the entry's id,
// or with its name where it shares the id.
class Curves {
 public:
  explicit Curves(const GalleryOptions& options)
      : directory_(options.out), replace_others_(options.force) {}

  void write(const std::string& prefix, const CheckOutcome& outcome) const {
    for (const DataTable& table : outcome.tables) {
      const std::filesystem::path path =
          place(prefix + "-" + table.name + ".csv", MadeFile::curve_table);
      write_whole(path, fmt::format("# {}: curve {}\n{}", kMadeByCarom, table.name, to_csv(table)));
    }
    for (const CheckFigure& drawn : outcome.figures) {
      static_cast<void>(
          write_figure(drawn.figure, place(prefix + "-" + drawn.name + ".svg", MadeFile::svg)));
    }
    for (const CheckMap& drawn : outcome.maps) {
      static_cast<void>(
          write_height_map(drawn.map, place(prefix + "-" + drawn.name + ".png", MadeFile::png)));
    }
  }

 private:
  [[nodiscard]] std::filesystem::path place(const std::string& name, MadeFile made) const {
    std::filesystem::path path = directory_ / name;
    if (!replace_others_) demand_replaceable(path, made);
    return path;
  }

  std::filesystem::path directory_;
  bool replace_others_;
};

// How far a long check is, on standard error: a line that renews itself at a terminal, a new one
// every minute elsewhere.
class CheckDisplay {
 public:
  explicit CheckDisplay(std::string name) : name_(std::move(name)) {}
  CheckDisplay(const CheckDisplay&) = delete;
  CheckDisplay& operator=(const CheckDisplay&) = delete;
  ~CheckDisplay() {
    if (terminal_ && shown_) fmt::print(stderr, "\r\x1b[K");
  }

  void show(std::string_view doing, double share) {
    const auto now = std::chrono::steady_clock::now();
    const double pause = terminal_ ? 0.5 : 60.0;  // s
    if (std::chrono::duration<double>(now - last_).count() < pause) return;
    last_ = now;
    shown_ = true;
    const std::string text = fmt::format("{}: {}: {:.0f} %", name_, doing, 100.0 * share);
    terminal_ ? fmt::print(stderr, "\r\x1b[K{}", text) : fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
  }

 private:
  std::string name_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Checked {
  const GalleryEntry* entry = nullptr;
  CheckOutcome outcome;
  double seconds = 0.0;
};

Checked check(const GalleryEntry& entry, const GalleryOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CheckDisplay display(entry.name);
  const CheckWatch watch = [&](std::string_view doing, double share) {
    display.show(doing, share);
  };
  Checked checked{&entry, entry.check(options.slow, watch), 0.0};
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return checked;
}

void print_checked(const Checked& checked, bool verbose) {
  const std::vector<Claim>& claims = checked.outcome.claims;
  const auto held =
      std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.passed; });
  const bool good = all_passed(claims) && !claims.empty();
  const std::string headline =
      claims.empty() ? "no claims" : describe(claims[checked.outcome.headline]);
  fmt::print("{:<4} {:<22} {:>3} of {:>3} claims  {:5.2f} s  {}\n", good ? "ok" : "FAIL",
             checked.entry->name, held, claims.size(), checked.seconds, headline);
  for (const Claim& claim : claims) {
    if (claim.passed && !verbose) continue;
    fmt::print("       {}  {}\n", claim.passed ? "ok  " : "FAIL", describe(claim));
  }
  std::fflush(stdout);
}

}  // namespace

int run_gallery_list(const GalleryOptions& options) {
  const std::vector<GalleryEntry> entries = read_gallery(find_gallery(options.directory));
  const GalleryResults results;
  const auto last_result = [&](const GalleryEntry& entry) -> std::string {
    const GalleryResult* result = results.find(entry.name);
    if (result == nullptr) return "-";
    return (result->passed ? "ok " : "FAIL ") + result->date;
  };
  if (options.json) {
    Json list = Json::array();
    for (const GalleryEntry& entry : entries) {
      list.push_back({{"last_result", last_result(entry)},
                      {"id", entry.id},
                      {"name", entry.name},
                      {"kind", entry.scene ? "scene" : "instant"},
                      {"title", entry.title()},
                      {"figure", entry.figure()},
                      {"check", entry.check_name()}});
    }
    fmt::print("{}\n", list.dump(2));
    return kExitFine;
  }
  TextTable table(5);
  table.add({"id", "name", "last result", "figure", "title"});
  for (const GalleryEntry& entry : entries) {
    table.add({entry.id, entry.name, last_result(entry), entry.figure(), entry.title()});
  }
  fmt::print("{}", table.text());
  return kExitFine;
}

int run_gallery_check(const GalleryOptions& options) {
  const std::vector<GalleryEntry> gallery = read_gallery(find_gallery(options.directory));
  const std::vector<GalleryEntry> entries = select(gallery, options.ids);
  if (!options.out.empty()) demand_usable(options.out);
  bool good = true;
  Json list = Json::array();
  GalleryResults results;
  for (const GalleryEntry& entry : entries) {
    const Checked checked = check(entry, options);
    const bool passed = all_passed(checked.outcome.claims) && !checked.outcome.claims.empty();
    good = good && passed;
    if (!options.out.empty()) {
      const auto sharing = std::count_if(gallery.begin(), gallery.end(),
                                         [&](const GalleryEntry& e) { return e.id == entry.id; });
      Curves(options).write(sharing > 1 ? entry.name : entry.id, checked.outcome);
    }
    results.note(entry.name, passed, checked.seconds);
    results.save();
    if (options.json) {
      list.push_back({{"id", entry.id},
                      {"name", entry.name},
                      {"passed", passed},
                      {"seconds", checked.seconds},
                      {"claims", describe_claims(checked.outcome.claims)}});
    } else {
      print_checked(checked, options.verbose);
    }
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return good ? kExitFine : kExitCheckFailed;
}

int run_gallery_run(const GalleryOptions& options) {
  const std::vector<GalleryEntry> entries =
      select(read_gallery(find_gallery(options.directory)), options.ids);
  const std::filesystem::path directory = options.out.empty() ? "." : options.out;
  demand_usable(directory);
  for (const GalleryEntry& entry : entries) {
    if (!entry.scene) {
      fmt::print("{} is an instant: carom impact {}\n", entry.name, entry.path.string());
      continue;
    }
    FileCommand view;
    view.force = options.force;
    view.output = (directory / (entry.name + ".html")).string();
    for (const std::string& name : entry.scene->operators) {
      RunCommand run;
      run.scene = entry.path.string();
      run.impact_operator = name;
      run.output = (directory / (entry.name + "-" + file_part(name) + ".h5")).string();
      run.force = options.force;
      fmt::print("{}, {}\n", entry.title(), name);
      const int code = run_run(run);
      if (code == kExitInterrupted) return code;
      view.files.push_back(run.output);
    }
    FileCommand plot;
    plot.force = options.force;
    plot.files = view.files;
    plot.output = (directory / entry.name).string();
    run_plot(plot);
    run_view(view);
  }
  return kExitFine;
}

}  // namespace carom::cli
