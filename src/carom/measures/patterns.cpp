// Heights over a plane, and the strength of their waves.
#include "carom/measures/patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

Index cells(double length, double cell) {
  return std::max<Index>(1, static_cast<Index>(std::ceil(length / cell)));
}

Index cell_of(double place, double lower, double length, Index count) {
  const double at = std::floor((place - lower) / length * static_cast<double>(count));
  return static_cast<Index>(std::clamp(at, 0.0, static_cast<double>(count) - 1.0));
}

// Cells that nobody stands over, from their eight neighbours, round after round; the field repeats.
void fill_gaps(HeightField& field, std::vector<std::uint8_t>& known) {
  const Index columns = field.columns;
  const Index rows = field.rows;
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::uint8_t> next = known;
    const std::vector<double> old = field.height;
    for (Index j = 0; j < rows; ++j) {
      for (Index i = 0; i < columns; ++i) {
        if (known[j * columns + i] != 0) continue;
        double sum = 0.0;
        int count = 0;
        for (const Index dj : {rows - 1, Index{0}, Index{1}}) {
          for (const Index di : {columns - 1, Index{0}, Index{1}}) {
            const Index at = ((j + dj) % rows) * columns + (i + di) % columns;
            if (known[at] == 0) continue;
            sum += old[at];
            ++count;
          }
        }
        if (count == 0) continue;
        field.height[j * columns + i] = sum / count;
        next[j * columns + i] = 1;
      }
    }
    known.swap(next);
  }
}

// The plane waves of one line of numbers.
class LineTransform {
 public:
  explicit LineTransform(Index size) : size_(size) {
    for (Index k = 0; k < size; ++k) {
      turns_.push_back(
          std::polar(1.0, -kTurn * static_cast<double>(k) / static_cast<double>(size)));
    }
  }

  void run(std::span<const std::complex<double>> from, std::span<std::complex<double>> to) const {
    for (Index p = 0; p < size_; ++p) {
      std::complex<double> sum = 0.0;
      Index at = 0;
      for (Index k = 0; k < size_; ++k) {
        sum += from[k] * turns_[at];
        at += p;
        if (at >= size_) at -= size_;
      }
      to[p] = sum;
    }
  }

 private:
  Index size_;
  std::vector<std::complex<double>> turns_;
};

double signed_number(Index i, Index count) {
  return i <= count / 2 ? static_cast<double>(i) : static_cast<double>(i) - count;
}

// Where the power lies by the length of the waves: rings as wide as the smallest wave number.
double strongest_ring(const Spectrum& spectrum, double largest) {
  const double ring = kTurn / std::max(spectrum.width, spectrum.depth);
  std::vector<double> power;
  std::vector<double> moment;
  for (Index j = 0; j < spectrum.rows; ++j) {
    for (Index i = 0; i < spectrum.columns; ++i) {
      const double k = norm(spectrum.wave(i, j));
      if (k > largest) continue;
      const auto number = static_cast<std::size_t>(std::lround(k / ring));
      if (number >= power.size()) {
        power.resize(number + 1, 0.0);
        moment.resize(number + 1, 0.0);
      }
      power[number] += spectrum.power[j * spectrum.columns + i];
      moment[number] += k * spectrum.power[j * spectrum.columns + i];
    }
  }
  // A peak may lie between two rings: three together.
  double best = 0.0;
  double where = 0.0;
  for (std::size_t n = 1; n < power.size(); ++n) {
    double sum = 0.0;
    double weighted = 0.0;
    for (std::size_t m = std::max<std::size_t>(1, n - 1); m < std::min(power.size(), n + 2); ++m) {
      sum += power[m];
      weighted += moment[m];
    }
    if (!(sum > best)) continue;
    best = sum;
    where = weighted / sum;
  }
  return where;
}

