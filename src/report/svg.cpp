#include "report/svg.hpp"

#include <fmt/format.h>

#include "report/xml_text.hpp"

namespace wavetank::report {
namespace {

/// "12.5", "3": two decimals at most, so that pictures stay small and the same everywhere.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string_view anchor_text(Anchor anchor) {
  if (anchor == Anchor::kMiddle) return "middle";
  return anchor == Anchor::kEnd ? "end" : "start";
}

std::string with_tooltip(std::string_view element, std::string_view tooltip) {
  if (tooltip.empty()) return fmt::format("<{}/>\n", element);
  const std::string_view name = element.substr(0, element.find(' '));
  return fmt::format("<{}><title>{}</title></{}>\n", element, escaped(tooltip), name);
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view alt) {
  head_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" role=\"img\" aria-labelledby=\"title desc\" font-family=\"system-ui, 'DejaVu Sans', "
      "sans-serif\">\n<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      number(width), number(height), escaped(title), escaped(alt));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
               std::string_view dash) {
  body_ += fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
      number(x1), number(y1), number(x2), number(y2), colour, number(width),
      dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void Svg::box(double x, double y, double width, double height, std::string_view fill,
              std::string_view tooltip) {
  body_ += with_tooltip(fmt::format("rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"",
                                    number(x), number(y), number(width), number(height), fill),
                        tooltip);
}

void Svg::circle(double x, double y, double radius, std::string_view fill,
                 std::string_view tooltip) {
  body_ += with_tooltip(fmt::format("circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" "
                                    "stroke=\"#ffffff\" stroke-width=\"1.5\"",
                                    number(x), number(y), number(radius), fill),
                        tooltip);
}

void Svg::text(double x, double y, std::string_view text, const TextLook& look) {
  const std::string turn = look.angle == 0 ? ""
                                           : fmt::format(" transform=\"rotate({} {} {})\"",
                                                         number(look.angle), number(x), number(y));
  body_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n",
      number(x), number(y), number(look.size), look.colour, anchor_text(look.anchor),
      look.bold ? " font-weight=\"600\"" : "", turn, escaped(text));
}

std::string Svg::document() const { return head_ + body_ + "</svg>\n"; }

}  // namespace wavetank::report
