#include <charconv>
#include <optional>

#include "code_object/metadata.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::size_t kMaxArguments = 4096;

/// Takes the number before the next ':' off the front of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const char* end = text.data() + colon;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  text.remove_prefix(colon + 1);
  return number;
}

/// Takes "hash," off the front of `text`; `text` stays as it is when there is none.
std::uint64_t take_hash(std::string_view& text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0) return 0;
  std::uint64_t hash = 0;
  const char* end = text.data() + comma;
  const auto [stop, error] = std::from_chars(text.data(), end, hash, 16);
  if (error != std::errc() || stop != end) return 0;
  text.remove_prefix(comma + 1);
  return hash;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// The character for the letter of a simple escape.
std::optional<char> simple_escape(char letter) {
  constexpr std::string_view kLetters = "abfnrtv\\'\"?";
  constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v\\'\"?";
  const auto index = kLetters.find(letter);
  if (index == std::string_view::npos) return std::nullopt;
  return kCharacters[index];
}

/// The compiler writes control characters and ':' (as \72) as C escapes; this undoes it.
std::string without_escapes(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
    } else if (const auto character = simple_escape(text[i + 1])) {
      result += *character;
      ++i;
    } else if (is_octal(text[i + 1])) {
      int value = 0;
      for (int digits = 0; digits < 3 && i + 1 < text.size() && is_octal(text[i + 1]); ++digits) {
        value = value * 8 + (text[++i] - '0');
      }
      result += static_cast<char>(value);
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

Result<PrintfFormat> read_printf_format(std::string_view text) {
  std::string_view rest = text;
  const auto id = take_number(rest);
  const auto count = id ? take_number(rest) : std::nullopt;
  if (!count || *count > kMaxArguments) {
    return fail(ErrorCode::kBadMetadata,
                "a printf format does not start with its id and its number of arguments");
  }
  PrintfFormat format;
  format.id = *id;
  for (std::uint32_t i = 0; i < *count; ++i) {
    const auto size_bytes = take_number(rest);
    if (!size_bytes) {
      return fail(ErrorCode::kBadMetadata, "a printf format lacks the size of an argument");
    }
    format.argument_sizes_bytes.push_back(*size_bytes);
  }
  if (*id == 0 && *count == 0) format.hash = take_hash(rest);
  // The form with a hash is written as the program has it.
  format.format = format.hash != 0 ? std::string(rest) : without_escapes(rest);
  return format;
}

}  // namespace wavetank::code_object
