// The numbers of a page in few bytes.
#include "carom/page/detail/page_encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

// Whole numbers stay below this, so that they fit into 32 bits with their sign.
constexpr double kMostQuanta = 1073741824.0;  // 2^30
// Speeds are read as colours and to four digits.
constexpr double kSpeedLevels = 16383.0;
// Of a quaternion's component: 16 bits with the sign.
constexpr double kOrientationQuantum = 1.0 / 32768.0;

template <typename Number>
std::string base64_of(std::span<const Number> numbers) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes(numbers.size_bytes(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return to_base64(bytes);
}

std::uint32_t whole_number(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(value)));
}

double speed_of(const std::vector<double>& velocities, std::size_t body) {
  return std::hypot(velocities[3 * body], velocities[3 * body + 1], velocities[3 * body + 2]);
}

// Second differences of whole numbers over the frames, `count` of them per frame.
class SecondDifferences {
 public:
  SecondDifferences(std::size_t count, std::size_t frames) : before_(count, 0), step_(count, 0) {
    bytes_.reserve(count * frames);
  }

  void add(std::size_t i, std::uint32_t now) {
    append_difference(bytes_, now - before_[i] - step_[i]);
    step_[i] = is_first_ ? 0 : now - before_[i];
    before_[i] = now;
  }
  void end_frame() { is_first_ = false; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> step_;  // k' - k''
  std::string bytes_;
  bool is_first_ = true;
};

// Smallest and largest coordinates of the balls' surfaces over all frames.
struct Box {
  std::array<double, 3> lower{kInfinity, kInfinity, kInfinity};
  std::array<double, 3> upper{-kInfinity, -kInfinity, -kInfinity};
};

Box box_of(const PageRun& run, std::size_t axes) {
  Box box;
  for (const std::vector<double>& frame : run.positions) {
    for (std::size_t body = 0; body < run.radii.size(); ++body) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const double x = frame[3 * body + axis];
        box.lower[axis] = std::min(box.lower[axis], x - run.radii[body]);
        box.upper[axis] = std::max(box.upper[axis], x + run.radii[body]);
      }
    }
  }
  return box;
}

// Of whole numbers, one per body, from frame to frame.
template <typename NumberAt>
std::string first_differences(const PageRun& run, std::span<const std::size_t> frames,
                              NumberAt number_at) {
  const std::size_t count = run.radii.size();
  std::vector<std::uint32_t> before(count, 0);
  std::string bytes;
  bytes.reserve(count * frames.size());
  for (const std::size_t frame : frames) {
    for (std::size_t body = 0; body < count; ++body) {
      const std::uint32_t now = number_at(frame, body);
      append_difference(bytes, now - before[body]);
      before[body] = now;
    }
  }
  return bytes;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t begin = 0; begin < bytes.size(); begin += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - begin);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8U) | (k < count ? static_cast<unsigned char>(bytes[begin + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[(group >> (18U - 6U * k)) & 63U] : '=';
    }
  }
  return text;
}

std::string to_base64(std::span<const double> numbers) { return base64_of(numbers); }
std::string to_base64(std::span<const float> numbers) { return base64_of(numbers); }
std::string to_base64(std::span<const std::int32_t> numbers) { return base64_of(numbers); }
std::string to_base64(std::span<const std::uint32_t> numbers) { return base64_of(numbers); }

void append_difference(std::string& bytes, std::uint32_t difference) {
  const std::uint32_t sign = (difference >> 31U) != 0U ? ~std::uint32_t{0} : 0U;
  std::uint32_t rest = (difference << 1U) ^ sign;
  while (rest >= 128U) {
    bytes += static_cast<char>((rest & 127U) | 128U);
    rest >>= 7U;
  }
  bytes += static_cast<char>(rest);
}

std::vector<std::size_t> kept_frames(std::size_t count, std::size_t stride) {
  CAROM_ASSERT(count > 0 && stride > 0);
  std::vector<std::size_t> frames;
  for (std::size_t frame = 0; frame < count; frame += stride) frames.push_back(frame);
  if (frames.back() != count - 1) frames.push_back(count - 1);
  return frames;
}

PositionGrid make_position_grid(const PageRun& run, double relative_error) {
  PositionGrid grid;
  grid.axes = run.dimension == 3 ? 3 : 2;
  const Box box = box_of(run, grid.axes);
  double extent = 0.0;
  double magnitude = 0.0;
  if (run.radii.empty()) return grid;
  for (std::size_t axis = 0; axis < grid.axes; ++axis) {
    extent = std::max(extent, box.upper[axis] - box.lower[axis]);
    magnitude = std::max({magnitude, std::abs(box.lower[axis]), std::abs(box.upper[axis])});
  }
  // A power of two, with the origin a multiple of it: round and mirrored coordinates stay so.
  const double largest = std::max(2.0 * relative_error * extent, extent / kMostQuanta);
  grid.quantum = std::exp2(std::floor(std::log2(largest)));
  for (std::size_t axis = 0; axis < grid.axes; ++axis) {
    const double middle = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
    grid.origin[axis] = grid.quantum * std::round(middle / grid.quantum);
  }
  // Beside half a quantum: subtracting the origin, the product and the sum round off.
  grid.error = 0.5 * grid.quantum + 4.0 * kRoundOff * magnitude;
  return grid;
}

