// The table of penalty layers: thicknesses, octaves, and sums for forces and energies.
#include "carom/asynchronous/layers.h"

#include <algorithm>
#include <cmath>

namespace carom::asynchronous {

std::string_view to_string(LayerLaw law) { return law == LayerLaw::harmon ? "harmon" : "vouga"; }

LayerTable::LayerTable(LayerLaw law) : law_(law) {
  Index layer = 0;
  for (int octave = 0; octave < kOctaves; ++octave) {
    const double bound = std::ldexp(1.0, octave);  // (3)
    while (0.5 * (layer + 1.0) * (layer + 2.0) <= bound) ++layer;
    last_layer_[static_cast<std::size_t>(octave) + 1] = layer;
  }
  const Index count = layer;
  thickness_.assign(count + 2, kInfinity);
  for (Index l = 1; l <= count + 1; ++l) thickness_[l] = law_thickness(l);
  sums_.resize(count + 1);
  for (int octave = 0; octave < kOctaves; ++octave) {
    Sums sums;  // begins anew with every octave, so that no digits are lost to those before
    for (Index l = last_layer(octave - 1) + 1; l <= last_layer(octave); ++l) {
      const double r = static_cast<double>(l) * l * l;
      sums.r += r;
      sums.r_eta += r * thickness_[l];
      sums.r_eta_eta += r * thickness_[l] * thickness_[l];
      sums_[l] = sums;
    }
  }
}

const LayerTable& LayerTable::of(LayerLaw law) {
  static const LayerTable harmon(LayerLaw::harmon);
  static const LayerTable vouga(LayerLaw::vouga);
  return law == LayerLaw::harmon ? harmon : vouga;
}

double LayerTable::law_thickness(Index layer) const {
  return law_ == LayerLaw::harmon ? 1.0 / std::sqrt(std::sqrt(static_cast<double>(layer)))
                                  : 1.0 / static_cast<double>(layer);
}

Index LayerTable::active_layers(double d) const {
  if (!(d < 1.0)) return 0;
  const Index count = last_layer(kOctaves - 1);
  const double inverse = 1.0 / d;
  const double guess = law_ == LayerLaw::harmon ? inverse * inverse * inverse * inverse : inverse;
  if (!(guess < count)) return count;
  Index n = static_cast<Index>(guess);
  // The table decides, so that force and activity never disagree.
  while (n < count && thickness_[n + 1] > d) ++n;
  while (n > 0 && !(thickness_[n] > d)) --n;
  return n;
}

int LayerTable::octave_of(Index layer) const {
  const auto found = std::lower_bound(last_layer_.begin(), last_layer_.end(), layer);
  return static_cast<int>(found - last_layer_.begin()) - 1;
}

LayerTable::Sums LayerTable::between(Index first, Index last) const {
  return last >= first ? sums_[last] : Sums{};
}

double LayerTable::force(int octave, Index n, double d) const {
  const Sums sums = between(last_layer(octave - 1) + 1, std::min(n, last_layer(octave)));
  return sums.r_eta - d * sums.r;  // (4)
}

double LayerTable::energy(int octave, Index n, double d) const {
  const Sums sums = between(last_layer(octave - 1) + 1, std::min(n, last_layer(octave)));
  return 0.5 * (sums.r_eta_eta - 2.0 * d * sums.r_eta + d * d * sums.r);  // (5)
}

double LayerTable::total_force(double d) const {
  const Index n = active_layers(d);
  double sum = 0.0;
  for (int octave = 0; octave < kOctaves && last_layer(octave - 1) < n; ++octave) {
    sum += force(octave, n, d);
  }
  return sum;
}

double LayerTable::total_energy(double d) const {
  const Index n = active_layers(d);
  double sum = 0.0;
  for (int octave = 0; octave < kOctaves && last_layer(octave - 1) < n; ++octave) {
    sum += energy(octave, n, d);
  }
  return sum;
}

}  // namespace carom::asynchronous
