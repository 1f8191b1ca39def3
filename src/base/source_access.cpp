#include "base/source_access.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace wavetank {
namespace {

using Place = std::size_t;
constexpr Place kNowhere = std::string_view::npos;
constexpr std::size_t kMostSubscript = 32;

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// True for a quote between the digits of a number: 1'000.
bool parts_digits(std::string_view line, Place at) {
  return line[at] == '\'' && at > 0 && at + 1 < line.size() &&
         std::isxdigit(static_cast<unsigned char>(line[at - 1])) != 0 &&
         std::isxdigit(static_cast<unsigned char>(line[at + 1])) != 0;
}

/// Behind the quote that closes the one at `open`.
Place behind_quotes(std::string_view line, Place open) {
  Place at = open + 1;
  while (at < line.size() && line[at] != line[open]) at += line[at] == '\\' ? 2 : 1;
  return std::min(at + 1, line.size());
}

/// The line with spaces for its comments, and underscores for its strings and characters, whose
/// brackets and signs say nothing.
std::string without_words(std::string_view line) {
  std::string text(line);
  const auto blank = [&](Place from, Place to, char with) {
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(from),
              text.begin() + static_cast<std::ptrdiff_t>(to), with);
  };
  // A comment of the lines before may end here.
  const Place ends = line.find("*/"), begins = line.find("/*");
  Place at = 0;
  if (ends != kNowhere && (begins == kNowhere || begins > ends)) {
    blank(0, ends + 2, ' ');
    at = ends + 2;
  }
  while (at < line.size()) {
    const std::string_view rest = line.substr(at);
    Place next = at + 1;
    if (rest.starts_with("//")) {
      blank(at, next = line.size(), ' ');
    } else if (rest.starts_with("/*")) {
      const Place end = line.find("*/", at + 2);
      blank(at, next = end == kNowhere ? line.size() : end + 2, ' ');
    } else if (line[at] == '"' || (line[at] == '\'' && !parts_digits(line, at))) {
      blank(at, next = behind_quotes(line, at), '_');
    }
    at = next;
  }
  return text;
}

/// Behind the bracket that closes the one at `open`; kNowhere if it is on another line.
Place behind_brackets(std::string_view line, Place open) {
  int depth = 0;
  for (Place at = open; at < line.size(); ++at) {
    if (line[at] == '[' || line[at] == '(') ++depth;
    if ((line[at] == ']' || line[at] == ')') && --depth == 0) return at + 1;
  }
  return kNowhere;
}

/// Where the brackets open that end before `end`.
Place before_brackets(std::string_view line, Place end) {
  int depth = 0;
  for (Place at = end; at-- > 0;) {
    if (line[at] == ']' || line[at] == ')') ++depth;
    if ((line[at] == '[' || line[at] == '(') && --depth == 0) return at;
  }
  return kNowhere;
}

/// Length of the "." or "->" at a place, or of the one that ends there; 0 if there is none.
std::size_t member_sign_at(std::string_view line, Place at) {
  const std::string_view rest = line.substr(std::min(at, line.size()));
  if (rest.starts_with("->")) return 2;
  return rest.starts_with('.') ? 1 : 0;
}
std::size_t member_sign_before(std::string_view line, Place at) {
  const std::string_view front = line.substr(0, at);
  if (front.ends_with("->")) return 2;
  return front.ends_with('.') ? 1 : 0;
}

Place end_of_word(std::string_view line, Place at) {
  while (at < line.size() && is_word(line[at])) ++at;
  return at;
}
Place begin_of_word(std::string_view line, Place end) {
  while (end > 0 && is_word(line[end - 1])) --end;
  return end;
}

/// The end of "name[...].member[...]" from its first name on; kNowhere if brackets do not close.
Place end_of_access(std::string_view line, Place at) {
  at = end_of_word(line, at);
  while (at < line.size()) {
    if (line[at] == '[') {
      at = behind_brackets(line, at);
      if (at == kNowhere) return at;
    } else if (const std::size_t sign = member_sign_at(line, at); sign != 0) {
      at = end_of_word(line, at + sign);
    } else {
      break;
    }
  }
  return at;
}

