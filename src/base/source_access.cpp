#include "base/source_access.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace wavetank {
namespace {

using Place = std::size_t;
constexpr Place kNowhere = std::string_view::npos;
constexpr std::size_t kMostSubscript = 32;

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

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

/// With each long subscript shortened.
std::string shortened(std::string_view access) {
  std::string text;
  for (Place at = 0; at < access.size();) {
    const Place end = access[at] == '[' ? behind_brackets(access, at) : at + 1;
    const std::string_view part = access.substr(at, end - at);
    text += part.size() > kMostSubscript ? "[...]" : part;
    at = end;
  }
  return text;
}

/// With the * before it, if that is no multiplication.
std::string access_between(std::string_view line, Place begin, Place end, bool may_follow) {
  if (begin == kNowhere || end == kNowhere || begin >= end) return {};
  const bool has_brackets = line.substr(begin, end - begin).find('[') != kNowhere;
  if (may_follow && !has_brackets && begin > 0 && line[begin - 1] == '*') --begin;
  const std::string_view access = line.substr(begin, end - begin);
  const bool reaches_memory = access.front() == '*' || access.back() == ']' ||
                              access.find("].") != kNowhere || access.find("]->") != kNowhere;
  return reaches_memory ? shortened(access) : std::string();
}

/// The left side of the assignment whose operator stands at `at`; nothing if none does.
std::optional<std::string> assigned(std::string_view line, Place at) {
  constexpr std::string_view kSigns = "+-*/%&|^<>=";
  const Place equals = line.find_first_not_of("+-*/%&|^<>", at);
  const bool is_sign = kSigns.find(line[at]) != kNowhere && equals != kNowhere &&
                       equals - at <= 2 && line[equals] == '=';
  if (!is_sign) return std::nullopt;
  const Place last = at == 0 ? kNowhere : line.find_last_not_of(" \t", at - 1);
  if (last == kNowhere) return std::string();
  return access_between(line, begin_of_access(line, last + 1), last + 1, true);
}

/// The access whose first or last name begins at `at`.
std::string named(std::string_view line, Place at, bool follows = false) {
  if (at >= line.size() || !is_word(line[at])) return {};
  const std::size_t sign = member_sign_before(line, at);
  const Place begin = sign == 0 ? at : begin_of_access(line, at - sign);
  return access_between(line, begin, end_of_access(line, at), follows);
}

}  // namespace

std::string source_access(std::string_view line, unsigned column) {
  if (column == 0 || column > line.size()) return {};
  Place at = column - 1;
  if (const auto left = assigned(line, at)) return *left;
  if (line[at] == '*') return named(line, at + 1, true);
  const Place behind = end_of_word(line, at);
  if (behind > at && behind < line.size() && line[behind] == '(') {
    at = std::min(line.find_first_not_of(" &", behind + 1), line.size());
  }
  return named(line, at);
}

std::string_view name_of_access(std::string_view access) {
  const Place begin = access.starts_with('*') ? 1 : 0;
  return access.substr(begin, access.find('[') - begin);
}

}  // namespace wavetank
