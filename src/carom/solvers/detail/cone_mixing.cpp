// Anderson's extrapolation of a sequence of impulses.
#include "carom/solvers/detail/cone_mixing.h"

#include <array>
#include <cmath>
#include <utility>

namespace carom::solvers {

// (1) by its normal equations, a little regular. False: they say nothing.
bool ConeMixing::find_shares(const Step& now, std::vector<double>& shares) const {
  const std::size_t m = memory_.size();
  std::array<std::array<double, kMemory>, kMemory> gram{};
  shares.assign(m, 0.0);
  for (std::size_t c = 0; c < now.change.size(); ++c) {
    for (std::size_t d = 0; d < 3; ++d) {
      std::array<double, kMemory> f{};
      for (std::size_t i = 0; i < m; ++i) {
        f[i] = now.change[c][d] - memory_[i].change[c][d];
        shares[i] += f[i] * now.change[c][d];
        for (std::size_t j = 0; j <= i; ++j) gram[i][j] += f[i] * f[j];
      }
    }
  }
  double trace = 0.0;
  for (std::size_t i = 0; i < m; ++i) trace += gram[i][i];
  constexpr double kRegular = 1e-12;
  for (std::size_t i = 0; i < m; ++i) {
    gram[i][i] += kRegular * trace;
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = gram[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= gram[i][k] * gram[j][k];
      if (j == i && !(sum > 0.0)) return false;
      gram[i][j] = j < i ? sum / gram[j][j] : std::sqrt(sum);
    }
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < i; ++k) shares[i] -= gram[i][k] * shares[k];
    shares[i] /= gram[i][i];
  }
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t k = i + 1; k < m; ++k) shares[i] -= gram[k][i] * shares[k];
    shares[i] /= gram[i][i];
  }
  return true;
}

void ConeMixing::mix(std::vector<ConeVector>& impulses, const std::vector<ConeVector>& image) {
  Step now;
  now.image = image;
  now.change.resize(image.size());
  for (std::size_t c = 0; c < image.size(); ++c) {
    const double root = std::sqrt(work_->weight[c]);
    for (std::size_t d = 0; d < 3; ++d) now.change[c][d] = root * (image[c][d] - impulses[c][d]);
  }
  impulses = image;
  std::vector<double> shares;
  if (find_shares(now, shares)) {
    for (std::size_t c = 0; c < image.size() && !shares.empty(); ++c) {
      ConeVector r = image[c];
      for (std::size_t j = 0; j < shares.size(); ++j) {
        for (std::size_t d = 0; d < 3; ++d) {
          r[d] -= shares[j] * (image[c][d] - memory_[j].image[c][d]);  // (2)
        }
      }
      impulses[c] = project_on_cone(r, work_->program->contacts[c].friction);
    }
  }
  if (memory_.size() == kMemory) memory_.erase(memory_.begin());
  memory_.push_back(std::move(now));
}

}  // namespace carom::solvers
