// A figure as SVG, PNG and files.
#include "carom/plots/plot.h"

#include "carom/plots/detail/plot_files.h"
#include "carom/plots/detail/plot_layout.h"
#include "carom/plots/detail/plot_render.h"

namespace carom {

std::string figure_svg(const Figure& figure) {
  detail::check_figure(figure);
  return detail::drawing_svg(detail::draw_figure(figure));
}

std::string figure_png(const Figure& figure, double scale) {
  detail::check_figure(figure);
  return detail::drawing_png(detail::draw_figure(figure), scale);
}

std::vector<std::filesystem::path> write_figure(const Figure& figure,
                                                const std::filesystem::path& path) {
  return detail::write_pictures(
      path, [&] { return figure_svg(figure); }, [&] { return figure_png(figure); });
}

}  // namespace carom
