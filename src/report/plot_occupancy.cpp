#include <fmt/format.h>

#include <algorithm>

#include "report/plots.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"
#include "target/occupancy.hpp"

namespace wavetank::report {
namespace {

constexpr double kLeft = 64;
constexpr double kTop = 64;
constexpr double kWidth = 640;
constexpr double kHeight = 300;
constexpr double kMostVgprs = 512;

double x_of(double vgprs) { return kLeft + kWidth * vgprs / kMostVgprs; }
double y_of(double waves, double most) { return kTop + kHeight * (1 - waves / most); }

void draw_axes(Svg& svg, unsigned most) {
  for (unsigned waves = 0; waves <= most; waves += 4) {
    const double y = y_of(waves, most);
    svg.line(kLeft, y, kLeft + kWidth, y, kGrid);
    svg.text(kLeft - 8, y + 4, std::to_string(waves), {12, kFaint, Anchor::kEnd});
  }
  for (int vgprs = 0; vgprs <= 512; vgprs += 64) {
    svg.text(x_of(vgprs), kTop + kHeight + 18, std::to_string(vgprs),
             {12, kFaint, Anchor::kMiddle});
  }
  svg.text(kLeft + kWidth / 2, kTop + kHeight + 40, "VGPRs and AccVGPRs of a wave",
           {13, kInk, Anchor::kMiddle});
  svg.text(20, kTop + kHeight / 2, "waves per CU", {13, kInk, Anchor::kMiddle, false, -90});
}

/// The staircase: what the register file admits, filled below.
void draw_stairs(Svg& svg, const target::Device& device, unsigned most) {
  unsigned from = 1;
  const auto waves_at = [&](unsigned vgprs) {
    return target::waves_by_vgprs(device, vgprs) * device.simds_per_cu;
  };
  for (unsigned vgprs = 1; vgprs <= 512; ++vgprs) {
    const bool ends = vgprs == 512 || waves_at(vgprs + 1) != waves_at(vgprs);
    if (!ends) continue;
    const unsigned waves = waves_at(vgprs);
    const double y = y_of(waves, most);
    svg.box(x_of(from - 1), y, x_of(vgprs) - x_of(from - 1), kTop + kHeight - y, "#dcebf5",
            fmt::format("up to {} registers: {} waves", vgprs, waves));
    svg.line(x_of(from - 1), y, x_of(vgprs), y, kPalette[0], 2.5);
    const double next = vgprs == 512 ? y : y_of(waves_at(vgprs + 1), most);
    svg.line(x_of(vgprs), y, x_of(vgprs), next, kPalette[0], 2.5);
    if (vgprs < 512) {
      svg.text(x_of(vgprs) + 4, y + 12, std::to_string(vgprs), {10.5, kFaint});
    }
    from = vgprs + 1;
  }
}

/// A dashed line across, with its label at the right end.
void draw_limit(Svg& svg, double waves, unsigned most, std::string_view colour,
                const std::string& label, double raise) {
  const double y = y_of(std::min<double>(waves, most), most);
  svg.line(kLeft, y, kLeft + kWidth, y, colour, 2, "7 4");
  svg.text(kLeft + kWidth - 6, y + raise, label, {12, colour, Anchor::kEnd, true});
}

}  // namespace

std::string occupancy_svg(const target::Device& device, const PlottedKernel& kernel) {
  const profile::LaunchProfile& l = kernel.launch;
  const profile::OccupancyVerdict& o = kernel.verdict.occupancy;
  const unsigned most = std::max(o.max_waves_per_cu, 4u);
  const unsigned registers = std::min(target::unified_vgprs(l.vgprs, l.agprs), 512u);
  const std::string name = short_name(l, 40);
  const std::string summary =
      fmt::format("{} registers, {} of {} waves admitted by {}, {:.1f} achieved", registers,
                  o.waves_per_cu, most, o.limited_by, o.achieved_waves_per_cu);
  Svg svg(kLeft + kWidth + 30, kTop + kHeight + 58, fmt::format("Occupancy of {}", name),
          fmt::format("Waves per CU by registers on {}; {}: {}.", device.name, name, summary));
  svg.text(16, 28, fmt::format("Occupancy of {}", name), {17, kInk, Anchor::kStart, true});
  svg.text(16, 47, summary, {12, kFaint});
  draw_axes(svg, most);
  draw_stairs(svg, device, most);
  const bool close = std::abs(o.achieved_waves_per_cu - o.waves_per_cu) < 2;
  draw_limit(
      svg, o.waves_per_cu, most, kPalette[1],
      fmt::format("{} admit{} {}", o.limited_by,
                  !o.limited_by.empty() && o.limited_by.back() == 's' ? "" : "s", o.waves_per_cu),
      o.waves_per_cu + 1 >= most ? -6 : -6);
  draw_limit(svg, o.achieved_waves_per_cu, most, kPalette[2],
             fmt::format("achieved {:.1f}", o.achieved_waves_per_cu),
             close ? (o.waves_per_cu + 1 >= most ? 31 : 16) : -6);
  const double by_registers = target::waves_by_vgprs(device, registers) * device.simds_per_cu;
  svg.circle(x_of(registers), y_of(std::min<double>(by_registers, o.waves_per_cu), most), 7,
             kPalette[7], fmt::format("{} registers", registers));
  return svg.document();
}

}  // namespace wavetank::report
