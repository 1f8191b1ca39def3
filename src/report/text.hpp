// What the text reports are made of: colour that can be off, columns, bars, and the reader's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "target/glossary.hpp"

namespace wavetank::report {

/// How a text report looks.
struct TextOptions {
  bool colour = false;
  unsigned columns = 80;
  target::Vocabulary terms = target::Vocabulary::kHip;
};

/// Columns that UTF-8 text takes, for text without wide or combining characters.
std::size_t width_of(std::string_view text);

/// `text` filled with spaces to `columns`; longer text stays as it is.
std::string left(std::string_view text, std::size_t columns);
std::string right(std::string_view text, std::size_t columns);

/// `text` cut to `columns`, the last one an ellipsis if something was cut.
std::string cut(std::string_view text, std::size_t columns);

/// `text` broken at spaces into lines of at most `columns`, all but the first indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// Columns of a full bar.
inline constexpr std::size_t kBarColumns = 24;

/// A bar of eighths of a column: `share` (0 to 1) of `columns`.
std::string bar(double share, std::size_t columns);

/// "183 412": groups of three digits.
std::string grouped(std::uint64_t number);

/// "7.0 M", "12.3 k", "512": three significant digits at most.
std::string short_number(double number);

/// "87.3 µs", "4.40 ms", "2.1 s".
std::string duration(double milliseconds);

/// Sentences of the project in the reader's words: "waves" become "warps".
std::string in_words_of(std::string_view text, target::Vocabulary terms);

std::string bold(std::string_view text, const TextOptions& options);
std::string dim(std::string_view text, const TextOptions& options);

}  // namespace wavetank::report