/// The begin of an access from its end.
Place begin_of_access(std::string_view line, Place end) {
  while (end > 0) {
    if (line[end - 1] == ']') {
      end = before_brackets(line, end);
      if (end == kNowhere) return end;
      continue;
    }
    const Place begin = begin_of_word(line, end);
    if (begin == end) break;
    const std::size_t sign = member_sign_before(line, begin);
    if (sign == 0) return begin;
    end = begin - sign;
  }
  return end;
}

/// An access of a line, with its * if it begins with one.
struct Access {
  Place begin = 0, end = 0;
};
constexpr Access kNothing;

/// Its text, with each long subscript shortened. `line` is without words.
std::string shortened(std::string_view line, std::string_view source, const Access& access) {
  std::string text;
  for (Place at = access.begin; at < access.end;) {
    const Place end = line[at] == '[' ? behind_brackets(line, at) : at + 1;
    const std::string_view part = source.substr(at, end - at);
    text += part.size() > kMostSubscript ? "[...]" : part;
    at = end;
  }
  return text;
}

/// With the * before it, if that is no multiplication. What has no name in front, such as what a
/// function gave, is none.
Access access_between(std::string_view line, Place begin, Place end, bool may_follow) {
  if (begin == kNowhere || end == kNowhere || begin >= end || !is_word(line[begin])) {
    return kNothing;
  }
  const bool has_brackets = line.substr(begin, end - begin).find('[') != kNowhere;
  if (may_follow && !has_brackets && begin > 0 && line[begin - 1] == '*') --begin;
  const std::string_view access = line.substr(begin, end - begin);
  const bool reaches_memory = access.front() == '*' || access.back() == ']' ||
                              access.find("].") != kNowhere || access.find("]->") != kNowhere;
  return reaches_memory ? Access{begin, end} : kNothing;
}

/// The access that ends before `at`.
Access before(std::string_view line, Place at) {
  const Place last = at == 0 ? kNowhere : line.find_last_not_of(" \t", at - 1);
  if (last == kNowhere) return kNothing;
  return access_between(line, begin_of_access(line, last + 1), last + 1, true);
}

/// True if an operator that assigns stands at `at`.
bool assigns(std::string_view line, Place at) {
  constexpr std::array<std::string_view, 11> kSigns = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  const std::string_view rest = line.substr(at);
  return std::ranges::any_of(kSigns, [&](std::string_view sign) {
    return rest.starts_with(sign) && !rest.substr(sign.size()).starts_with('=');
  });
}

/// True for a name in capitals, which is a macro's: what that accesses stands elsewhere.
bool is_of_macro(std::string_view name) {
  return std::ranges::any_of(name, [](unsigned char c) { return std::isupper(c) != 0; }) &&
         std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; });
}

/// The access whose first or last name begins at `at`.
Access named(std::string_view line, Place at, bool follows = false) {
  if (at >= line.size() || !is_word(line[at])) return kNothing;
  const std::size_t sign = member_sign_before(line, at);
  const Place begin = sign == 0 ? at : begin_of_access(line, at - sign);
  return access_between(line, begin, end_of_access(line, at), follows);
}

/// What is accessed at a place of a line without words.
Access access_at(std::string_view line, Place at) {
  if (assigns(line, at)) return before(line, at);
  const std::string_view rest = line.substr(at);
  if (rest.starts_with("++") || rest.starts_with("--")) {
    const Access counted = before(line, at);
    return counted.end != 0 ? counted : named(line, at + 2);
  }
  if (line[at] == '*') return named(line, at + 1, true);
  const Place behind = end_of_word(line, at);
  if (behind > at && behind < line.size() && line[behind] == '(') {
    if (is_of_macro(line.substr(at, behind - at))) return kNothing;
    at = std::min(line.find_first_not_of(" &", behind + 1), line.size());
  }
  return named(line, at);
}

}  // namespace

std::string source_access(std::string_view line, unsigned column) {
  if (column == 0 || column > line.size()) return {};
  const std::string plain = without_words(line);
  return shortened(plain, line, access_at(plain, column - 1));
}

std::string_view name_of_access(std::string_view access) {
  const Place begin = access.starts_with('*') ? 1 : 0;
  return access.substr(begin, access.find('[') - begin);
}

}  // namespace wavetank
