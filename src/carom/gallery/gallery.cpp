// The entries of the gallery, and the registry of their checks.
#include "carom/gallery/gallery.h"

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/gallery/detail/checks.h"
#include "carom/runs/instant_run.h"
#include "carom/runs/scene_check.h"
#include "carom/runs/scene_run.h"

namespace carom {
namespace {

// "G10-rack" sorts as (G, 10, rack).
std::tuple<std::string, int, std::string> sort_key(const GalleryEntry& entry) {
  std::string letters;
  int number = 0;
  for (const char c : entry.id) {
    if (c >= '0' && c <= '9') {
      number = 10 * number + (c - '0');
    } else {
      letters += c;
    }
  }
  return {letters, number, entry.name};
}

// An id is one capital letter and at most four digits.
bool is_id(std::string_view text) {
  return text.size() >= 2 && text.size() <= 5 && text[0] >= 'A' && text[0] <= 'Z' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

const CheckInfo& find_check(const std::string& name, CheckSubject subject,
                            const Parameters& parameters) {
  std::vector<std::string> names;
  for (const CheckInfo& check : check_registry()) {
    if (check.subject != subject) continue;
    if (check.name == name) return check;
    names.push_back(check.name);
  }
  parameters.refuse("name", unknown_name_message("check", name, names));
}

// What the registered check of a file adds to what its [expect] gave.
void add_check(const CheckInfo& check, const CheckInput& input, CheckOutcome& outcome) {
  CheckOutcome checked = check.run(input);
  outcome.headline = outcome.claims.size() + checked.headline;
  for (Claim& claim : checked.claims) outcome.claims.push_back(std::move(claim));
  outcome.tables = std::move(checked.tables);
  outcome.figures = std::move(checked.figures);
  outcome.maps = std::move(checked.maps);
}

void add_claims(const std::string& name, std::vector<Claim> claims, CheckOutcome& outcome) {
  for (Claim& claim : claims) {
    claim.text = name + ": " + claim.text;
    outcome.claims.push_back(std::move(claim));
  }
}

void read_entry(GalleryEntry& entry) {
  if (file_kind_of(entry.path) == "scene") {
    entry.scene = read_scene_file(entry.path);
  } else {
    entry.instant = read_instant_file(entry.path);
  }
}

}  // namespace

const std::vector<CheckInfo>& check_registry() {
  static const std::vector<CheckInfo> checks = {
      {"anti_locking", "locked rows run into any budget without detection, and end with it",
       detail::check_anti_locking},
      {"wedge", "Gauss-Seidel in a wedge needs the exact number of reflections",
       detail::check_wedge},
      {"inelastic_collapse", "c_r = 0 inside the iteration never becomes feasible",
       detail::check_inelastic_collapse},
      {"sorting", "equal balls on a line come out sorted", detail::check_sorting},
      {"necessity", "an operator without one of the five properties loops and is caught",
       detail::check_necessity},
      {"desiderata", "the chart of operators against laws", detail::check_desiderata},
      {"points_keep_energy", "points under asynchronous contact: energy bounded, momentum exact",
       detail::check_points_keep_energy, CheckSubject::scene},
      {"points_in_order", "kinetic energies are ordered by restitution",
       detail::check_points_in_order, CheckSubject::scene},
      {"points_cluster", "points that lose their normal speed gather", detail::check_points_cluster,
       CheckSubject::scene},
      {"ledger_closes", "surfaces: energy, work and losses add up, nothing crosses",
       detail::check_ledger_closes, CheckSubject::scene},
      {"shell_impact",
       "thin shells meet: energy without drift beside decomposition contact response",
       detail::check_shell_impact, CheckSubject::scene},
      {"flow_by_friction", "what flows down a slope comes the less far the more it rubs",
       detail::check_flow_by_friction, CheckSubject::scene},
      {"knot", "surfaces are pulled into a knot: ledger, stretch, contact zone, symmetry",
       detail::check_knot, CheckSubject::scene},
      {"stretch_limit", "chains struck at rising speeds stay within the limits of their links",
       detail::check_stretch_limit, CheckSubject::scene},
      {"spring_on_plane", "energy of a bouncing spring by regular clocks, restarted ones, impulses",
       detail::check_spring_on_plane, CheckSubject::scene},
      {"bounded_energy", "one particle between walls for every thickness and stiffness",
       detail::check_bounded_energy, CheckSubject::scene},
      {"box_rotates", "a box on four corners turns with Gauss-Seidel, not with GR",
       detail::check_box_rotates},
      {"spring_chain", "lzb agrees with springs integrated in time", detail::check_spring_chain},
      {"collapse_threshold", "where propagated restitution stops ending",
       detail::check_collapse_threshold},
      {"three_ball_chain", "outcome of a three-ball chain against the exchange of velocities",
       detail::check_three_ball_chain},
      {"disturbed_cradle", "a cradle with small random disturbances",
       detail::check_disturbed_cradle},
      {"galperin", "collisions of two blocks and a wall spell the digits of pi",
       detail::check_galperin},
      {"rebound", "how far velocities spread when a grid bounces", detail::check_rebound,
       CheckSubject::scene},
      {"energy_run", "energy over many steps", detail::check_energy_run, CheckSubject::scene},
      {"same_traces", "operators that agree in every impact trace the same curves",
       detail::check_same_traces, CheckSubject::scene},
      {"anti_locking_run", "a run that locks: any budget without detection, an end with it",
       detail::check_anti_locking_run, CheckSubject::scene},
      {"similar_runs", "final velocities of two operators point the same way",
       detail::check_similar_runs, CheckSubject::scene},
      {"propagated_cost", "applications against the coefficient inside the iteration",
       detail::check_propagated_cost, CheckSubject::scene},
      {"maxwell_demon", "shaken grains gather on one side of a wall, elastic ones do not",
       detail::check_maxwell_demon, CheckSubject::scene},
      {"haff", "a gas of grains cools as Haff's law says", detail::check_haff, CheckSubject::scene},
      {"pattern", "the heights of a shaken layer show a pattern of a known length",
       detail::check_pattern, CheckSubject::scene},
      {"single_shake", "a single shake travels through a pile from the bottom to the top",
       detail::check_single_shake, CheckSubject::scene},
      {"keeps_its_axis", "a body that falls flat on its axis of symmetry stays on it",
       detail::check_keeps_its_axis, CheckSubject::scene},
      {"separation", "bodies that bounce together, or apart", detail::check_separation,
       CheckSubject::scene},
      {"tennis_racket", "the period of the flips about the middle axis",
       detail::check_tennis_racket, CheckSubject::scene},
      {"comes_to_rest", "how fast bodies move at the end, and how high they are",
       detail::check_comes_to_rest, CheckSubject::scene},
      {"bowling", "pins that fall, against the place of the throw", detail::check_bowling,
       CheckSubject::scene},
      {"rolling_circle", "a ball rolls on a platter that spins, as theory says",
       detail::check_rolling_circle, CheckSubject::scene},
      {"momenta", "linear and angular momentum of a closed system", detail::check_momenta,
       CheckSubject::scene},
      {"card_house", "a house of cards stands or falls by its friction, and by balls",
       detail::check_card_house, CheckSubject::scene},
      {"chain_reaction", "each stage of a machine sets off the next", detail::check_chain_reaction,
       CheckSubject::scene},
      {"restitution_order", "more restitution leaves more energy", detail::check_restitution_order,
       CheckSubject::scene},
      {"collision_rate", "a peak at the break, then the rate of balls that lie",
       detail::check_collision_rate, CheckSubject::scene},
      {"galperin_run", "two blocks and a wall in real time spell the digits of pi",
       detail::check_galperin_run, CheckSubject::scene},
      {"gas_pressure", "the pressure of hard balls from how often they collide",
       detail::check_gas_pressure, CheckSubject::scene},
      {"dish", "seven balls in a dish come to rest with the least energy", detail::check_dish,
       CheckSubject::scene},
      {"steps_converge", "steps of one size come near to events as the step goes to 0",
       detail::check_steps_converge, CheckSubject::scene},
      {"bounce_table", "a ball rises to e^2 h, or as far above it as the step explains",
       detail::check_bounce_table, CheckSubject::scene},
      {"two_balls", "a moving ball hits a resting one, head-on and off-centre",
       detail::check_two_balls, CheckSubject::scene},
      {"superball", "a stack of two balls bounces as impacts one after the other do",
       detail::check_superball, CheckSubject::scene},
      {"ball_on_ball", "a ball falls on one that rests on the floor", detail::check_ball_on_ball,
       CheckSubject::scene},
      {"line_cradle", "as many balls leave a cradle as arrive", detail::check_line_cradle,
       CheckSubject::scene},
      {"pendulum_cradle", "as many pendulums swing out as were lifted",
       detail::check_pendulum_cradle, CheckSubject::scene},
      {"ring_symmetry", "a ring keeps all its rotations and mirrors", detail::check_ring_symmetry,
       CheckSubject::scene},
      {"gas_energy", "a gas keeps its energy over many collisions", detail::check_gas_energy,
       CheckSubject::scene},
      {"rotated_copies", "rotated copies of a scene run alike", detail::check_rotated_copies,
       CheckSubject::scene},
  };
  return checks;
}

CheckOutcome check_instant(const Instant& instant, bool slow) {
  CheckOutcome outcome;
  if (instant.problem.body_count() > 0) {
    for (const std::string& name : instant.operators) {
      ImpactSettings settings = instant.settings;
      settings.impact_operator = name;
      add_claims(name, run_instant(instant, settings).claims, outcome);
    }
  }
  if (instant.check.empty()) return outcome;
  CheckInput input{&instant, nullptr, instant.parameters, {}};
  if (slow) input.parameters.override_with(instant.slow_parameters);
  add_check(find_check(instant.check, CheckSubject::instant, instant.parameters), input, outcome);
  return outcome;
}

CheckOutcome check_scene(const Scene& scene, bool slow, const CheckWatch& watch) {
  CheckOutcome outcome;
  for (std::size_t k = 0; k < scene.operators.size(); ++k) {
    if (scene.expectations[k].empty()) continue;
    RunOptions options;
    options.impact_operator = scene.operators[k];
    const MemoryRun run = run_in_memory(scene, options);
    add_claims(scene.operators[k], judge_run(scene.expectations[k], *run.record), outcome);
  }
  if (scene.check.empty()) return outcome;
  CheckInput input{nullptr, &scene, scene.parameters, watch};
  if (slow) input.parameters.override_with(scene.slow_parameters);
  add_check(find_check(scene.check, CheckSubject::scene, scene.parameters), input, outcome);
  return outcome;
}

std::vector<GalleryEntry> read_gallery(const std::filesystem::path& directory) {
  std::vector<GalleryEntry> entries;
  std::error_code error;
  for (const auto& item : std::filesystem::recursive_directory_iterator(directory, error)) {
    if (item.path().extension() != ".toml") continue;
    GalleryEntry entry;
    entry.path = item.path();
    entry.name = item.path().stem().string();
    entry.id = entry.name.substr(0, entry.name.find('-'));
    if (!is_id(entry.id)) continue;
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) {
    throw InputError({directory.string(), 0, 0, ""},
                     "is not a gallery: there is no <id>-<name>.toml in it");
  }
  std::sort(entries.begin(), entries.end(),
            [](const GalleryEntry& a, const GalleryEntry& b) { return sort_key(a) < sort_key(b); });
  for (GalleryEntry& entry : entries) read_entry(entry);
  return entries;
}

}  // namespace carom
