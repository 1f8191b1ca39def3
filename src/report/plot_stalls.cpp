#include <fmt/format.h>

#include <algorithm>

#include "report/plots.hpp"
#include "report/stall_bands.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace wavetank::report {
namespace {

unsigned permille_of(const StallBand& band, const profile::Verdict& verdict) {
  unsigned sum = 0;
  for (const profile::StallShare& share : verdict.stack) {
    if (share.reason >= band.first && share.reason <= band.last) sum += share.permille;
  }
  return sum;
}

std::string alt_text(const std::vector<PlottedKernel>& kernels) {
  std::string alt = "Share of wave slot cycles by reason.";
  for (const PlottedKernel& kernel : kernels) {
    alt += fmt::format(" {}:", short_name(kernel.launch, 60));
    for (const StallBand& band : kStallBands) {
      const unsigned permille = permille_of(band, kernel.verdict);
      if (permille >= 50) alt += fmt::format(" {} {:.0f} %,", band.name, permille / 10.0);
    }
    alt.back() = alt.back() == ',' ? '.' : alt.back();
  }
  return alt;
}

void draw_bar(Svg& svg, const PlottedKernel& kernel, double left_edge, double top, double width) {
  double x = left_edge;
  for (const StallBand& band : kStallBands) {
    const unsigned permille = permille_of(band, kernel.verdict);
    const double part = width * permille / 1000.0;
    if (permille == 0) continue;
    svg.box(x, top, part, 26, band.colour, fmt::format("{}: {:.1f} %", band.name, permille / 10.0));
    const bool light = band.colour == kPalette[6] || band.colour == kEmptyColour ||
                       band.colour == kPalette[4] || band.colour == kPalette[3];
    if (part >= 34) {
      svg.text(x + part / 2, top + 18, fmt::format("{:.0f} %", permille / 10.0),
               {12, light ? kInk : std::string_view("#ffffff"), Anchor::kMiddle});
    }
    x += part;
  }
}

}  // namespace

std::string stall_stack_svg(const std::vector<PlottedKernel>& kernels) {
  constexpr double kLeft = 190;
  constexpr double kWidth = 620;
  constexpr double kRow = 38;
  const double rows_top = 56;
  const double legend_top = rows_top + kRow * static_cast<double>(kernels.size()) + 34;
  Svg svg(kLeft + kWidth + 30, legend_top + 78, "Where the cycles went", alt_text(kernels));
  svg.text(16, 30, "Where the cycles went", {17, kInk, Anchor::kStart, true});
  svg.text(kLeft + kWidth, 30, "share of wave slot cycles", {12, kFaint, Anchor::kEnd});
  const double bottom = legend_top - 30;
  for (int percent = 0; percent <= 100; percent += 25) {
    const double x = kLeft + kWidth * percent / 100;
    svg.line(x, rows_top - 8, x, bottom, kGrid);
    svg.text(x, bottom + 15, fmt::format("{} %", percent), {11, kFaint, Anchor::kMiddle});
  }
  double top = rows_top;
  for (const PlottedKernel& kernel : kernels) {
    svg.text(kLeft - 12, top + 18, short_name(kernel.launch, 24), {13, kInk, Anchor::kEnd});
    draw_bar(svg, kernel, kLeft, top, kWidth);
    top += kRow;
  }
  for (std::size_t b = 0; b < kStallBands.size(); ++b) {
    const double x = 24 + 275 * static_cast<double>(b % 3);
    const double y = legend_top + 14 + 21 * static_cast<double>(b / 3);
    svg.box(x, y - 10, 12, 12, kStallBands[b].colour);
    svg.text(x + 19, y, kStallBands[b].name, {12, kInk, Anchor::kStart});
  }
  return svg.document();
}

}  // namespace wavetank::report
