// Radii of random balls.

#include "carom/scene/detail/size_distribution.h"

#include <algorithm>
#include <optional>
#include <string>

#include "carom/core/names.h"
#include "carom/core/numbers.h"

namespace carom::detail {
namespace {

// Of a normal distribution at least this share must lie between its bounds, in deviations from the
// mean to the nearer one: or drawing again would take for ever.
constexpr double kMostDeviationsAway = 4.0;

double required(TableReader& table, std::string_view key, const std::string& what) {
  const std::optional<double> value = table.number(key);
  if (!value) table.refuse_missing(key, what);
  return *value;
}

}  // namespace

SizeDistribution::SizeDistribution(TableReader& table) {
  const toml::node* node = table.find("radius");
  if (node == nullptr) {
    table.refuse_missing("radius",
                         "the radius of the balls, the least and the most, or solid = ...");
  }
  if (node->is_table()) {
    read_table(table);
  } else {
    read_numbers(table);
  }
}

void SizeDistribution::read_numbers(TableReader& table) {
  const Numbers given = *table.numbers("radius");
  if (given.empty() || given.size() > 2) {
    table.refuse("radius", "expected one number, or the least and the most, found " +
                               std::to_string(given.size()) + " numbers");
  }
  least_ = given[0];
  most_ = given[given.size() - 1];
  if (least_ != most_) kind_ = Kind::uniform;
  demand_range(table, "radius");
}

void SizeDistribution::demand_range(const TableReader& table, std::string_view key) const {
  if (!(least_ > 0.0)) table.refuse(key, "must be positive, found " + number_text(least_));
  if (!(most_ >= least_)) table.refuse(key, "the least is larger than the most");
}

void SizeDistribution::read_table(TableReader& table) {
  TableReader sizes = *table.subtable("radius");
  const std::vector<std::string> known = {"uniform", "normal", "table"};
  const std::optional<std::string> name = sizes.text("distribution");
  if (!name) sizes.refuse_missing("distribution", "\"uniform\", \"normal\" or \"table\"");
  if (*name == "table") {
    read_shares(sizes);
  } else if (*name == "normal") {
    read_normal(sizes);
  } else if (*name == "uniform") {
    kind_ = Kind::uniform;
    least_ = required(sizes, "least", "the smallest radius");
    most_ = required(sizes, "most", "the largest radius");
    demand_range(sizes, "least");
  } else {
    sizes.refuse("distribution", unknown_name_message("distribution", *name, known));
  }
  sizes.finish();
}

void SizeDistribution::read_normal(TableReader& sizes) {
  kind_ = Kind::normal;
  mean_ = required(sizes, "mean", "the mean radius");
  deviation_ = required(sizes, "deviation", "the standard deviation of the radius");
  least_ = required(sizes, "least", "the smallest radius: what is drawn below it is drawn again");
  most_ = required(sizes, "most", "the largest radius: what is drawn above it is drawn again");
  demand_range(sizes, "least");
  if (!(deviation_ > 0.0)) sizes.refuse("deviation", "must be positive");
  const double away = std::max(least_ - mean_, mean_ - most_);
  if (!(away <= kMostDeviationsAway * deviation_) || most_ - least_ < 1e-3 * deviation_) {
    sizes.refuse("mean",
                 "hardly any radius of this distribution lies between the least and the most");
  }
}

void SizeDistribution::read_shares(TableReader& sizes) {
  kind_ = Kind::table;
  const std::optional<std::vector<double>> radii = sizes.number_list("radii");
  if (!radii || radii->empty()) sizes.refuse_missing("radii", "a list of radii");
  const std::optional<std::vector<double>> shares = sizes.number_list("shares");
  if (shares && shares->size() != radii->size()) {
    sizes.refuse("shares", "expected one for each radius, " + std::to_string(radii->size()) +
                               ", found " + std::to_string(shares->size()));
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < radii->size(); ++k) {
    const double share = shares ? (*shares)[k] : 1.0;
    if (!((*radii)[k] > 0.0))
      sizes.refuse("radii", "must be positive, found " + number_text((*radii)[k]));
    if (!(share >= 0.0))
      sizes.refuse("shares", "must not be negative, found " + number_text(share));
    sum += share;
    radii_.push_back((*radii)[k]);
    up_to_.push_back(sum);
  }
  if (!(sum > 0.0)) sizes.refuse("shares", "are all zero");
  for (double& share : up_to_) share /= sum;
  least_ = *std::min_element(radii_.begin(), radii_.end());
  most_ = *std::max_element(radii_.begin(), radii_.end());
}

double SizeDistribution::draw(Random& random) const {
  switch (kind_) {
    case Kind::one:
      return least_;
    case Kind::uniform:
      return least_ == most_ ? least_ : random.uniform(least_, most_);
    case Kind::normal:
      for (;;) {
        const double radius = mean_ + deviation_ * random.normal();
        if (radius >= least_ && radius <= most_) return radius;
      }
    case Kind::table:
      break;
  }
  const double place = random.uniform();
  const auto found = std::upper_bound(up_to_.begin(), up_to_.end() - 1, place);
  return radii_[static_cast<std::size_t>(found - up_to_.begin())];
}

}  // namespace carom::detail