// The third moment of the heights that some waves make, beside that of hexagons of this power.
void find_triads(const Spectrum& spectrum, const std::vector<Index>& waves, double power,
                 PatternReport& report) {
  if (spectrum.waves.empty()) return;
  std::vector<std::uint8_t> is_among(spectrum.power.size(), 0);
  for (const Index at : waves) is_among[at] = 1;
  const auto number = [](Index i, Index count) {
    return static_cast<std::ptrdiff_t>(i) - (i <= count / 2 ? 0 : std::ptrdiff_t{count});
  };
  // Of the sum of two wave numbers along one axis; kNone beyond the largest.
  const auto sum_of = [&](Index a, Index b, Index count) {
    const std::ptrdiff_t sum = number(a, count) + number(b, count);
    if (2 * std::abs(sum) > std::ptrdiff_t{count}) return kNone;
    return static_cast<Index>(sum < 0 ? sum + std::ptrdiff_t{count} : sum);
  };
  double moment = 0.0;
  double square = 0.0;  // of its terms
  for (const Index a : waves) {
    for (const Index b : waves) {
      const Index i = sum_of(a % spectrum.columns, b % spectrum.columns, spectrum.columns);
      const Index j = sum_of(a / spectrum.columns, b / spectrum.columns, spectrum.rows);
      if (i == kNone || j == kNone) continue;
      const Index both = j * spectrum.columns + i;
      if (is_among[both] == 0) continue;
      // F(-k) is the conjugate of F(k).
      moment += (spectrum.waves[a] * spectrum.waves[b] * std::conj(spectrum.waves[both])).real();
      square += spectrum.power[a] * spectrum.power[b] * spectrum.power[both];
    }
  }
  const double hexagons = std::sqrt(2.0 / 3.0) * power * std::sqrt(power);
  report.triads = std::abs(moment) / hexagons;
  // A triad and its conjugate have twelve terms, of one phase.
  report.triads_by_chance = std::sqrt(6.0 * square) / hexagons;
}

}  // namespace

HeightField height_field(std::span<const Vec3> position, std::span<const double> radius,
                         const FieldWindow& window) {
  HeightField field;
  field.columns = cells(window.length.x, window.cell);
  field.rows = cells(window.length.y, window.cell);
  field.width = window.length.x;
  field.depth = window.length.y;
  const std::size_t count = std::size_t{field.columns} * field.rows;
  field.height.assign(count, 0.0);
  std::vector<Index> numbers(count, 0);  // of spheres
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3& q = position[i];
    const Index column = cell_of(q.x, window.lower.x, window.length.x, field.columns);
    const Index row = cell_of(q.y, window.lower.y, window.length.y, field.rows);
    const std::size_t at = std::size_t{row} * field.columns + column;
    const double center = q.z - window.lower.z;
    if (window.kind == HeightKind::mean) {
      field.height[at] += 2.0 * center;
    } else {
      const double top = center + radius[i];
      field.height[at] = numbers[at] != 0 ? std::max(field.height[at], top) : top;
    }
    ++numbers[at];
  }
  std::vector<std::uint8_t> known(count, 0);
  for (std::size_t at = 0; at < count; ++at) {
    if (numbers[at] == 0) continue;
    known[at] = 1;
    if (window.kind == HeightKind::mean) field.height[at] /= numbers[at];
  }
  fill_gaps(field, known);
  return field;
}

Vec3 Spectrum::wave(Index i, Index j) const {
  return {kTurn * signed_number(i, columns) / width, kTurn * signed_number(j, rows) / depth, 0.0};
}

