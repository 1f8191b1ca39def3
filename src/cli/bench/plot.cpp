#include "cli/bench/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "report/svg.hpp"

namespace wavetank::cli {
namespace {

using report::Anchor;
using report::Svg;

constexpr std::size_t kColumns = 5;
constexpr double kPanel = 150;  ///< the side of a panel
constexpr double kPitchX = 206, kPitchY = 222;
constexpr double kLeft = 56, kTop = 122;
constexpr double kPoint = 3.5;         ///< radius
constexpr double kApart = 26;          ///< between the labels of an axis, at least
constexpr double kLeastSpan = 3;       ///< the ends of an axis are so far apart, as a ratio
constexpr double kMargin = 1.25;       ///< beyond the outermost value, as a ratio
constexpr double kLowest = 1e-12;      ///< values below have no place on a logarithmic axis
constexpr double kOff[] = {0.9, 1.1};  ///< of the measured value, where the dashed lines run

/// Where a row stands, if it can.
bool has_place(const AccuracyRow& row) {
  return row.simulated && *row.simulated > kLowest && row.measured > kLowest &&
         !row.is_below_a_cycle();
}

/// A panel's axes, which are both the same.
struct Axis {
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void include(double value) {
    low = std::min(low, value / kMargin);
    high = std::max(high, value * kMargin);
  }
  void widen() {
    const double factor = std::sqrt(std::max(1.0, kLeastSpan * low / high));
    low /= factor;
    high *= factor;
  }
  /// Pixels from the lower end.
  double at(double value) const { return kPanel * std::log(value / low) / std::log(high / low); }
  bool holds(double value) const { return value >= low && value <= high; }
};

/// The values that are labelled: as many of a decade as have room.
std::vector<double> labels_of(const Axis& axis) {
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
  std::vector<double> labels;
  const auto collect = [&](std::initializer_list<double> digits, int step) {
    labels.clear();
    for (int decade = first; decade <= last; ++decade) {
      for (const double digit : digits) {
        const double value = digit * std::pow(10, decade);
        if (axis.holds(value) && decade % step == 0) labels.push_back(value);
      }
    }
    for (std::size_t i = 1; i < labels.size(); ++i) {
      if (axis.at(labels[i]) - axis.at(labels[i - 1]) < kApart) return false;
    }
    return true;
  };
  if (collect({1, 1.5, 2, 3, 4, 5, 7}, 1) || collect({1, 2, 5}, 1) || collect({1, 3}, 1)) {
    return labels;
  }
  for (int step = 1; !collect({1}, step);) ++step;
  return labels;
}

/// "50", "1.5 k", "100 M".
std::string label_text(double value) {
  constexpr std::array kPrefixes = {std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}};
  for (const auto& [factor, prefix] : kPrefixes) {
    if (value >= factor) return fmt::format("{:g} {}", value / factor, prefix);
  }
  return fmt::format("{:g}", value);
}

/// A family's panel; `x` and `y` are its lower left corner.
struct Panel {
  double x, y;
  Axis axis = {};