std::string encode_positions(const PageRun& run, const PositionGrid& grid,
                             std::span<const std::size_t> frames) {
  const std::size_t count = run.radii.size() * grid.axes;
  SecondDifferences differences(count, frames.size());
  for (const std::size_t number : frames) {
    const std::vector<double>& frame = run.positions[number];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t axis = i % grid.axes;
      const double x = frame[3 * (i / grid.axes) + axis];
      differences.add(i, whole_number((x - grid.origin[axis]) / grid.quantum));
    }
    differences.end_frame();
  }
  return differences.take();
}

SpeedGrid make_speed_grid(const PageRun& run) {
  double largest = 0.0;
  for (const std::vector<double>& frame : run.velocities) {
    for (std::size_t body = 0; body < run.radii.size(); ++body) {
      largest = std::max(largest, speed_of(frame, body));
    }
  }
  SpeedGrid grid;
  grid.quantum = largest / kSpeedLevels;
  grid.error = 0.5 * grid.quantum + 4.0 * kRoundOff * largest;
  return grid;
}

std::string encode_speeds(const PageRun& run, const SpeedGrid& grid,
                          std::span<const std::size_t> frames) {
  if (grid.quantum == 0.0) return {};
  return first_differences(run, frames, [&](std::size_t frame, std::size_t body) {
    return whole_number(speed_of(run.velocities[frame], body) / grid.quantum);
  });
}

std::string encode_layers(const PageRun& run, std::span<const std::size_t> frames) {
  return first_differences(
      run, frames, [&](std::size_t frame, std::size_t body) { return run.layers[frame][body]; });
}

OrientationGrid make_orientation_grid(const PageRun& run) {
  OrientationGrid grid;
  grid.components = run.dimension == 3 ? 4 : 2;
  grid.quantum = kOrientationQuantum;
  // Each component is off by half a quantum at most, so the quaternion by their root times that;
  // its direction then by the arcsine, and a rotation by twice the angle of its quaternion.
  const double off = 0.5 * grid.quantum * std::sqrt(static_cast<double>(grid.components));
  grid.error = 2.0 * std::asin(off) + 16.0 * kRoundOff;
  return grid;
}

std::string encode_orientations(const PageRun& run, const OrientationGrid& grid,
                                std::span<const std::size_t> frames) {
  const std::size_t bodies = run.radii.size();
  const std::size_t count = grid.components;
  std::vector<std::array<double, 4>> before(bodies, {1.0, 0.0, 0.0, 0.0});
  SecondDifferences differences(bodies * count, frames.size());
  for (const std::size_t number : frames) {
    for (std::size_t body = 0; body < bodies; ++body) {
      const double* q = &run.orientations[number][4 * body];
      std::array<double, 4> now = {q[0], q[1], q[2], q[3]};
      if (count == 2) now = {q[0], q[3], 0.0, 0.0};
      double length = 0.0;
      double nearness = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        length += now[k] * now[k];
        nearness += now[k] * before[body][k];
      }
      const double scale = (nearness < 0.0 ? -1.0 : 1.0) / std::sqrt(length);
      for (std::size_t k = 0; k < count; ++k) {
        now[k] *= scale;
        differences.add(body * count + k, whole_number(now[k] / grid.quantum));
      }
      before[body] = now;
    }
    differences.end_frame();
  }
  return differences.take();
}

std::vector<std::size_t> thinned_points(std::span<const double> values, std::size_t max_points) {
  std::vector<std::size_t> kept;
  if (values.size() <= max_points) {
    for (std::size_t k = 0; k < values.size(); ++k) kept.push_back(k);
    return kept;
  }
  const std::size_t stretches = std::max<std::size_t>(1, max_points / 4);
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = values.size() * s / stretches;
    const std::size_t end = values.size() * (s + 1) / stretches;
    std::size_t smallest = begin;
    std::size_t largest = begin;
    for (std::size_t k = begin; k < end; ++k) {
      if (std::isnan(values[k])) continue;
      if (std::isnan(values[smallest]) || values[k] < values[smallest]) smallest = k;
      if (std::isnan(values[largest]) || values[k] > values[largest]) largest = k;
    }
    std::array<std::size_t, 4> chosen{begin, smallest, largest, end - 1};
    std::sort(chosen.begin(), chosen.end());
    kept.insert(kept.end(), chosen.begin(), std::unique(chosen.begin(), chosen.end()));
  }
  return kept;
}

}  // namespace carom::detail
