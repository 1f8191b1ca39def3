#include "hip/hostcall/printf_format.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

namespace wavetank::hip {
namespace {

constexpr std::string_view kConversions = "diouxXfFeEgGaAcspn";
constexpr std::string_view kFloatConversions = "fFeEgGaA";

/// Words that device code wrote, read in order.
class Words {
 public:
  explicit Words(std::span<const std::uint64_t> words) : words_(words) {}
  bool empty() const { return words_.empty(); }
  std::span<const std::uint64_t> rest() const { return words_; }
  std::uint64_t word() {
    const std::uint64_t first = words_.front();
    words_ = words_.subspan(1);
    return first;
  }
  std::string text() {
    const auto* characters = reinterpret_cast<const char*>(words_.data());
    const std::size_t limit = words_.size() * sizeof(std::uint64_t);
    const std::size_t length = strnlen(characters, limit);
    std::string text(characters, length);
    words_ = words_.subspan(std::min(words_.size(), length / sizeof(std::uint64_t) + 1));
    return text;
  }

 private:
  std::span<const std::uint64_t> words_;
};

template <class Value>
std::string print(const std::string& specifier, const std::vector<int>& stars, Value value) {
  const auto into = [&](char* buffer, std::size_t size) {
    switch (stars.size()) {
      case 0: return std::snprintf(buffer, size, specifier.c_str(), value);
      case 1: return std::snprintf(buffer, size, specifier.c_str(), stars[0], value);
      default: return std::snprintf(buffer, size, specifier.c_str(), stars[0], stars[1], value);
    }
  };
  const int length = into(nullptr, 0);
  if (length <= 0) return {};
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  into(text.data(), text.size());
  text.pop_back();
  return text;
}

/// Drops the length modifiers and puts the one of a 64-bit word, for the sizes that need it.
std::string normalise(std::string_view specifier) {
  std::string text;
  bool is_long = false;
  for (const char c : specifier) {
    if (c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'L' || c == 'q') {
      is_long = true;
    } else {
      text += c;
    }
  }
  const bool integer = std::string_view("diouxX").find(text.back()) != std::string_view::npos;
  if (is_long && integer) text.insert(text.size() - 1, "ll");
  return text;
}

std::optional<std::string> convert(std::string_view written, Words& words) {
  std::vector<int> stars;
  for (auto count = std::ranges::count(written, '*'); count > 0; --count) {
    if (words.empty() || stars.size() == 2) return std::nullopt;
    stars.push_back(static_cast<int>(words.word()));
  }
  if (words.empty()) return std::nullopt;
  const char conversion = written.back();
  const std::string specifier = normalise(written);
  if (conversion == 's') return print(specifier, stars, words.text().c_str());
  const std::uint64_t word = words.word();
  if (conversion == 'n') return std::string{};
  if (conversion == 'p') return print(specifier, stars, std::bit_cast<void*>(word));
  if (kFloatConversions.find(conversion) != std::string_view::npos) {
    return print(specifier, stars, std::bit_cast<double>(word));
  }
  return print(specifier, stars, word);
}

}  // namespace

std::string format_device_printf(std::string_view format,
                                 std::span<const std::uint64_t> arguments) {
  std::string text;
  Words words(arguments);
  while (!format.empty()) {
    const std::size_t percent = format.find('%');
    text += format.substr(0, percent);
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent);
    if (format.starts_with("%%")) {
      text += '%';
      format.remove_prefix(2);
      continue;
    }
    const std::size_t conversion = format.find_first_of(kConversions, 1);
    if (conversion == std::string_view::npos) break;
    const auto converted = convert(format.substr(0, conversion + 1), words);
    if (!converted) break;
    text += *converted;
    format.remove_prefix(conversion + 1);
  }
  return text;
}

std::string format_device_message(std::span<const std::uint64_t> message) {
  Words words(message);
  if (words.empty()) return {};
  const std::string format = words.text();
  return format_device_printf(format, words.rest());
}

}  // namespace wavetank::hip
