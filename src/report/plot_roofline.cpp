#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plots.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"
#include "target/peaks.hpp"

namespace wavetank::report {
namespace {

constexpr double kLeft = 76;
constexpr double kTop = 56;
constexpr double kWidth = 640;
constexpr double kHeight = 420;
constexpr double kNames = 245;  ///< to the right, for the flat roofs

/// Logarithmic axes: FLOP per byte and FLOP per second.
struct Axes {
  double left = -2, right = 3;  ///< decades of FLOP/byte
  double bottom = 0, top = 0;   ///< decades of FLOP/s

  double x(double intensity) const {
    return kLeft + kWidth * (std::log10(intensity) - left) / (right - left);
  }
  double y(double rate) const { return kTop + kHeight * (top - std::log10(rate)) / (top - bottom); }
};

/// The level that a kernel is drawn at: the one whose roof is nearest.
const profile::RoofLevel& level_of(const profile::Roofline& roof) {
  return *std::max_element(
      roof.levels.begin(), roof.levels.end(),
      [](const auto& a, const auto& b) { return a.percent_of_peak < b.percent_of_peak; });
}

Axes axes_for(const std::vector<target::PeakRate>& rates,
              const std::vector<PlottedKernel>& kernels) {
  Axes axes;
  double most = 1;
  for (const auto& rate : rates) most = std::max(most, rate.flop_per_second);
  axes.top = std::ceil(std::log10(most) + 0.1);
  axes.bottom = axes.top - 6;
  for (const PlottedKernel& kernel : kernels) {
    const profile::Roofline& roof = kernel.verdict.roofline;
    if (roof.flop <= 0 || roof.levels.empty()) continue;
    const double intensity = std::log10(level_of(roof).intensity);
    axes.left = std::min(axes.left, std::floor(intensity));
    axes.right = std::max(axes.right, std::ceil(intensity));
    axes.bottom = std::min(axes.bottom, std::floor(std::log10(roof.flop_per_second)));
  }
  axes.left = std::max(axes.left, -6.0);
  axes.right = std::min(axes.right, 8.0);
  axes.bottom = std::max(axes.bottom, axes.top - 10);
  return axes;
}

/// "100 T" for 14.
std::string decade_text(double decade) {
  constexpr std::string_view kPrefixes[] = {"", " k", " M", " G", " T", " P", " E"};
  const auto thousands = static_cast<std::size_t>(std::clamp(decade / 3, 0.0, 6.0));
  return fmt::format("{:g}{}", std::pow(10, decade - 3.0 * static_cast<double>(thousands)),
                     kPrefixes[thousands]);
}

void draw_grid(Svg& svg, const Axes& axes) {
  for (double decade = axes.left; decade <= axes.right; ++decade) {
    const double x = axes.x(std::pow(10, decade));
    svg.line(x, kTop, x, kTop + kHeight, kGrid);
    svg.text(x, kTop + kHeight + 18, fmt::format("{:g}", std::pow(10, decade)),
             {12, kFaint, Anchor::kMiddle});
  }
  for (double decade = axes.bottom; decade <= axes.top; ++decade) {
    const double y = axes.y(std::pow(10, decade));
    svg.line(kLeft, y, kLeft + kWidth, y, kGrid);
    svg.text(kLeft - 8, y + 4, decade_text(decade), {12, kFaint, Anchor::kEnd});
  }
  svg.text(kLeft + kWidth / 2, kTop + kHeight + 40, "FLOP per byte", {13, kInk, Anchor::kMiddle});
  svg.text(20, kTop + kHeight / 2, "FLOP/s", {13, kInk, Anchor::kMiddle, false, -90});
}

/// Flat roofs of the same height share a line and a label.
void draw_rates(Svg& svg, const Axes& axes, const std::vector<target::PeakRate>& rates,
                double steepest) {
  std::vector<std::pair<double, std::string>> roofs;
  for (const auto& rate : rates) {
    const auto same = std::find_if(roofs.begin(), roofs.end(), [&](const auto& roof) {
      return std::abs(roof.first / rate.flop_per_second - 1) < 1e-3;
    });
    if (same == roofs.end()) {
      roofs.emplace_back(rate.flop_per_second, std::string(rate.name));
    } else {
      same->second += ", " + std::string(rate.name);
    }
  }
  std::sort(roofs.rbegin(), roofs.rend());
  double last_label = -100;
  for (const auto& [rate, name] : roofs) {
    const double start = std::max(axes.x(rate / steepest), kLeft);
    const double y = axes.y(rate);
    svg.line(start, y, kLeft + kWidth, y, kInk, 1.5);
    // Two short lines of text for each label; labels may not lie on each other.
    const double label = std::max(y - 2, last_label + 32);
    svg.line(kLeft + kWidth, y, kLeft + kWidth + 8, label - 2, kFaint, 0.75);
    svg.text(kLeft + kWidth + 12, label - 1, short_number(rate) + "FLOP/s",
             {12, kInk, Anchor::kStart, true});
    svg.text(kLeft + kWidth + 12, label + 13, cut(name, 38), {11, kFaint});
    last_label = label;
  }
}

void draw_bandwidths(Svg& svg, const Axes& axes, const std::vector<target::PeakBandwidth>& levels,
                     const target::PeakRate& highest) {
  for (std::size_t n = 0; n < levels.size(); ++n) {
    const target::PeakBandwidth& level = levels[n];
    const std::string_view colour = kPalette[n % 6];
    const double from =
        std::max(std::pow(10, axes.left), std::pow(10, axes.bottom) / level.bytes_per_second);
    const double to = std::min(target::ridge_point(highest, level), std::pow(10, axes.right));
    svg.line(axes.x(from), axes.y(from * level.bytes_per_second), axes.x(to),
             axes.y(to * level.bytes_per_second), colour, 2);
    // The roofs lie close together: their names stand in the free corner, steepest first.
    const double y = kTop + 22 + 19 * static_cast<double>(levels.size() - 1 - n);
    svg.line(kLeft + 12, y - 4, kLeft + 36, y - 4, colour, 3);
    svg.text(kLeft + 44, y,
             fmt::format("{} {}B/s", level.name, short_number(level.bytes_per_second)), {12, kInk});
  }
}

void draw_kernels(Svg& svg, const Axes& axes, const std::vector<PlottedKernel>& kernels) {
  double legend = kTop + kHeight - 14 * static_cast<double>(kernels.size());
  std::size_t n = 0;
  for (const PlottedKernel& kernel : kernels) {
    const profile::Roofline& roof = kernel.verdict.roofline;
    const bool counts = roof.flop > 0 && !roof.levels.empty() && !roof.is_integer;
    const std::string name = short_name(kernel.launch, 28);
    ++n;
    const std::string what =
        counts ? fmt::format("{}  {}FLOP/s, {} FLOP per byte of {}, {}", name,
                             short_number(roof.flop_per_second),
                             short_number(level_of(roof).intensity), level_of(roof).name,
                             text_of(roof.region))
               : fmt::format("{}  no floating point, {}{}", name,
                             roof.levels.empty()
                                 ? ""
                                 : fmt::format("{}B/s of {}, ",
                                               short_number(level_of(roof).bytes_per_second),
                                               level_of(roof).name),
                             text_of(roof.region));
    if (!roof.levels.empty() && !roof.is_integer) {
      // Without floating point a kernel has a bandwidth only: it stands at the left edge, on the
      // line of that bandwidth, next to its neighbours.
      const double intensity = counts
                                   ? level_of(roof).intensity
                                   : std::pow(10, axes.left + 0.1 + 0.2 * static_cast<double>(n));
      const double rate =
          counts ? roof.flop_per_second : intensity * level_of(roof).bytes_per_second;
      svg.circle(axes.x(intensity), axes.y(rate), 9, counts ? kPalette[7] : kFaint, what);
      svg.text(axes.x(intensity), axes.y(rate) + 4, std::to_string(n),
               {11, "#ffffff", Anchor::kMiddle, true});
    }
    svg.text(kLeft + kWidth - 10, legend, fmt::format("{}  {}", n, what), {11, kInk, Anchor::kEnd});
    legend += 14;
  }
}

std::string alt_text(const target::Device& device, const std::vector<PlottedKernel>& kernels) {
  std::string alt = fmt::format("Roofline of {}.", device.marketing_name);
  for (const PlottedKernel& kernel : kernels) {
    const profile::Roofline& roof = kernel.verdict.roofline;
    alt += fmt::format(" {}: {}, {:.0f} % of the {} roof.", short_name(kernel.launch, 60),
                       text_of(roof.region), roof.nearest_percent, roof.nearest_roof);
  }
  return alt;
}

}  // namespace

std::string roofline_svg(const target::Device& device, const std::vector<PlottedKernel>& kernels) {
  const auto rates = target::peak_rates(device);
  const auto levels = target::peak_bandwidths(device);
  const Axes axes = axes_for(rates, kernels);
  target::PeakRate highest;
  double steepest = 1;
  for (const auto& rate : rates) {
    if (rate.flop_per_second > highest.flop_per_second) highest = rate;
  }
  for (const auto& level : levels) steepest = std::max(steepest, level.bytes_per_second);
  Svg svg(kLeft + kWidth + kNames + 40, kTop + kHeight + 60, "Roofline", alt_text(device, kernels));
  svg.text(16, 30, fmt::format("Roofline of {}", device.marketing_name),
           {17, kInk, Anchor::kStart, true});
  draw_grid(svg, axes);
  draw_bandwidths(svg, axes, levels, highest);
  draw_rates(svg, axes, rates, steepest);
  draw_kernels(svg, axes, kernels);
  return svg.document();
}

}  // namespace wavetank::report
