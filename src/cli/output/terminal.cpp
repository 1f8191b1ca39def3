#include "cli/output/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace wavetank::cli {
namespace {

/// Columns that UTF-8 text takes on the screen, for text without wide or combining characters.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

Style::Style(Stream stream) {
  const char* term = std::getenv("TERM");
  const bool terminal = isatty(stream == Stream::kStdout ? STDOUT_FILENO : STDERR_FILENO) == 1;
  colour_ = terminal && !is_set("NO_COLOR") && term != nullptr && std::string_view(term) != "dumb";
}

std::string Style::paint(std::string_view code, std::string_view text) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void Table::column(std::string heading, Align align) {
  columns_.push_back({std::move(heading), align});
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::to_text(const Style& style, std::size_t indent) const {
  std::vector<std::size_t> widths;
  bool has_headings = false;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = width(columns_[c].heading);
    for (const auto& cells : rows_) widest = std::max(widest, width(cells[c]));
    widths.push_back(widest);
    has_headings = has_headings || !columns_[c].heading.empty();
  }
  const auto line = [&](const auto& cell_of) {
    std::string text(indent, ' ');
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = cell_of(c);
      const std::string padding(widths[c] - width(cell), ' ');
      if (c != 0) text += "  ";
      text += columns_[c].align == Align::kLeft ? cell + padding : padding + cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text;
  if (has_headings) {
    text +=
        style.bold(line([&](std::size_t c) -> const std::string& { return columns_[c].heading; })) +
        "\n";
  }
  for (const auto& cells : rows_) {
    text += line([&](std::size_t c) -> const std::string& { return cells[c]; }) + "\n";
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  const bool whole = value == static_cast<double>(static_cast<std::uint64_t>(value));
  return whole ? fmt::format("{} {}", static_cast<std::uint64_t>(value), kUnits[unit])
               : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string count_text(std::uint64_t count, std::string_view singular) {
  return count_text(count, singular, fmt::format("{}s", singular));
}

std::string count_text(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

}  // namespace wavetank::cli
