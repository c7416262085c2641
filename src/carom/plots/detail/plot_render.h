#pragma once

#include <memory>
#include <string>

#include "carom/plots/detail/plot_marks.h"

namespace carom::detail {

/// Text stays text: it can be searched, and a reader without our font has one that is no wider.
[[nodiscard]] std::string drawing_svg(const Drawing& drawing);

[[nodiscard]] std::string drawing_png(const Drawing& drawing, double scale);

/// Knows how wide a text becomes, pixels.
class TextRuler {
 public:
  TextRuler();
  ~TextRuler();
  TextRuler(const TextRuler&) = delete;
  TextRuler& operator=(const TextRuler&) = delete;

  [[nodiscard]] double width(const std::string& text, const TextStyle& style) const;

 private:
  struct Canvas;
  std::unique_ptr<Canvas> canvas_;
};

}  // namespace carom::detail
