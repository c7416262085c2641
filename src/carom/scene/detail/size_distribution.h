#pragma once

#include <vector>

#include "carom/core/random.h"
#include "carom/scene/detail/table_reader.h"

namespace carom::detail {

/// Radii of random balls: one, uniform between two, normal between two, or some with their shares.
class SizeDistribution {
 public:
  /// `radius`: a number, [least, most], or a table
  ///   { distribution = "uniform", least, most }
  ///   { distribution = "normal", mean, deviation, least, most }: drawn again outside of these
  ///   { distribution = "table", radii = [...], shares = [...] }: shares of the number of balls
  explicit SizeDistribution(TableReader& table);

  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double draw(Random& random) const;

 private:
  enum class Kind : unsigned char { one, uniform, normal, table };

  void read_numbers(TableReader& table);
  void read_table(TableReader& table);
  void read_normal(TableReader& sizes);
  void read_shares(TableReader& sizes);
  void demand_range(const TableReader& table, std::string_view key) const;

  Kind kind_ = Kind::one;
  double least_ = 1.0;
  double most_ = 1.0;
  double mean_ = 1.0;
  double deviation_ = 0.0;
  std::vector<double> radii_;
  std::vector<double> up_to_;  ///< shares of the first, of the first two, ... of all
};

}  // namespace carom::detail
