#include "page/page_reader.h"

#include "carom/core/error.h"
#include "carom/core/random.h"

namespace carom::page_test {

using nlohmann::json;

PageResult page_of(const PageRun& run, const PageSettings& settings) {
  return make_page(kTemplate, {&run, 1}, settings);
}

std::string message_of(const PageRun& run) {
  try {
    static_cast<void>(page_of(run));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

json data_of(const PageResult& page) {
  const std::string opening = "<script>";
  const std::size_t begin = page.html.find(opening) + opening.size();
  const std::size_t end = page.html.find("</script>");
  return json::parse(page.html.substr(begin, end - begin));
}

std::vector<unsigned char> bytes_of(const json& base64) {
  std::vector<unsigned char> bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : base64.get<std::string>()) {
    unsigned digit = 0;
    if (c >= 'A' && c <= 'Z') {
      digit = static_cast<unsigned>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      digit = static_cast<unsigned>(c - 'a') + 26;
    } else if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0') + 52;
    } else if (c == '+' || c == '/') {
      digit = c == '+' ? 62 : 63;
    } else {
      break;
    }
    buffer = (buffer << 6U) | digit;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<unsigned char>((buffer >> static_cast<unsigned>(bits)) & 255U));
    }
  }
  return bytes;
}

std::vector<std::int64_t> differences_of(const json& base64) {
  std::vector<std::int64_t> differences;
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const unsigned char byte : bytes_of(base64)) {
    value |= static_cast<std::uint64_t>(byte & 127U) << shift;
    shift += 7;
    if (byte >= 128U) continue;
    const auto half = static_cast<std::int64_t>(value / 2);
    differences.push_back(value % 2 == 0 ? half : -half - 1);
    value = 0;
    shift = 0;
  }
  return differences;
}

std::vector<std::vector<std::int32_t>> whole_numbers_of(const json& base64, std::size_t count) {
  std::vector<std::vector<std::int32_t>> frames;
  for (const std::int64_t difference : differences_of(base64)) {
    if (frames.empty() || frames.back().size() == count) frames.emplace_back();
    const std::size_t i = frames.back().size();
    const std::size_t frame = frames.size() - 1;
    std::int64_t now = difference;
    if (frame == 1) now += frames[0][i];
    if (frame > 1) now += 2 * std::int64_t{frames[frame - 1][i]} - frames[frame - 2][i];
    frames.back().push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(now)));
  }
  return frames;
}

std::vector<std::vector<double>> positions_of(const json& run) {
  const std::size_t axes = run["dimension"] == 3 ? 3 : 2;
  const std::size_t count = numbers_of<double>(run["radii"]).size() * axes;
  std::vector<std::vector<double>> frames;
  for (const std::vector<std::int32_t>& numbers : whole_numbers_of(run["positions"], count)) {
    frames.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      frames.back().push_back(run["origin"][i % axes].get<double>() +
                              run["quantum"].get<double>() * numbers[i]);
    }
  }
  return frames;
}

PageRun random_run(std::size_t bodies, std::size_t frames, int dimension, std::uint64_t seed) {
  Random random(seed);
  PageRun run;
  run.title = "random";
  run.impact_operator = "gr";
  run.dimension = dimension;
  run.time_step = 1e-3;
  std::vector<double> q;
  std::vector<double> v;
  for (std::size_t i = 0; i < bodies; ++i) {
    run.radii.push_back(random.uniform(0.01, 0.1));
    for (int axis = 0; axis < 3; ++axis) {
      q.push_back(axis < dimension ? random.uniform(-10.0, 5.0) : 0.0);
      v.push_back(axis < dimension ? random.uniform(-1.0, 1.0) : 0.0);
    }
  }
  for (std::size_t frame = 0; frame < frames; ++frame) {
    run.times.push_back(0.01 * static_cast<double>(frame));
    run.positions.push_back(q);
    run.velocities.push_back(v);
    for (std::size_t k = 0; k < q.size(); ++k) {
      if (random.below(20) == 0) v[k] = -v[k] * random.uniform(0.0, 2.0);
      q[k] += 0.01 * v[k];
    }
  }
  return run;
}

}  // namespace carom::page_test