Spectrum spectrum_of(const HeightField& field) {
  const Index columns = field.columns;
  const Index rows = field.rows;
  const std::size_t count = field.height.size();
  double mean = 0.0;
  for (const double height : field.height) mean += height / static_cast<double>(count);
  std::vector<std::complex<double>> lines(count);
  std::vector<std::complex<double>> line(std::max(columns, rows));
  std::vector<std::complex<double>> waves(line.size());
  const LineTransform along_x(columns);
  for (Index j = 0; j < rows; ++j) {
    for (Index i = 0; i < columns; ++i) line[i] = field.height[j * columns + i] - mean;
    along_x.run(line, {lines.data() + std::size_t{j} * columns, columns});
  }
  Spectrum spectrum{columns, rows, field.width, field.depth, std::vector<double>(count), {}};
  spectrum.waves.resize(count);
  const LineTransform along_y(rows);
  const double scale = 1.0 / static_cast<double>(count);
  for (Index i = 0; i < columns; ++i) {
    for (Index j = 0; j < rows; ++j) line[j] = lines[j * columns + i];
    along_y.run(line, waves);
    for (Index j = 0; j < rows; ++j) {
      const std::size_t at = j * columns + i;
      spectrum.waves[at] = scale * waves[j];
      spectrum.power[at] = scale * scale * std::norm(waves[j]);
    }
  }
  return spectrum;
}

std::string_view to_string(Pattern pattern) {
  switch (pattern) {
    case Pattern::flat:
      return "flat";
    case Pattern::disordered:
      return "disordered";
    case Pattern::stripes:
      return "stripes";
    case Pattern::squares:
      return "squares";
    case Pattern::hexagons:
      return "hexagons";
  }
  return "unknown";
}

PatternReport classify_pattern(const Spectrum& spectrum, const PatternLimits& limits) {
  PatternReport report;
  const double largest = limits.shortest > 0.0 ? kTurn / limits.shortest : kInfinity;
  double total = 0.0;
  for (Index j = 0; j < spectrum.rows; ++j) {
    for (Index i = 0; i < spectrum.columns; ++i) {
      if (norm(spectrum.wave(i, j)) > largest) continue;
      total += spectrum.power[j * spectrum.columns + i];
    }
  }
  report.amplitude = std::sqrt(total);
  const double peak = strongest_ring(spectrum, largest);
  if (!(total > 0.0) || !(peak > 0.0)) return report;
  report.wavelength = kTurn / peak;
  // As wide as two of the smallest wave numbers, or a quarter of the peak's.
  const double half = std::max(kTurn / std::max(spectrum.width, spectrum.depth), 0.25 * peak);
  double ring = 0.0;
  std::vector<Index> narrow;  // without what squares have at 45 degrees
  std::array<std::complex<double>, 3> sums{};
  for (Index j = 0; j < spectrum.rows; ++j) {
    for (Index i = 0; i < spectrum.columns; ++i) {
      const Vec3 k = spectrum.wave(i, j);
      if (std::abs(norm(k) - peak) > half || norm(k) > largest || k == Vec3{}) continue;
      const double power = spectrum.power[j * spectrum.columns + i];
      const double angle = std::atan2(k.y, k.x);
      ring += power;
      if (std::abs(norm(k) - peak) <= 0.25 * peak) narrow.push_back(j * spectrum.columns + i);
      for (std::size_t m = 0; m < sums.size(); ++m) {
        sums[m] += std::polar(power, 2.0 * static_cast<double>(m + 1) * angle);
      }
    }
  }
  report.in_ring = ring / total;
  report.twofold = std::abs(sums[0]) / ring;
  report.fourfold = std::abs(sums[1]) / ring;
  report.sixfold = std::abs(sums[2]) / ring;
  find_triads(spectrum, narrow, ring, report);
  report.pattern = pattern_of(report, limits);
  return report;
}

Pattern pattern_of(const PatternReport& report, const PatternLimits& limits) {
  if (!(report.amplitude > limits.flat_below)) return Pattern::flat;
  if (report.in_ring < limits.ring_least) return Pattern::disordered;
  if (report.twofold >= limits.order_least) return Pattern::stripes;
  const bool by_chance = report.triads < limits.chance_least * report.triads_by_chance;
  const double hexagonal = std::max(report.sixfold, by_chance ? 0.0 : report.triads);
  if (std::max(report.fourfold, hexagonal) < limits.order_least) return Pattern::disordered;
  return report.fourfold >= hexagonal ? Pattern::squares : Pattern::hexagons;
}

}  // namespace carom
