// A drawing as a picture, by cairo.
#include <algorithm>
#include <cairo/cairo.h>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/plots/detail/plot_render.h"
#include "carom/recording/place.h"

namespace carom::detail {
namespace {

// What cairo's images can hold in each direction.
constexpr double kMostPixels = 32767.0;

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;
using Context = std::unique_ptr<cairo_t, ContextDeleter>;

// Without hinting a text is as wide at every scale, and its bytes do not depend on a screen.
void set_font_options(cairo_t* context) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options);
  cairo_font_options_destroy(options);
}

void set_font(cairo_t* context, const TextStyle& style) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, style.size);
}

double advance_of(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

void set_colour(cairo_t* context, const PlotColour& colour) {
  cairo_set_source_rgb(context, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
}

void add_rectangle(cairo_t* context, const PlotRectangle& area) {
  cairo_rectangle(context, area.left, area.top, area.width(), area.height());
}

void paint(cairo_t* context, const StrokeMark& mark) {
  cairo_save(context);
  if (mark.clip) {
    add_rectangle(context, *mark.clip);
    cairo_clip(context);
  }
  set_colour(context, mark.colour);
  cairo_set_line_width(context, mark.width);
  cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(context, mark.dashes.data(), static_cast<int>(mark.dashes.size()), 0.0);
  for (const std::vector<PlotPoint>& line : mark.lines) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (k == 0) {
        cairo_move_to(context, line[k].x, line[k].y);
      } else {
        cairo_line_to(context, line[k].x, line[k].y);
      }
    }
    if (line.size() == 1) cairo_close_path(context);
    // Line by line: one path of 1e5 dots would be searched for crossings.
    cairo_stroke(context);
  }
  cairo_restore(context);
}

void paint(cairo_t* context, const TextMark& mark) {
  cairo_save(context);
  set_font(context, mark.style);
  cairo_move_to(context, mark.at.x, mark.at.y);
  if (mark.upwards) cairo_rotate(context, -std::numbers::pi / 2.0);
  const double width = advance_of(context, mark.text);
  if (mark.anchor == TextAnchor::middle) cairo_rel_move_to(context, -width / 2.0, 0.0);
  if (mark.anchor == TextAnchor::end) cairo_rel_move_to(context, -width, 0.0);
  cairo_text_path(context, mark.text.c_str());
  set_colour(context, mark.style.colour);
  cairo_fill(context);
  cairo_restore(context);
}

void paint(cairo_t* context, const FillMark& mark) {
  set_colour(context, mark.colour);
  // Neighbours meet without a seam.
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
  add_rectangle(context, mark.area);
  cairo_fill(context);
  cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(data, data + length);
  return CAIRO_STATUS_SUCCESS;
}

void require_success(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw InputError({},
                     std::string("the figure cannot be drawn: ") + cairo_status_to_string(status));
  }
}

// The checksum of a chunk, as the PNG specification gives it (annex D).
std::uint32_t png_checksum(std::string_view bytes) {
  std::uint32_t checksum = 0xffffffffU;
  for (const char c : bytes) {
    checksum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      checksum = (checksum >> 1U) ^ ((checksum & 1U) != 0 ? 0xedb88320U : 0U);
    }
  }
  return ~checksum;
}

std::string highest_byte_first(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xffU);
  }
  return bytes;
}

// Cairo writes no comments: a chunk of text behind the first one, which is 33 bytes long with the
// mark of the file.
std::string with_comment(std::string png, std::string_view comment) {
  constexpr std::size_t kBehindFirstChunk = 33;
  CAROM_DEMAND(png.size() > kBehindFirstChunk);
  const std::string payload = std::string("Comment") + '\0' + std::string(comment);
  const std::string chunk = "tEXt" + payload;
  png.insert(kBehindFirstChunk, highest_byte_first(static_cast<std::uint32_t>(payload.size())) +
                                    chunk + highest_byte_first(png_checksum(chunk)));
  return png;
}

}  // namespace

std::string drawing_png(const Drawing& drawing, double scale) {
  const double width = std::ceil(drawing.width * scale);
  const double height = std::ceil(drawing.height * scale);
  if (!(scale > 0.0) || !(std::max(width, height) <= kMostPixels)) {
    throw InputError({"", 0, 0, "scale"},
                     "gives an image larger than 32767 pixels, or none: " + std::to_string(scale));
  }
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                                   static_cast<int>(height)));
  require_success(cairo_surface_status(surface.get()));
  const Context context(cairo_create(surface.get()));
  set_font_options(context.get());
  set_colour(context.get(), drawing.paper);
  cairo_paint(context.get());
  cairo_scale(context.get(), scale, scale);
  for (const PlotMark& mark : drawing.marks) {
    std::visit([&](const auto& some) { paint(context.get(), some); }, mark);
  }
  require_success(cairo_status(context.get()));
  std::string bytes;
  require_success(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return with_comment(std::move(bytes), kMadeByCarom);
}

struct TextRuler::Canvas {
  Surface surface{cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)};
  Context context{cairo_create(surface.get())};
};

TextRuler::TextRuler() : canvas_(std::make_unique<Canvas>()) {
  set_font_options(canvas_->context.get());
}

TextRuler::~TextRuler() = default;

double TextRuler::width(const std::string& text, const TextStyle& style) const {
  cairo_t* context = canvas_->context.get();
  set_font(context, style);
  const double width = advance_of(context, text);
  CAROM_DEMAND(cairo_status(context) == CAIRO_STATUS_SUCCESS);
  return width;
}

}  // namespace carom::detail
