// A small writer of SVG pictures, and the one palette of all of them.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace wavetank::report {

/// Eight colours that people with any kind of colour blindness can tell apart (source: M. Okabe and
/// K. Ito, "Color Universal Design"; the black is a dark grey here).
inline constexpr std::array<std::string_view, 8> kPalette = {
    "#0072b2",  // blue
    "#d55e00",  // vermilion
    "#009e73",  // bluish green
    "#e69f00",  // orange
    "#56b4e9",  // sky blue
    "#cc79a7",  // reddish purple
    "#f0e442",  // yellow
    "#444444",  // dark grey
};

/// The same on a dark ground, where the darkest two are lighter.
inline constexpr std::array<std::string_view, 8> kPaletteOnDark = {
    "#3a9ad9",   kPalette[1], kPalette[2], kPalette[3],
    kPalette[4], kPalette[5], kPalette[6], "#a3a8ad",
};
inline constexpr std::string_view kEmptyOnDark = "#33383e";

/// Colours of text and lines, on white.
inline constexpr std::string_view kInk = "#222222";
inline constexpr std::string_view kFaint = "#767676";
inline constexpr std::string_view kGrid = "#dddddd";
inline constexpr std::string_view kEmptyColour = "#eeeeee";

/// Where text stands with respect to its point.
enum class Anchor { kStart, kMiddle, kEnd };

/// How text looks.
struct TextLook {
  double size = 13;
  std::string_view colour = kInk;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  double angle = 0;  ///< degrees, clockwise
};

/// A picture under construction; the unit of all coordinates is a CSS pixel.
class Svg {
 public:
  /// `title` is the heading of the picture for screen readers, `alt` what it shows, in words.
  Svg(double width, double height, std::string_view title, std::string_view alt);

  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1,
            std::string_view dash = "");
  void box(double x, double y, double width, double height, std::string_view fill,
           std::string_view tooltip = "");
  void circle(double x, double y, double radius, std::string_view fill,
              std::string_view tooltip = "");
  void text(double x, double y, std::string_view text, const TextLook& look = {});

  /// The whole document.
  std::string document() const;

 private:
  std::string head_;
  std::string body_;
};

}  // namespace wavetank::report
