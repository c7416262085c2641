#pragma once

#include <cstdint>
#include <string>

namespace carom::bench {

/// One line on the standard error that tells how far a long run is; nothing where that is no
/// terminal.
class Progress {
 public:
  explicit Progress(std::string title);
  ~Progress();  ///< wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::uint64_t done, std::uint64_t of);

 private:
  std::string title_;
  bool wanted_;
  double shown_at_ = 0.0;
};

}  // namespace carom::bench
