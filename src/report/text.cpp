#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace wavetank::report {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::string paint(std::string_view code, std::string_view text, const TextOptions& options) {
  return options.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

/// The glossary's key in braces for a HIP word, else the word.
std::string with_key(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kWords = {{
      {"wave", "{wave}"},
      {"waves", "{waves}"},
      {"Wave", "{Wave}"},
      {"Waves", "{Waves}"},
      {"workgroup", "{workgroup}"},
      {"workgroups", "{workgroups}"},
      {"Workgroups", "{Workgroups}"},
      {"work-item", "{thread}"},
      {"work-items", "{threads}"},
      {"lane", "{thread}"},
      {"lanes", "{threads}"},
      {"grid", "{grid}"},
      {"grids", "{grids}"},
      {"LDS", "{lds}"},
  }};
  for (const auto& [hip, key] : kWords) {
    if (word == hip) return std::string(key);
  }
  return std::string(word);
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string left(std::string_view text, std::size_t columns) {
  const std::size_t width = width_of(text);
  return std::string(text) + std::string(width < columns ? columns - width : 0, ' ');
}

std::string right(std::string_view text, std::size_t columns) {
  const std::size_t width = width_of(text);
  return std::string(width < columns ? columns - width : 0, ' ') + std::string(text);
}

std::string cut(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (starts_character(text[end]) && seen++ + 1 == columns) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string lines;
  std::string line;
  while (!text.empty()) {
    // Spaces before a word go with it, so that the first line keeps its own indent.
    const std::size_t word = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', word), text.size());
    const bool begun = width_of(line) > (lines.empty() ? 0 : indent);
    if (begun && width_of(line) + width_of(text.substr(0, end)) > columns) {
      lines += line + "\n";
      line = std::string(indent, ' ');
      text.remove_prefix(word);
    } else {
      line += text.substr(0, end);
      text.remove_prefix(end);
    }
  }
  return lines + line;
}

std::string bar(double share, std::size_t columns) {
  constexpr std::array<std::string_view, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";  // also what is no number
  const double clamped = std::min(share, 1.0);
  auto eighths = static_cast<std::size_t>(std::lround(clamped * 8 * static_cast<double>(columns)));
  if (eighths == 0) eighths = 1;
  std::string text;
  for (; eighths >= 8; eighths -= 8) text += "█";
  return text + std::string(kParts[eighths]);
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

std::string short_number(double number) {
  constexpr std::array<std::string_view, 6> kPrefixes = {"", " k", " M", " G", " T", " P"};
  std::size_t prefix = 0;
  while (std::abs(number) >= 999.5 && prefix + 1 < kPrefixes.size()) {
    number /= 1000;
    ++prefix;
  }
  const int decimals = prefix == 0 && number == std::floor(number) ? 0
                       : std::abs(number) >= 99.95                 ? 0
                       : std::abs(number) >= 9.995                 ? 1
                                                                   : 2;
  return fmt::format("{:.{}f}{}", number, decimals, kPrefixes[prefix]);
}

std::string duration(double milliseconds) {
  const auto with = [](double value, std::string_view unit) {
    return fmt::format("{:.{}f} {}", value, value >= 100 ? 1 : value >= 10 ? 2 : 3, unit);
  };
  if (milliseconds >= 1000) return with(milliseconds / 1000, "s");
  if (milliseconds >= 1) return with(milliseconds, "ms");
  return with(milliseconds * 1000, "µs");
}

std::string in_words_of(std::string_view text, target::Vocabulary terms) {
  if (terms == target::Vocabulary::kHip) return std::string(text);
  std::string keyed;
  while (!text.empty()) {
    const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) -
                                              text.begin());
    keyed += with_key(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) break;
    keyed += text.front();
    text.remove_prefix(1);
  }
  return target::in_terms(keyed, terms);
}

std::string bold(std::string_view text, const TextOptions& options) {
  return paint("1", text, options);
}

std::string dim(std::string_view text, const TextOptions& options) {
  return paint("2", text, options);
}

}  // namespace wavetank::report