  double across(double value) const { return x + axis.at(value); }
  double up(double value) const { return y - axis.at(value); }
};

void draw_axes(Svg& svg, const Panel& panel) {
  for (const double value : labels_of(panel.axis)) {
    const double across = panel.across(value), up = panel.up(value);
    svg.line(across, panel.y - kPanel, across, panel.y, report::kGrid);
    svg.line(panel.x, up, panel.x + kPanel, up, report::kGrid);
    const std::string text = label_text(value);
    svg.text(across, panel.y + 14, text, {10, report::kFaint, Anchor::kMiddle});
    svg.text(panel.x - 5, up + 3.5, text, {10, report::kFaint, Anchor::kEnd});
  }
  svg.line(panel.x, panel.y, panel.x + kPanel, panel.y, report::kFaint);
  svg.line(panel.x, panel.y, panel.x, panel.y - kPanel, report::kFaint);
}

/// Where the simulated value is the measured one, and where it is 10 % off.
void draw_diagonals(Svg& svg, const Panel& panel) {
  const Axis& axis = panel.axis;
  svg.line(panel.x, panel.y, panel.x + kPanel, panel.y - kPanel, report::kInk, 0.75);
  for (const double off : kOff) {
    const double first = std::max(axis.low, axis.low / off);
    const double last = std::min(axis.high, axis.high / off);
    svg.line(panel.across(first), panel.up(first * off), panel.across(last), panel.up(last * off),
             report::kFaint, 0.75, "3 3");
  }
}

/// Devices with their colours.
using Colours = std::vector<std::pair<std::string, std::string_view>>;

/// The palette's colours but for the yellow, which is too pale for a point.
Colours colours_of(const std::vector<AccuracyMean>& devices) {
  constexpr std::array<std::size_t, 7> kColours = {0, 1, 2, 3, 4, 5, 7};
  Colours colours;
  for (const AccuracyMean& device : devices) {
    const std::size_t colour = kColours[colours.size() % kColours.size()];
    colours.emplace_back(device.name, report::kPalette[colour]);
  }
  return colours;
}

std::string_view colour_of(const Colours& colours, const std::string& device) {
  return std::ranges::find(colours, device, &Colours::value_type::first)->second;
}

void draw_points(Svg& svg, const Panel& panel, const std::vector<const AccuracyRow*>& rows,
                 const Colours& colours) {
  for (const AccuracyRow* row : rows) {
    svg.circle(
        panel.across(row->measured), panel.up(*row->simulated), kPoint,
        colour_of(colours, row->device),
        fmt::format("{}, {} {}: measured {:.5g}, simulated {:.5g} {}", row->device, row->kernel,
                    row->parameters, row->measured, *row->simulated, row->unit));
  }
}

void draw_family(Svg& svg, double x, double y, const AccuracyMean& family,
                 const std::vector<AccuracyRow>& rows, const Colours& colours) {
  Panel panel{x, y};
  std::vector<const AccuracyRow*> drawn;
  std::size_t left_out = 0;
  for (const AccuracyRow& row : rows) {
    if (row.family != family.name) continue;
    if (!has_place(row)) {
      ++left_out;
      continue;
    }
    drawn.push_back(&row);
    panel.axis.include(row.measured);
    panel.axis.include(*row.simulated);
  }
  svg.text(x, y - kPanel - 8, family.name, {13, report::kInk, Anchor::kStart, true});
  svg.text(x + kPanel, y - kPanel - 8, fmt::format("{:.1f} %", family.percent),
           {12, report::kFaint, Anchor::kEnd});
  if (left_out != 0) {
    svg.text(x + kPanel, y + 28, fmt::format("{} not drawn", left_out),
             {10, report::kFaint, Anchor::kEnd});
  }
  if (drawn.empty()) return;
  panel.axis.widen();
  draw_axes(svg, panel);
  draw_diagonals(svg, panel);
  draw_points(svg, panel, drawn, colours);
}

void draw_heading(Svg& svg, const Colours& colours) {
  svg.text(16, 30, "Simulated against measured values", {17, report::kInk, Anchor::kStart, true});
  svg.text(
      16, 52,
      "Across: measured; up: simulated. On the line they are the same, between the dashed ones "
      "they differ by less than 10 %. Values below a cycle are not drawn.",
      {12, report::kInk});
  double x = 22;
  for (const auto& [device, colour] : colours) {
    constexpr double kLetter = 7.2;  // about the width of one
    svg.circle(x, 70, 5, colour);
    svg.text(x + 10, 74, device, {12, report::kInk});
    x += 34 + kLetter * static_cast<double>(device.size());
  }
}

}  // namespace

std::string accuracy_svg(const std::vector<AccuracyRow>& rows) {
  const AccuracySummary summary = summarize(rows);
  const Colours colours = colours_of(summary.devices);
  const std::size_t lines = (summary.families.size() + kColumns - 1) / kColumns;
  Svg svg(kLeft + kPitchX * kColumns - 20, kTop + kPitchY * static_cast<double>(lines) - 24,
          "Simulated against measured values",
          fmt::format("{} published values in {} families; the mean absolute error is {:.1f} %.",
                      summary.overall.rows, summary.families.size(), summary.overall.percent));
  draw_heading(svg, colours);
  for (std::size_t i = 0; i < summary.families.size(); ++i) {
    const double x = kLeft + kPitchX * static_cast<double>(i % kColumns);
    const double y = kTop + kPanel + kPitchY * static_cast<double>(i / kColumns);
    draw_family(svg, x, y, summary.families[i], rows, colours);
  }
  return svg.document();
}

}  // namespace wavetank::cli
